"""May I?: Contract Rommé with a pack for every two players and dearer jokers."""

from __future__ import annotations

from dataclasses import replace

from scoring.cards import Pack, Rank
from scoring.ruleset import Contract
from scoring.rulesets import contract

JOKERS_PER_DECK = 2


def _pack(players: int) -> Pack:
    decks = (players + 1) // 2
    return Pack(decks=decks, jokers=JOKERS_PER_DECK * decks)


# Game 7 has no exception as in Contract Rommé: cards may be left over, and the last one is
# discarded as in the other games.
LAST = replace(contract.ROUNDS[-1], contract=Contract(runs=(4, 4, 4)))

RULE_SET = replace(
    contract.RULE_SET,
    id="may-i",
    name="May I?",
    source="Contract Rommé, May I?",
    card_values={**contract.RULE_SET.card_values, Rank.JOKER: 25},
    packs={players: _pack(players) for players in contract.TABLE_SIZES},
    rounds=(*contract.ROUNDS[:-1], LAST),
)
