"""Progressives Rommé: fifteen contracts; cards bought in the late ones pay for a pot."""

from __future__ import annotations

from dataclasses import replace

from scoring.cards import COURT_CARDS, Pack, Rank
from scoring.payments.settlement import ByRank
from scoring.ruleset import Contract, Round
from scoring.rulesets import contract

CARDS_DEALT = 11
NUMBERS = (
    Rank.THREE,
    Rank.FOUR,
    Rank.FIVE,
    Rank.SIX,
    Rank.SEVEN,
    Rank.EIGHT,
    Rank.NINE,
    Rank.TEN,
)


def _plain(*, groups: tuple[int, ...] = (), runs: tuple[int, ...] = ()) -> Round:
    return Round(cards_dealt=CARDS_DEALT, contract=Contract(groups=groups, runs=runs))


def _buying(contract: Contract, *, purchases: int = 1, taken_with_each: int = 0) -> Round:
    return Round(
        cards_dealt=CARDS_DEALT,
        contract=contract,
        extra_cards=purchases * (1 + taken_with_each),
        purchases=purchases,
    )


ROUNDS = (
    _plain(groups=(3, 3)),
    _plain(groups=(3,), runs=(4,)),
    _plain(groups=(4, 4)),
    _plain(runs=(4, 4)),
    _plain(groups=(3, 3), runs=(4,)),
    _plain(groups=(4,), runs=(5,)),
    _plain(groups=(5, 5)),
    _plain(runs=(5, 5)),
    _buying(Contract(groups=(3, 3, 3, 3))),
    _buying(Contract(runs=(4, 4, 4))),
    _buying(Contract(groups=(4, 4, 4))),
    _buying(Contract(runs=(3, 3, 3, 3, 3)), purchases=2, taken_with_each=1),
    _buying(Contract(groups=(3, 3, 3, 3, 3)), purchases=2, taken_with_each=1),
    _buying(Contract(groups=(5,), runs=(5,), pairs=1)),
    _plain(groups=(3, 3), runs=(5,)),
)

RULE_SET = replace(
    contract.RULE_SET,
    id="progressiv",
    name="Progressives Rommé",
    source="Contract Rommé, Progressives Rommé",
    games=len(ROUNDS),
    card_values=(
        {Rank.TWO: 20}
        | dict.fromkeys(NUMBERS, 5)
        | dict.fromkeys(COURT_CARDS, 10)
        | {Rank.ASS: 15, Rank.JOKER: 20}
    ),
    packs=dict.fromkeys(contract.TABLE_SIZES, Pack(decks=2, jokers=4)),
    rounds=ROUNDS,
    settlement=ByRank(),
)
