"""A Spielliste in the interchange format: read, refused, scored, written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.checks import check_list
from scoring.errors import ScoringError
from scoring.reading.interchange import (
    ListFile,
    line_from_json,
    lines_to_json,
    points_to_json,
    read_games,
    read_line,
    read_list,
    read_penalties,
    result_to_json,
)
from scoring.reading.strict_json import Node, parse
from scoring.rulesets import all_rulesets, ruleset
from scoring.spielliste import Adjustment, Penalty
from scoring.unclear import Line
from scoring.written import Findings, Frame

CASES = sorted((Path(__file__).parent / "cases").glob("list-*.json"))
LEFT_OUT = object()


def good(**changes):
    """Return a list that is accepted, with *changes*."""
    data = {
        "rule_set": "rommeordnung",
        "players": ["Anna", "Bernd", "Clara", "Dieter"],
        "games": [good_game()],
        "penalties": [{"seat": 2, "points": 100, "reason": "§ 8.3"}],
    } | changes
    return {key: value for key, value in data.items() if value is not LEFT_OUT}


def good_game(**changes):
    data = {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]} | changes
    return {key: value for key, value in data.items() if value is not LEFT_OUT}


def read(data):
    return read_list(json.dumps(data).encode())


def refusals(data):
    with pytest.raises(ScoringError) as caught:
        read(data)
    return [problem.where for problem in caught.value.problems]


def totals(data):
    return [result.total for result in read(data).score()]


# --- Worked cases -----------------------------------------------------------------------


def test_there_are_worked_cases():
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


def test_17_or_71_counts_71():
    assert totals(good(games=[good_game(minus=[0, [17, 71], 45, 12])], penalties=[])) == [
        -20,
        71,
        45,
        12,
    ]


# --- What may be left out, what may be there --------------------------------------------


def test_handromme_and_penalties_may_be_left_out():
    assert totals(good(games=[good_game(handromme=LEFT_OUT)], penalties=LEFT_OUT)) == [
        -20,
        23,
        45,
        12,
    ]


def test_a_list_may_be_empty():
    result = result_to_json(read(good(games=[], penalties=[])))

    assert (result["complete"], result["warnings"]) == (False, [])
    assert [seat["total"] for seat in result["seats"]] == [0, 0, 0, 0]


@pytest.mark.parametrize(("games", "complete"), [(11, False), (12, True)])
def test_a_list_is_complete_with_all_its_games(games, complete):
    lines = [good_game(minus=[0, 20 + number, 45, 12]) for number in range(games)]

    assert result_to_json(read(good(games=lines)))["complete"] is complete


def test_two_may_be_called_the_same():
    result = result_to_json(read(good(players=["Müller", "Müller", "Łódź", "Dieter"])))

    assert [seat["player"] for seat in result["seats"]] == ["Müller", "Müller", "Łódź", "Dieter"]


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


def test_points_that_are_missing_are_asked_for_at_their_place():
    warnings = read(good(games=[good_game(finisher=[1, 2])])).warnings

    assert [warning.where for warning in warnings] == ["games[0]", "games[0].minus[0]"]


def test_a_reason_may_have_several_lines():
    data = good(penalties=[{"seat": 2, "points": 100, "reason": "§ 8.3\nverworfen"}])

    assert read(data).penalties[0].reason == "§ 8.3\nverworfen"


# --- Refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(12, [""], id="a number"),
        pytest.param([], [""], id="a list"),
        pytest.param(None, [""], id="null"),
        pytest.param({}, ["rule_set", "players", "games"], id="nothing given"),
        pytest.param(good(rule_set="skat"), ["rule_set"], id="no such rule set"),
        pytest.param(good(rule_set=12), ["rule_set"], id="rule set is a number"),
        pytest.param(good(rule_set=""), ["rule_set"], id="rule set is blank"),
        pytest.param(good(version=1), ["version"], id="unknown key"),
        pytest.param(good(players="Anna"), ["players"], id="players are a text"),
        pytest.param(good(players=[]), ["players"], id="nobody"),
        pytest.param(good(players=["A", "B"]), ["players", "games[0].minus"], id="two of them"),
        pytest.param(good(players=["A", " ", 3, "D\n"]), [f"players[{i}]" for i in (1, 2, 3)]),
        pytest.param(good(games={}), ["games"], id="games are an object"),
        pytest.param(good(games=[good_game(), []]), ["games[1]"], id="a game is a list"),
        pytest.param(good(games=[{}]), ["games[0].finisher", "games[0].minus"], id="empty game"),
        pytest.param(good(games=[good_game(minuss=1)]), ["games[0].minuss"], id="mistyped key"),
        pytest.param(good(penalties={}), ["penalties"], id="penalties are an object"),
        pytest.param(good(penalties=[1]), ["penalties[0]"], id="a penalty is a number"),
        pytest.param(
            good(penalties=[{}]),
            [f"penalties[0].{key}" for key in ("seat", "points", "reason")],
            id="empty penalty",
        ),
        pytest.param(
            good(penalties=[{"seat": "2", "points": 12.0, "reason": 1, "why": 1}]),
            [f"penalties[0].{key}" for key in ("why", "seat", "points", "reason")],
            id="all of a penalty",
        ),
        pytest.param(
            good(penalties=[{"seat": 5, "points": 0, "reason": ""}]),
            [f"penalties[0].{key}" for key in ("reason", "seat", "points")],
            id="§ 8.3 a penalty that cannot be",
        ),
    ],
)
def test_what_is_no_list_is_refused_at_its_place(data, expected):
    assert refusals(data) == expected


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(good_game(finisher=LEFT_OUT), ["finisher"], id="finisher is left out"),
        pytest.param(good_game(minus=LEFT_OUT), ["minus"], id="points are left out"),
        pytest.param(good_game(finisher="1"), ["finisher"], id="finisher is a text"),
        pytest.param(good_game(finisher=True), ["finisher"], id="finisher is true"),
        pytest.param(good_game(finisher=1.0), ["finisher"], id="finisher is 1.0"),
        pytest.param(good_game(finisher=[]), ["finisher"], id="finisher has no reading"),
        pytest.param(good_game(finisher=[[1]]), ["finisher[0]"], id="a reading of readings"),
        pytest.param(good_game(finisher=None), ["finisher"], id="nobody finished"),
        pytest.param(good_game(finisher=7), ["finisher"], id="no such seat"),
        pytest.param(
            good_game(finisher=[7, "x", None]),
            ["finisher[1]", "finisher[0]", "finisher[2]"],
            id="all readings of the finisher",
        ),
        pytest.param(good_game(handromme=None), ["handromme"], id="Handrommé is null"),
        pytest.param(good_game(handromme=1), ["handromme"], id="Handrommé is 1"),
        pytest.param(good_game(handromme=[]), ["handromme"], id="Handrommé has no reading"),
        pytest.param(good_game(handromme=[True, 0]), ["handromme[1]"], id="one reading is 0"),
        pytest.param(good_game(minus=12), ["minus"], id="points are a number"),
        pytest.param(good_game(minus=[]), ["minus"], id="no points"),
        pytest.param(good_game(minus=[0, 23, 45]), ["minus"], id="three of four points"),
        pytest.param(good_game(minus=[0, True, 45, 12]), ["minus[1]"], id="true is no number"),
        pytest.param(good_game(minus=[0, 23.0, 45, 12]), ["minus[1]"], id="23.0 is not whole"),
        pytest.param(good_game(minus=[0, None, 45, 12]), ["minus[1]"], id="null is no number"),
        pytest.param(good_game(minus=[0, 10**30, 45, 12]), ["minus[1]"], id="31 digits"),
        pytest.param(good_game(minus=[0, [], 45, 12]), ["minus[1]"], id="no reading"),
        pytest.param(good_game(minus=[0, [23, "x"], 45, 12]), ["minus[1][1]"], id="x among them"),
        pytest.param(
            good_game(minus=[0, ["x", 1], 45, 1]),
            ["minus[1][0]", "minus[1][1]", "minus[3]"],
            id="what cannot be read hides nothing",
        ),
        pytest.param(good_game(minus=[0, 1, 45, 12]), ["minus[1]"], id="§ 4.2 a loser with 1"),
        pytest.param(
            good_game(finisher="x", minus=[0, 1, 198, 12]),
            ["finisher", "minus[1]", "minus[2]"],
            id="an unknown finisher is not held against a 0",
        ),
        pytest.param(
            good_game(handromme="x", minus=[0, 1, 30, 12]),
            ["handromme", "minus[1]"],
            id="an unknown Handrommé is not held against a small hand",
        ),
        pytest.param(
            good_game(minus=[0, 197, 132, "x"]), ["minus[3]"], id="not all hands are known"
        ),
        pytest.param(good_game(minus=[0, 197, 132, 9]), ["minus"], id="§ 4.1 hands together"),
        pytest.param(good_game(adjustments={}), ["adjustments"], id="adjustments: an object"),
        pytest.param(
            good_game(adjustments=[{"seat": 9, "points": 0, "reason": " ", "x": 1}]),
            [f"adjustments[0].{key}" for key in ("x", "reason", "seat", "points")],
            id="an adjustment that cannot be",
        ),
        pytest.param(
            good_game(minus=[0, 1, 45, 12], adjustments=[{}]),
            [*(f"adjustments[0].{key}" for key in ("seat", "points", "reason")), "minus[1]"],
            id="a broken adjustment hides nothing",
        ),
    ],
)
def test_every_problem_of_a_game_is_found_at_its_place(game, expected):
    places = [f"games[1].{place}" for place in expected]

    assert refusals(good(games=[good_game(), game])) == places


def test_handromme_is_refused_where_the_rules_know_none():
    game = good_game(handromme=True, minus=[0, 90, 95, 99])

    assert refusals(good(rule_set="contract", games=[game])) == ["games[0].handromme"]


def test_12_games_of_preisromme_are_refused():
    games = [good_game(minus=[0, 20 + number, 45, 12]) for number in range(12)]

    assert refusals(good(rule_set="preisromme-1987", games=games)) == ["games[8]"]


def test_everything_is_found_at_once_and_in_order():
    data = good(
        players=["A", "B", "C", "D", "E"],
        games=[
            good_game(minus=[0, 1, 45, 12, 13]),
            good_game(finisher=6, minus=[9, 1, "x", 12, 13]),
        ],
        penalties=[{"seat": 6, "points": -1, "reason": "x"}],
        extra=1,
    )

    assert refusals(data) == [
        "extra",
        "players",
        "games[0].minus[1]",
        "games[1].minus[2]",
        "games[1].finisher",
        "games[1].minus[1]",
        "penalties[0].seat",
        "penalties[0].points",
    ]


def test_without_a_known_rule_set_the_seats_are_still_checked():
    data = good(
        rule_set="skat",
        games=[good_game(finisher=5, handromme=True), good_game(finisher=None, minus=[1, 2])],
        penalties=[{"seat": 5, "points": 100, "reason": "x"}],
    )

    assert refusals(data) == [
        "rule_set",
        "games[0].finisher",
        "games[1].minus",
        "penalties[0].seat",
    ]


def test_without_known_players_the_hands_are_still_checked():
    data = good(
        players=None,
        games=[
            good_game(
                minus=[0, 1, 20],
                adjustments=[{"seat": 9, "points": 5, "reason": "x"}],
            )
        ],
    )

    assert refusals(data) == ["players", "games[0].minus[1]"]


def test_without_known_players_nothing_is_said_about_who_may_be_granted_points():
    adjustments = [{"seat": 9, "points": -50, "reason": "x"}]
    data = good(rule_set="liverpool", players=None, games=[good_game(adjustments=adjustments)])

    assert refusals(data) == ["players"]


def test_the_sentence_says_what_an_empty_list_of_readings_lacks():
    with pytest.raises(ScoringError) as caught:
        read(good(games=[good_game(minus=[0, [], 45, 12])]))

    assert [problem.message for problem in caught.value.problems] == [
        "Die Liste der Lesarten ist leer. Ist der Eintrag klar, gib nur ihn an."
    ]


def test_the_sentence_names_the_rule_sets_that_there_are():
    with pytest.raises(ScoringError, match=r"„skat“ gibt es nicht.*rommeordnung, hausregel"):
        read(good(rule_set="skat"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('"penalties": [], "penalties": []', "penalties"),
        ('"games": [], "players": ["A", "B", "C", "D"]', "games"),
    ],
)
def test_keys_that_stand_twice_are_refused(text, where):
    data = json.dumps(good())[:-1] + ", " + text + "}"

    with pytest.raises(ScoringError) as caught:
        read_list(data.encode())
    assert where in [problem.where for problem in caught.value.problems]


# --- Parts of other files ---------------------------------------------------------------


def test_games_and_penalties_are_read_from_inside_another_file():
    root = parse(json.dumps({"games": [good_game(), good_game(minus=[0, 1, 45, 12])]}).encode())
    node = root.fields(required=("games",))["games"]
    node.where = "series[0].tables[1].list.games"
    findings = Findings()
    frame = Frame(rule_set=ruleset("rommeordnung"), seats=4)

    lines = read_games(node, frame, findings)

    assert [line.minus[1] for line in lines] == [(23,), (1,)]
    assert [problem.where for problem in findings.problems] == [
        "series[0].tables[1].list.games[1].minus[1]"
    ]
    assert root.problems == []


def test_adjustments_that_cannot_be_read_are_refused_and_not_doubted():
    broken = [{"seat": 1, "points": 5}, {"points": -50, "reason": "x"}, {"seat": 9}]
    root = parse(json.dumps([good_game(adjustments=broken)]).encode())
    findings = Findings(problems=root.problems)

    read_games(root, Frame(rule_set=ruleset("liverpool"), seats=4), findings)

    assert [problem.where for problem in root.problems] == [
        "[0].adjustments[0].reason",
        "[0].adjustments[1].seat",
        "[0].adjustments[2].points",
        "[0].adjustments[2].reason",
        "[0].adjustments[2].seat",
    ]
    assert [doubt.where for doubt in findings.warnings] == ["[0].adjustments[0]"]


def test_penalties_that_cannot_be_read_are_left_out():
    root = parse(b'[{"seat": 1, "points": 100, "reason": "x"}, {"seat": 2, "points": 100}]')
    frame = Frame(rule_set=ruleset("rommeordnung"), seats=4)

    penalties = read_penalties(root, frame, Findings())

    assert penalties == (Penalty(seat=1, points=100, reason="x"),)
    assert [problem.where for problem in root.problems] == ["[1].reason"]


# --- Laws -------------------------------------------------------------------------------

# Possible in every rule set, alone and together, also after a Handrommé.
HANDS = st.sampled_from([60, 70, 80, 90])
# What a text of one line may hold: no control characters, no halves of characters.
LINES_OF_TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=5
).filter(str.strip)


def one_or_more(entries):
    return st.lists(entries, min_size=1, max_size=3).map(tuple)


@st.composite
def list_files(draw: st.DrawFn) -> ListFile:
    rule_set = draw(st.sampled_from(all_rulesets()))
    players = draw(st.sampled_from(rule_set.table_sizes))
    seats = st.integers(1, players)
    adjustments = st.builds(Adjustment, seat=seats, points=st.integers(1, 60), reason=LINES_OF_TEXT)
    lines = []
    for __ in range(draw(st.integers(0, 3))):
        finishers = draw(one_or_more(seats))
        minus = [draw(one_or_more(HANDS)) for __ in range(players)]
        if len(set(finishers)) == 1:
            minus[finishers[0] - 1] = (0,)
        lines.append(
            Line(
                finisher=finishers,
                minus=tuple(minus),
                handromme=draw(one_or_more(st.booleans())) if rule_set.handromme else (False,),
                adjustments=tuple(draw(st.lists(adjustments, max_size=2))),
            )
        )
    penalties = st.builds(Penalty, seat=seats, points=st.integers(1, 500), reason=LINES_OF_TEXT)
    drawn_penalties = tuple(draw(st.lists(penalties, max_size=2)))
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
    """Return a list as other programs write it, with what the program writes of one."""
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
def test_a_stored_line_is_read_back_as_it_was_written(written):
    assert lines_to_json([line_from_json(written)]) == [written]


# --- One line ---------------------------------------------------------------------------


def look_at(game, *, number=2, earlier=()):
    """Read one game of a table of four, as a page sends it, by the Romméordnung."""
    findings = Findings()
    node = Node(game, f"games[{number - 1}]", [])
    frame = Frame(rule_set=ruleset("rommeordnung"), seats=4)
    line = read_line(node, number, frame, findings, earlier)
    return line, [problem.where for problem in (*node.problems, *findings.problems)], findings


def test_one_line_is_read_without_the_list_it_belongs_to():
    line, problems, findings = look_at({"finisher": 1, "minus": [0, [23, 28], 45, 12]})

    assert line == Line(finisher=(1,), minus=((0,), (23, 28), (45,), (12,)))
    assert problems == []
    assert [warning.where for warning in findings.warnings] == ["games[1]"]


def test_problems_of_one_line_have_their_places_in_the_list():
    _line, problems, _findings = look_at({"finisher": 5, "minus": [0, 198, "45", 12], "x": 1})

    assert problems == ["games[1].x", "games[1].minus[2]", "games[1].finisher", "games[1].minus[1]"]


def test_one_line_is_doubted_for_what_it_repeats():
    game = {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]}
    earlier = [line_from_json(game)]

    _line, problems, findings = look_at(game, earlier=earlier)

    assert problems == []
    assert ["gleicht der vorigen" in each.message for each in findings.warnings] == [True]
