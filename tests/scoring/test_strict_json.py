"""Reading what somebody else wrote: every problem with its place, never a guess."""

from __future__ import annotations

import pytest

from scoring.errors import Problem, ScoringError
from scoring.reading.records import LARGEST
from scoring.reading.strict_json import Node, dump, parse, problems_to_json


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
def test_what_is_not_json_is_refused_as_a_whole(data, message):
    with pytest.raises(ScoringError) as caught:
        parse(data)

    assert [(problem.where, problem.message) for problem in caught.value.problems] == [
        ("", message)
    ]


def test_a_byte_order_mark_is_passed_over():
    assert parse(b"\xef\xbb\xbf[1]").value == [1]


def test_names_come_in_as_they_are():
    assert parse('"Kühn, Łódź 😀"'.encode()).text() == "Kühn, Łódź 😀"
    assert parse(b'"\\ud83d\\ude00"').text() == "😀"


def test_keys_that_stand_twice_and_halves_of_characters_are_noted_wherever_they_stand():
    node = parse(b'[{"a": 1, "a": {"\\ud800": "\\udcff", "b": 1, "b": 1, "b": 1}}]')

    assert problems_of(node) == [
        ("[0].a", "Die Angabe steht mehrfach da."),
        ("[0].a.b", "Die Angabe steht mehrfach da."),
        ('[0].a["\\ud800"]', "Der Text enthält ein unerlaubtes Zeichen: U+D800."),
        ('[0].a["\\ud800"]', "Der Text enthält ein unerlaubtes Zeichen: U+DCFF."),
    ]
    assert node.value == [{"a": {"\ufffd": "\ufffd", "b": 1}}]


# --- Objects ----------------------------------------------------------------------------


def fields_of(data, where=""):
    node = parse(data)
    node.where = where
    return node, node.fields(required=("seat", "points"), optional=("reason",))


def test_fields_are_found_with_their_places():
    node, fields = fields_of(b'{"seat": 1, "points": 2, "reason": "x"}', where="penalties[0]")

    assert {key: (field.where, field.value) for key, field in fields.items()} == {
        "seat": ("penalties[0].seat", 1),
        "points": ("penalties[0].points", 2),
        "reason": ("penalties[0].reason", "x"),
    }
    assert node.problems == []


def test_a_place_at_the_top_has_no_dot():
    __, fields = fields_of(b'{"seat": 1, "points": 2}')

    assert [field.where for field in fields.values()] == ["seat", "points"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            b"{}",
            [
                ("p.seat", "Die Angabe „seat“ fehlt."),
                ("p.points", "Die Angabe „points“ fehlt."),
            ],
            id="required ones are missing",
        ),
        pytest.param(
            b'{"seat": 1, "points": 2, "reasn": "x"}',
            [
                (
                    "p.reasn",
                    "Diese Angabe ist nicht bekannt. Hier stehen können: seat, points, reason.",
                )
            ],
            id="a typing mistake",
        ),
        pytest.param(
            b"[]",
            [("p", "Hier muss ein Objekt in geschweiften Klammern stehen, nicht eine Liste.")],
            id="a list",
        ),
    ],
)
def test_what_is_wrong_with_an_object_is_noted(data, expected):
    node, __ = fields_of(data, where="p")

    assert problems_of(node) == expected


@pytest.mark.parametrize(
    ("key", "place"),
    [
        (b"reason_2", "p.reason_2"),
        (b"a b", 'p["a b"]'),
        (b"", 'p[""]'),
        (b"2a", 'p["2a"]'),
        (b"a" * 40, "p." + "a" * 40),
        (b"a" * 41, 'p["' + "a" * 40 + '"]'),
        (b"\xc3\xbc", 'p["\\u00fc"]'),
    ],
)
def test_a_place_can_name_any_key(key, place):
    node, __ = fields_of(b'{"seat": 1, "points": 2, "' + key + b'": 1}', where="p")

    assert [problem.where for problem in node.problems] == [place]


def test_reading_goes_on_after_a_problem():
    root = parse(b'{"a": "x", "b": [1, "y"], "c": 1}')

    fields = root.fields(required=("a", "b"))
    fields["a"].whole_number()
    for item in fields["b"].items() or []:
        item.whole_number()

    with pytest.raises(ScoringError) as caught:
        root.raise_problems()
    assert [problem.where for problem in caught.value.problems] == ["c", "a", "b[1]"]


def test_nothing_is_raised_when_nothing_is_wrong():
    root = parse(b"[1]")

    root.raise_problems()

    assert [item.where for item in root.items() or []] == ["[0]"]


