"""The fields of a custom rule set for the settlement at the table."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _

from scoring.payments.settlement import ByRank, Settlement
from scoring.ruleset import RuleSet
from scoring.rulesets import origin
from tournaments.rulebook.forms.declared import declared_number
from tournaments.web.fields import EuroField


def settlement_to_change(rule_set: RuleSet) -> Settlement | None:
    """Return the settlement of *rule_set*, or of its origin if it is switched off."""
    came_from = origin(rule_set) or rule_set
    return rule_set.settlement or came_from.settlement


def settlement_fields(settlement: Settlement) -> dict[str, forms.Field]:
    """Return a field for each number of *settlement*, by its name in JSON."""
    labels = {
        "cents_per_point": _("Euro je Punkt Unterschied"),
        "stake_cents": _("Einsatz je Person und Liste"),
        "winner_percent": _("Anteil des ersten Platzes an der Kasse in Prozent, mindestens"),
        "within_points": _("Den Rest teilen sich alle, die weniger Punkte zurückliegen als"),
        "step_cents": _("Was jeder Platz mehr zahlt"),
        "card_cents": _("Preis einer gekauften Karte"),
    }
    fields: dict[str, forms.Field] = {
        name: EuroField(label=label)
        if "cents" in name
        else declared_number(type(settlement), name, label=label)
        for name, label in labels.items()
        if hasattr(settlement, name)
    }
    if isinstance(settlement, ByRank):
        fields["pot_weights"] = _pot_field(settlement.pot_weights)
    return fields


def _pot_field(weights: tuple[int, ...]) -> forms.Field:
    """Return the field for the recipient of the pot of bought cards; other values stay possible."""
    choices = {
        "1": _("ganz an den ersten Platz"),
        "2:1": _("zwei Drittel an den ersten, ein Drittel an den zweiten Platz"),
    }
    now = ":".join(map(str, weights))
    choices.setdefault(now, now.replace(":", " : "))
    return forms.TypedChoiceField(
        label=_("Kasse der gekauften Karten"),
        choices=list(choices.items()),
        coerce=lambda key: [int(weight) for weight in key.split(":")],
        widget=forms.RadioSelect,
        initial=now,
    )
