"""The pages of persons and their acts."""

from __future__ import annotations

import pytest

from tests.clients import Client
from tests.factories import (
    START,
    make_ban,
    make_club,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.people.helpers import url
from tournaments.common.actors import Actor
from tournaments.common.organisers import first_organiser
from tournaments.machine import sheets
from tournaments.models import Ban, Club, JournalEntry, Person, User
from tournaments.people.services import people
from tournaments.people.services.importing import carry_out, store_rows
from tournaments.people.services.plan import make_plan

pytestmark = pytest.mark.django_db


def test_the_list_is_sorted_as_a_phone_book_and_comes_in_pages(admin_client: Client):
    for number in range(60):
        make_person("Anna", f"Zorn{number:02}")
    make_person("Karl", "Öl")

    first = admin_client.get(url("persons"))
    second = admin_client.get(url("persons"), {"page": "2"})

    assert [person.list_name for person in first.context["persons"][:2]] == [
        "Öl, Karl",
        "Zorn00, Anna",
    ]
    assert len(first.context["persons"]) == 50
    assert len(second.context["persons"]) == 11
    assert "61 Personen" in first.content.decode()


def test_the_search_shows_bans_with_reasons(admin: User, admin_client: Client):
    person = make_person("Anna", "Kühn", club=make_club("SC Altenburg"))
    make_person("Karl", "Berg")
    make_ban(person)

    page = admin_client.read(url("persons"), {"q": "kue alt"})

    assert "Kühn, Anna" in page
    assert "Berg" not in page
    assert "gesperrt" in page
    assert "Karten gezinkt" in page


@pytest.mark.parametrize(
    ("typed", "queries"),
    [
        # Session, account and organisers come first; a search takes two, three with a slip.
        pytest.param("", 6, id="all"),
        pytest.param("muster199", 5, id="one"),
        pytest.param("mutser199", 6, id="one with a slip"),
    ],
)
def test_the_list_takes_few_queries_with_200_persons(
    admin_client: Client, django_assert_num_queries, typed: str, queries: int
):
    persons = [
        Person(first_name="Anna", last_name=f"Muster{n}", owner=first_organiser())
        for n in range(200)
    ]
    for person in persons:
        person.tidy()
    Person.objects.bulk_create(persons)

    with django_assert_num_queries(queries):
        admin_client.get(url("persons"), {"q": typed})


def test_the_page_of_a_person_shows_all_data(admin: User, admin_client: Client):
    person = make_person(
        "Anna",
        "Kühn",
        club=make_club("SC Altenburg"),
        birth_year=1950,
        email="anna@example.org",
        publish_consent=True,
        publish_consent_at=START,
    )
    make_registration(make_tournament(name="Herbstturnier"), person, number=7)
    ban = make_ban(person)

    page = admin_client.read(url("person", person.pk))

    for part in (
        "SC Altenburg",
        "1950",
        "anna@example.org",
        "zugestimmt am 3. Oktober 2026",
        "Herbstturnier",
        "Karten gezinkt",
        "auf Dauer gesperrt",
        url("lift_ban", ban.pk),
    ):
        assert part in page


def test_the_till_sees_a_person_without_contact_data(till_client: Client):
    person = make_person("Anna", "Kühn", email="anna@example.org", phone="0341 1", note="Fenster")

    page = till_client.read(url("person", person.pk))

    assert "Kühn, Anna" in page
    for part in ("anna@example.org", "0341 1", "Fenster", url("edit", person.pk)):
        assert part not in page


def test_the_page_shows_the_public_form_of_a_name_without_consent(admin_client: Client):
    person = make_person("Anna", "Kühn")

    page = admin_client.read(url("person", person.pk))

    assert "im Internet steht „A. K.“" in page


def test_the_history_is_written_in_sentences(admin_client: Client):
    admin_client.post(url("new"), {"last_name": "Kühn", "first_name": "Anna"})
    person = Person.objects.get()
    admin_client.post(
        url("edit", person.pk),
        {"last_name": "Kuhn", "publish_consent": "on", "seen": people.fingerprint(person)},
    )
    admin_client.post(
        url("ban", person.pk), {"reason": "x", "starts_on": "2026-01-01", "ends_on": "2099-12-31"}
    )

    acts = admin_client.get(url("person", person.pk)).context["history"]

    assert [str(what) for _at, _actor, what in acts] == [
        "gesperrt von 1. Januar 2026 bis 31. Dezember 2099",
        "geändert: Vorname, Nachname, Namensnennung",
        "angelegt",
    ]
    assert {actor for _at, actor, _what in acts} == {"Frau Verwalterin"}


def test_the_history_keeps_imports_and_bans(admin_client: Client, admin: User):
    actor = Actor.account(admin)
    for line in ("Kühn;Anna;1950;", "Kühn;Anna;1950;0341 1"):
        headings = "Nachname;Vorname;Geburtsjahr;Telefon"
        rows = sheets.read(f"{headings}\n{line}".encode())
        draft = store_rows(within=first_organiser(), rows=rows, file_name="x.csv", user=admin)
        carry_out(
            first_organiser(),
            draft_id=draft.pk,
            fingerprint=make_plan(draft).fingerprint,
            actor=actor,
        )
    make_person("Karl", "Berg")
    person = Person.objects.get(last_name="Kühn")
    admin_client.post(url("ban", person.pk), {"reason": "x", "starts_on": "2026-01-01"})

    acts = admin_client.get(url("person", person.pk)).context["history"]

    assert [what for _at, _actor, what in acts] == [
        "gesperrt ab 1. Januar 2026",
        "aus einer Datei ergänzt",
        "aus einer Datei eingelesen",
    ]


def test_a_merged_person_redirects_to_the_kept_one(admin_client: Client):
    kept = make_person("Anna", "Kühn")
    merged = make_person("Anna", "Kuehn", merged_into=kept)

    answer = admin_client.get(url("person", merged.pk), follow=True)

    assert answer.redirect_chain == [(url("person", kept.pk), 302)]
    assert "Kuehn, Anna ist mit dieser Person zusammengeführt" in answer.content.decode()


@pytest.mark.parametrize("name", ["edit", "ban", "anonymise"])
def test_a_merged_person_has_no_actions(admin_client: Client, name: str):
    kept = make_person("Anna", "Kühn")
    merged = make_person("Anna", "Kuehn", merged_into=kept)

    looked_at = admin_client.get(url(name, merged.pk))
    sent = admin_client.post(
        url(name, merged.pk),
        {
            "last_name": "Neu",
            "seen": people.fingerprint(merged),
            "reason": "x",
            "starts_on": "2026-01-01",
            "typed_name": "Anna Kuehn",
        },
    )

    assert looked_at["Location"] == url("person", merged.pk)
    assert sent.status_code == 409
    assert "ist mit Anna Kühn zusammengeführt" in sent.content.decode()


def test_the_till_adds_a_person_with_a_new_club(till_client: Client):
    answer = till_client.post(
        url("new"), {"last_name": "Kühn", "first_name": "Anna", "club_name": "SC Neu"}
    )

    person = Person.objects.get()
    assert answer["Location"] == url("person", person.pk)
    assert (person.list_name, person.club) == ("Kühn, Anna", Club.objects.get(name="SC Neu"))


def test_possible_duplicates_are_shown_before_storing(admin_client: Client):
    known = make_person("Anna", "Kühn")
    data = {"last_name": "Kuehn", "first_name": "Anna"}

    first = admin_client.post(url("new"), data)

    assert first.status_code == 422
    assert url("person", known.pk) in first.content.decode()
    assert Person.objects.count() == 1

    admin_client.post(url("new"), {**data, "anyway": "1"})

    assert Person.objects.count() == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param({"last_name": ""}, "Dieses Feld", id="no name"),
        pytest.param({"last_name": "??"}, "mindestens einen Buchstaben", id="no letters"),
        pytest.param({"last_name": "Kühn", "birth_year": "50"}, "1900", id="year too short"),
        pytest.param({"last_name": "Kühn", "email": "anna@"}, "E-Mail", id="e-mail"),
        pytest.param({"last_name": "Kühn", "club_name": "x" * 121}, "120 Zeichen", id="club"),
    ],
)
def test_a_refused_person_is_shown_with_a_message(
    admin_client: Client, data: dict[str, str], sentence: str
):
    person = make_person("Anna", "Alt")

    for address in (url("new"), url("edit", person.pk)):
        answer = admin_client.post(address, {**data, "seen": people.fingerprint(person)})

        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert Person.objects.get().last_name == "Alt"
    assert not Club.objects.exists()


