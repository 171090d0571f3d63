"""A Spielliste in the interchange format: read, scored, written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ambiguity import AmbiguousLine
from scoring.checks import check_list
from scoring.list_findings import Frame, ListFindings
from scoring.reading.interchange import (
    ListFile,
    line_from_json,
    lines_to_json,
    points_to_json,
    read_games,
    read_line,
    result_to_json,
)
from scoring.reading.strict_json import Node, parse
from scoring.rulesets import all_rulesets, ruleset
from scoring.spielliste import Adjustment, Penalty
from tests.scoring.list_files import good, good_game, read

CASES = sorted((Path(__file__).parent / "cases").glob("list-*.json"))


# --- Worked cases -----------------------------------------------------------------------


def test_worked_cases_exist():
    assert len(CASES) == 12


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_cases_agree(path):
    case = json.loads(path.read_text(encoding="utf-8"))

    result = result_to_json(read(case["input"]))

    del result["warnings"]
    assert result == case["expected"]


EXAMPLE = good(
    games=[
        {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]},
        {"finisher": 3, "handromme": True, "minus": [61, 88, 0, [40, 46]]},
        {"finisher": [2, 4], "handromme": False, "minus": [12, 30, 9, 22]},
    ],
    penalties=[{"seat": 2, "points": 100, "reason": "offen gezählt nach § 8.3 nicht eingehalten"}],
)


def test_the_example_of_the_format_gives_seat_1_a_total_of_53():
    result = result_to_json(read(EXAMPLE))

    assert list(result) == ["rule_set", "complete", "seats", "warnings"]
    assert result["complete"] is False
    assert list(result["seats"][0].items()) == [
        ("seat", 1),
        ("player", "Anna"),
        ("minus", 73),
        ("games_won", 1),
        ("handromme", 0),
        ("bonus", -20),
        ("handromme_bonus", 0),
        ("penalty", 0),
        ("adjustment", 0),
        ("total", 53),
    ]
    # 23 + 88 + 30 + 100; 45 + 0 + 9 − 20 − 50; 12 + 46 + 22
    assert [seat["total"] for seat in result["seats"]] == [53, 241, -16, 80]
    assert {"where": "games[2]"}.items() <= result["warnings"][-1].items()


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        pytest.param(4, 113, id="§ 3.2.1 243 − 80 − 50"),
        pytest.param(3, 133, id="§ 3.2.1 243 − 60 − 50"),
    ],
)
def test_four_games_finished_one_by_handromme(players, expected):
    hands = [31, 12, 47, 25, 38, 19, 44, 27]  # 243 together
    rest = [20] * (players - 2)
    games = [good_game(finisher=2, minus=[own, 0, *rest]) for own in hands]
    games += [good_game(minus=[0, 21 + number, *rest]) for number in range(3)]
    games += [good_game(handromme=True, minus=[0, 70, *[71] * (players - 2)])]

    result = read(good(players=["Anna"] * players, games=games, penalties=[])).score()[0]

    assert (result.minus, result.games_won, result.handromme) == (243, 4, 1)
    assert result.total == expected


# --- Optional and additional keys -------------------------------------------------------


@pytest.mark.parametrize(("games", "complete"), [(11, False), (12, True)])
def test_a_list_is_complete_with_all_its_games(games, complete):
    lines = [good_game(minus=[0, 20 + number, 45, 12]) for number in range(games)]

    assert result_to_json(read(good(games=lines)))["complete"] is complete


def test_adjustments_of_a_game_count():
    data = good(
        rule_set="liverpool",
        games=[
            good_game(adjustments=[{"seat": 4, "points": -50, "reason": "genau abgehoben"}]),
        ],
        penalties=[],
    )

    result = result_to_json(read(data))

    assert [seat["total"] for seat in result["seats"]] == [0, 23, 45, -38]
    assert [seat["adjustment"] for seat in result["seats"]] == [0, 0, 0, -50]
    assert result["warnings"] == []


# --- Parts of other files ---------------------------------------------------------------


def test_games_and_penalties_are_read_from_inside_another_file():
    root = parse(json.dumps({"games": [good_game(), good_game(minus=[0, 1, 45, 12])]}).encode())
    node = root.field("games")
    node.where = "series[0].tables[1].list.games"
    findings = ListFindings()
    frame = Frame(rule_set=ruleset("rommeordnung"), seats=4)

    lines = read_games(node, frame, findings)

    assert [line.minus[1] for line in lines] == [(23,), (1,)]
    assert [problem.where for problem in findings.problems] == [
        "series[0].tables[1].list.games[1].minus[1]"
    ]
    assert root.problems == []


def test_unreadable_adjustments_are_refused_not_doubted():
    broken = [{"seat": 1, "points": 5}, {"points": -50, "reason": "x"}, {"seat": 9}]
    root = parse(json.dumps([good_game(adjustments=broken)]).encode())
    findings = ListFindings(problems=root.problems)

    read_games(root, Frame(rule_set=ruleset("liverpool"), seats=4), findings)

    assert [problem.where for problem in root.problems] == [
        "[0].adjustments[0].reason",
        "[0].adjustments[1].seat",
        "[0].adjustments[2].points",
        "[0].adjustments[2].reason",
        "[0].adjustments[2].seat",
    ]
    assert [doubt.where for doubt in findings.warnings] == ["[0].adjustments[0]"]


# --- Laws -------------------------------------------------------------------------------

# Possible in every rule set, alone and together, also after a Handrommé.
HANDS = st.sampled_from([60, 70, 80, 90])
# Texts of one line: no control characters, no lone surrogates.
LINES_OF_TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=5
).filter(str.strip)


def one_or_more(entries):
    return st.lists(entries, min_size=1, max_size=3).map(tuple)


def up_to_two(kind, points):
    """Return strategies of at most two of a kind, by the size of the table."""
    return {
        size: st.lists(
            st.builds(kind, seat=st.integers(1, size), points=points, reason=LINES_OF_TEXT),
            max_size=2,
        ).map(tuple)
        for size in range(2, 9)
    }


# Made once: to make and check a strategy takes longer than to draw from it.
RULE_SETS = st.sampled_from(all_rulesets())
FINISHERS = {size: one_or_more(st.integers(1, size)) for size in range(2, 9)}
READ_HANDS = one_or_more(HANDS)
HANDROMME = one_or_more(st.booleans())
ADJUSTMENTS = up_to_two(Adjustment, st.integers(1, 60))
PENALTIES = up_to_two(Penalty, st.integers(1, 500))


@st.composite
def list_files(draw: st.DrawFn) -> ListFile:
    rule_set = draw(RULE_SETS)
    players = draw(st.sampled_from(rule_set.table_sizes))
    lines = []
    for __ in range(draw(st.integers(0, 3))):
        finishers = draw(FINISHERS[players])
        minus = [draw(READ_HANDS) for __ in range(players)]
        if len(set(finishers)) == 1:
            minus[finishers[0] - 1] = (0,)
        lines.append(
            AmbiguousLine(
                finisher=finishers,
                minus=tuple(minus),
                handromme=draw(HANDROMME) if rule_set.handromme else (False,),
                adjustments=draw(ADJUSTMENTS[players]),
            )
        )
    drawn_penalties = draw(PENALTIES[players])
    return ListFile(
        rule_set=rule_set,
        players=tuple(draw(LINES_OF_TEXT) for __ in range(players)),
        lines=tuple(lines),
        penalties=drawn_penalties,
        warnings=tuple(
            check_list(lines, rule_set=rule_set, seats=players, penalties=drawn_penalties).warnings
        ),
    )


def list_to_json(list_file: ListFile) -> dict[str, object]:
    """Return a list as other programs write it."""
    return {
        "rule_set": list_file.rule_set.id,
        "players": list(list_file.players),
        "games": lines_to_json(list_file.lines),
        "penalties": points_to_json(list_file.penalties),
    }


def test_a_clear_entry_is_written_as_its_value_alone():
    assert list_to_json(read(EXAMPLE)) == EXAMPLE


@given(list_files())
def test_a_list_survives_the_round_trip(list_file):
    assert read(list_to_json(list_file)) == list_file


@given(list_files())
def test_a_result_adds_up_and_is_plain_json(list_file):
    result = json.loads(json.dumps(result_to_json(list_file)))

    for seat in result["seats"]:
        assert seat["total"] == sum(
            seat[part] for part in ("minus", "bonus", "handromme_bonus", "penalty", "adjustment")
        )
    assert [seat["seat"] for seat in result["seats"]] == list(range(1, len(list_file.players) + 1))


@pytest.mark.parametrize(
    "written",
    [
        pytest.param({"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]}, id="clear"),
        pytest.param(
            {"finisher": [2, 4], "handromme": [True, False], "minus": [[12, 17], 30, 9, 22]},
            id="§ 2.2.6 unclear",
        ),
        pytest.param(
            {
                "finisher": None,
                "handromme": False,
                "minus": [5, 5, 10],
                "adjustments": [{"seat": 2, "points": -50, "reason": "genau abgehoben"}],
            },
            id="nobody finished, with an adjustment",
        ),
    ],
)
def test_a_stored_line_is_read_back_unchanged(written):
    assert lines_to_json([line_from_json(written)]) == [written]


# --- One line ---------------------------------------------------------------------------


def look_at(game, *, number=2, earlier=()):
    """Read one game of a table of four, as a page sends it, by the Romméordnung."""
    findings = ListFindings()
    node = Node(game, f"games[{number - 1}]", [])
    frame = Frame(rule_set=ruleset("rommeordnung"), seats=4)
    line = read_line(node, number, frame, findings, earlier)
    return line, [problem.where for problem in (*node.problems, *findings.problems)], findings


def test_one_line_is_read_without_the_list_it_belongs_to():
    line, problems, findings = look_at({"finisher": 1, "minus": [0, [23, 28], 45, 12]})

    assert line == AmbiguousLine(finisher=(1,), minus=((0,), (23, 28), (45,), (12,)))
    assert problems == []
    assert [warning.where for warning in findings.warnings] == ["games[1]"]


def test_problems_of_one_line_have_their_places_in_the_list():
    _line, problems, _findings = look_at({"finisher": 5, "minus": [0, 198, "45", 12], "x": 1})

    assert problems == ["games[1].x", "games[1].minus[2]", "games[1].finisher", "games[1].minus[1]"]
