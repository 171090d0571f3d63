"""Rules as data: every wrong value is named with its place, and JSON survives a round trip."""

from typing import Annotated, Any

import pytest

from scoring.errors import Problem, ScoringError
from scoring.reading.records import LARGEST, WholeNumber
from scoring.reading.strict_json import Node, parse
from scoring.reading.validation import from_json, read
from tests.scoring.trees import FAMILY, Colour, Leaf, Stone, Tree

TREE = {"kind": "tree", "leaves": [{"size": 3, "name": "a"}, {"size": 4}]}


def problems(build, *args, **kwargs):
    with pytest.raises(ScoringError) as refusal:
        build(*args, **kwargs)
    return [(problem.where, problem.message) for problem in refusal.value.problems]


def places(build, *args, **kwargs):
    return [where for where, _message in problems(build, *args, **kwargs)]


def test_a_record_is_built_from_json_with_its_defaults():
    tree = Tree.from_dict(TREE | {"colour": "black", "sizes": [1, 9], "old": True})

    assert tree == Tree(
        leaves=(Leaf(size=3, name="a"), Leaf(size=4, name="leaf")),
        best=None,
        sizes=(1, 9),
        colour=Colour.BLACK,
        old=True,
    )
    assert isinstance(tree.colour, Colour)
    assert isinstance(tree.leaves[0], Leaf)


def test_a_record_becomes_plain_json():
    tree = Tree(leaves=(Leaf(size=3),), best=Leaf(size=3), sizes=(2,), colour=Colour.BLACK)

    plain = tree.to_dict()

    assert plain == {
        "kind": "tree",
        "leaves": [{"size": 3, "name": "leaf", "remark": ""}],
        "best": {"size": 3, "name": "leaf", "remark": ""},
        "sizes": [2],
        "colour": "black",
        "old": False,
    }
    assert type(plain["colour"]) is str
    assert "kind" not in Leaf(size=1).to_dict()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0", "0 geht nicht: Die Zahl muss von 1 bis 9 sein."),
        ("10", "10 geht nicht: Die Zahl muss von 1 bis 9 sein."),
        ("999999999999999", "999999999999999 geht nicht: Die Zahl muss von 1 bis 9 sein."),
        ("1000000000000000", "Die Zahl ist zu lang."),
        ("-" + "9" * 5000, "Die Zahl ist zu lang."),
        ("-Infinity", "Die Zahl ist zu lang."),
        ("true", "Hier muss eine ganze Zahl stehen, nicht true."),
        ("null", "Hier muss eine ganze Zahl stehen, nicht null."),
        ("3.0", "Hier muss eine ganze Zahl stehen, nicht 3.0."),
        ("1e3", "Hier muss eine ganze Zahl stehen, nicht 1000.0."),
        ("NaN", "Hier muss eine ganze Zahl stehen, nicht NaN."),
        ('"3"', 'Hier muss eine ganze Zahl stehen, nicht "3".'),
        ('"Kühn"', 'Hier muss eine ganze Zahl stehen, nicht "Kühn".'),
        ("[3]", "Hier muss eine ganze Zahl stehen, nicht eine Liste."),
        ("{}", "Hier muss eine ganze Zahl stehen, nicht ein Objekt."),
        (f'"{"a" * 38}"', f'Hier muss eine ganze Zahl stehen, nicht "{"a" * 38}".'),
        (f'"{"a" * 39}"', f'Hier muss eine ganze Zahl stehen, nicht "{"a" * 39} ….'),
    ],
)
def test_an_invalid_or_unbounded_number_is_refused(value, message):
    root = parse(f'{{"size": {value}}}'.encode())

    assert read(root, Leaf) is None
    assert root.problems == [Problem("size", message)]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("abcdef", "Der Text ist länger als 5 Zeichen."),
        ("", "Der Text ist leer."),
        (" \u00a0\n", "Der Text ist leer."),
        ("a\0b", "Der Text enthält ein unerlaubtes Zeichen: U+0000."),
        ("a\nb", "Der Text enthält ein unerlaubtes Zeichen: U+000A."),
        ("a\u0085b", "Der Text enthält ein unerlaubtes Zeichen: U+0085."),
        (5, "Hier muss ein Text in Anführungszeichen stehen, nicht 5."),
        (1e30, "Hier muss ein Text in Anführungszeichen stehen, nicht eine Zahl."),
    ],
)
def test_a_value_other_than_a_line_of_text_is_refused(value, message):
    assert problems(Leaf.from_dict, {"size": 1, "name": value}) == [("name", message)]


