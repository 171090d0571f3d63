"""A file of persons is taken over as a whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tests.concurrency import at_once
from tests.factories import (
    COMMAND,
    START,
    make_club,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.tournaments.people import helpers
from tests.tournaments.people.helpers import store
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.journal import services as journal
from tournaments.machine import sheets
from tournaments.models import Club, JournalEntry, Person, PersonImport, Tournament
from tournaments.people.services.export import export_persons
from tournaments.people.services.importing import carry_out, decide, store_rows
from tournaments.people.services.people import create_person
from tournaments.people.services.plan import KnownPersons, PlannedRow, make_plan

pytestmark = pytest.mark.django_db

HEADINGS = "Nachname;Vorname;Verein;Geburtsjahr;E-Mail"


def upload(*lines: str, headings: str = HEADINGS) -> PersonImport:
    return helpers.upload(headings, *lines)


def states(draft: PersonImport) -> list[str]:
    return [row.state.value for row in make_plan(draft).rows]


def row_of(draft: PersonImport, number: int) -> PlannedRow:
    return next(row for row in make_plan(draft).rows if row.number == number)


def answer(
    draft: PersonImport,
    decisions: dict[int, str] | None = None,
    *,
    mended: dict[int, dict[str, str]] | None = None,
    known: KnownPersons = KnownPersons.UPDATE,
) -> None:
    decide(draft=draft, known=known, decisions=decisions or {}, mended=mended or {})


def test_new_persons_are_stored_with_their_clubs():
    altenburg = make_club("SC Altenburg")
    draft = upload("Kühn;Anna;sc  altenburg;1950;anna@example.org", "Berg;Karl;Neuer Verein;;")

    assert states(draft) == ["new", "new"]
    assert store(draft) == {"new": 2}

    anna, karl = Person.objects.order_by("-last_name")
    assert (anna.list_name, anna.club, anna.birth_year) == ("Kühn, Anna", altenburg, 1950)
    assert anna.search_key == " kuehn kuhn anna sc altenburg"
    assert (karl.list_name, karl.club) == ("Berg, Karl", Club.objects.get(name="Neuer Verein"))
    assert not PersonImport.objects.exists()


def test_bad_rows_store_nothing_until_corrected_or_skipped():
    good = [f"Muster{number};Anna;SC;1950;" for number in range(197)]
    bad = [";Karl;SC;1950;", "Berg;Karl;SC;50;", "Zorn;Eva;SC;1950;eva@"]
    draft = upload(*good[:100], *bad, *good[100:])

    plan = make_plan(draft)
    assert plan.counts["new"] == 197
    assert [(row.number, [cell["target"] for cell in row.bad_cells]) for row in plan.open_rows] == [
        (102, ["last_name"]),
        (103, ["birth_year"]),
        (104, ["email"]),
    ]
    with pytest.raises(TournamentError, match="Zu klären sind 3 Zeilen, zuerst Zeile 102"):
        store(draft)
    assert not Person.objects.exists()
    assert not Club.objects.exists()
    assert not JournalEntry.objects.exists()

    answer(draft, {102: "skip"}, mended={103: {"birth_year": "1950"}})
    with pytest.raises(TournamentError, match="Zu klären sind 1 Zeilen, zuerst Zeile 104"):
        store(draft)
    assert not Person.objects.exists()

    answer(draft, mended={104: {"email": "eva@example.org"}})
    assert store(draft) == {"new": 199, "skipped": 1}

    assert Person.objects.count() == 199
    assert Person.objects.get(last_name="Zorn").email == "eva@example.org"
    assert Person.objects.get(last_name="Berg").birth_year == 1950


def test_a_skipped_row_can_be_restored():
    draft = upload("Kühn;Anna;;;", "Berg;Karl;;;")
    answer(draft, {2: "skip"})
    assert states(draft) == ["skipped", "new"]

    answer(draft, {2: ""})

    assert states(draft) == ["new", "new"]


SC = "SC Altenburg"


@pytest.mark.parametrize(
    ("stored", "line", "state"),
    [
        pytest.param({}, "Kühn;Anna;SC Altenburg;;", "same", id="same club"),
        pytest.param({}, "KUEHN;anna;sc altenburg;;", "same", id="same club, spelt otherwise"),
        pytest.param({"birth_year": 1950}, "Kühn;Anna;;1950;", "same", id="same year"),
        pytest.param({"email": "a@b.de"}, "Kühn;Anna;;;A@B.de", "updated", id="same e-mail"),
        pytest.param({}, "Kühn;Anna;SC Altenburg;1950;", "updated", id="the year is news"),
        pytest.param({}, "Kühn;Anna;;;", "question", id="only the name"),
        pytest.param({}, "Kühn;Anna;Leipzig;;", "question", id="another club"),
        pytest.param({}, "Anna;Kühn;SC Altenburg;;", "question", id="names swapped"),
        pytest.param({}, "Kuhn;Anna;SC Altenburg;;", "question", id="umlaut left out"),
        pytest.param({"birth_year": 1950}, "Kühn;Anna;SC Altenburg;1980;", "new", id="daughter"),
        pytest.param({}, "Kühn;Berta;SC Altenburg;;", "new", id="another name"),
        pytest.param({"anonymised_at": START}, "Kühn;Anna;SC Altenburg;;", "new", id="anonymised"),
    ],
)
def test_known_persons_are_recognised_with_certainty_only(
    stored: dict[str, Any], line: str, state: str
):
    make_person("Anna", "Kühn", club=make_club(SC), **stored)

    assert states(upload(line)) == [state]


def test_the_better_match_of_two_namesakes_is_used():
    club = make_club(SC)
    make_person("Anna", "Kühn", club=club)
    meant = make_person("Anna", "Kühn", club=club, birth_year=1950)
    draft = upload("Kühn;Anna;SC Altenburg;1950;", "Kühn;Anna;SC Altenburg;;")

    assert row_of(draft, 2).person == meant
    assert states(draft) == ["same", "question"]


def test_an_import_updates_known_persons_except_names_and_empty_cells():
    club = make_club("Rommé Köln")
    person = make_person("Anna", "Kühn", club=club, birth_year=1950, phone="0341 1")
    draft = upload("KUEHN;ANNA;Altenburg;1950;anna@example.org")

    assert store(draft) == {"updated": 1}

    person.refresh_from_db()
    assert person.full_name == "Anna Kühn"
    assert person.club == Club.objects.get(name="Altenburg")
    assert (person.email, person.phone) == ("anna@example.org", "0341 1")
    assert person.search_key == " kuehn kuhn anna altenburg"


def test_known_persons_can_be_left_unchanged():
    person = make_person("Anna", "Kühn", birth_year=1950)
    draft = upload("Kühn;Anna;Altenburg;1950;", "Berg;Karl;;;")
    answer(draft, known=KnownPersons.LEAVE)

    assert store(draft) == {"new": 1, "same": 1}

    person.refresh_from_db()
    assert person.club is None
    assert not Club.objects.exists()


def test_an_unsure_row_waits_for_the_answer():
    person = make_person("Anna", "Kühn", club=make_club(SC))
    draft = upload("Kühn;Anna;Leipzig;;", "Kühn;Anna;Dresden;;", "Kühn;Anna;Torgau;;")
    assert states(draft) == ["question"] * 3
    assert row_of(draft, 2).candidates == [person]

    answer(draft, {2: str(person.pk), 3: "other", 4: "skip"})

    assert states(draft) == ["updated", "new", "skipped"]
    assert row_of(draft, 2).person == person
    store(draft)
    assert sorted(Person.objects.values_list("club__name", flat=True)) == ["Dresden", "Leipzig"]


def test_an_answer_with_a_different_name_is_refused():
    make_person("Anna", "Kühn")
    stranger = make_person("Karl", "Berg")
    draft = upload("Kühn;Anna;;;")

    answer(draft, {2: str(stranger.pk)})

    assert states(draft) == ["question"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(("Kühn;Anna;SC;;", "Kuehn;Anna;SC;;"), ["new", "question"], id="twice"),
        pytest.param(("Kühn;Anna;SC;;", "Anna;Kühn;;;"), ["new", "question"], id="swapped"),
        pytest.param(("Kühn;Anna;SC;;", "Kühn;Anna;TC;;"), ["new", "new"], id="two clubs"),
        pytest.param(("Kühn;Anna;;1950;", "Kühn;Anna;;1980;"), ["new", "new"], id="two years"),
    ],
)
def test_a_person_repeated_in_the_file_is_a_question(lines: Sequence[str], expected: Sequence[str]):
    draft = upload(*lines)

    assert states(draft) == expected
    if "question" in expected:
        assert row_of(draft, 3).repeats == 2


def test_two_rows_never_change_the_same_person():
    person = make_person("Anna", "Kühn", birth_year=1950)
    draft = upload("Kühn;Anna;SC;1950;", "Kühn;Anna;TC;1950;")

    assert states(draft) == ["updated", "question"]
    answer(draft, {3: str(person.pk)})

    assert states(draft) == ["updated", "question"]
    assert row_of(draft, 3).repeats == 2


@pytest.mark.django_db(transaction=True)
def test_two_files_at_once_never_create_the_same_person_twice():
    drafts = [upload("Kühn;Anna;SC;1950;"), upload("Kühn;Anna;SC;1950;")]

    answers = at_once(
        *(
            partial(
                carry_out,
                first_organiser(),
                draft_id=draft.pk,
                fingerprint=make_plan(draft).fingerprint,
                actor=COMMAND,
            )
            for draft in drafts
        )
    )

    assert [type(answer) for answer in answers].count(str) == 1
    assert Person.objects.count() == 1
    assert Club.objects.count() == 1
    assert list(journal.first_breaks()) == []


def test_the_journal_has_one_entry_with_counts_and_keys_but_no_names():
    known = make_person("Anna", "Kühn", birth_year=1950)
    draft = upload("Kühn;Anna;SC;1950;", "Berg;Karl;SC;;")

    store(draft)

    entry = JournalEntry.objects.get()
    karl, club = Person.objects.get(last_name="Berg"), Club.objects.get()
    assert entry.action == "persons_imported"
    assert entry.after == {
        "counts": {"new": 1, "updated": 1, "same": 0, "question": 0, "bad": 0, "skipped": 0},
        "created": [karl.pk],
        "updated": [known.pk],
        "clubs": [club.pk],
    }
    assert list(journal.first_breaks()) == []


def test_an_imported_club_reaches_registrations_of_open_tournaments_only():
    person = make_person("Anna", "Kühn", birth_year=1950)
    announced = make_registration(make_tournament(), person)
    closed = make_registration(make_tournament(status=Tournament.Status.CLOSED), person)

    store(upload("Kühn;Anna;SC;1950;"))

    announced.refresh_from_db()
    closed.refresh_from_db()
    assert announced.club == Club.objects.get(name="SC")
    assert closed.club is None


def test_consent_in_the_file_gets_its_date(monkeypatch: pytest.MonkeyPatch):
    draft = upload("Kühn;Anna;ja", "Berg;Karl;nein", headings="Nachname;Vorname;Namensnennung")
    monkeypatch.setattr(timezone, "now", lambda: START)

    store(draft)

    anna = Person.objects.get(last_name="Kühn")
    karl = Person.objects.get(last_name="Berg")
    assert (anna.publish_consent, anna.publish_consent_at) == (True, START)
    assert (karl.publish_consent, karl.publish_consent_at) == (False, None)


def test_open_pages_follow_the_file_also_of_a_closed_tournament(
    django_capture_on_commit_callbacks: Any,
):
    person = make_person("Anna", "Kühn", birth_year=1950, publish_consent=True)
    running = make_tournament(status=Tournament.Status.RUNNING)
    closed = make_tournament(status=Tournament.Status.CLOSED)
    for tournament in (running, closed):
        make_registration(tournament, person)
    headings = "Nachname;Vorname;Geburtsjahr;Namensnennung"

    with django_capture_on_commit_callbacks(execute=True):
        store(upload("Kühn;Anna;1950;nein", headings=headings))

    person.refresh_from_db()
    assert not person.publish_consent
    for tournament in (running, closed):
        tournament.refresh_from_db()
        assert tournament.revision == 1


def test_files_are_deleted_after_a_day():
    old, young = upload("Kühn;Anna;;;"), upload("Berg;Karl;;;")
    now = timezone.now()
    PersonImport.objects.filter(pk=old.pk).update(created_at=now - timedelta(hours=25))
    PersonImport.objects.filter(pk=young.pk).update(created_at=now - timedelta(hours=23))

    new = upload("Zorn;Eva;;;")

    assert set(PersonImport.objects.all()) == {young, new}


def test_many_rows_take_few_queries(django_assert_max_num_queries):
    lines = [f"Muster{number};Anna;Verein {number % 40};1950;" for number in range(600)]
    for number in range(100):
        make_person("Anna", f"Muster{number}", birth_year=1950)
    draft = upload(*lines)
    fingerprint = make_plan(draft).fingerprint

    # SQLite takes 999 values at once: 9 batches of new persons, 2 of changed ones.
    with django_assert_max_num_queries(40):
        counts = carry_out(
            first_organiser(), draft_id=draft.pk, fingerprint=fingerprint, actor=COMMAND
        )

    assert (counts["new"], counts["updated"]) == (500, 100)
    assert Person.objects.count() == 600


@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_an_exported_file_is_recognised_on_import(file_format: str):
    make_person(
        "Anna",
        "Kühn",
        club=make_club(SC),
        gender="f",
        birth_year=1950,
        email="anna@example.org",
        phone="+49 341 1",
        member_number="-7",
        member_until=date(2026, 12, 31),
        note="=1+1",
        publish_consent=True,
        publish_consent_at=START,
    )
    create_person(last_name="Öl", within=first_organiser(), actor=COMMAND)
    make_person("Karl", "Berg", anonymised_at=START)

    rows = export_persons(first_organiser(), file_format=file_format, actor=COMMAND)
    is_csv = file_format == "csv"
    content = sheets.csv_bytes(rows) if is_csv else sheets.xlsx_bytes("Personen", rows)
    draft = store_rows(
        within=first_organiser(), rows=sheets.read(content), file_name="personen", user=make_user()
    )

    assert draft.choices["columns"] == [
        "last_name",
        "first_name",
        "club",
        "birth_year",
        "gender",
        "email",
        "phone",
        "member_number",
        "member_until",
        "note",
        "publish_consent",
        "",
    ]
    anna, oel = make_plan(draft).rows
    assert (anna.state, anna.bad_cells) == ("same", [])
    assert (oel.row.name, oel.state) == ("Öl", "question")
    entry = JournalEntry.objects.get(number=2)
    assert (entry.action, entry.after) == (
        "persons_exported",
        {"format": file_format, "count": 2},
    )


def test_a_failed_import_stores_nothing(monkeypatch: pytest.MonkeyPatch):
    draft = upload("Kühn;Anna;SC;1950;")
    fingerprint = make_plan(draft).fingerprint

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(journal, "record", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        carry_out(first_organiser(), draft_id=draft.pk, fingerprint=fingerprint, actor=COMMAND)

    assert not Person.objects.exists()
    assert not Club.objects.exists()
    assert PersonImport.objects.filter(pk=draft.pk).exists()
