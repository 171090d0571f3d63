"""Closed tournaments (§ 1.1): admitted people, decisions about others, and their records."""

from __future__ import annotations

import json

import pytest
from django.db import IntegrityError, transaction

from scoring.errors import ScoringError
from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.tournaments.announcement.helpers import BEFORE, make_complete, seen
from tests.tournaments.archive.helpers import saved, sealed_again, unsealed
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tournaments.announcement.services.checks import missing_facts
from tournaments.announcement.services.edit import change_fields
from tournaments.archive.importing import import_archive
from tournaments.cash.queries import balances
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.desk.queries.admission import Applicant, admission_ground, admission_in_words
from tournaments.desk.queries.counters import counters
from tournaments.desk.services import approval, changes
from tournaments.desk.services.desk import register_new_person
from tournaments.desk.services.registrations import NotInCircle, Payment, register
from tournaments.models import CashEntry, JournalEntry, Receipt, Registration, Tournament
from tournaments.models.tournament import Section
from tournaments.people.services.anonymise import anonymise_person
from tournaments.people.services.clubs import rename_club

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status, Approval = Registration.Status, Registration.Approval
CLOSED = {
    "is_open": False,
    "closed_circle": "Mitglieder der Vereine im Landkreis",
    "circle_clubs": "SC Altenburg\nSkatfreunde  Münster",
    "circle_persons": "Kühn, Anna\nOtto Maier (1950)",
}
LISTED = {**CLOSED, "admission": "listed"}
APPROVAL = {**CLOSED, "admission": "approval"}


def enter(tournament: Tournament, person=None, **fields) -> Registration:
    person = person or make_person("Eva", "Fremd")
    return register(COMMAND, tournament.pk, person_id=person.pk, now=BEFORE, **fields)


@pytest.mark.parametrize(
    ("asking", "is_in"),
    [
        pytest.param(Applicant(full_name="Eva Fremd", club_name="sc altenburg"), True, id="club"),
        pytest.param(
            Applicant(full_name="E F", club_name="Skatfreunde Muenster"), True, id="umlaut"
        ),
        pytest.param(Applicant(full_name="Anna Kuehn"), True, id="person, the other way round"),
        pytest.param(Applicant(full_name="Otto Maier", birth_year=1950), True, id="year"),
        pytest.param(Applicant(full_name="Otto Maier"), True, id="year not known"),
        pytest.param(Applicant(full_name="Otto Maier", birth_year=1951), False, id="another year"),
        pytest.param(
            Applicant(full_name="Eva Fremd", club_name="SC Altena"), False, id="other club"
        ),
        pytest.param(Applicant(full_name="Eva Fremd"), False, id="no club"),
    ],
)
def test_lists_name_clubs_and_persons(asking: Applicant, is_in: bool):
    assert bool(admission_ground(Tournament(**LISTED), asking)) is is_in


def test_listed_persons_register_and_others_are_refused():
    tournament = make_tournament(**LISTED)
    member = make_person(club=make_club("SC Altenburg"))

    registered = enter(tournament, member, payment=Payment())
    with pytest.raises(NotInCircle, match=r"Eva Fremd gehört nicht zum Teilnehmerkreis \(§ 1.1\)"):
        enter(tournament)

    assert (registered.status, registered.admission) == ("paid", "Mitglied von SC Altenburg")
    assert tournament.registrations.count() == 1
    with pytest.raises(NotInCircle):
        register_new_person(
            COMMAND,
            tournament.pk,
            last_name="Neu",
            first_name="Nora",
            club_name="Fremdverein",
            now=BEFORE,
        )