def test_a_text_may_be_empty_where_declared():
    assert Leaf.from_dict({"size": 1, "remark": " "}).remark == ""


def test_numbers_reach_their_bounds_or_the_limit_of_databases():
    assert [Leaf.from_dict({"size": size}).size for size in (1, 9)] == [1, 9]
    assert from_json([-LARGEST, LARGEST], tuple[Annotated[int, WholeNumber()], ...])
    assert places(from_json, LARGEST + 1, Annotated[int, WholeNumber()]) == [""]


def test_too_many_levels_are_refused_although_they_are_json():
    deep: list[object] = []
    for _level in range(300):
        deep = [deep]

    assert problems(from_json, deep, list[Any]) == [("", "Die Eingabe ist zu tief verschachtelt.")]


@pytest.mark.parametrize(
    ("field", "value", "where", "message"),
    [
        (
            "leaves",
            "ab",
            "leaves",
            'Hier muss eine Liste in eckigen Klammern stehen, nicht "ab".',
        ),
        ("sizes", [1, 0, 2], "sizes[1]", "0 geht nicht: Die Zahl muss von 1 bis 9 sein."),
        (
            "leaves",
            [{"size": 1}, "x"],
            "leaves[1]",
            'Hier muss ein Objekt in geschweiften Klammern stehen, nicht "x".',
        ),
        (
            "best",
            [],
            "best",
            "Hier muss ein Objekt in geschweiften Klammern stehen, nicht eine Liste.",
        ),
        ("colour", "green", "colour", "Hier kann nur stehen: red, black."),
        ("colour", ["red"], "colour", "Hier kann nur stehen: red, black."),
        *(
            ("old", value, "old", f"Hier muss true oder false stehen, nicht {shown}.")
            for value, shown in ((1, "1"), (0, "0"), ("true", '"true"'), (None, "null"))
        ),
        ("leaves", [{}], "leaves[0].size", "Die Angabe „size“ fehlt."),
        (
            "leaves",
            [{"size": 1, "x": 2}],
            "leaves[0].x",
            "Diese Angabe ist nicht bekannt. Hier stehen können: size, name, remark.",
        ),
        ("best", {"size": 5}, "best", "not a leaf of this tree"),
    ],
)
def test_a_nested_problem_is_named_with_its_place(field, value, where, message):
    assert problems(Tree.from_dict, TREE | {field: value}) == [(where, message)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (TREE, Tree(leaves=(Leaf(size=3, name="a"), Leaf(size=4)))),
        ({"kind": "stone", "weight": 2}, Stone(weight=2)),
    ],
)
def test_the_kind_chooses_the_record(data, expected):
    assert from_json(data, *FAMILY) == expected


@pytest.mark.parametrize("kind", ["cloud", None, ["tree"], 1])
def test_an_unknown_kind_is_refused(kind):
    assert problems(from_json, {"kind": kind}, *FAMILY) == [
        ("kind", "Hier kann nur stehen: tree, stone.")
    ]


def test_a_record_refuses_the_kind_of_another():
    assert problems(Stone.from_dict, {"kind": "tree"}) == [("kind", "Hier kann nur stehen: stone.")]


@pytest.mark.parametrize(
    ("where", "inside", "expected"),
    [
        ("", "place", "place"),
        ("lines", "", "lines"),
        ("lines", "[3]", "lines[3]"),
        ("lines", "[3].place", "lines[3].place"),
        ("[3]", "place", "[3].place"),
        ("plan", "lines[0].ranking.serie", "plan.lines[0].ranking.serie"),
    ],
)
def test_places_are_joined_as_in_json_paths(where, inside, expected):
    node = Node(None, where, [])

    node.take_over(ScoringError([Problem(inside, "…")]))

    assert node.problems == [Problem(expected, "…")]
