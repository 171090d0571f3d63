"""Shanghai Rommé as Tahelia Powe plays it: eight games, 10 cards, no Shanghai."""

from __future__ import annotations

from dataclasses import replace

from scoring.ruleset import Contract, Round
from scoring.rulesets import contract, shanghai

CARDS_DEALT = 10
TAKES = 2  # out of turn in one game
CARDS_PER_TAKE = 3  # the discard and two of the stock

# All cards must be laid out to finish: nothing is ever discarded last.
CONTRACTS = (
    *(replace(each, discard=False) for each in contract.CONTRACTS[:6]),
    Contract(groups=(3, 3, 3, 3), discard=False),
    Contract(runs=(4, 4, 4), discard=False),
)

RULE_SET = replace(
    shanghai.RULE_SET,
    id="shanghai-powe",
    name="Shanghai Rommé (Powe)",
    source="Contract Rommé, Shanghai, Variante von Tahelia Powe",
    games=len(CONTRACTS),
    rounds=tuple(
        Round(cards_dealt=CARDS_DEALT, contract=each, extra_cards=TAKES * CARDS_PER_TAKE)
        for each in CONTRACTS
    ),
)