def test_a_stale_page_does_not_overwrite_a_change(admin_client: Client):
    person = make_person("Anna", "Kühn")
    seen = people.fingerprint(person)
    data = {"last_name": "Kühn", "first_name": "Anna", "seen": seen}
    admin_client.post(url("edit", person.pk), {**data, "phone": "0341 1"})

    answer = admin_client.post(
        url("edit", person.pk), {**data, "phone": "0341 2", "club_name": "Neu"}
    )

    assert answer.status_code == 409
    assert "inzwischen von jemand anderem geändert" in answer.content.decode()
    person.refresh_from_db()
    assert person.phone == "0341 1"
    assert not Club.objects.exists()


def test_a_ban_is_set_and_lifted_on_its_pages(admin_client: Client):
    person = make_person("Anna", "Kühn")
    make_registration(make_tournament(name="Herbstturnier"), person)

    assert "Herbstturnier" in admin_client.read(url("ban", person.pk))
    data = {"reason": "Karten gezinkt", "starts_on": "2026-10-01", "ends_on": ""}
    assert admin_client.post(url("ban", person.pk), data).status_code == 302
    again = admin_client.post(url("ban", person.pk), data)
    assert again.status_code == 409
    assert "schon gesperrt" in again.content.decode()

    ban = Ban.objects.get()
    assert admin_client.post(url("lift_ban", ban.pk), {"reason": ""}).status_code == 422
    assert admin_client.post(url("lift_ban", ban.pk), {"reason": "Irrtum"}).status_code == 302
    assert admin_client.post(url("lift_ban", ban.pk), {"reason": "x"}).status_code == 409
    ban.refresh_from_db()
    assert ban.lifted_reason == "Irrtum"


