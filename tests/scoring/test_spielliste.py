"""Clear lines and their totals: §§ 1.5, 3.2, 8.3 and the rule sets beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rulesets import ruleset
from scoring.spielliste import (
    Adjustment,
    Penalty,
    SeatCount,
    SeatResult,
    extrapolated,
    running_sums,
    sum_up,
)
from tests.scoring.clear_lines import Game, count_game, score
from tests.scoring.rule_set_strategies import rule_sets

ROMMEORDNUNG = ruleset("rommeordnung")
HAUSREGEL = ruleset("hausregel")
TRADITIONELL = ruleset("traditionell")

FOUR = (Game(finisher=1, minus=(0, 23, 45, 12)), Game(finisher=3, minus=(61, 88, 0, 40)))


def totals(games, rule_set=ROMMEORDNUNG, players=4, penalties=()):
    results = score(games, rule_set=rule_set, players=players, penalties=penalties)
    return [result.total for result in results]


# --- Points of a game -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule_set", "expected"),
    [
        pytest.param(ROMMEORDNUNG, [61, 88, 0, 40], id="§ 3.2.2 the others carry no more"),
        pytest.param(HAUSREGEL, [122, 176, 0, 80], id="hausregel doubles"),
        pytest.param(ruleset("preisromme-1987"), [122, 176, 0, 80], id="preisromme-1987 doubles"),
        pytest.param(TRADITIONELL, [86, 113, 0, 65], id="traditionell adds 25"),
    ],
)
def test_a_handromme_adds_points_to_the_others_by_the_rules(rule_set, expected):
    game = Game(finisher=3, minus=(61, 88, 0, 40), handromme=True)

    assert [count.minus for count in count_game(game, rule_set)] == expected


def test_a_game_names_its_finisher_the_handromme_and_added_points():
    game = Game(
        finisher=1,
        minus=(0, 30, 44),
        handromme=True,
        adjustments=(
            Adjustment(seat=2, points=-50, reason="genau abgehoben"),
            Adjustment(seat=2, points=5, reason="noch etwas"),
        ),
    )

    assert count_game(game, HAUSREGEL) == (
        SeatCount(seat=1, hand=0, added=0, finished=True, handromme=True, adjustment=0),
        SeatCount(seat=2, hand=30, added=30, finished=False, handromme=False, adjustment=-45),
        SeatCount(seat=3, hand=44, added=44, finished=False, handromme=False, adjustment=0),
    )


# --- Totals of a list -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        pytest.param(4, 113, id="§ 3.2.1 table of four: 243 − 80 − 50"),
        pytest.param(3, 133, id="§ 3.2.1 table of three: 243 − 60 − 50"),
    ],
)
def test_each_finished_game_earns_the_bonus_of_the_table_size(players, expected):
    others = (20,) * (players - 2)
    # 31 + 12 + 47 + 25 + 38 + 19 + 44 + 27 = 243
    hands = (31, 12, 47, 25, 38, 19, 44, 27)
    games = [Game(finisher=2, minus=(own, 0, *others)) for own in hands]
    games += [Game(finisher=1, minus=(0, 20, *others))] * 3
    games += [Game(finisher=1, minus=(0, 70, *(70,) * (players - 2)), handromme=True)]

    result = score(games, rule_set=ROMMEORDNUNG, players=players)[0]

    assert (result.minus, result.games_won, result.handromme) == (243, 4, 1)
    assert result.total == expected


def test_parts_of_a_result_are_signed():
    games = [*FOUR, Game(finisher=3, minus=(50, 60, 0, 70), handromme=True)]

    clara = score(
        games,
        rule_set=ROMMEORDNUNG,
        players=4,
        penalties=[
            Penalty(seat=3, points=100, reason="§ 8.3"),
            Penalty(seat=3, points=150, reason="§ 8.3"),
            Penalty(seat=4, points=100, reason="§ 8.3"),
        ],
    )[2]

    assert (clara.seat, clara.minus, clara.games_won, clara.handromme) == (3, 45, 2, 1)
    assert (clara.bonus, clara.handromme_bonus) == (-40, -50)
    assert (clara.penalty, clara.adjustment) == (250, 0)
    assert clara.total == 205


def test_a_handromme_unknown_to_the_rules_changes_no_points():
    game = Game(finisher=1, minus=(0, 20, 30, 40), handromme=True)

    assert totals([game], ruleset("contract")) == [0, 20, 30, 40]


# --- The running sum --------------------------------------------------------------------


def test_running_sums_are_those_of_the_paper():
    games = [
        Game(finisher=1, minus=(0, 23, 45, 12)),
        Game(finisher=3, minus=(61, 88, 0, 40), handromme=True),
        Game(finisher=2, minus=(10, 0, 20, 30)),
    ]

    assert running_sums([count_game(game, HAUSREGEL) for game in games], HAUSREGEL, 4) == [
        (0, 23, 45, 12),
        (122, 199, 45, 92),
        (132, 199, 65, 122),
    ]


def test_games_of_different_tables_are_not_added_up():
    games = [Game(finisher=1, minus=(0, 23, 45, 12)), Game(finisher=1, minus=(0, 23, 45))]

    with pytest.raises(ValueError, match="shorter"):
        running_sums([count_game(game, ROMMEORDNUNG) for game in games], ROMMEORDNUNG, 4)


# --- Laws -------------------------------------------------------------------------------


# Made once for each size of table: to make and check a strategy takes longer than to draw from it.
HANDS = {size: st.lists(st.integers(2, 197), min_size=size, max_size=size) for size in range(2, 9)}
SEATS = {size: st.integers(1, size) for size in HANDS}
ADJUSTMENTS = {
    size: st.lists(
        st.builds(Adjustment, seat=seats, points=st.integers(-60, 60), reason=st.just("x")),
        max_size=2,
    ).map(tuple)
    for size, seats in SEATS.items()
}
PENALTIES = {
    size: st.lists(st.builds(Penalty, seat=seats, points=st.integers(1, 200), reason=st.just("x")))
    for size, seats in SEATS.items()
}
GAMES = st.integers(0, 4)


@st.composite
def lists(draw: st.DrawFn):
    """Draw a rule set and a clear list of it, with penalties."""
    rule_set = draw(rule_sets())
    players = draw(st.sampled_from(rule_set.table_sizes))
    seats = SEATS[players]
    games = []
    for __ in range(draw(GAMES)):
        finisher = draw(seats | st.none() if rule_set.ends_without_finisher else seats)
        hands = draw(HANDS[players])
        if finisher is not None:
            hands[finisher - 1] = 0
        games.append(
            Game(
                finisher=finisher,
                minus=tuple(hands),
                handromme=rule_set.handromme is not None and draw(st.booleans()),
                adjustments=draw(ADJUSTMENTS[players]),
            )
        )
    return rule_set, players, games, draw(PENALTIES[players])


@given(lists())
def test_variants_and_settlement_change_no_result(drawn):
    rule_set, players, games, penalties = drawn
    without = replace(rule_set, variants=(), settlement=None)

    assert score(games, rule_set=rule_set, players=players, penalties=penalties) == score(
        games, rule_set=without, players=players, penalties=penalties
    )


def test_another_size_of_table_can_count_for_the_bonus():
    counts = [count_game(Game(finisher=1, minus=(0, 23, 45, 12)), ruleset("rommeordnung"))]

    results = sum_up(counts, rule_set=ruleset("rommeordnung"), players=4, bonus_size=3)

    assert [result.total for result in results] == [-15, 23, 45, 12]


@pytest.mark.parametrize(
    ("minus", "won", "penalty", "played", "expected"),
    [
        # 190 − 3 × 20 = 130; × 12 ÷ 8 = 195.
        pytest.param(190, 3, 0, 8, 195, id="§ 3.2.1 hochgerechnet, after 8 games"),
        # 40 − 3 × 20 = −20; × 12 ÷ 7 = −34.28…, rounded up to the player's disadvantage.
        pytest.param(40, 3, 0, 7, -34, id="§ 2.2.6 below zero rounded up"),
        # 100 − 20 = 80; × 12 ÷ 7 = 137.14…, and 100 Strafpunkte on top as they are.
        pytest.param(100, 1, 100, 7, 238, id="§ 8.3 Strafpunkte as they are"),
        pytest.param(0, 0, 0, 5, 0, id="nothing stays nothing"),
    ],
)
def test_a_list_that_ended_early_is_scaled_up(minus, won, penalty, played, expected):
    result = SeatResult(
        seat=1,
        minus=minus,
        games_won=won,
        handromme=0,
        bonus=-20 * won,
        handromme_bonus=0,
        penalty=penalty,
        adjustment=0,
    )

    whole = extrapolated(result, played=played, games=12)

    assert whole.total == expected
    assert type(whole.total) is int
    assert whole.games_won == won  # § 1.5: ties by finishes as played


@pytest.mark.parametrize(
    ("here", "elsewhere", "played", "expected"),
    [
        # Three at the table that ended and nine elsewhere are twelve.
        pytest.param(50, 150, 12, 50, id="§ 2.2.1 nothing is missing"),
        # Three elsewhere and five here: (50 + 30) × 12 ÷ 8 = 120, 30 of them elsewhere.
        pytest.param(50, 30, 8, 90, id="§ 2.2.1 own games of both tables"),
        # (50 + 31) × 12 ÷ 9 = 108; one rounding for both: 13 × 12 ÷ 11 = 14.18…
        pytest.param(50, 31, 9, 77, id="§ 2.2.1 five and four"),
        pytest.param(6, 7, 11, 8, id="§ 2.2.6 rounded up once"),
        # More than twelve by a change of tables: 130 × 12 ÷ 13 = 120
        pytest.param(50, 80, 13, 40, id="§ 2.2.1 thirteen are scaled to twelve"),
    ],
)
def test_a_player_who_changed_tables_is_scaled_once(here, elsewhere, played, expected):
    whole = extrapolated(a_result(here), played=played, games=12, elsewhere=elsewhere)

    assert whole.total == expected


def a_result(points: int) -> SeatResult:
    return SeatResult(seat=1, minus=points, games_won=0, handromme=0, bonus=0, handromme_bonus=0)
