"""Wertpunkte, alle spielen: an example whose numbers an organiser replaces by its own.

Federations of the deaf and the Deutscher Rommé-Verband publish results in Wertpunkten, but not
the table behind them. So these numbers are examples: they show how such a rule set is made.
"""

from __future__ import annotations

from scoring.ruleset import USUAL_TIES, Handromme, RuleSet, TieBreak, gettext_noop
from scoring.rulesets.rommeordnung import RULE_SET as ROMMEORDNUNG
from scoring.valuation import Valuation, ValuationStep

RULE_SET = RuleSet(
    id="wertpunkte",
    name="Wertpunkte, alle spielen",
    source=gettext_noop("Beispiel, zum Anpassen"),
    table_sizes=ROMMEORDNUNG.table_sizes,
    games=12,
    games_free=True,
    card_values=ROMMEORDNUNG.card_values,
    packs=ROMMEORDNUNG.packs,
    rounds=ROMMEORDNUNG.rounds,
    bonus_per_game=dict.fromkeys(ROMMEORDNUNG.table_sizes, 0),
    handromme=Handromme(full_hands=True),
    penalties=ROMMEORDNUNG.penalties,
    tie_breaks=(TieBreak.AUGEN, *USUAL_TIES),
    valuation=Valuation(
        finish=dict.fromkeys(ROMMEORDNUNG.table_sizes, 5),
        handromme=dict.fromkeys(ROMMEORDNUNG.table_sizes, 8),
        steps=(ValuationStep(upto=30, points=2), ValuationStep(upto=60, points=1)),
    ),
)
