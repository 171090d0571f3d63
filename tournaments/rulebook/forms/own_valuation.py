"""The Wertpunkte in the form for a custom rule set; only one that has any can be changed so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.reading.records import to_json
from scoring.ruleset import TABLE_SIZES, Step, Valuation
from tournaments.rulebook.forms.declared import declared_number

MOST_STEPS = 6
BY_SIZE = ("finish", "handromme")


def valuation_to_change(valuation: Valuation | None) -> dict[str, Any] | None:
    """Return the Wertpunkte as JSON, for every size of table and with room for further steps."""
    if valuation is None:
        return None
    filled: dict[str, Any] = to_json(valuation)
    empty = {"upto": None, "points": None}
    return filled | {
        **{
            name: {str(size): getattr(valuation, name).get(size) for size in TABLE_SIZES}
            for name in BY_SIZE
        },
        "steps": [*filled["steps"], *[empty] * (MOST_STEPS - len(filled["steps"]))],
    }


def valuation_fields() -> Iterator[tuple[str, tuple[str | int, ...], forms.Field]]:
    """Yield the fields with their names and their places in the JSON."""
    labels = {
        "finish": _("Wertpunkte je beendetem Spiel"),
        "handromme": _("Wertpunkte je Handrommé"),
    }
    for size in TABLE_SIZES:
        for name, label in labels.items():
            said = _("{label} am Tisch zu {size}").format(label=label, size=size)
            field = declared_number(Valuation, name, label=label, said=said, required=False)
            yield f"valued_{name}_{size}", ("valuation", name, str(size)), field
    for at in range(MOST_STEPS):
        for name, label in (("upto", _("bis so viele Augen")), ("points", _("Wertpunkte"))):
            said = _("Stufe {number}: {label}").format(number=at + 1, label=label)
            field = declared_number(Step, name, label=label, said=said, required=False)
            yield f"step_{name}_{at}", ("valuation", "steps", at, name), field
    penalty = declared_number(
        Valuation, "penalty_per", label=_("So viele Strafpunkte kosten einen Wertpunkt")
    )
    penalty.help_text = _("0: Strafpunkte kommen nur zu den Augen dazu.")
    yield "penalty_per", ("valuation", "penalty_per"), penalty


def read_valuation(given: dict[str, Any], sizes: list[int]) -> dict[str, Any]:
    """Return the typed Wertpunkte of the allowed *sizes* of table; blank steps are none."""
    return given | {
        **{name: {str(size): given[name][str(size)] for size in sizes} for name in BY_SIZE},
        "steps": [step for step in given["steps"] if step["upto"] or step["points"]],
    }