@pytest.mark.parametrize(
    ("ends_on", "sentence"),
    [("2020-01-01", "schon vorbei"), ("2098-12-31", "endet vor ihrem Beginn")],
)
def test_an_invalid_ban_is_refused(admin_client: Client, ends_on: str, sentence: str):
    person = make_person()
    data = {"reason": "x", "starts_on": "2099-01-01", "ends_on": ends_on}

    answer = admin_client.post(url("ban", person.pk), data)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Ban.objects.exists()


def test_a_person_is_anonymised_after_typing_the_name(admin_client: Client):
    person = make_person("Anna", "Kühn")

    wrong = admin_client.post(url("anonymise", person.pk), {"typed_name": "Anna"})
    assert wrong.status_code == 409
    assert "Anna Kühn" in wrong.content.decode()
    assert "Alle Angaben in früheren Sicherungen" in wrong.content.decode()

    right = admin_client.post(url("anonymise", person.pk), {"typed_name": "Anna Kühn"}, follow=True)
    page = right.content.decode()
    assert "anonymisiert" in page
    assert "Kühn" not in page
    assert url("edit", person.pk) not in page


@pytest.mark.parametrize(
    ("name", "target"), [("clubs", "clubs"), ("merge_choose", "found"), ("persons", "persons")]
)
def test_typing_returns_results_only(admin_client: Client, name: str, target: str):
    person = make_person("Anna", "Kühn", club=make_club("SC Altenburg"))
    make_person("Anna", "Kuehn", club=person.club)
    args = [person.pk] if name == "merge_choose" else []

    page = admin_client.read(
        url(name, *args), {"q": "alt"}, headers={"HX-Request": "true", "HX-Target": target}
    )

    assert page.strip().startswith(("<section", "<div"))
    assert "result-name" in page


@pytest.mark.parametrize(
    ("file_format", "media_type", "begin"),
    [
        ("csv", "text/csv; charset=utf-8", b"\xef\xbb\xbfNachname;Vorname;"),
        (
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            b"PK\x03\x04",
        ),
    ],
)
def test_all_persons_can_be_exported(
    admin_client: Client, admin: User, file_format: str, media_type: str, begin: bytes
):
    make_person("Anna", "Kühn")

    answer = admin_client.post(url("export"), {"format": file_format})

    assert answer["Content-Type"] == media_type
    assert answer["Content-Disposition"] == f'attachment; filename="Personen.{file_format}"'
    assert answer.content.startswith(begin)
    assert JournalEntry.objects.get().actor == admin
