"""Contract Rommé: seven games, each with a contract that must be laid out first."""

from __future__ import annotations

from scoring.cards import Pack, values_by_number
from scoring.ruleset import Contract, Round, RuleSet

TABLE_SIZES = (4, 3, 5)  # four is called ideal

CONTRACTS = (
    Contract(groups=(3, 3)),
    Contract(groups=(3,), runs=(4,)),
    Contract(runs=(4, 4)),
    Contract(groups=(3, 3, 3)),
    Contract(groups=(3, 3), runs=(4,)),
    Contract(groups=(3,), runs=(4, 4)),
    Contract(runs=(4, 4, 4), discard=False),
)
CARDS_DEALT = (10, 10, 10, 12, 12, 12, 12)

# A player who takes a discard out of turn also takes a card of the stock, without limit.
ROUNDS = tuple(
    Round(cards_dealt=cards, contract=contract, extra_cards=None)
    for cards, contract in zip(CARDS_DEALT, CONTRACTS, strict=True)
)

RULE_SET = RuleSet(
    id="contract",
    name="Contract Rommé",
    source="Contract Rommé",
    table_sizes=TABLE_SIZES,
    games=7,
    card_values=values_by_number(ace=15, joker=15),
    packs={players: Pack(decks=2, jokers=players - 1) for players in TABLE_SIZES},
    rounds=ROUNDS,
    bonus_per_game=dict.fromkeys(TABLE_SIZES, 0),
    ends_without_finisher=True,  # stock and discards may both run out
)
