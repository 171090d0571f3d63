"""Traditionelles Rommé: 10 cards, a surcharge for Rommé, the pot of ring games."""

from __future__ import annotations

from scoring.cards import Pack, values_by_number
from scoring.payments.settlement import RingGamePot
from scoring.ruleset import Handromme, Round, RuleSet

TABLE_SIZES = (4, 3, 5, 6, 2)

RULE_SET = RuleSet(
    id="traditionell",
    name="Traditionelles Rommé",
    source="Traditionelles Rommé",
    table_sizes=TABLE_SIZES,
    games=12,
    games_free=True,
    card_values=values_by_number(ace=11, joker=25),
    # The source gives no number of jokers. Six is the usual maximum, so no real hand is refused.
    packs=dict.fromkeys(TABLE_SIZES, Pack(decks=2, jokers=6)),
    rounds=(Round(cards_dealt=10),),
    bonus_per_game=dict.fromkeys(TABLE_SIZES, 0),
    handromme=Handromme(surcharge=25),
    settlement=RingGamePot(stake_cents=100),  # the source names no stake
)
