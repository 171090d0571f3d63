"""JSON from outside: invalid JSON is refused, and every value has its place."""

from __future__ import annotations

import pytest

from scoring.errors import Problem, ScoringError
from scoring.reading.strict_json import Node, dump, dump_pieces, parse, problems_to_json


def problems_of(node):
    return [(problem.where, problem.message) for problem in node.problems]


# --- From bytes to values ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "Die Eingabe ist leer.", id="nothing"),
        pytest.param(b" \n\t", "Die Eingabe ist leer.", id="blank"),
        pytest.param(b"\xef\xbb\xbf", "Die Eingabe ist leer.", id="byte order mark alone"),
        pytest.param(
            b'{\n "a" 1}',
            "Die Eingabe ist kein JSON: Fehler in Zeile 2, Spalte 6.",
            id="no colon",
        ),
        pytest.param(
            b'"\0"', "Die Eingabe ist kein JSON: Fehler in Zeile 1, Spalte 2.", id="NUL in a text"
        ),
        pytest.param(b"\0", "Die Eingabe ist kein JSON: Fehler in Zeile 1, Spalte 1.", id="NUL"),
        pytest.param(
            b"[1] [2]", "Die Eingabe ist kein JSON: Fehler in Zeile 1, Spalte 5.", id="two values"
        ),
        pytest.param(
            '"Kühn"'.encode("latin-1"),
            "Die Eingabe ist kein UTF-8: Das Byte an Stelle 3 passt nicht. "
            "Speichere die Datei mit der Zeichenkodierung UTF-8.",
            id="Latin-1",
        ),
        pytest.param(
            b"\xed\xa0\x80",
            "Die Eingabe ist kein UTF-8: Das Byte an Stelle 1 passt nicht. "
            "Speichere die Datei mit der Zeichenkodierung UTF-8.",
            id="half of a character",
        ),
        pytest.param(
            b"[" * 100_000, "Die Eingabe ist zu tief verschachtelt.", id="100,000 brackets"
        ),
        pytest.param(
            b'{"a":' * 100_000, "Die Eingabe ist zu tief verschachtelt.", id="100,000 braces"
        ),
    ],
)
def test_invalid_json_is_refused_whole(data, message):
    with pytest.raises(ScoringError) as caught:
        parse(data)

    assert [(problem.where, problem.message) for problem in caught.value.problems] == [
        ("", message)
    ]


def test_a_byte_order_mark_is_passed_over():
    assert parse(b"\xef\xbb\xbf[1]").value == [1]


def test_names_are_read_unchanged():
    assert parse('"Kühn, Łódź 😀"'.encode()).value == "Kühn, Łódź 😀"
    assert parse(b'"\\ud83d\\ude00"').value == "😀"


def test_repeated_keys_and_lone_surrogates_are_reported_at_any_depth():
    node = parse(b'[{"a": 1, "a": {"\\ud800": "\\udcff", "b": 1, "b": 1, "b": 1}}]')

    assert problems_of(node) == [
        ("[0].a", "Die Angabe steht mehrfach da."),
        ("[0].a.b", "Die Angabe steht mehrfach da."),
        ('[0].a["\\ud800"]', "Der Text enthält ein unerlaubtes Zeichen: U+D800."),
        ('[0].a["\\ud800"]', "Der Text enthält ein unerlaubtes Zeichen: U+DCFF."),
    ]
    assert node.value == [{"a": {"\ufffd": "\ufffd", "b": 1}}]


# --- Places -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("reason_2", "p.reason_2"),
        ("a b", 'p["a b"]'),
        ("", 'p[""]'),
        ("2a", 'p["2a"]'),
        ("a" * 40, "p." + "a" * 40),
        ("a" * 41, 'p["' + "a" * 40 + '"]'),
        ("ü", 'p["\\u00fc"]'),
    ],
)
def test_a_place_can_name_any_key(key, place):
    assert Node({key: 1}, "p", []).field(key).where == place


def test_places_lead_into_lists_and_objects():
    root = parse(b'{"a": [{"b": 1}], "c": null}')

    [item] = root.field("a").items() or []

    assert (item.field("b").where, item.field("b").value) == ("a[0].b", 1)
    assert (root.field("a").is_list, root.field("c").is_list) == (True, False)
    assert root.field("c").field("d").value is None
    assert root.problems == []


def test_a_value_other_than_a_list_is_refused():
    node = parse(b"{}")

    assert node.items() is None
    assert problems_of(node) == [
        ("", "Hier muss eine Liste in eckigen Klammern stehen, nicht ein Objekt.")
    ]


def test_problems_are_raised_all_at_once_and_only_if_there_are_any():
    root = parse(b"[1, 2]")

    root.raise_problems()
    for item in root.items() or []:
        item.refuse("Falsch.")

    with pytest.raises(ScoringError) as caught:
        root.raise_problems()
    assert [problem.where for problem in caught.value.problems] == ["[0]", "[1]"]


# --- Writing ----------------------------------------------------------------------------


def test_problems_are_written_with_place_and_sentence():
    assert problems_to_json([Problem("games[0]", "Falsch."), Problem("", "Leer.")]) == [
        {"where": "games[0]", "message": "Falsch."},
        {"where": "", "message": "Leer."},
    ]


def test_names_are_written_unchanged_with_a_final_newline():
    assert dump({"name": "Kühn"}) == '{\n  "name": "Kühn"\n}\n'


def test_pieces_of_a_large_text_are_the_text():
    value = {
        "name": "Kühn",
        "lists": [[], [{"deep": {"deeper": {"deepest": [1, None]}}}]],
        "no": {},
    }

    assert "".join(dump_pieces(value)) == dump(value)
