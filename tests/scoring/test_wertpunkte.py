"""Wertpunkte, most first, with the Augen beside them; worked out by hand (docs/rules.md)."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from scoring.ambiguity import AmbiguousLine, count_line, score
from scoring.competitors import Competitor, Result
from scoring.errors import ScoringError
from scoring.ordering import Order
from scoring.reading.interchange import lines_to_json, read_list, result_to_json
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import TieBreak
from scoring.rulesets import all_rulesets, ruleset
from scoring.season import Counting, SeasonResult, rank_season
from scoring.spielliste import Penalty, extrapolated, running_sums
from scoring.standings import Criterion, Terms, rank_entries
from scoring.tally import SEPARATOR, ranking_results, tally
from scoring.teams import Team, rank_teams
from scoring.valuation import Valuation, ValuationStep

RULES = ruleset("wertpunkte")  # finished 5, Handrommé 8, up to 30: 2, up to 60: 1
BY_SIZE = replace(
    RULES,
    valuation=Valuation(
        finish={4: 5, 3: 4},
        handromme={4: 8, 3: 6},
        steps=(ValuationStep(upto=30, points=2), ValuationStep(upto=60, points=1)),
        penalty_per=50,
    ),
)


def line(finisher, *minus, handromme=False) -> AmbiguousLine:
    return AmbiguousLine(
        finisher=tuple(finisher) if isinstance(finisher, list) else (finisher,),
        minus=tuple(tuple(hand) if isinstance(hand, list) else (hand,) for hand in minus),
        handromme=tuple(handromme) if isinstance(handromme, list) else (handromme,),
    )


FOUR = (
    line(1, 0, 28, 55, 90),  # 5, 2, 1, 0
    line(3, 61, 88, 0, 40, handromme=True),  # 0, 0, 8, 1
    line(4, 30, 31, 60, 0),  # 2, 1, 1, 5
)
THREE = (
    line(1, 0, 28, 90),  # 4, 2, 0
    line(2, 60, 0, 61, handromme=True),  # 1, 6, 0
)


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


def test_each_kind_of_result_knows_its_order():
    (first, *_rest) = rank_entries([entry(1, worth(5, 90))], tie_breaks=RULES.tie_breaks)
    (plain, *_rest) = rank_entries([entry(1, Result(90, 1, 0))])

    assert (RULES.order, first.order, worth(5, 90).order) == (Order.MOST,) * 3
    assert score(FOUR, rule_set=RULES, players=4)[0].order is Order.MOST
    assert (plain.order, ruleset("rommeordnung").order) == (Order.FEWEST,) * 2
    assert (Order.MOST.most_first, Order.FEWEST.most_first) == (True, False)


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


# --- The ranking --------------------------------------------------------------------------------

# As federations publish their lists: name, Wertpunkte, Spielpunkte; these people do not exist.
PUBLISHED = [
    ("Ahrens, Ute", 141, 1512),
    ("Brandt, Kai", 138, 1604),
    ("Clausen, Ida", 138, 1699),
    ("Dohm, Rolf", 133, 1588),
    ("Ebert, Lene", 131, 1750),
    ("Fuchs, Olaf", 127, 1702),
    ("Gerber, Inge", 127, 1703),
    ("Holm, Peer", 127, 1811),
    ("Ihde, Marga", 122, 1790),
    ("Jahn, Timo", 119, 1845),
    ("Kranz, Edda", 118, 1644),
    ("Lorenz, Uwe", 118, 1902),
    ("Mertens, Gisa", 114, 1877),
    ("Nagel, Bodo", 110, 1930),
    ("Otto, Frauke", 109, 1888),
    ("Peters, Jan", 104, 1999),
    ("Quast, Helma", 104, 2003),
    ("Rieck, Arno", 97, 2054),
    ("Sander, Wilma", 90, 2110),
    ("Thom, Egon", 85, 2098),
]


def entry(number, *results) -> Competitor:
    return Competitor(number=number, results=results)


def worth(points, augen, won=0, handromme=0, **more) -> Result:
    return Result(points, won, handromme, augen=augen, **more)


def order_of(*entries, **terms) -> list[int]:
    standings = rank_entries(entries, tie_breaks=RULES.tie_breaks, **terms)
    return [line.number for line in standings]


def test_the_published_list_ranks_by_wertpunkte_then_fewer_spielpunkte():
    people = dict(enumerate(PUBLISHED, start=1))
    mixed = Random(7).sample(sorted(people), 20)  # noqa: S311 - the same order each time
    entries = [entry(number, worth(*people[number][1:])) for number in mixed]

    standings = rank_entries(entries, tie_breaks=RULES.tie_breaks)

    assert [people[line.number] for line in standings] == PUBLISHED
    assert [line.rank for line in standings] == list(range(1, 21))
    decided = {people[line.number][0]: line.decided_by for line in standings[1:]}
    assert decided["Clausen, Ida"] is Criterion.AUGEN
    assert decided["Dohm, Rolf"] is Criterion.POINTS


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(worth(50, 900), worth(49, 100), id="more Wertpunkte"),
        pytest.param(worth(50, 100), worth(50, 101, won=9), id="fewer Augen"),
        pytest.param(worth(50, 100, 4), worth(50, 100, 3, 3), id="more games finished"),
        pytest.param(worth(50, 100, 4, 1), worth(50, 100, 4), id="more Handrommés"),
        pytest.param(worth(-1, 100), None, id="a missing Serie is behind"),
    ],
)
def test_tie_breaks_decide_in_order(better, worse):
    assert order_of(entry(1, worse), entry(2, better)) == [2, 1]


def test_all_equal_share_the_rank_and_the_playoff_decides():
    equal = [entry(1, worth(50, 100)), entry(2, worth(50, 100))]

    assert [line.rank for line in rank_entries(equal, tie_breaks=RULES.tie_breaks)] == [1, 1]
    assert order_of(*equal, playoffs=[[2, 1]]) == [2, 1]


def test_the_best_serien_are_those_with_most_wertpunkte():
    entries = [entry(1, worth(30, 90), worth(12, 80), worth(25, 99)), entry(2, worth(27, 10))]
    entries[1] = replace(entries[1], results=(*entries[1].results, worth(27, 10), worth(1, 1)))

    first, second = rank_entries(entries, tie_breaks=RULES.tie_breaks, terms=Terms(best=2))

    assert (first.number, first.total, first.augen, first.struck) == (1, 55, 189, (1,))
    assert (second.number, second.total, second.augen, second.struck) == (2, 54, 20, (2,))


@pytest.mark.parametrize(
    ("tie", "first"),
    [
        pytest.param(TieBreak.BEST_SERIE, 1, id="most in the best Serie"),
        pytest.param(TieBreak.LAST_SERIE, 2, id="most in the last Serie"),
    ],
)
def test_ties_by_a_serie_go_to_the_most_wertpunkte(tie, first):
    entries = [entry(1, worth(31, 50), worth(19, 50)), entry(2, worth(20, 50), worth(30, 50))]

    assert rank_entries(entries, tie_breaks=(TieBreak.AUGEN, tie))[0].number == first


def test_a_running_serie_adds_the_mean_of_missing_games():
    behind = worth(10, 100, games=3, allowance=Fraction(7, 2), augen_allowance=Fraction(80, 3))
    ahead = worth(13, 120, games=4)

    first, second = rank_entries([entry(1, ahead), entry(2, behind)], tie_breaks=RULES.tie_breaks)

    assert (first.number, first.compared, first.total) == (2, Fraction(27, 2), 10)
    assert (second.number, second.compared) == (1, 13)


def test_fewer_augen_of_fewer_games_are_no_advantage():
    behind = worth(10, 100, games=3, allowance=3, augen_allowance=21)
    ahead = worth(13, 120, games=4)

    assert order_of(entry(1, behind), entry(2, ahead)) == [2, 1]


def test_a_team_adds_wertpunkte_and_augen():
    players = [entry(1, worth(20, 90)), entry(2, worth(30, 60)), entry(3, worth(25, 80))]
    players.append(entry(4, worth(26, 90)))
    teams = [Team(number=1, members=(1, 2)), Team(number=2, members=(3, 4))]

    first, second = rank_teams(teams, players, size=2, tie_breaks=RULES.tie_breaks)

    assert (first.number, first.total, first.augen) == (2, 51, 170)
    assert (second.number, second.total, second.augen) == (1, 50, 150)


def test_a_season_adds_wertpunkte_and_the_most_win():
    def out(total):
        return SeasonResult(total=total, rank=1, ranked=9, order=Order.MOST)

    lines = rank_season(
        {1: [out(40), out(70), out(60)], 2: [out(90), out(30), out(41)]},
        best=2,
        counting=Counting.POINTS,
    )

    assert [(line.rank, line.person, line.value) for line in lines] == [(1, 2, 131), (2, 1, 130)]


def test_minuspunkte_and_wertpunkte_are_not_added_in_a_season():
    mixed = {1: [SeasonResult(total=40, rank=1, ranked=9, order=Order.MOST)]}
    mixed[2] = [SeasonResult(total=300, rank=1, ranked=9)]

    with pytest.raises(ScoringError, match="lassen sich nicht zusammenzählen"):
        rank_season(mixed, best=1, counting=Counting.POINTS)
    assert len(rank_season(mixed, best=1, counting=Counting.RANKS)) == 2


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