@pytest.mark.both
def test_a_person_awaiting_approval_has_no_place_and_no_dues():
    tournament = make_tournament(**APPROVAL, places=3)
    for _number in range(3):
        make_registration(tournament, admission="Mitglied von SC Altenburg")

    asked = enter(tournament, payment=Payment())

    assert (asked.status, asked.approval, asked.number) == (Status.WAITING, Approval.ASKED, None)
    assert asked.get_status_display() == "wartet auf Zustimmung"
    assert not CashEntry.objects.exists()
    shown = counters(tournament)
    assert (shown["asking"], shown["waiting"]) == (1, 0)
    with pytest.raises(WrongStatus, match="nicht auf der Warteliste"):
        changes.admit(COMMAND, asked.pk)
    # Yes comes when all places are taken: then it is the waiting list like everybody's.
    assert approval.approve(COMMAND, asked.pk).number is None
    asked.refresh_from_db()
    assert (asked.status, asked.get_status_display()) == (Status.WAITING, "auf der Warteliste")


def test_an_approval_gives_number_and_place_once():
    tournament = make_tournament(**APPROVAL)
    asked = enter(tournament)

    approval.approve(COMMAND, asked.pk)

    asked.refresh_from_db()
    assert (asked.status, asked.number) == (Status.REGISTERED, 1)
    assert asked.admission == "Zustimmung der Spielleitung"
    for act, said in ((approval.approve, {}), (approval.refuse, {"reason": "doch nicht"})):
        with pytest.raises(WrongStatus, match="nichts zu entscheiden"):
            act(COMMAND, asked.pk, **said)


@pytest.mark.both
def test_a_rejection_needs_a_reason_and_refunds_everything():
    tournament = make_tournament(**APPROVAL)
    asked = enter(tournament, make_person("Eva", "Fremd"))
    receipt = Receipt.objects.create(tournament=tournament, number=1, method=Receipt.Method.BANK)
    CashEntry.objects.create(
        receipt=receipt, kind="startgeld", amount_cents=1500, registration=asked
    )

    with pytest.raises(TournamentError, match="braucht einen Grund"):
        approval.refuse(COMMAND, asked.pk, reason=" ")
    back = approval.refuse(COMMAND, asked.pk, reason="kein Mitglied")

    asked.refresh_from_db()
    assert asked.get_status_display() == "nicht zugelassen"
    assert asked.status_reason == "nicht zugelassen: kein Mitglied"
    assert (back.method, balances.paid_cents(asked)) == (Receipt.Method.BANK, 0)
    # A refused person who returns needs another approval.
    again = changes.rejoin(COMMAND, asked.pk)
    assert again.asks


def test_withdrawing_ends_the_wait_for_approval():
    asked = enter(make_tournament(**APPROVAL))

    changes.withdraw(COMMAND, asked.pk)

    asked.refresh_from_db()
    assert asked.get_status_display() == "abgemeldet"


def test_returns_and_substitutions_are_checked_for_admission():
    tournament = make_tournament(**LISTED)
    listed = enter(tournament, make_person("Anna", "Kühn"))
    stranger = make_person("Eva", "Fremd")

    with pytest.raises(NotInCircle):
        changes.substitute(COMMAND, listed.pk, person_id=stranger.pk, reason="krank")
    changes.substitute(COMMAND, listed.pk, person_id=stranger.pk, reason="krank", may_except=True)

    listed.refresh_from_db()
    assert listed.admission == "krank"


def test_an_online_entry_is_admitted_by_its_typed_data():
    tournament = make_open_tournament(**LISTED)

    with pytest.raises(NotInCircle, match="Eva Fremd gehört nach diesen Angaben nicht"):
        send_one(tournament, wanted("Eva", "Fremd", club_name="Fremdverein"))
    listed = send_one(tournament, wanted("Eva", "Neu", club_name="SC Altenburg"))

    assert listed.entry.lines.get().registration.status == Status.REGISTERED


def test_an_online_entry_differing_from_stored_data_is_a_question():
    tournament = make_open_tournament(**LISTED)
    make_person("Otto", "Maier", birth_year=1951)

    sent = send_one(tournament, wanted("Otto", "Maier", club_name="", birth_year=None))

    line = sent.entry.lines.get()
    assert (line.is_new_person, line.registration.asks) == (False, True)


