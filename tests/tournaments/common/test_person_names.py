"""Lines that are no person, couples in one line, and namesakes behind titles and additions."""

from __future__ import annotations

import pytest

from tournaments.common.person_names import Doubt, couple, doubt_about, person_key


@pytest.mark.parametrize(
    ("last_name", "first_name", "doubt"),
    [
        ("Summe", "", Doubt.SUM),
        ("Gesamt", "", Doubt.SUM),
        ("Summe:", "vierzehn Mitglieder", Doubt.SUM),
        ("Startgeld", "Summe", Doubt.SUM),
        ("Summe", "27", Doubt.SUM),
        ("Teilnehmer: 14", "", Doubt.SUM),
        ("∑", "210", Doubt.SUM),
        ("123", "", Doubt.SUM),
        ("?", "", Doubt.PLACEHOLDER),
        ("Gast", "2", Doubt.PLACEHOLDER),
        ("N.N. 3", "", Doubt.PLACEHOLDER),
        ("N.N.", "", Doubt.PLACEHOLDER),
        ("NN", "NN", Doubt.PLACEHOLDER),
        ("folgt", "Name", Doubt.PLACEHOLDER),
        ("Name", "Vorname", Doubt.HEADING),
        ("Winter", "Uwe und Ilse", Doubt.COUPLE),
        ("Herbst", "Uwe & Ilse", Doubt.COUPLE),
        ("Winter/Herbst", "Uwe/Ilse", Doubt.COUPLE),
        ("Winter", "Uwe, Ilse", Doubt.COUPLE),
        ("Ehepaar Winter", "", Doubt.COUPLE),
        ("Winter", "Uwe mit Ilse", Doubt.COUPLE),
        ("Herr und Frau Winter", "", Doubt.COUPLE),
        ("Winter", "Uwe + Begleitung", Doubt.COUPLE),
        ("Winter (2 Personen)", "", Doubt.COUPLE),
        ("Winter", "2x", Doubt.COUPLE),
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
def test_a_line_that_may_be_no_person_is_doubted(last_name, first_name, doubt):
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
def test_the_persons_of_a_line_are_named_one_by_one(last_name, first_name, persons):
    assert couple(last_name, first_name) == persons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("Meier", "Dr. Hans-Peter"), ("Meier", "Hans-Peter"), id="a title"),
        pytest.param(("Prof. Dr. med. Meier", "Hans"), ("Meier", "Hans"), id="several titles"),
        pytest.param(("Meier", "Hans, Dr."), ("Meier", "Hans"), id="a title behind"),
        pytest.param(("Schmidt geb. Müller", "Eva"), ("Schmidt", "Eva"), id="geb."),
        pytest.param(("Krause", "Wolfgang (Wolle)"), ("Krause", "Wolfgang"), id="an addition"),
        pytest.param(("Meier", "Frau Eva"), ("Meier", "Eva"), id="Frau"),
    ],
)
def test_titles_and_additions_hide_no_namesake(one, other):
    assert person_key(*one) == person_key(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("Meier jun.", "Hans"), ("Meier", "Hans"), id="father and son"),
        pytest.param(("Meier", "Herrmann"), ("Meier", "Mann"), id="no title"),
        pytest.param(("Dr", ""), ("", ""), id="nothing else is left"),
    ],
)
def test_what_belongs_to_the_name_stays(one, other):
    assert person_key(*one) != person_key(*other)
