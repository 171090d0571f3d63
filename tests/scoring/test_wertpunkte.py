"""Wertpunkte, most first, with the Augen beside them; worked out by hand (docs/rules.md)."""

from __future__ import annotations

import json
from random import Random

import pytest

from scoring.ambiguity import AmbiguousLine, count_line, score
from scoring.errors import ScoringError
from scoring.reading.interchange import lines_to_json, read_list, result_to_json
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.rulesets import all_rulesets, ruleset
from scoring.spielliste import Penalty, extrapolated, running_sums
from scoring.tally import SEPARATOR, ranking_results, tally
from tests.scoring.wertpunkte_lists import BY_SIZE, FOUR, RULES, THREE, line


def scored(lines, rules=RULES, **given):
    results = score(lines, rule_set=rules, players=len(lines[0].minus), **given)
    return [(seat.total, seat.augen) for seat in results]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param(line(1, 0, 28, 55, 90), [5, 2, 1, 0], id="each step"),
        pytest.param(line(1, 0, 30, 60, 61), [5, 2, 1, 0], id="the edge of each step"),
        pytest.param(line(1, 0, 31, 31, 31, handromme=True), [8, 1, 1, 1], id="Handrommé"),
        pytest.param(line([2, 4], 12, 30, [9, 19], 22), [2, 2, 2, 2], id="§ 2.2.6 who finished"),
        pytest.param(line(1, 0, [28, 31], 55, 90), [5, 1, 1, 0], id="§ 2.2.6 the higher hand"),
        pytest.param(
            line(1, 0, 40, 55, 90, handromme=[True, False]), [5, 1, 1, 0], id="§ 2.2.6 Handrommé"
        ),
    ],
)
def test_a_game_brings_its_wertpunkte(written, expected):
    assert [total for total, _augen in scored([written])] == expected


def test_a_list_of_four_is_the_sum_of_its_games_with_the_augen_beside():
    assert scored(FOUR) == [(7, 91), (3, 147), (10, 115), (6, 130)]


def test_the_running_sum_is_that_of_the_wertpunkte():
    counts = [count_line(each, RULES) for each in FOUR]

    assert running_sums(counts, RULES, 4) == [(5, 2, 1, 0), (5, 2, 9, 1), (7, 3, 10, 6)]


def test_augen_are_not_counted_beside_minuspunkten():
    results = score(FOUR, rule_set=ruleset("rommeordnung"), players=4)

    assert [seat.augen for seat in results] == [None] * 4


def test_the_seats_of_a_table_are_ranked_by_the_most_then_by_fewer_augen():
    lines = (*FOUR, line(2, 12, 0, 90, 61))  # 2, 5, 0, 0: then 9, 8, 10, 6
    seats = score(lines, rule_set=RULES, players=4)

    assert sorted([1, 2, 3, 4], key=lambda seat: seats[seat - 1].at_table) == [3, 1, 2, 4]
    assert seats[0].at_table < seats[0]._replace(minus=seats[0].minus + 1).at_table


def test_a_table_of_three_has_points_of_its_own():
    assert scored(THREE, BY_SIZE) == [(5, 60), (8, 28), (0, 151)]


@pytest.mark.parametrize(
    ("rules", "points", "expected"),
    [
        pytest.param(RULES, 100, (7, 191), id="§ 8.3 preset: only Augen"),
        pytest.param(BY_SIZE, 100, (5, 191), id="100 cost two of 50"),
        pytest.param(BY_SIZE, 120, (4, 211), id="120 cost three, the last one begun"),
    ],
)
def test_strafpunkte_add_to_the_augen_and_cost_by_the_rule_set(rules, points, expected):
    penalties = [Penalty(seat=1, points=points, reason="§ 8.3")]

    assert scored(FOUR, rules, penalties=penalties)[0] == expected


def test_extrapolated_wertpunkte_are_rounded_down_and_augen_up():
    (first, *_rest) = score(FOUR, rule_set=RULES, players=4)

    whole = extrapolated(first, played=3, games=20)

    # 7 × 20 ÷ 3 = 46.67, 91 × 20 ÷ 3 = 606.67
    assert (whole.total, whole.augen) == (46, 607)


def test_games_at_two_tables_are_extrapolated_once():
    (first, *_rest) = score(FOUR, rule_set=RULES, players=4)

    whole = extrapolated(first, played=5, games=12, elsewhere=4, elsewhere_augen=60)

    # (7 + 4) × 12 ÷ 5 = 26.4, of which 4 are elsewhere; (91 + 60) × 12 ÷ 5 = 362.4, and 60
    assert (whole.total, whole.augen) == (26 - 4, 363 - 60)


def test_stored_games_come_to_the_same():
    chance = Random(48)  # noqa: S311 - the same lists each time
    for players in (4, 3):
        for _list in range(200):
            lines = [some_line(players, chance) for _game in range(12)]
            text = SEPARATOR.join(map(json.dumps, lines_to_json(lines)))
            seats = score(lines, rule_set=BY_SIZE, players=players)

            assert tally(text, rule_set=BY_SIZE, players=players) == seats
            (results,) = ranking_results([text], rule_set=BY_SIZE, players=players).values()
            assert [(result.points, result.augen) for result in results] == [
                (seat.total, seat.augen) for seat in seats
            ]


