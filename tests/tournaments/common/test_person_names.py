"""Lines that are no person, couples in one line, and namesakes behind titles and additions."""

from __future__ import annotations

import pytest

from tournaments.common.person_names import NameDoubt, couple, doubt_about, person_key


@pytest.mark.parametrize(
    ("last_name", "first_name", "doubt"),
    [
        ("Summe", "", NameDoubt.SUM),
        ("Gesamt", "", NameDoubt.SUM),
        ("Summe:", "vierzehn Mitglieder", NameDoubt.SUM),
        ("Startgeld", "Summe", NameDoubt.SUM),
        ("Summe", "27", NameDoubt.SUM),
        ("Teilnehmer: 14", "", NameDoubt.SUM),
        ("∑", "210", NameDoubt.SUM),
        ("123", "", NameDoubt.SUM),
        ("?", "", NameDoubt.PLACEHOLDER),
        ("Gast", "2", NameDoubt.PLACEHOLDER),
        ("N.N. 3", "", NameDoubt.PLACEHOLDER),
        ("N.N.", "", NameDoubt.PLACEHOLDER),
        ("NN", "NN", NameDoubt.PLACEHOLDER),
        ("folgt", "Name", NameDoubt.PLACEHOLDER),
        ("Name", "Vorname", NameDoubt.HEADING),
        ("Winter", "Uwe und Ilse", NameDoubt.COUPLE),
        ("Herbst", "Uwe & Ilse", NameDoubt.COUPLE),
        ("Winter/Herbst", "Uwe/Ilse", NameDoubt.COUPLE),
        ("Winter", "Uwe, Ilse", NameDoubt.COUPLE),
        ("Ehepaar Winter", "", NameDoubt.COUPLE),
        ("Winter", "Uwe mit Ilse", NameDoubt.COUPLE),
        ("Herr und Frau Winter", "", NameDoubt.COUPLE),
        ("Winter", "Uwe + Begleitung", NameDoubt.COUPLE),
        ("Winter (2 Personen)", "", NameDoubt.COUPLE),
        ("Winter", "2x", NameDoubt.COUPLE),
        ("Winter", "Fam.", None),
        ("Winter 2", "Uwe", None),
        ("Mittermeier", "Mitja", None),
        ("Frau Winter", "Ilse", None),
        ("Ли", "Вэй", None),
        ("von und zu Hohenberg", "Anna-Lena", None),
        ("Gast", "Peter", None),
        ("Müller, Hans", "", None),  # first name in the field of the last
        ("Frei", "Anna", None),
        ("Total", "Rosa", None),
        ("Sari", "", None),
        ("O’Brien", "Séan", None),
    ],
)
def test_a_doubtful_name_line_is_reported(last_name, first_name, doubt):
    assert doubt_about(last_name, first_name) is doubt


@pytest.mark.parametrize(
    ("last_name", "first_name", "persons"),
    [
        ("Herbst", "Uwe & Ilse", [("Herbst", "Uwe"), ("Herbst", "Ilse")]),
        ("Winter/Herbst", "Uwe/Ilse", [("Winter", "Uwe"), ("Herbst", "Ilse")]),
        ("Winter Winter", "Uwe Ilse", [("Winter", "Uwe"), ("Winter", "Ilse")]),
        ("Winter", "Uwe Winter, Ilse", [("Winter", "Uwe"), ("Winter", "Ilse")]),
        ("Berg", "Ute, Jan und Eva", [("Berg", "Ute"), ("Berg", "Jan"), ("Berg", "Eva")]),
        ("Müller-Lüdenscheid", "Anna-Lena", [("Müller-Lüdenscheid", "Anna-Lena")]),
    ],
)
def test_persons_of_a_line_are_listed_one_by_one(last_name, first_name, persons):
    assert couple(last_name, first_name) == persons


@pytest.mark.parametrize(
    ("first", "other"),
    [
        pytest.param(("Meier", "Dr. Hans-Peter"), ("Meier", "Hans-Peter"), id="a title"),
        pytest.param(("Prof. Dr. med. Meier", "Hans"), ("Meier", "Hans"), id="several titles"),
        pytest.param(("Meier", "Hans, Dr."), ("Meier", "Hans"), id="a title behind"),
        pytest.param(("Schmidt geb. Müller", "Eva"), ("Schmidt", "Eva"), id="geb."),
        pytest.param(("Krause", "Wolfgang (Wolle)"), ("Krause", "Wolfgang"), id="an addition"),
        pytest.param(("Meier", "Frau Eva"), ("Meier", "Eva"), id="Frau"),
    ],
)
def test_titles_and_additions_do_not_hide_a_namesake(first, other):
    assert person_key(*first) == person_key(*other)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        pytest.param(("Meier jun.", "Hans"), ("Meier", "Hans"), id="father and son"),
        pytest.param(("Meier", "Herrmann"), ("Meier", "Mann"), id="no title"),
        pytest.param(("Dr", ""), ("", ""), id="nothing else is left"),
    ],
)
def test_parts_of_a_name_stay(first, other):
    assert person_key(*first) != person_key(*other)
