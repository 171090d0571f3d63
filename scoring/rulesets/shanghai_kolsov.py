"""Shanghai Rommé as Deb Kolsov plays it: ten games with contracts of its own."""

from __future__ import annotations

from dataclasses import replace

from scoring.ruleset import Contract, Round
from scoring.rulesets import shanghai

CONTRACTS = (
    Contract(groups=(3, 3)),
    Contract(groups=(3,), runs=(4,)),
    Contract(runs=(4, 4)),
    Contract(groups=(3, 3, 3)),
    Contract(groups=(3,), runs=(7,)),
    Contract(groups=(3, 3), runs=(5,)),
    Contract(runs=(4, 4, 4)),
    Contract(groups=(3,), runs=(10,)),
    Contract(groups=(3, 3, 3), runs=(5,)),
    Contract(runs=(5, 5, 5)),
)

RULE_SET = replace(
    shanghai.RULE_SET,
    id="shanghai-kolsov",
    name="Shanghai Rommé (Kolsov)",
    source="Contract Rommé, Shanghai, Variante von Deb Kolsov",
    games=len(CONTRACTS),
    rounds=tuple(
        Round(cards_dealt=shanghai.CARDS_DEALT, contract=each, extra_cards=None)
        for each in CONTRACTS
    ),
)
