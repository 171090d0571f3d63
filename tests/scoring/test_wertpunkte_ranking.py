"""Rankings by Wertpunkte, most first, then by fewer Augen; worked out by hand (docs/rules.md)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from scoring.ambiguity import score
from scoring.competitors import Competitor, Result
from scoring.errors import ScoringError
from scoring.ordering import Order
from scoring.ruleset import TieBreak
from scoring.rulesets import ruleset
from scoring.season import Counting, SeasonResult, rank_season
from scoring.standings import Criterion, Terms, rank_entries
from scoring.teams import Team, rank_teams
from tests.scoring.wertpunkte_lists import FOUR, RULES


def entry(number, *results) -> Competitor:
    return Competitor(number=number, results=results)


def worth(points, augen, won=0, handromme=0, **more) -> Result:
    return Result(points, won, handromme, augen=augen, **more)


def order_of(*entries, **terms) -> list[int]:
    standings = rank_entries(entries, tie_breaks=RULES.tie_breaks, **terms)
    return [line.number for line in standings]


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


def test_each_kind_of_result_knows_its_order():
    (first, *_rest) = rank_entries([entry(1, worth(5, 90))], tie_breaks=RULES.tie_breaks)
    (plain, *_rest) = rank_entries([entry(1, Result(90, 1, 0))])

    assert (RULES.order, first.order, worth(5, 90).order) == (Order.MOST,) * 3
    assert score(FOUR, rule_set=RULES, players=4)[0].order is Order.MOST
    assert (plain.order, ruleset("rommeordnung").order) == (Order.FEWEST,) * 2
    assert (Order.MOST.most_first, Order.FEWEST.most_first) == (True, False)


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
