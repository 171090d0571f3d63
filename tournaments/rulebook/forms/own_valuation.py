"""The Wertpunkte in the form for a custom rule set, if its base has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.reading.records import to_json
from scoring.reading.ruleset_types import TABLE_SIZES
from scoring.valuation import Valuation, ValuationStep
from tournaments.rulebook.forms.declared import declared_number

MOST_STEPS = 6
BY_SIZE = ("finish", "handromme")
# The fields for problems of several numbers together, by their places.
PROBLEM_FIELDS = {
    "valuation.finish": f"valued_finish_{TABLE_SIZES[0]}",
    "valuation.handromme": f"valued_handromme_{TABLE_SIZES[0]}",
    "valuation.steps": "step_upto_0",
    "valuation": "penalty_per",
}


def valuation_to_change(valuation: Valuation | None) -> dict[str, Any] | None:
    """Return the Wertpunkte as JSON, for every size of table and with room for further steps."""
    if valuation is None:
        return None
    filled: dict[str, Any] = to_json(valuation)
    further = range(len(filled["steps"]), MOST_STEPS)
    return filled | {
        **{
            name: {str(size): getattr(valuation, name).get(size) for size in TABLE_SIZES}
            for name in BY_SIZE
        },
        "steps": [*filled["steps"], *({"upto": None, "points": None} for _step in further)],
    }


def valuation_fields() -> Iterator[tuple[str, tuple[str | int, ...], forms.Field]]:
    """Yield the fields with their names and their places in the JSON."""
    by_size, by_step = _labels()
    for size in TABLE_SIZES:
        for name, label in by_size.items():
            words = _("{label} am Tisch zu {size}").format(label=label, size=size)
            field = declared_number(Valuation, name, label=label, said=words, required=False)
            yield f"valued_{name}_{size}", ("valuation", name, str(size)), field
    for at in range(MOST_STEPS):
        for name, label in by_step.items():
            words = _("Stufe {number}: {label}").format(number=at + 1, label=label)
            field = declared_number(ValuationStep, name, label=label, said=words, required=False)
            yield f"step_{name}_{at}", ("valuation", "steps", at, name), field
    penalty = declared_number(
        Valuation, "penalty_per", label=_("So viele Strafpunkte kosten einen Wertpunkt")
    )
    penalty.help_text = _("0: Strafpunkte kommen nur zu den Augen dazu.")
    yield "penalty_per", ("valuation", "penalty_per"), penalty


def _labels() -> tuple[dict[str, str], dict[str, str]]:
    by_size = {"finish": _("beendetes Spiel"), "handromme": _("Handrommé")}
    return by_size, {"upto": _("bis so viele Augen"), "points": _("Wertpunkte")}


# Title, headings of the columns, and for each row its heading and its fields.
ValuedTable = tuple[str, list[str], list[tuple[str, list[forms.BoundField]]]]


def valued_tables(form: forms.Form) -> list[ValuedTable]:
    """Return the fields of *form* in tables: by size of table, and by step."""
    by_size, by_step = _labels()
    sizes = [
        (
            _("Tische zu {size}").format(size=size),
            [form[f"valued_{name}_{size}"] for name in by_size],
        )
        for size in TABLE_SIZES
    ]
    steps = [
        (
            _("{number}. Stufe").format(number=at + 1),
            [form[f"step_{name}_{at}"] for name in by_step],
        )
        for at in range(MOST_STEPS)
    ]
    return [
        (_("Wertpunkte für beendete Spiele"), [_("Tischgröße"), *by_size.values()], sizes),
        (_("Wertpunkte für Augen"), [_("Stufe"), *by_step.values()], steps),
    ]


def read_valuation(
    values: dict[str, Any], sizes: list[int], *, knows_handromme: bool
) -> dict[str, Any]:
    """Return the typed Wertpunkte of the allowed *sizes* of table; blank steps are left out."""
    named = BY_SIZE if knows_handromme else BY_SIZE[:1]
    return values | {
        **{name: {} for name in BY_SIZE},
        **{name: {str(size): values[name][str(size)] for size in sizes} for name in named},
        "steps": [step for step in values["steps"] if step["upto"] or step["points"]],
    }
