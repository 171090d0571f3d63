"""The interchange format of the seating: read, refused, planned, written."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from scoring.errors import ScoringError
from scoring.reading.interchange_seating import SeatingFile, plan_to_json, read_seating
from scoring.seating import Player

LEFT_OUT = object()


def good(**changes):
    """Return a valid task with *changes*."""
    data = {
        "players": [{"id": number, "club": None} for number in range(1, 9)],
        "series": 2,
        "seed": "Herbst",
    } | changes
    return {key: value for key, value in data.items() if value is not LEFT_OUT}


def read(data):
    return read_seating(json.dumps(data).encode())


def problems_of(data):
    with pytest.raises(ScoringError) as refused:
        read(data)
    return [(problem.where, problem.message) for problem in refused.value.problems]


def test_the_example_of_the_format_is_read():
    file = read(
        {
            "players": [{"id": 1, "club": "SC Altenburg"}, {"id": 2, "club": None}]
            + [{"id": number} for number in (3, 4)],
            "series": 3,
            "seed": "…",
            "table_sizes": [4, 3],
            "history": [[[1, 2, 3, 4]]],
        }
    )

    assert file == SeatingFile(
        players=(Player(id=1, club="SC Altenburg"), Player(id=2), Player(id=3), Player(id=4)),
        series=3,
        seed="…",
        allowed=(4, 3),
        history=(((1, 2, 3, 4),),),
    )


def test_an_answer_has_the_keys_of_the_format():
    answer = plan_to_json(read(good()))

    assert list(answer) == ["seed", "series", "metrics"]
    assert answer["seed"] == "Herbst"
    assert [list(serie) for serie in answer["series"]] == [["tables"], ["tables"]]
    # Eight at two tables: two pairs of each table must meet again.
    assert answer["metrics"] == {
        "repeat_meetings": 4,
        "clubmates_at_table": 0,
        "clubmates_adjacent": 0,
        "three_table_spread": 0,
        "seat_one_spread": 1,
    }
    for serie in answer["series"]:
        assert sorted(chain.from_iterable(serie["tables"])) == list(range(1, 9))


def test_the_answer_contains_teams_if_there_are_any():
    players = [{"id": number, "team": f"Tandem {number // 2}"} for number in range(8)]

    answer = plan_to_json(read(good(players=players, series=1)))

    assert answer["metrics"]["teammates_at_table"] == 0


def test_wishes_are_read():
    file = read(good(fixed_tables=[[1, 2], [3, 1]], apart=[[1, 5], [2, 3]]))

    assert file.fixed_tables == {1: 2, 3: 1}
    assert file.apart == ((1, 5), (2, 3))
    for tables in file.plan().series:
        assert 1 in tables[1]
        assert 3 in tables[0]
        assert not any({1, 5} <= {*table} or {2, 3} <= {*table} for table in tables)


@pytest.mark.parametrize("seed", [LEFT_OUT, None])
def test_without_a_seed_the_same_input_still_gives_the_same_plan(seed):
    data = good(seed=seed)

    first, other = plan_to_json(read(data)), plan_to_json(read(data))

    assert first == other
    assert len(first["seed"]) == 32
    # The seed it answers with repeats the plan.
    assert plan_to_json(read(good(seed=first["seed"]))) == first
    assert read(good(seed=seed, series=3)).seed != first["seed"]


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({"players": LEFT_OUT}, [("players", "Die Angabe „players“ fehlt.")]),
        ({"series": LEFT_OUT}, [("series", "Die Angabe „series“ fehlt.")]),
        (
            {"series": True},
            [("series", "Hier muss eine ganze Zahl stehen, nicht true.")],
        ),
        (
            {"series": 101},
            [("series", "Geplant werden können 1 bis 100 Serien, nicht 101.")],
        ),
        ({"seed": 7}, [("seed", "Hier muss ein Text in Anführungszeichen stehen, nicht 7.")]),
        ({"seed": "\ud800"}, [("seed", "Der Text enthält ein unerlaubtes Zeichen: U+D800.")]),
        (
            {"table_sizes": []},
            [("table_sizes", "Es muss mindestens eine Tischgröße erlaubt sein.")],
        ),
        (
            {"table_sizes": [4.0]},
            [("table_sizes[0]", "Hier muss eine ganze Zahl stehen, nicht 4.0.")],
        ),
        (
            {"history": [[[1, 2], [2, 3]], 7]},
            [("history[1]", "Hier muss eine Liste in eckigen Klammern stehen, nicht 7.")],
        ),
        (
            {"history": [[[1, 2], [2, 3]]]},
            [("history[0][1][0]", "Die Nummer 2 hat in Serie 1 schon einen Platz.")],
        ),
        (
            {"fixed_tables": [[1, 1], [1, 2]]},
            [("fixed_tables", "Die Nummer 1 hat zwei feste Tische.")],
        ),
        ({"apart": [[1, 2, 3]]}, [("apart[0]", "Hier müssen zwei Zahlen stehen.")]),
        (
            {"apart": [[1, 99]]},
            [("apart[0]", "Nummer 99 ist nicht unter denen, die gesetzt werden.")],
        ),
        (
            {"players": [{"id": 1}, {"club": "A"}, {"id": 1}, {"id": 2, "club": " "}]},
            [
                ("players[1].id", "Die Angabe „id“ fehlt."),
                (
                    "players[2].id",
                    "Die Nummer 1 kommt mehrfach vor; jede Person braucht eine eigene.",
                ),
                ("players[3].club", "Der Text ist leer."),
            ],
        ),
    ],
)
def test_invalid_input_is_refused_with_its_place(changes, problems):
    assert problems_of(good(**changes)) == problems


def test_five_players_are_refused():
    [(where, message)] = problems_of(good(players=[{"id": number} for number in range(5)]))

    assert where == "players"
    assert "möglich wären 4 oder 6" in message


def test_problems_of_all_parts_are_found_at_once():
    problems = problems_of(good(players=[{"id": 1}, {"id": 1}], series=0, table_sizes=[9], x=1))

    assert [where for where, _message in problems] == [
        "x",
        "players[1].id",
        "series",
        "table_sizes[0]",
    ]


def test_the_documentation_shows_a_readable_file():
    docs = Path(__file__).resolve().parents[2] / "docs" / "seating.md"
    examples = docs.read_text(encoding="utf-8").split("```json")[1:]

    assert examples
    for example in examples:
        file = read(json.loads(example.split("```")[0]))
        assert file.seed


def test_a_file_says_how_many_starts_the_search_made():
    assert read(good(starts=3)).starts == 3
    assert read(good(starts=1)).plan().starts == 1
    assert problems_of(good(starts=0)) == [
        ("starts", "0 geht nicht: Die Zahl muss von 1 bis 10 sein.")
    ]
