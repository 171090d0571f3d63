"""Shanghai Rommé: Contract Rommé with 11 cards and values of its own."""

from __future__ import annotations

from dataclasses import replace

from scoring.cards import Pack, Rank
from scoring.ruleset import Round
from scoring.rulesets import contract

CARDS_DEALT = 11
LOW = (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN)
HIGH = (Rank.EIGHT, Rank.NINE, Rank.TEN, Rank.BUBE, Rank.DAME, Rank.KOENIG)

RULE_SET = replace(
    contract.RULE_SET,
    id="shanghai",
    name="Shanghai Rommé",
    source="Contract Rommé, Shanghai",
    card_values=dict.fromkeys(LOW, 5) | dict.fromkeys(HIGH, 10) | {Rank.ASS: 20, Rank.JOKER: 50},
    packs=dict.fromkeys(contract.TABLE_SIZES, Pack(decks=2, jokers=4)),
    # Taking out of turn is limited to twice, but a player caught by a call of
    # "Shanghai" draws a card from the caller's hand, and that has no limit.
    rounds=tuple(
        Round(cards_dealt=CARDS_DEALT, contract=each, extra_cards=None)
        for each in contract.CONTRACTS
    ),
)