def test_the_database_refuses_impossible_admissions():
    tournament = make_tournament(**APPROVAL)
    asked = enter(tournament)
    rows = Registration.objects.filter(pk=asked.pk)
    events = Tournament.objects.filter(pk=tournament.pk)

    for change in (
        lambda: rows.update(status=Status.REGISTERED, number=1),
        lambda: rows.update(admission="doch"),
        lambda: rows.update(approval=Approval.REFUSED),
        lambda: events.update(is_open=True),
        lambda: events.update(admission="listed", circle_clubs="", circle_persons=""),
        lambda: events.update(admission="other"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_a_closed_ausschreibung_names_its_circle():
    draft = make_complete(is_open=False, closed_circle="Mitglieder")

    assert ["wer sich zu dem geschlossenen" in fact.sentence for fact in missing_facts(draft)] == [
        True
    ]
    assert admission_in_words(make_tournament(**LISTED)) == [
        "Melden können sich Mitglieder von: SC Altenburg, Skatfreunde  Münster.",
        "Melden kann sich, wen der Veranstalter eingeladen hat.",
        "Andere können sich nicht melden.",
    ]


def test_earlier_registrations_stay_and_the_journal_contains_no_names():
    tournament = make_tournament(venue="Saal", organiser="SC", contact_phone="1")
    before = enter(tournament)

    change_fields(
        COMMAND,
        tournament.pk,
        seen=seen(tournament, Section.GENERAL),
        section=Section.GENERAL,
        values=LISTED,
    )

    before.refresh_from_db()
    assert before.admission == "gemeldet, bevor Listen geführt wurden"
    entry = JournalEntry.objects.get(action="tournament_changed")
    assert (entry.after["circle_clubs"], entry.after["circle_persons"]) == (
        "SC Altenburg\nSkatfreunde Münster",
        "…",
    )


def test_lists_follow_renamed_clubs_and_forget_anonymised_persons():
    tournament = make_tournament(**LISTED)
    rename_club(club_id=make_club("SC Altenburg").pk, name="SC 1920 Altenburg", actor=COMMAND)
    anna = make_person("Anna", "Kühn")
    anonymise_person(person_id=anna.pk, typed_name="Anna Kühn", actor=COMMAND)

    tournament.refresh_from_db()
    assert tournament.circle_clubs.splitlines()[0] == "SC 1920 Altenburg"
    assert tournament.circle_persons == "Otto Maier (1950)"


def test_an_archive_contains_the_lists_and_rejects_unadmitted_players():
    tournament = make_tournament(**APPROVAL)
    enter(tournament, make_person("Anna", "Kühn"))
    enter(tournament)
    text = saved(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="hier")

    read = import_archive(text.encode(), actor=COMMAND)

    assert (read.admission, read.circle_persons) == ("approval", APPROVAL["circle_persons"])
    rows = read.registrations.order_by("pk").values_list("approval", "number")
    assert list(rows) == [("", 1), ("asked", None)]
    data = unsealed(text)
    del data["registration_details"][0]["admission"]
    data["tournament"]["slug"] = "anders"
    with pytest.raises(ScoringError) as refusal:
        import_archive(sealed_again(data), actor=COMMAND)
    assert refusal.value.problems[0].where == "registration_details[0]"


def test_an_archive_without_lists_is_read_as_before():
    tournament = make_tournament(is_open=False, closed_circle="Mitglieder")
    make_registration(tournament)
    text = saved(tournament)
    assert not {"admission", "circle_clubs"} & set(json.loads(text)["tournament_details"][0])
    Tournament.objects.filter(pk=tournament.pk).update(slug="hier")

    read = import_archive(text.encode(), actor=COMMAND)

    assert (read.is_open, read.admission) == (False, "")
