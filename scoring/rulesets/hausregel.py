"""The house rules of "Romme Regeln", with the options that they name."""

from __future__ import annotations

from scoring.cards import Pack, values_by_number
from scoring.payments.settlement import Pairwise
from scoring.ruleset import Choice, Handromme, Option, OptionField, Round, RuleSet, gettext_noop

# Not fewer than three and not more than six, it says; variant g is for two or three.
TABLE_SIZES = (4, 3, 5, 6, 2)

MAY_HOLD = Option(  # variant c
    field=OptionField.FINISHER_MAY_HOLD,
    label=gettext_noop("Rommé darf melden, wer höchstens so viele Punkte in der Hand hat"),
    choices=(
        Choice(value=0, label=gettext_noop("0: alle Karten müssen abgelegt sein")),
        Choice(value=7, label=gettext_noop("7 Punkte oder weniger")),
        Choice(value=9, label=gettext_noop("9 Punkte oder weniger")),
    ),
    free=True,
)
EXTRA_CARDS = Option(  # variant g
    field=OptionField.EXTRA_CARDS,
    label=gettext_noop("Karten, um die eine Hand wachsen kann"),
    choices=(
        Choice(value=0, label=gettext_noop("keine: je Zug eine Karte aufnehmen, eine ablegen")),
        Choice(
            value=None,
            label=gettext_noop(
                "zu zweit und zu dritt beliebig viele: je Zug die Abwurfkarte und zwei vom Stapel"
            ),
        ),
    ),
)

RULE_SET = RuleSet(
    id="hausregel",
    name="Hausregel",
    source="Romme Regeln",
    table_sizes=TABLE_SIZES,
    games=12,
    games_free=True,
    card_values=values_by_number(ace=11, joker=20),
    packs=dict.fromkeys(TABLE_SIZES, Pack(decks=2, jokers=6)),
    rounds=(Round(cards_dealt=13),),
    bonus_per_game=dict.fromkeys(TABLE_SIZES, 0),
    handromme=Handromme(factor=2),
    options=(MAY_HOLD, EXTRA_CARDS),
    settlement=Pairwise(),
    growing_at=(2, 3),  # variant g
)
