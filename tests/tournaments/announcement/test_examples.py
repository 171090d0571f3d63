"""Examples beside the Bußgeld, a rule set and a prize plan follow the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.payments.bussgeld import PerList, PerPlace
from scoring.payments.prizes import PrizeLine, PrizePlan, TieRule
from scoring.ruleset import OptionField, RuleSet
from scoring.rulesets import ruleset
from tournaments.announcement.queries import examples
from tournaments.announcement.queries.tournaments import STARTGELD_POT, Pot
from tournaments.rulebook.queries.rule_set_example import rules_example

STARTGELD = Pot(name="startgeld", label="Startgeld", cents_each=1500)


def test_the_example_of_a_bussgeld_is_a_table_of_the_preferred_size():
    four = examples.bussgeld(PerPlace(cents=(0, 50, 100)), ruleset("rommeordnung"))
    short = examples.bussgeld(PerList(cents=100), ruleset("contract"))

    assert [(seat.games_won, cents) for seat, cents in four] == [
        (5, 0),
        (3, 50),
        (2, 100),
        (2, 100),
    ]
    assert sum(seat.games_won for seat, _cents in short) == 7


@pytest.mark.parametrize(
    ("rules", "lines", "cents", "bought"),
    [
        pytest.param(
            ruleset("rommeordnung"),
            [
                # 11 + 10 + 7 + 20; 3 × 20 + 50 at the table of four
                ("Ass, König, 7, Joker", "11 + 10 + 7 + 20 = 48 Punkte"),
                ("3 Spiele am Tisch zu 4 beendet, eines durch Handrommé", "−110 Punkte"),
            ],
            [],
            0,
            id="§§ 3.2.1, 3.2.2, 8.2",
        ),
        pytest.param(
            ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 7),
            [
                ("Ass, König, 7, Joker", "11 + 10 + 7 + 20 = 48 Punkte"),
                ("Dieselben Karten nach dem Handrommé einer anderen Person", "48 + 48 = 96 Punkte"),
                ("Beendet mit 7 Punkten in der Hand", "7 Punkte"),
            ],
            # 85, 125, 145, 214: each against the three others, a cent a point.
            [40 + 60 + 129, 20 + 89 - 40, 69 - 20 - 60, -129 - 89 - 69],
            0,
            id="Romme Regeln, variant c",
        ),
        pytest.param(
            ruleset("liverpool"),
            [
                ("Ass, König, 7, Joker", "15 + 10 + 7 + 15 = 47 Punkte"),
                ("Dieselben Karten, genau abgehoben", "47 − 50 = −3 Punkte"),
            ],
            [],
            0,
            id="Liverpool",
        ),
        pytest.param(
            replace(ruleset("progressiv"), bonus_per_game={4: 10, 3: 10, 5: 10}),
            [
                ("Ass, König, 7, Joker", "15 + 10 + 5 + 20 = 50 Punkte"),
                ("3 Spiele am Tisch zu 4 beendet", "−30 Punkte"),
            ],
            [12 + 6, -2, -4, -6],
            6,
            id="Progressives Rommé",
        ),
    ],
)
def test_the_example_of_a_rule_set_uses_its_numbers(
    rules: RuleSet, lines: list[tuple[str, str]], cents: list[int], bought: int
):
    example = rules_example(rules)

    assert example["lines"] == lines
    assert [received for _seat, received in example["settled"]] == cents
    assert example["bought"] == bought


def test_the_example_of_a_prize_plan_adds_up():
    plan = PrizePlan(
        lines=(PrizeLine(place=1, share_permille=600), PrizeLine(place=2, fixed_cents=10_000)),
        kept_permille=100,
    )

    example = examples.prizes(plan, STARTGELD, 60, 3)

    # 900 € taken, 90 € kept, 100 € fixed: 60 % of 710 € are 426 €, 284 € stay without a winner.
    assert (example["takings_cents"], example["fund"].kept_cents) == (90_000, 9_000)
    assert [amount.cents for amount in example["fund"].amounts] == [42_600, 10_000]
    assert example["fund"].undistributed_cents == 28_400


def test_a_suggestion_keeps_the_rule_for_ties():
    now = PrizePlan(lines=(), ties=TieRule.PLAYOFF, whole_euros=True, kept_cents=500)

    plan = examples.suggested_plan(STARTGELD, now, 14)

    assert [line.share_permille for line in plan.lines] == [500, 290, 210]
    assert (plan.ties, plan.whole_euros, plan.kept_cents) == (TieRule.PLAYOFF, True, 500)


@pytest.mark.parametrize(
    ("size", "persons", "places"),
    [
        pytest.param(1, 27, 6, id="27 persons, a prize for every 4.5"),
        pytest.param(2, 27, 3, id="13 tandems"),
        pytest.param(4, 27, 1, id="6 teams of four"),
        pytest.param(4, 3, 1, id="not even one team"),
    ],
)
def test_prizes_of_groups_are_suggested_by_groups(size: int, persons: int, places: int):
    kind = {1: STARTGELD_POT, 2: "tandem", 4: "team"}[size]
    pot = Pot(name=kind, label=kind, cents_each=200, group_size=size)

    plan = examples.suggested_plan(pot, examples.EMPTY_PLAN, persons)

    assert [line.place for line in plan.lines] == list(range(1, places + 1))
