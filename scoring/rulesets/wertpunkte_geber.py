"""Wertpunkte, der Geber setzt aus: the other example, with 15 games for each of three or four."""

from __future__ import annotations

from dataclasses import replace

from scoring.rulesets.wertpunkte import RULE_SET as WERTPUNKTE

RULE_SET = replace(
    WERTPUNKTE,
    id="wertpunkte-geber",
    name="Wertpunkte, der Geber setzt aus",
    games=15,
    games_free=False,
    dealer_sits_out={4: 20},
)
