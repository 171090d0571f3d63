"""Files as clubs write them: sums, couples in a cell, headings in two rows, no club."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.clients import at, logged_in
from tests.factories import make_club, make_member, make_person, make_tournament
from tests.tournaments.people.helpers import store, upload
from tournaments.models import Person, PersonImport, Role
from tournaments.people.services.importing import choose_columns, decide
from tournaments.people.services.plan import KnownPersons, RowState, make_plan

pytestmark = pytest.mark.django_db


def stored_names() -> set[str]:
    return {person.list_name for person in Person.objects.all()}


def answer(draft: PersonImport, decisions: dict[int, str]) -> None:
    decide(draft=draft, known=KnownPersons.UPDATE, decisions=decisions, mended={})


def test_doubtful_lines_always_cause_a_question():
    draft = upload(
        "Name;Verein",
        "Kühn, Anna;RC X",
        '"Winter, Uwe\nWinter, Ilse";RC X',
        "Herbst, Uwe & Ilse;RC X",
        "N.N.;RC X",
        "Summe;",
    )

    assert [row.state for row in make_plan(draft).rows] == [RowState.NEW, *[RowState.QUESTION] * 4]


def test_doubtful_rows_are_split_skipped_or_stored_unchanged():
    draft = upload("Name;Verein;Jahrgang", "Herbst, Uwe & Ilse;RC X;1950", "Summe;;", "Gast;RC X;")

    answer(draft, {2: "split", 3: "skip", 4: "as_it_is"})
    store(draft)

    assert stored_names() == {"Herbst, Uwe", "Herbst, Ilse", "Gast"}
    assert Person.objects.get(first_name="Ilse").club == Person.objects.get(first_name="Uwe").club
    assert Person.objects.get(first_name="Uwe").birth_year == 1950
    assert Person.objects.get(first_name="Ilse").birth_year is None


def test_two_full_names_in_a_cell_are_two_persons():
    draft = upload("Spieler;Verein", "Uwe Winter und Ilse Herbst;RC X")

    answer(draft, {2: "split"})
    store(draft)

    assert stored_names() == {"Winter, Uwe", "Herbst, Ilse"}


def test_an_unchanged_row_may_match_a_stored_person():
    make_person("Uwe und Ilse", "Herbst")
    draft = upload("Nachname;Vorname", "Herbst;Uwe und Ilse")

    answer(draft, {2: "as_it_is"})
    row = make_plan(draft).rows[0]

    assert row.state is RowState.QUESTION
    assert [person.list_name for person in row.candidates] == ["Herbst, Uwe und Ilse"]


def test_headings_in_two_rows_are_joined():
    draft = upload(
        "Mitgliederliste RC X;;;;;",
        "Mitglied;;geb.;Verein;Pass;",
        "Name;Vorname;;;Nr.;m/w",
        "Kühn;Anna;1950;RC X;17;w",
        "Berg;Jan;1.2.1960;RC X;18;m",
    )

    store(draft)

    anna = Person.objects.get(last_name="Kühn")
    assert stored_names() == {"Kühn, Anna", "Berg, Jan"}
    assert (anna.birth_year, anna.member_number, anna.gender) == (1950, "17", "f")


def test_a_club_for_all_rows_fills_empty_ones():
    make_club("SC Gera")
    draft = upload("Nachname;Vorname;Verein", "Kühn;Anna;", "Berg;Jan;SC Gera", "Adler;Eva;ohne")

    choose_columns(
        draft=draft,
        heading_row=1,
        columns=["last_name", "first_name", "club"],
        club="RC X",
        known=KnownPersons.UPDATE,
    )
    store(draft)

    clubs = dict(Person.objects.values_list("last_name", "club__name"))
    assert clubs == {"Kühn": "RC X", "Berg": "SC Gera", "Adler": None}


def test_a_title_does_not_hide_a_stored_person():
    stored = make_person("Hans-Peter", "Meier", birth_year=1950)

    plan = make_plan(upload("Nachname;Vorname;Jahrgang", "Meier;Dr. Hans-Peter;1950"))

    assert [(row.state, row.person) for row in plan.rows] == [(RowState.SAME, stored)]


def test_a_doubtful_row_is_shown_and_answered_on_the_page():
    client = logged_in(make_member(make_tournament(), Role.VERANSTALTER, is_admin=True))
    lines = "Nachname;Vorname;Bemerkung\nHerbst;Uwe & Ilse;zahlen bar\nSumme: 14 Mitglieder;;\n"
    client.post(at("people:import"), {"file": SimpleUploadedFile("liste.csv", lines.encode())})
    draft = PersonImport.objects.get()
    preview = at("people:import_preview", draft.pk)

    page = client.read(preview)
    client.post(preview, {"shown": ["2", "3"], "decision-2": "split", "skip-3": "1"})

    assert "Herbst · Uwe &amp; Ilse · zahlen bar" in page
    assert "Summe: 14 Mitglieder" in page
    assert "Es sind 2 Personen:" in page
    assert "Alles ist geklärt." in client.read(preview)
