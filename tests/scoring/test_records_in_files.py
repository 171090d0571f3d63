"""Plain dataclasses read from files: places start at the top of the file, keys keep their order."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import pytest

from scoring.errors import Problem
from scoring.reading.records import (
    BoundFunction,
    KeyedByEnum,
    NonEmpty,
    OneOf,
    Record,
    Text,
    json_text,
    to_json,
)
from scoring.reading.strict_json import Node, parse
from scoring.reading.validation import read
from tests.scoring.trees import FAMILY, Colour, Leaf, Small, Stone, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """A plain dataclass: checked when it is read, not when it is built."""

    first: Annotated[Record, OneOf(FAMILY)]
    by_colour: Annotated[Mapping[Colour, Small], KeyedByEnum(Colour)]
    by_size: Mapping[Small, Leaf]
    rows: Annotated[tuple[Small, ...], NonEmpty()] = (1,)
    poem: Annotated[str, Text(lines=True)] = "…"
    other: dict[str, Any] | None = None
    change: tuple[int | None, int | None] = (None, 0)
    words: tuple[Annotated[str, Text()], ...] = ()
    planted: date | None = None
    shouted: Annotated[str, BoundFunction(str.upper)] = "OH"
    unread: Any = None


FOREST = {
    "first": {"kind": "stone", "weight": 1},
    "by_colour": {"black": 2, "red": 1},
    "by_size": {"9": {"size": 3}, "2": {"size": 4}},
}


def read_forest(change):
    node = Node({"forest": FOREST | change}, "", [])
    return read(node.field("forest"), Forest), node.problems


def test_objects_by_key_are_read_and_written():
    forest, noted = read_forest({})

    assert noted == []
    assert forest == Forest(
        first=Stone(weight=1),
        by_colour={Colour.RED: 1, Colour.BLACK: 2},
        by_size={2: Leaf(size=4), 9: Leaf(size=3)},
    )
    assert to_json(forest)["by_colour"] == {"red": 1, "black": 2}
    assert list(to_json(forest)["by_size"]) == ["9", "2"]


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"first": 7}, "first", "Hier muss ein Objekt in geschweiften Klammern stehen, nicht 7."),
        ({"first": {"kind": "x"}}, "first.kind", "Hier kann nur stehen: tree, stone."),
        ({"by_colour": {"red": 1}}, "by_colour.black", "Die Angabe „black“ fehlt."),
        (
            {"by_size": {"10": {"size": 1}}},
            'by_size["10"]',
            "Diese Angabe ist nicht bekannt. Hier stehen können: 1, 2, 3, 4, 5, 6, 7, 8, 9.",
        ),
        ({"poem": "a\0"}, "poem", "Der Text enthält ein unerlaubtes Zeichen: U+0000."),
        (
            {"other": []},
            "other",
            "Hier muss ein Objekt in geschweiften Klammern stehen, nicht eine Liste.",
        ),
        ({"change": [1]}, "change", "Hier müssen zwei Zahlen stehen."),
        (
            {"change": None},
            "change",
            "Hier muss eine Liste in eckigen Klammern stehen, nicht null.",
        ),
        ({"change": [1, "x"]}, "change[1]", 'Hier muss eine ganze Zahl stehen, nicht "x".'),
        ({"words": [7]}, "words[0]", "Hier muss ein Text in Anführungszeichen stehen, nicht 7."),
        ({"planted": 3}, "planted", "Hier muss ein Tag stehen, etwa 2026-10-03."),
        ({"rows": []}, "rows", "Die Liste ist leer."),
        ({"rows": [0]}, "rows[0]", "0 geht nicht: Die Zahl muss von 1 bis 9 sein."),
    ],
)
def test_places_inside_a_file_start_at_its_top(change, where, message):
    forest, noted = read_forest(change)

    assert forest is None
    assert noted == [Problem(f"forest.{where}", message)]


def test_a_pair_is_read_and_written():
    forest, noted = read_forest({"change": [7, None]})

    assert noted == []
    assert forest.change == (7, None)
    assert to_json(forest)["change"] == [7, None]
    assert json.loads(json_text(forest)) == json.loads(json.dumps(to_json(forest)))


def test_dates_parsed_values_and_foreign_values_are_read():
    forest, noted = read_forest({"planted": "2026-10-03", "shouted": "ah", "unread": {"x": 1}})

    assert noted == []
    assert (forest.planted, forest.shouted) == (date(2026, 10, 3), "AH")
    assert forest.unread == {"x": 1}
    assert to_json(forest)["planted"] == "2026-10-03"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"tree": {"kind": "tree", "leaves": [], "best": {"size": 1}}}', "tree.best"),
        ('{"lines": [{"kind": "tree", "leaves": [], "best": {"size": 1}}]}', "lines[0].best"),
    ],
)
def test_contradictions_have_places_in_the_file(text, expected):
    root = parse(text.encode())
    tree, lines = root.field("tree"), root.field("lines")

    for node in (lines.items() or []) if lines.is_list else [tree]:
        assert read(node, Tree) is None

    assert root.problems == [Problem(expected, "not a leaf of this tree")]
