"""The cost of a plan stays correct after each swap, and the search keeps its constraints."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seating import Chance, Player, deal, draw, table_sizes
from scoring.seating.board import (
    AGAIN,
    AIMS,
    APART,
    BESIDE,
    CLUB,
    EARLY,
    REMATCH,
    TEAM,
    Board,
    strict_weights,
)
from scoring.seating.floors import floors
from scoring.seating.opposite_seats import least_beside_at
from scoring.seating.search import Search, anneal
from scoring.seating.task import make_task


def task_for(
    players, *, series=2, allowed=(4, 3), history=(), fixed=None, apart=(), clubs=0, teams=0
):
    """Return a task for players 0, 1, …, with a club for every so many of them, and its inputs."""
    order = [
        Player(
            id=number,
            club=f"Verein {number % clubs}" if clubs and number % 5 else None,
            team=f"Team {number // teams}" if teams else None,
        )
        for number in range(players)
    ]
    return make_task(
        order,
        series=series,
        sizes=table_sizes(players, allowed),
        allowed=allowed,
        history=history,
        fixed_tables=fixed or {},
        apart=apart,
    )


def counted(task, rounds, past):
    """Return the violations of each aim, counted directly."""
    played = list(chain.from_iterable([*past, *rounds]))
    planned = list(chain.from_iterable(rounds))
    met: dict[tuple[int, ...], int] = {}
    for table in played:
        for pair in combinations(sorted(table), 2):
            met[pair] = met.get(pair, 0) + 1

    def mates(labels):
        return sum(
            labels[player] == labels[other] >= 0
            for table in planned
            for player, other in combinations(table, 2)
        )

    clubs = {p: None if label < 0 else label for p, label in enumerate(task.clubs)}

    def pairs_of_turns(done):
        after = list(chain.from_iterable([*past, *rounds[:done]]))
        turns = [
            sum(player in table and len(table) == 3 for table in after)
            for player in range(task.players)
        ]
        return sum(count * (count - 1) // 2 for count in turns)

    return [
        sum(
            other in task.apart.get(player, ())
            for table in planned
            for player, other in combinations(table, 2)
        ),
        sum(count - 1 for count in met.values()),
        pairs_of_turns(len(rounds)),
        sum(pairs_of_turns(done) for done in range(1, len(rounds))),
        mates(task.teams),
        mates(task.clubs),
        sum(least_beside_at(table, clubs) for table in planned),
    ]


@st.composite
def boards(draw_from):
    players = draw_from(st.integers(7, 19))
    series = draw_from(st.integers(1, 3))
    history = [
        draw(range(players), seed=f"früher {number}")
        for number in range(draw_from(st.integers(0, 2)))
    ]
    pairs = list(combinations(range(players), 2))
    task, past = task_for(
        players,
        series=series,
        history=history,
        apart=draw_from(st.lists(st.sampled_from(pairs), max_size=4, unique=True)),
        clubs=draw_from(st.integers(0, 4)),
        teams=draw_from(st.integers(0, 3)),
    )
    chance = Chance(str(draw_from(st.integers(0, 1000))))
    rounds = [deal(chance.shuffled(range(players)), task.sizes) for _round in range(series)]
    return Board(task, rounds), past, chance


@given(boards())
@settings(deadline=None)
def test_the_cost_equals_a_full_recount(drawn):
    board, past, chance = drawn
    task = board.task

    for _swap in range(12):
        at = chance.below(task.rounds)
        first, two = chance.shuffled(range(task.players))[:2]
        if board.where[at][first] != board.where[at][two]:
            board.swap(at, first, two, board.change(at, first, two))
    values = counted(task, board.tables, past)

    assert board.cost == sum(v * w for v, w in zip(values, board.weights, strict=True))
    assert board.values() == values
    assert Board(task, board.tables).cost == board.cost
    assert all(
        player in board.tables[at][number]
        for at, where in enumerate(board.where)
        for player, number in enumerate(where)
    )


@given(boards())
@settings(deadline=None)
def test_spots_are_where_an_aim_is_missed(drawn):
    board, _past, _chance = drawn

    for aim in (AGAIN, EARLY):
        assert all(board.is_spot(aim, at, player) for at, player in board.spots(aim))
    for aim in (APART, REMATCH, TEAM, CLUB):
        spots = board.spots(aim)
        assert all(board.is_spot(aim, at, player) for at, player in spots)
        if board.task.is_first:
            assert bool(spots) == bool(board.values()[aim])


def test_exchanging_roles_changes_the_cost_as_predicted():
    task, _past = task_for(14, series=3, clubs=3, teams=2)
    chance = Chance("Rollen")
    board = Board(task, [deal(chance.shuffled(range(14)), task.sizes) for _round in range(3)])

    for first, two in combinations(range(14), 2):
        before, foretold = board.cost, board.change_everywhere(first, two)
        board.swap_everywhere(first, two)
        assert board.cost == before + foretold
        assert board.cost == Board(task, board.tables).cost


def test_no_gain_at_a_later_aim_makes_up_for_an_earlier_one():
    task, _past = task_for(16, series=5, clubs=2, teams=2)
    weights = strict_weights(task)
    pairs = 5 * 4 * 6

    for aim in range(1, 6):
        most = 16 * 10 if aim == AGAIN else pairs
        assert weights[aim - 1] > most * weights[aim]


def run(task, rounds, *, work=20_000, seed="Suche", reports=None):
    search = Search(
        Board(task, rounds),
        Chance(seed),
        floors=floors(task),
        work=work,
        report=(reports if reports is not None else []).append,
    )
    return search, search.run()


def random_rounds(task, seed="Anfang"):
    chance = Chance(seed)
    return [deal(chance.shuffled(range(task.players)), task.sizes) for _round in range(task.rounds)]


def test_a_bad_start_is_improved():
    task, past = task_for(24, series=3, clubs=6, teams=2)

    _search, rounds = run(task, random_rounds(task), work=200_000)

    values = counted(task, rounds, past)
    assert values[: CLUB + 1] == [0, 0, 0, 0, 0, 0]
    assert values[BESIDE] == 0


def test_a_large_field_is_searched_by_samples():
    task, past = task_for(120, series=4, clubs=30)

    _search, rounds = run(task, random_rounds(task), work=100_000)

    assert counted(task, rounds, past) == [0] * AIMS


@pytest.mark.parametrize("players", [11, 13, 40])
def test_the_search_ends_and_never_returns_a_worse_plan(players):
    task, _past = task_for(players, series=5, clubs=2, teams=4)
    rounds = random_rounds(task)
    reports: list[int] = []

    search, best = run(task, rounds, work=6_000, reports=reports)

    assert Board(task, best).cost == search.best_cost <= Board(task, rounds).cost
    assert reports == sorted(reports)
    assert reports[-1] == 6_000


def test_fixed_players_stay_where_they_are():
    task, _past = task_for(20, series=3, clubs=3, fixed={0: 1, 5: 1, 9: 5})
    rounds = random_rounds(task)
    for tables in rounds:
        for player, number in task.fixed.items():
            here = next(table for table in tables if player in table)
            other = next(p for p in tables[number] if p not in task.fixed or p == player)
            if other != player:
                here[here.index(player)] = other
                tables[number][tables[number].index(other)] = player

    _search, best = run(task, rounds)
    heated = anneal(task, rounds, Chance("x"), floors=floors(task), steps=2_000)

    for tables in chain(best, heated):
        assert all(player in tables[number] for player, number in task.fixed.items())


def test_annealing_improves_on_swaps_alone():
    task, past = task_for(12, series=3, allowed=(3,))

    best = anneal(task, random_rounds(task), Chance("Glut"), floors=floors(task), steps=60_000)

    assert counted(task, best, past)[REMATCH] == 0


def test_annealing_returns_the_best_plan_it_found():
    task, _past = task_for(11, series=3, clubs=3)
    rounds = random_rounds(task)

    best = anneal(task, rounds, Chance("Glut"), floors=floors(task), steps=3_000)

    for tables in best:
        assert sorted(chain.from_iterable(tables)) == list(range(11))
    assert Board(task, best).values()[REMATCH] <= Board(task, rounds).values()[REMATCH]


# --- Floors -----------------------------------------------------------------------------


@given(boards())
@settings(deadline=None)
def test_no_plan_is_below_its_floors(drawn):
    board, _past, _chance = drawn
    lowest = floors(board.task)

    assert board.values() >= list(lowest)
    for aim in (REMATCH, EARLY, BESIDE):
        assert board.values()[aim] >= lowest[aim]
    if not board.values()[REMATCH]:
        assert board.values()[AGAIN] >= lowest[AGAIN]
        assert board.values()[TEAM] >= lowest[TEAM]
        assert board.values()[CLUB] >= lowest[CLUB]


@pytest.mark.parametrize(
    ("players", "series", "again"),
    [
        # Tables: 4 4 3 3 3. The eight at the fours must all come to the threes, so all eight
        # at the fours of the other round come from three tables of three: four at one table
        # would be a rematch. Three at each, hence three of nine sit at a table of three twice.
        pytest.param(17, 2, 3, id="17 players"),
        # Tables: 4 3 3 3. The four takes three of the nine, six sit at a three twice.
        pytest.param(13, 2, 6, id="13 players"),
        pytest.param(13, 3, 18, id="13 players, three pairs of rounds"),
        # Tables: 4 4 3 3. Each four takes two of the six, two sit at a three twice.
        pytest.param(14, 2, 2, id="14 players"),
        pytest.param(15, 5, 0, id="15 players, everybody once"),
        pytest.param(18, 5, 12, id="18 players: 30 seats, twelve of them a second one"),
    ],
)
def test_the_floor_counts_unavoidable_repeats_at_tables_of_three(players, series, again):
    task, _past = task_for(players, series=series)

    assert floors(task)[AGAIN] == again


def test_fixed_tables_raise_the_floors():
    # 14: 4 4 3 3. Two always together at a three: two rounds, one rematch; both twice there.
    task, _past = task_for(14, series=2, fixed={0: 4, 1: 4})

    assert floors(task)[REMATCH] == 1
    assert floors(task)[AGAIN] == 2


def test_a_club_with_more_members_than_tables_cannot_be_kept_apart():
    # 16 at four tables, one club with 6 members: two tables with two, one pair each, not
    # side by side.
    order = [Player(id=n, club="A" if n < 6 else None) for n in range(16)]
    task, _past = make_task(
        order, series=3, sizes=(4,) * 4, allowed=(4, 3), history=(), fixed_tables={}, apart=()
    )

    assert (floors(task)[CLUB], floors(task)[BESIDE]) == (6, 0)


def test_a_stalled_search_returns_to_the_best_plan(monkeypatch):
    # 11 players in four Serien without a rematch cannot be had: the search wanders about.
    monkeypatch.setattr("scoring.seating.search.STALE", 15)
    task, _past = task_for(11, series=4)

    search, best = run(task, random_rounds(task), work=30_000)

    assert Board(task, best).cost == search.best_cost
    assert search.step - search.last_gain <= 15 + task.players * task.rounds
