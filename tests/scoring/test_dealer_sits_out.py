"""The dealer sits out at tables of four: no hand, no finish, fifteen own games of twenty."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.ambiguity import AmbiguousLine, count_line, score
from scoring.checks import check_list, has_hands_of_players
from scoring.errors import ScoringError
from scoring.list_findings import Frame, ListFindings
from scoring.list_rows import played_rows
from scoring.ordering import SeatStanding
from scoring.payments.bussgeld import PerGame
from scoring.plausibility import LineContext
from scoring.reading.bounds import bounds
from scoring.reading.cells import read_row, write_row
from scoring.reading.interchange import line_from_json, lines_to_json, read_games
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.reading.strict_json import Node
from scoring.ruleset import RuleSet
from scoring.rulesets import all_rulesets, ruleset
from scoring.running_ranking import TableCourse, allowances
from scoring.tally import SEPARATOR, tally
from tests.scoring.ruleset_files import as_json, refusal
from tests.scoring.sitting_out_lists import FOUR, RULES, THREE, Written, lines, of_four, of_three


def problems(*games: Written, seats: int = 4) -> list[tuple[str, str]]:
    """Return place and message of each refusal of these games."""
    node, findings = Node(list(games), "games", []), ListFindings()
    read_games(node, Frame(rule_set=RULES, seats=seats), findings)
    return [(problem.where, problem.message) for problem in (*node.problems, *findings.problems)]


# --- Games of each seat -------------------------------------------------------------------


def test_each_of_four_deals_five_of_twenty_games_and_plays_fifteen():
    out = [RULES.sits_out(game, 4) for game in range(1, 21)]

    assert out == [1, 2, 3, 4] * 5
    assert [RULES.own_games(4, seat=seat) for seat in (1, 2, 3, 4)] == [15] * 4


def test_at_a_table_of_three_all_play_all_games():
    assert [RULES.sits_out(game, 3) for game in range(1, 16)] == [None] * 15
    assert (RULES.games_at(3), RULES.own_games(3)) == (15, 15)


def test_a_partial_list_has_fewer_games_of_frequent_dealers():
    # Of six games places 1 and 2 dealt two, 3 and 4 one.
    assert [RULES.own_games(4, seat=seat, games=6) for seat in (1, 2, 3, 4)] == [4, 4, 5, 5]


@pytest.mark.parametrize("rules", [pytest.param(each, id=each.id) for each in all_rulesets()])
def test_dealers_sit_out_in_no_other_rule_set(rules: RuleSet):
    assert rules.sits_out(1, rules.table_sizes[0]) is None
    assert rules.own_games(rules.table_sizes[0]) == rules.games
    assert "dealer_sits_out" not in ruleset_to_dict(rules)


# --- A list -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "seats", "minus", "total"),
    [
        # Five times 20, five times 30, five games finished: 250 − 5 × 20.
        pytest.param(FOUR, 4, 250, 150, id="§ 3.2.1 table of four"),
        # Ten times 25, five games finished: 250 − 5 × 15.
        pytest.param(THREE, 3, 250, 175, id="§ 3.2.1 table of three"),
    ],
)
def test_whole_list_counts_the_same_for_all(
    games: list[Written], seats: int, minus: int, total: int
):
    results = score(lines(games), rule_set=RULES, players=seats)
    text = SEPARATOR.join(map(json.dumps, games))

    assert [(result.minus, result.games_won, result.total) for result in results] == [
        (minus, 5, total)
    ] * seats
    assert tally(text, rule_set=RULES, players=seats) == results
    checked = check_list(lines(games), rule_set=RULES, seats=seats)
    assert (checked.problems, checked.warnings) == ([], [])


def test_a_dealer_who_sits_out_gets_no_points_of_an_unclear_game():
    # Place 1 deals. Seat 2 or 3 finished, by Handrommé or not: nothing for place 1.
    game = {"finisher": [2, 3], "handromme": [True, False], "minus": [None, 31, 40, [60, 66]]}
    rules = replace(ruleset("hausregel"), games_free=False, dealer_sits_out={4: 20})

    counts = count_line(line_from_json(game), rules)

    # The Handrommé of another doubles for each of the three; the higher reading counts (§ 2.2.6).
    assert [(count.minus, count.plays) for count in counts] == [
        (0, False),
        (62, True),
        (80, True),
        (132, True),
    ]
    text = SEPARATOR.join(map(json.dumps, [game]))
    assert [result.minus for result in tally(text, rule_set=rules, players=4)] == [0, 62, 80, 132]


def test_a_line_without_the_hand_of_the_dealer_survives_json():
    (line,) = lines(FOUR[:1])

    assert line.is_clear
    assert line.minus == ((), (0,), (20,), (30,))
    assert lines_to_json([line]) == FOUR[:1]


def test_the_cell_of_the_dealer_is_struck_and_the_sum_stays():
    rows = played_rows(lines(FOUR[:2]), RULES, 4)

    assert [[cell.points for cell in row.cells] for row in rows] == [
        ["–", "0", "20", "30"],
        ["30", "–", "0", "20"],
    ]
    assert [cell.running for cell in rows[1].cells] == [30, 0, 20, 50]


# --- Refusals -----------------------------------------------------------------------------


def test_null_is_accepted_for_a_dealer_who_sits_out():
    assert problems(*FOUR) == []


@pytest.mark.parametrize(
    ("game", "seats", "where", "said"),
    [
        pytest.param(
            {**FOUR[0], "minus": [12, 0, 20, 30]},
            4,
            "games[0].minus[0]",
            "Spiel 1: Platz 1 gibt dieses Spiel und setzt aus; da steht keine Hand.",
            id="a hand of the dealer",
        ),
        pytest.param(
            {**FOUR[0], "finisher": 1, "minus": [None, 10, 20, 30]},
            4,
            "games[0].finisher",
            "Spiel 1: Platz 1 gibt dieses Spiel und setzt aus; beendet hat jemand anders.",
            id="the dealer finishes",
        ),
        pytest.param(
            {**FOUR[0], "minus": [None, 0, None, 30]},
            4,
            "games[0].minus[2]",
            "Hier muss eine ganze Zahl stehen, nicht null.",
            id="no hand of who plays",
        ),
        pytest.param(
            {**THREE[0], "minus": [None, 25, 25]},
            3,
            "games[0].minus[0]",
            "Hier muss eine ganze Zahl stehen, nicht null.",
            id="null at a table of three",
        ),
    ],
)
def test_line_of_the_wrong_people_is_refused(game: Written, seats: int, where: str, said: str):
    assert (where, said) in problems(game, seats=seats)


@pytest.mark.parametrize(
    ("number", "seats", "minus", "expected"),
    [
        pytest.param(1, 4, ((), (0,), (40,), (30,)), True, id="place 1 deals game 1"),
        pytest.param(2, 4, ((), (0,), (40,), (30,)), False, id="place 2 deals game 2"),
        pytest.param(1, 4, ((), (0,), (), (30,)), False, id="a hand is missing"),
        pytest.param(1, 4, ((0,), (9,), (40,), (30,)), False, id="all four have one"),
        pytest.param(1, 3, ((0,), (9,), (40,)), True, id="all of three play"),
    ],
)
def test_a_line_contains_the_playing_seats_only(
    number: int, seats: int, minus: tuple[tuple[int, ...], ...], expected: bool
):
    frame = Frame(rule_set=RULES, seats=seats)

    assert (
        has_hands_of_players(AmbiguousLine(finisher=(1,), minus=minus), number, frame) is expected
    )


def test_most_own_games_come_from_the_table_size_with_most_games():
    assert RULES.most_own_games == 15  # 20 × 3 ÷ 4, and all 15 at a table of three
    assert replace(RULES, dealer_sits_out={4: 16}).most_own_games == 15  # 12 at a table of four


def test_an_imported_line_without_a_hand_of_a_player_is_refused():
    line = AmbiguousLine(finisher=(2,), minus=((), (0,), (), (30,)))

    problems_of_line = check_list([line], rule_set=RULES, seats=4).problems

    assert [(problem.where, problem.message) for problem in problems_of_line] == [
        ("games[0].minus[2]", "Spiel 1: Platz 3: Die Punkte fehlen."),
    ]


def test_list_of_four_has_twenty_games_and_of_three_fifteen():
    assert problems(*FOUR, of_four(21))[-1] == (
        "games[20]",
        "Die Liste hat 21 Spiele, nach „Romméordnung“ sind es höchstens 20.",
    )
    assert problems(*THREE, of_three(16), seats=3)[-1][0] == "games[15]"


def test_three_hands_of_one_pack_are_possible_together():
    # Three play: two hands beside the finisher, so the highest of both is 328, of three 458.
    assert bounds(RULES, 4, 1)["hand"]["joint_max"] == [197, 328, 458]
    refused = problems({**FOUR[0], "minus": [None, 0, 190, 190]})
    assert [where for where, _said in refused] == ["games[0].minus"]


# --- Typed from paper ---------------------------------------------------------------------

FIRST = LineContext(rule_set=RULES, players=4, number=1)


@pytest.mark.parametrize("nothing", ["", "–", "-", " "])
def test_the_cell_of_the_dealer_is_empty_or_a_dash(nothing: str):
    line = read_row([nothing, "H", "40", "17/71"], FIRST)

    assert line == AmbiguousLine(
        finisher=(2,), minus=((), (0,), (40,), (17, 71)), handromme=(True,)
    )
    assert isinstance(line, AmbiguousLine)
    assert write_row(line, FIRST) == ["", "H", "40", "17/71"]


def test_the_cell_of_a_playing_seat_is_not_empty():
    row = read_row(["", "0", "", "30"], FIRST)

    assert isinstance(row, list)
    assert [(problem.where, problem.message) for problem in row] == [
        (
            "games[0].minus[2]",
            "Spiel 1: Die Punkte von Platz 3 fehlen.",
        )
    ]


def test_a_row_without_a_finisher_is_not_won_by_the_dealer():
    line = read_row(["", "10", "20", "30"], FIRST)

    assert isinstance(line, AmbiguousLine)
    assert line.finisher == (None,)


# --- Effects of own games -------------------------------------------------------------------


def test_bussgeld_counts_own_games_not_finished():
    seats = [SeatStanding(points=150, rank=1, games_won=5)] * 4

    amounts = PerGame(cents=10).per_seat(seats, games=20, own_games=[15] * 4)

    assert amounts == (100,) * 4


def test_the_first_game_counts_for_its_three_players():
    # Table 1: one game, 60 points for three. Table 2: none. Players without a game get 20.
    first = TableCourse(players=4, brought=[60], seats=[3])
    none = TableCourse(players=4, brought=[])

    assert allowances([first, none])[4] == [Fraction(20), Fraction(0)]


# --- The rule set as data -------------------------------------------------------------------


def test_the_rule_set_survives_json():
    data = ruleset_to_dict(RULES)

    assert data["dealer_sits_out"] == {"4": 20}
    assert ruleset_from_dict(json.loads(json.dumps(data))) == RULES


@pytest.mark.parametrize(
    ("changes", "where", "said"),
    [
        pytest.param(
            {"dealer_sits_out": {"4": 18}},
            'dealer_sits_out["4"]',
            "18 Spiele gehen bei 4 Personen nicht auf: Wer gibt, setzt aus, und alle sollen gleich "
            "oft spielen.",
            id="not the same for all",
        ),
        pytest.param(
            {"dealer_sits_out": {"5": 20}},
            'dealer_sits_out["5"]',
            "Tische mit 5 Personen sind nicht vorgesehen.",
            id="no such table",
        ),
        pytest.param(
            {"dealer_sits_out": {"4": 20}, "games_free": True},
            "dealer_sits_out",
            "Wo der Geber aussetzt, steht die Zahl der Spiele fest, und für alle gelten dieselben "
            "Angaben.",
            id="number of games is free",
        ),
    ],
)
def test_rule_set_that_does_not_fit_together_is_refused(changes: Written, where: str, said: str):
    (problem,) = refusal(as_json(**changes))

    assert (problem.where, problem.message) == (where, said)


def test_two_at_a_table_cannot_sit_out():
    data = as_json("hausregel", games_free=False, dealer_sits_out={"2": 12}, table_sizes=[2, 4])
    data["packs"] = {"2": data["packs"]["4"], "4": data["packs"]["4"]}
    data["bonus_per_game"] = {"2": 0, "4": 0}

    assert [problem.message for problem in refusal(data)] == ["Zu zweit kann niemand aussetzen."]


def test_one_hand_less_is_dealt():
    # Four hands of 27 and a card would be 109 of 110 cards; three leave room for 36.
    with pytest.raises(ScoringError):
        ruleset_from_dict(as_json(**{"rounds[0].cards_dealt": 28}))
    data = as_json(**{"rounds[0].cards_dealt": 28, "table_sizes": [4]})
    data |= {"dealer_sits_out": {"4": 20}}
    data["packs"], data["bonus_per_game"] = {"4": data["packs"]["4"]}, {"4": 20}

    assert ruleset_from_dict(data).players_of_game(4) == 3
