"""German headings are recognised, and every bad cell gets its sentence."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import START
from tournaments.people.services.columns import guess, heading_row, recognise
from tournaments.people.services.rows import parse_row, split_name


@pytest.mark.parametrize(
    ("heading", "target"),
    [
        ("Nachname", "last_name"),
        ("NAME", "last_name"),
        ("Familienname", "last_name"),
        ("Vorname", "first_name"),
        ("Name, Vorname", "last_first"),
        ("Nachname/Vorname", "last_first"),
        ("Vor- und Nachname", "first_last"),
        ("Spieler", "first_last"),
        ("Verein", "club"),
        ("Verein / Spielgemeinschaft", "club"),
        ("Geburtsjahr", "birth_year"),
        ("Geburtsjahr/-datum", "birth_year"),
        ("Geb.-Datum", "birth_year"),
        ("geb. am", "birth_year"),
        ("Jahrgang", "birth_year"),
        ("Geschlecht (m/w/d)", "gender"),
        ("m/w", "gender"),
        ("Anrede", "gender"),
        ("E-Mail", "email"),
        ("E-Mail-Adresse", "email"),
        ("Email", "email"),
        ("Telefon", "phone"),
        ("Tel.", "phone"),
        ("Telefon (privat)", "phone"),
        ("Handy", "phone"),
        ("Mitgliedsnr.", "member_number"),
        ("Mitglieds-Nr.", "member_number"),
        ("Mitgl.-Nr.", "member_number"),
        ("Lizenznummer", "member_number"),
        ("Passnummer", "member_number"),
        ("Pass-Nr.", "member_number"),
        ("gültig bis", "member_until"),
        ("Pass gültig bis", "member_until"),
        ("Ablaufdatum", "member_until"),
        ("Spieler-ID", "member_number"),
        ("Member no.", "member_number"),
        ("Vereins-Nr.", ""),
        ("Full name", "first_last"),
        ("Year of birth", "birth_year"),
        ("E-mail address", "email"),
        ("Kommentar", "note"),
        ("Bemerkungen", "note"),
        ("Namensnennung", "publish_consent"),
        ("Lfd. Nr.", ""),
        ("Beitrag", ""),
        ("", ""),
    ],
)
def test_headings_are_recognised(heading: str, target: str):
    assert recognise(heading) == target


@pytest.mark.parametrize(
    ("headings", "targets"),
    [
        pytest.param(
            ["Nr.", "Name", "Vorname", "Verein"],
            ["", "last_name", "first_name", "club"],
            id="„Name“ beside „Vorname“ is the last name",
        ),
        pytest.param(["Name", "Verein"], ["first_last", "club"], id="„Name“ alone is both"),
        pytest.param(["Nachname", "Verein"], ["last_name", "club"], id="„Nachname“ alone is not"),
        pytest.param(
            ["Name", "Vorname", "Telefon", "Mobil"],
            ["last_name", "first_name", "phone", ""],
            id="the first of two telephones",
        ),
    ],
)
def test_columns_are_guessed_together(headings: list[str], targets: list[str]):
    assert guess(headings) == targets


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        pytest.param([["Name", "Verein"], ["Kühn, Anna", "SC"]], 1, id="first row"),
        pytest.param(
            [["Mitglieder des Vereins"], ["Stand", "2026"], ["Name", "Vorname", "Verein"]],
            3,
            id="below a title",
        ),
        pytest.param([["Kühn", "Anna"], ["Berg", "Karl"]], 0, id="none"),
        pytest.param([["Verein", "Telefon"], ["SC", "1"]], 0, id="no name among them"),
    ],
)
def test_the_row_with_the_headings_is_found(rows: list[list[str]], number: int):
    assert heading_row(list(enumerate(rows, start=1))) == number


def parsed(**cells: str) -> dict[str, Any]:
    cells = {"last_name": "Kühn", **cells}
    row = parse_row(7, list(cells.values()), list(cells), {})
    assert row.errors == []
    return row.values


def sentence(**cells: str) -> tuple[str, str]:
    cells = {"last_name": "Kühn", **cells}
    row = parse_row(7, list(cells.values()), list(cells), {})
    assert row.number == 7
    (error,) = row.errors
    return error.target, error.sentence


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ({"birth_year": "1950"}, {"birth_year": 1950}),
        ({"birth_year": "2.3.1950"}, {"birth_year": 1950}),
        ({"birth_year": "02/03/1950"}, {"birth_year": 1950}),
        ({"birth_year": "1950-03-02"}, {"birth_year": 1950}),
        ({"birth_year": "1950-03-02T00:00:00"}, {"birth_year": 1950}),
        ({"member_until": "31.12.2026"}, {"member_until": date(2026, 12, 31)}),
        ({"member_until": "2026-06-30 00:00:00"}, {"member_until": date(2026, 6, 30)}),
        ({"member_until": "2026"}, {"member_until": date(2026, 12, 31)}),
        ({"member_number": " NRW  17 "}, {"member_number": "NRW 17"}),
        ({"gender": "W"}, {"gender": "f"}),
        ({"gender": "Frau"}, {"gender": "f"}),
        ({"gender": "männlich"}, {"gender": "m"}),
        ({"gender": "divers"}, {"gender": "d"}),
        ({"gender": "k.A."}, {"gender": ""}),
        ({"publish_consent": "Ja"}, {"publish_consent": True}),
        ({"publish_consent": "nein"}, {"publish_consent": False}),
        ({"club": "SC Altenburg"}, {"club": "SC Altenburg"}),
        ({"club": " – "}, {}),
        ({"phone": "'+49 341 1"}, {"phone": "+49 341 1"}),
        ({"email": "", "note": "", "birth_year": ""}, {}),
    ],
)
def test_cells_become_values(cells: dict[str, str], values: dict[str, Any]):
    assert parsed(**cells) == {"last_name": "Kühn", **values}


@pytest.mark.parametrize(
    ("cells", "target", "part"),
    [
        ({"last_name": ""}, "last_name", "Es fehlt der Nachname."),
        ({"last_name": "?"}, "last_name", "Es fehlt der Nachname."),
        ({"last_name": "12 Personen"}, "last_name", "Ist die Zeile eine Summe"),
        ({"last_name": "K" * 81}, "last_name", "80 Zeichen"),
        ({"birth_year": "50"}, "birth_year", "„50“ ist kein Geburtsjahr"),
        ({"birth_year": "31.2.1950"}, "birth_year", "Den Tag „31.2.1950“ gibt es nicht."),
        ({"birth_year": "1899"}, "birth_year", "zwischen 1900 und 2026"),
        ({"birth_year": "2027"}, "birth_year", "zwischen 1900 und 2026"),
        ({"gender": "q"}, "gender", "„q“ ist kein Geschlecht"),
        ({"publish_consent": "vielleicht"}, "publish_consent", "weder ja noch nein"),
        ({"email": "anna@"}, "email", "E-Mail"),
        ({"phone": "1" * 41}, "phone", "40 Zeichen"),
        ({"club": "x" * 121}, "club", "mehr als 120 Zeichen"),
    ],
)
def test_bad_cells_are_reported_with_their_column(
    monkeypatch: pytest.MonkeyPatch, cells: dict[str, str], target: str, part: str
):
    monkeypatch.setattr(timezone, "now", lambda: START)

    found_target, found_sentence = sentence(**cells)

    assert found_target == target
    assert part in found_sentence


def test_all_bad_cells_of_a_row_are_reported():
    row = parse_row(7, ["", "50", "q"], ["last_name", "birth_year", "gender"], mended={})

    assert [error.target for error in row.errors] == ["last_name", "birth_year", "gender"]


def test_corrected_cells_replace_those_of_the_file():
    row = parse_row(7, ["Kühn", "50"], ["last_name", "birth_year"], {"birth_year": "1950"})

    assert row.errors == []
    assert row.values["birth_year"] == 1950


def test_a_short_row_has_empty_cells():
    row = parse_row(7, ["Kühn"], ["last_name", "email"], {})

    assert row.cells == {"last_name": "Kühn", "email": ""}


@pytest.mark.parametrize(
    ("text", "last_first", "expected"),
    [
        ("Kühn, Anna", False, ("Kühn", "Anna")),
        ("Kühn, Anna", True, ("Kühn", "Anna")),
        ("Anna Kühn", False, ("Kühn", "Anna")),
        ("Kühn Anna", True, ("Kühn", "Anna")),
        ("Dr. Anna Maria Kühn", False, ("Kühn", "Dr. Anna Maria")),
        ("Jörg von der Heide", False, ("von der Heide", "Jörg")),
        ("von der Heide Jörg", True, ("von der Heide", "Jörg")),
        ("Kühn", False, ("Kühn", "")),
        ("Kühn", True, ("Kühn", "")),
        ("van Berg", False, ("Berg", "van")),
        ("von", True, ("von", "")),
    ],
)
def test_two_names_in_one_cell_are_separated(
    text: str, last_first: bool, expected: tuple[str, str]
):
    assert split_name(text, last_first=last_first) == expected


@pytest.mark.parametrize("target", ["last_first", "first_last"])
def test_a_column_with_both_names_is_separated_and_checked(target: str):
    row = parse_row(2, ["Kühn, Anna"], [target], {})
    empty = parse_row(3, [""], [target], {})
    long = parse_row(4, ["x" * 81], [target], {})

    assert row.values == {"last_name": "Kühn", "first_name": "Anna"}
    assert [error.target for error in (*empty.errors, *long.errors)] == [target, target]
