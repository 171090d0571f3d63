"""The sheet "Spielregeln für Preisrommé 1987"; its numbers stand beside the values."""

from __future__ import annotations

from scoring.cards import Pack, values_by_number
from scoring.ruleset import Handromme, Round, RuleSet

TABLE_SIZES = (4, 3)  # 1: four where possible

RULE_SET = RuleSet(
    id="preisromme-1987",
    name="Preisrommé 1987",
    source="Spielregeln für Preisrommé 1987",
    table_sizes=TABLE_SIZES,
    games=8,  # 1
    series=2,  # 1
    card_values=values_by_number(ace=10, joker=20),  # 13
    # The sheet gives no number of jokers. Six is the usual maximum, so no real hand is refused.
    packs=dict.fromkeys(TABLE_SIZES, Pack(decks=2, jokers=6)),
    # A player who gets a card by knocking takes one more from the stock, without limit: 4, 5.
    rounds=(Round(cards_dealt=13, extra_cards=None),),  # 3
    bonus_per_game=dict.fromkeys(TABLE_SIZES, 0),
    handromme=Handromme(factor=2),  # 11, 13
)