# --- Values -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"0", 0),
        (b"-0", 0),
        (b"-50", -50),
        (b"2147483647", LARGEST),
        (b"-2147483647", -LARGEST),
    ],
)
def test_a_whole_number_is_returned(data, value):
    node = parse(data)

    assert node.whole_number() == value
    assert node.problems == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"true", "Hier muss eine ganze Zahl stehen, nicht true."),
        (b"null", "Hier muss eine ganze Zahl stehen, nicht null."),
        (b"12.0", "Hier muss eine ganze Zahl stehen, nicht 12.0."),
        (b"1e3", "Hier muss eine ganze Zahl stehen, nicht 1000.0."),
        (b"NaN", "Hier muss eine ganze Zahl stehen, nicht NaN."),
        (b"-Infinity", "Die Zahl ist zu lang."),
        (b'"12"', 'Hier muss eine ganze Zahl stehen, nicht "12".'),
        ('"Kühn"'.encode(), 'Hier muss eine ganze Zahl stehen, nicht "Kühn".'),
        (b"[12]", "Hier muss eine ganze Zahl stehen, nicht eine Liste."),
        (b"{}", "Hier muss eine ganze Zahl stehen, nicht ein Objekt."),
        (b'"' + b"a" * 38 + b'"', 'Hier muss eine ganze Zahl stehen, nicht "' + "a" * 38 + '".'),
        (
            b'"' + b"a" * 39 + b'"',
            'Hier muss eine ganze Zahl stehen, nicht "' + "a" * 39 + " ….",
        ),
        (
            b"2147483648",
            "2147483648 geht nicht: Die Zahl muss von -2147483647 bis 2147483647 sein.",
        ),
        (b"999999999999999", "999999999999999 geht nicht"),
        (b"1000000000000000", "Die Zahl ist zu lang."),
        (b"-" + b"9" * 100_000, "Die Zahl ist zu lang."),
    ],
)
def test_what_is_no_whole_number_is_refused(data, message):
    node = parse(data)

    assert node.whole_number() is None
    [problem] = node.problems
    assert problem.message.startswith(message)


@pytest.mark.parametrize(("value", "is_within"), [(0, False), (1, True), (4, True), (5, False)])
def test_a_whole_number_can_have_bounds(value, is_within):
    node = parse(str(value).encode())

    assert node.whole_number(minimum=1, maximum=4) == (value if is_within else None)
    assert problems_of(node) == (
        [] if is_within else [("", f"{value} geht nicht: Die Zahl muss von 1 bis 4 sein.")]
    )


def test_a_long_number_is_called_a_number_where_something_else_must_stand():
    node = parse(b"[" + b"9" * 5000 + b"]")

    assert (node.items() or [])[0].text() is None
    assert problems_of(node) == [
        ("[0]", "Hier muss ein Text in Anführungszeichen stehen, nicht eine Zahl.")
    ]


@pytest.mark.parametrize(("data", "value"), [(b"true", True), (b"false", False)])
def test_true_and_false_are_returned(data, value):
    node = parse(data)

    assert node.boolean() is value
    assert node.problems == []


@pytest.mark.parametrize(
    ("data", "shown"), [(b"1", "1"), (b"0", "0"), (b'"true"', '"true"'), (b"null", "null")]
)
def test_what_is_neither_true_nor_false_is_refused(data, shown):
    node = parse(data)

    assert node.boolean() is None
    assert problems_of(node) == [("", f"Hier muss true oder false stehen, nicht {shown}.")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1", "Hier muss ein Text in Anführungszeichen stehen, nicht 1."),
        (b'""', "Der Text ist leer."),
        (b'" \\u00a0\\n"', "Der Text ist leer."),
        (b'"a\\u0000b"', "Der Text enthält ein unerlaubtes Zeichen: U+0000."),
        (b'"a\\nb"', "Der Text enthält ein unerlaubtes Zeichen: U+000A."),
        (b'"a\\u0085b"', "Der Text enthält ein unerlaubtes Zeichen: U+0085."),
    ],
)
def test_what_is_no_line_of_text_is_refused(data, message):
    node = parse(data)

    assert node.text() is None
    assert problems_of(node) == [("", message)]


def test_a_text_can_have_several_lines():
    node = parse(b'["a\\r\\n\\tb", "a\\u0000b"]')
    good, bad = node.items() or []

    assert good.text(lines=True) == "a\r\n\tb"
    assert bad.text(lines=True) is None


def test_what_is_no_list_is_refused():
    node = parse(b"{}")

    assert node.items() is None
    assert problems_of(node) == [
        ("", "Hier muss eine Liste in eckigen Klammern stehen, nicht ein Objekt.")
    ]


def test_lists_and_null_can_be_told():
    assert [(node.is_list, node.is_null) for node in parse(b"[null, [], 0, {}]").items() or []] == [
        (False, True),
        (True, False),
        (False, False),
        (False, False),
    ]


# --- Writing ----------------------------------------------------------------------------


def test_problems_are_written_with_place_and_sentence():
    assert problems_to_json([Problem("games[0]", "Falsch."), Problem("", "Leer.")]) == [
        {"where": "games[0]", "message": "Falsch."},
        {"where": "", "message": "Leer."},
    ]


def test_names_go_out_as_they_are_and_the_last_line_ends():
    assert dump({"name": "Kühn"}) == '{\n  "name": "Kühn"\n}\n'


# --- Values that somebody else has read -------------------------------------------------


def test_a_value_that_was_read_before_is_looked_at_like_a_file():
    node = Node({"seat": 1, "who": {}}, "", [])

    fields = node.fields(required=("seat", "points"))
    fields["seat"].text()

    assert problems_of(node) == [
        ("who", "Diese Angabe ist nicht bekannt. Hier stehen können: seat, points."),
        ("points", "Die Angabe „points“ fehlt."),
        ("seat", "Hier muss ein Text in Anführungszeichen stehen, nicht 1."),
    ]


def test_an_object_that_was_read_before_is_called_an_object():
    node = Node({"a": {}}, "", [])

    node.fields(required=("a",))["a"].whole_number()

    assert problems_of(node) == [("a", "Hier muss eine ganze Zahl stehen, nicht ein Objekt.")]
