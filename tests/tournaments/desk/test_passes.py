"""Closed tournaments for members with a valid pass: lists, desk, internet."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.desk.online.helpers import (
    form_data,
    form_url,
    link_in,
    make_open_tournament,
    send_one,
    text_of,
    wanted,
)
from tests.tournaments.desk.test_files import store, upload
from tournaments.desk.online.queries.entries import unclear_lines
from tournaments.desk.queries.admission import Applicant, admission_ground, admission_in_words
from tournaments.desk.queries.desk import SearchResult, search
from tournaments.desk.services import approval
from tournaments.desk.services.registrations import Payment, register
from tournaments.models import EntryLine, Person, Registration, Role, Tournament

pytestmark = pytest.mark.django_db

PASSES: dict[str, Any] = {
    "is_open": False,
    "closed_circle": "Mitglieder des Verbands",
    "admission": "members",
}
NO_PASS = "Zu diesen Angaben gibt es keinen Pass, der am Turniertag gilt."
LAST_YEAR = date(2025, 12, 31)


def soon(**fields: Any) -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2), **PASSES, **fields)


def online(**fields: Any) -> Tournament:
    return make_open_tournament(**PASSES, **fields)


def enter(tournament: Tournament, person: Person, **fields: Any) -> Registration:
    return register(COMMAND, tournament.pk, person_id=person.pk, **fields)


def shown(rows: list[SearchResult]) -> list[tuple[str, str, bool]]:
    return [(row.person.last_name, row.outside or row.pass_sign, row.is_shared) for row in rows]


@pytest.mark.parametrize(
    ("lists", "asking", "why"),
    [
        pytest.param({}, Applicant(full_name="Eva F", has_pass=True), "gültiger Pass", id="pass"),
        pytest.param({}, Applicant(full_name="Eva F"), "", id="no pass"),
        pytest.param(
            {"circle_persons": "F, Eva"},
            Applicant(full_name="Eva F", has_pass=True),
            "gültiger Pass; steht auf der Liste der Personen",
            id="pass and list",
        ),
        pytest.param(
            {"circle_persons": "F, Eva"}, Applicant(full_name="Eva F"), "", id="list without pass"
        ),
        pytest.param(
            {"circle_clubs": "SC"}, Applicant(full_name="Eva F", has_pass=True), "", id="not on it"
        ),
    ],
)
def test_a_valid_pass_admits_and_a_list_limits_it(lists, asking: Applicant, why: str):
    assert admission_ground(Tournament(**PASSES, **lists), asking) == why


def test_the_ausschreibung_names_the_required_pass():
    assert admission_in_words(Tournament(**PASSES)) == [
        "Wer mitspielt, braucht einen Pass, der am Turniertag gilt.",
        "Bei anderen entscheidet die Spielleitung.",
    ]


def test_a_pass_admits_and_an_expired_one_by_exception():
    tournament = soon()
    today = timezone.localdate(tournament.starts_at)
    valid = make_person("Anna", "Kühn", member_number="1001", member_until=today)
    expired = make_person("Eva", "Zorn", member_number="1002", member_until=LAST_YEAR)

    plays, waits = enter(tournament, valid, payment=Payment()), enter(tournament, expired)

    assert (plays.status, plays.admission) == ("paid", "gültiger Pass")
    assert (waits.asks, waits.number, waits.admission) == (True, None, "")
    assert approval.approve(COMMAND, waits.pk).number == 2


def test_the_desk_finds_by_number_by_the_code_of_the_pass_and_by_name():
    tournament = soon()
    make_person("Anna", "Kühn", member_number="NRW-1001", member_until=date(2099, 12, 31))
    make_person("Eva", "Kühn", member_number="NRW-10017")
    make_person("Karl", "Berg", member_number="4711", member_until=LAST_YEAR)
    make_person("Ida", "Neu")
    anna = [("Kühn", "Pass bis 31.12.2099", False)]

    for text in ("NRW-1001", "nrw-1001", "https://verband.example/pass/NRW-1001"):
        assert shown(search(tournament, text)) == anna, text
    assert shown(search(tournament, "https://verband.example/?nr=NRW-1001")) == anna
    assert shown(search(tournament, "4711")) == [("Berg", "Pass abgelaufen am 31.12.2025", False)]
    assert shown(search(tournament, "Kühn, Eva")) == [("Kühn", "gültiger Pass", False)]
    assert shown(search(tournament, "Neu")) == [("Neu", "kein Pass", False)]
    assert search(tournament, "https://verband.example/pass/9999") == []


def test_a_number_of_start_number_and_pass_is_ambiguous():
    tournament = soon()
    first = make_registration(tournament, make_person("Karl", "Berg"), number=7)
    make_person("Anna", "Kühn", member_number="7")

    assert [(row.person.last_name, row.is_shared) for row in search(tournament, "7")] == [
        ("Berg", True),
        ("Kühn", True),
    ]
    Person.objects.filter(pk=first.person_id).update(member_number="8")
    assert [(row.registration, row.is_shared) for row in search(tournament, "8")] == [
        (first, False)
    ]


def test_passes_of_the_parent_are_found_and_others_not():
    parent = make_organiser("Landesverband", shares_members=True)
    club, stranger = make_organiser("SC Gera", parent=parent), make_organiser("RC Jena")
    make_person("Anna", "Kühn", owner=parent, member_number="1001")
    make_person("Eva", "Zorn", owner=stranger, member_number="1001")

    assert shown(search(soon(owner=club), "1001")) == [("Kühn", "gültiger Pass", False)]


def test_a_tournament_without_passes_does_not_search_them():
    person = make_person("Anna", "Kühn", member_number="1001", member_until=LAST_YEAR)
    other, asks = make_tournament(), soon()
    make_registration(other, person)

    assert search(other, "1001") == []
    assert shown(search(other, "Kühn")) == [("Kühn", "", False)]
    statements = []
    for tournament in (other, asks):
        with CaptureQueriesContext(connection) as counted:
            search(tournament, "4711")
        statements.append(len(counted))
    assert statements == [1, 2]


def test_the_desk_shows_a_pass_problem_with_one_button(client: Client):
    tournament = soon()
    person = make_person("Eva", "Zorn", member_number="1002", member_until=LAST_YEAR)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    desk = at("desk:desk", tournament)

    desk_page = client.read(desk, {"q": "1002"})
    register_url = at("desk:register", tournament)
    done = client.post(register_url, {"person": person.pk}, follow=True).content.decode()
    waiting = client.read(at("desk:list", tournament), {"status": "zustimmung"})
    registration = tournament.registrations.get()
    page = client.read(at("desk:registration", tournament, registration.pk))

    assert desk_page.count("Pass abgelaufen am 31.12.2025") == 1
    for address in (done, waiting, page):
        assert "Pass abgelaufen am 31.12.2025" in address
        assert at("desk:approve", tournament, registration.pk) in address
    client.post(at("desk:approve", tournament, registration.pk))
    registration.refresh_from_db()
    assert registration.number == 1


@pytest.mark.parametrize(
    ("typed", "line", "is_admitted"),
    [
        pytest.param({"member_number": "1001", "birth_year": None}, "Kühn", True, id="number"),
        pytest.param({"member_number": "", "birth_year": 1950}, "Kühn", True, id="year"),
        pytest.param({"member_number": "1001", "birth_year": 1950}, "Kühn", True, id="both"),
        pytest.param({"member_number": "9999", "birth_year": 1950}, "Kühn", False, id="wrong"),
        pytest.param({"member_number": "", "birth_year": 1951}, "Kühn", False, id="other year"),
        pytest.param({"member_number": "1001", "birth_year": 1950}, "Zorn", False, id="other name"),
    ],
)
def test_an_online_entry_proves_a_pass_by_number_or_birth_year(
    typed: dict[str, Any], line: str, is_admitted: bool
):
    tournament = online()
    anna = make_person("Anna", "Kühn", member_number="1001", birth_year=1950, club=make_club("RC"))

    sent = send_one(tournament, wanted("Anna", line, **typed))

    registration = tournament.registrations.get()
    assert (registration.person == anna, registration.asks) == (is_admitted, not is_admitted)
    assert Person.objects.get(member_number="1001") == anna
    assert sent.entry.lines.get().member_number == typed["member_number"]


def test_the_answer_reveals_no_more_of_a_pass_than_the_linked_page(client: Client):
    make_person("Anna", "Kühn", member_number="1001")
    make_person("Eva", "Zorn", member_number="1002", member_until=LAST_YEAR)
    answers, own_pages = set(), []
    for number, person in enumerate(
        [
            {"first_name": "Anna", "last_name": "Kühn", "member_number": "1001"},
            {"first_name": "Eva", "last_name": "Zorn", "member_number": "1002"},
            {"first_name": "Karl", "last_name": "Berg", "member_number": "1001"},
        ]
    ):
        tournament = online(slug=f"cup-{number}", name="Cup")
        answer = client.post(form_url(tournament), form_data(person))
        answers.add(re.sub(r"/meldung/[\w-]{43}/|cup-\d|<dl.*</dl>", "", text_of(answer)))
        own_pages.append(text_of(client.get(link_in(answer))))

    assert len(answers) == 1
    assert NO_PASS not in own_pages[0]
    for page in own_pages[1:]:
        assert NO_PASS in page
        assert "wartet auf Zustimmung" in page
        assert "31.12.2025" not in page
    assert "Kühn" not in own_pages[2]


def test_a_refusal_does_not_reveal_whether_pass_or_list_is_missing(client: Client):
    tournament = online(circle_persons="Kühn, Anna")
    make_person("Eva", "Zorn", member_number="1002")
    typed = {"first_name": "Eva", "last_name": "Zorn", "member_number": "1002"}

    answer = client.post(form_url(tournament), form_data(typed))

    assert tournament.registrations.get().asks
    page = text_of(client.get(link_in(answer)))
    assert "fehlt die Einladung oder ein Pass, der am Turniertag gilt." in page


def test_the_form_has_a_pass_number_only_if_required(client: Client):
    tournament = online()
    neither = form_data({"birth_year": "", "member_number": ""})

    answer = client.post(form_url(tournament), neither)

    assert answer.status_code == 422
    assert "Bitte die Nummer oder den Jahrgang eintragen." in text_of(answer)
    assert not tournament.registrations.exists()
    assert "member_number" not in text_of(client.get(form_url(make_open_tournament())))


def test_a_pass_number_alone_is_refused_but_separates_two_namesakes(client: Client):
    tournament = online()
    holders = [make_person("Anna", "Kühn", member_number=number) for number in ("1001", "1002")]
    anna = {"birth_year": "", "member_number": "1001"}
    nobody = dict.fromkeys(("first_name", "last_name", "club_name", "birth_year"), "")
    alone = form_data(anna, {**nobody, "member_number": "1002"})

    assert client.post(form_url(tournament), alone).status_code == 422
    both = form_data(anna, {**anna, "member_number": "1002"})
    assert client.post(form_url(tournament), both).status_code == 200
    assert [
        registration.person for registration in tournament.registrations.order_by("number")
    ] == holders


def test_the_desk_sees_the_typed_pass_number(client: Client):
    tournament = online()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    send_one(tournament, wanted("Karl", "Berg", member_number="1001"))
    registration = tournament.registrations.get()

    inbox = client.read(at("entry:inbox", tournament))
    page = client.read(at("desk:registration", tournament, registration.pk))

    assert "Pass 1001" in inbox
    assert "Angegebene Passnummer: 1001" in page


def test_a_registered_pass_holder_is_put_aside():
    tournament = online()
    there = make_registration(tournament, make_person("Anna", "Kühn", member_number="1001"))

    send_one(tournament, wanted(member_number="1001", club_name="Anderer Verein"))

    assert EntryLine.objects.get().status == EntryLine.Status.OPEN
    assert [row["registration"] for row in unclear_lines(tournament)] == [there]


def test_a_file_of_registrations_matches_passes_but_creates_none():
    tournament = soon()
    make_person("Anna", "Kühn", member_number="1001")
    headings = "Nachname;Vorname;Passnummer;gültig bis"
    draft = upload(tournament, "Kühn;Anna;1001;", "Berg;Karl;1002;2099", headings=headings)

    anna, karl = store(tournament, draft)

    assert (anna.admission, karl.asks) == ("gültiger Pass", True)
    assert (karl.person.member_number, karl.person.member_until) == ("", None)