def some_line(players: int, chance: Random) -> AmbiguousLine:
    finisher = chance.randint(1, players)
    minus = [chance.randint(2, 120) for _seat in range(players)]
    minus[finisher - 1] = 0
    hands = [[hand, hand + 9] if hand and chance.random() < 0.05 else hand for hand in minus]
    return line(finisher, *hands, handromme=chance.random() < 0.1)


# --- The rule set as data -----------------------------------------------------------------------


def test_a_rule_set_without_wertpunkte_is_written_as_before():
    written = [ruleset_to_dict(each) for each in all_rulesets() if each.valuation is None]

    assert len(written) == 11
    assert not any("valuation" in each for each in written)


def test_a_rule_set_with_wertpunkte_survives_json():
    assert ruleset_from_dict(ruleset_to_dict(BY_SIZE)) == BY_SIZE


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        pytest.param("finish", {"4": 5}, "für jede Tischgröße", id="a size without points"),
        pytest.param("handromme", {"4": 8}, "für jede Tischgröße", id="none for Handrommé"),
        pytest.param("handromme", {"4": 4, "3": 8}, "mindestens so viel", id="less by Handrommé"),
        pytest.param("finish", {"4": 1, "3": 5}, "mindestens so viel", id="less than a step"),
        pytest.param(
            "steps",
            [{"upto": 60, "points": 1}, {"upto": 30, "points": 2}],
            "Die Stufen müssen steigen",
            id="steps that fall",
        ),
        pytest.param(
            "steps",
            [{"upto": 30, "points": 1}, {"upto": 60, "points": 2}],
            "Die Stufen müssen steigen",
            id="more points for more Augen",
        ),
    ],
)
def test_a_contradictory_rule_set_is_refused(place, value, message):
    given = ruleset_to_dict(RULES)
    given["valuation"][place] = value

    with pytest.raises(ScoringError, match=message) as refusal:
        ruleset_from_dict(given)
    assert refusal.value.problems[0].where.startswith("valuation.")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"bonus_per_game": {"4": 20, "3": 15}}, "keine Abzüge", id="a bonus beside"),
        pytest.param({"handromme": {"factor": 2}}, "keine Abzüge", id="hands that are doubled"),
        pytest.param(
            {"grants": ruleset_to_dict(ruleset("liverpool"))["grants"]},
            "keine Gutschriften",
            id="g",
        ),
        pytest.param({"tie_breaks": ["games"]}, "zuerst die Augen", id="ties without Augen"),
    ],
)
def test_nothing_counts_beside_wertpunkte(changes, message):
    given = ruleset_to_dict(RULES) | changes

    with pytest.raises(ScoringError, match=message):
        ruleset_from_dict(given)


def test_augen_decide_nothing_where_minuspunkte_count():
    given = ruleset_to_dict(ruleset("rommeordnung")) | {"tie_breaks": ["augen", "games"]}

    with pytest.raises(ScoringError, match="sonst nie"):
        ruleset_from_dict(given)


# --- score_list ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule_set",
    [
        pytest.param("wertpunkte", id="by its name"),
        pytest.param(ruleset_to_dict(RULES), id="as a whole, for the numbers of an organiser"),
    ],
)
def test_a_file_contains_wertpunkte_and_augen(rule_set):
    file = {
        "rule_set": rule_set,
        "players": ["Anna", "Bernd", "Clara", "Dieter"],
        "games": lines_to_json(FOUR),
        "penalties": [{"seat": 2, "points": 100, "reason": "§ 8.3"}],
    }

    answer = result_to_json(read_list(json.dumps(file).encode()))

    assert answer["complete"] is False
    assert [(seat["total"], seat["augen"]) for seat in answer["seats"]] == [
        (7, 91),
        (3, 247),
        (10, 115),
        (6, 130),
    ]
    # Anna: one game finished, no Handrommé, 2 for the 30 of game 3.
    assert answer["seats"][0] == {
        "seat": 1,
        "player": "Anna",
        "minus": 91,
        "games_won": 1,
        "handromme": 0,
        "bonus": 5,
        "handromme_bonus": 0,
        "penalty": 0,
        "adjustment": 0,
        "steps": 2,
        "penalty_cost": 0,
        "augen": 91,
        "total": 7,
    }


def test_a_rule_set_in_a_file_is_checked():
    rules = ruleset_to_dict(RULES) | {"games": 0}
    file = {"rule_set": rules, "players": ["A", "B", "C"], "games": []}

    with pytest.raises(ScoringError) as refusal:
        read_list(json.dumps(file).encode())
    assert refusal.value.problems[0].where == "rule_set.games"


def test_a_file_by_minuspunkte_has_no_augen():
    file = {"rule_set": "rommeordnung", "players": ["A", "B", "C"], "games": []}

    (first, *_rest) = result_to_json(read_list(json.dumps(file).encode()))["seats"]

    assert "augen" not in first
    assert "steps" not in first
