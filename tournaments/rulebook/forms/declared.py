"""Fields for numbers whose bounds the rules declare."""

from __future__ import annotations

from typing import Any

from django import forms

from scoring.reading.records import bounds_of
from tournaments.web.fields import NumberField


def declared_number(record: type, name: str, *, said: str = "", **options: Any) -> NumberField:
    """Return a field for a number of a dataclass; reading the dataclass refuses what is outside.

    Args:
        record: the dataclass.
        name: of its field.
        said: what a screen reader says where no label is shown.
        options: of the field.
    """
    bounds = bounds_of(record, name)
    attrs = {"min": bounds.minimum, "max": bounds.maximum}
    widget = forms.NumberInput(attrs | ({"aria-label": said} if said else {}))
    return NumberField(widget=widget, **options)
