"""The Romméordnung, by which tournaments are played unless they say otherwise."""

from __future__ import annotations

from scoring.cards import Pack, values_by_number
from scoring.ruleset import Handromme, Round, RuleSet

PACK = Pack(decks=2, jokers=6)  # § 4.1

RULE_SET = RuleSet(
    id="rommeordnung",
    name="Romméordnung",
    source="Romméordnung",
    table_sizes=(4, 3),  # § 2.1.1
    games=12,  # § 2.2.1
    card_values=values_by_number(ace=11, joker=20),  # §§ 4.2, 4.4.3
    packs={4: PACK, 3: PACK},
    rounds=(Round(cards_dealt=13),),  # § 5.7; the 14th card is discarded at once (§ 7.1)
    bonus_per_game={4: 20, 3: 15},  # § 3.2.1
    handromme=Handromme(bonus=50, full_hands=True),  # §§ 3.2.2, 6.2
    penalties=(100, 150),  # § 8.3
)
