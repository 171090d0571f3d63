"""Fields for numbers whose bounds are declared in dataclasses."""

from __future__ import annotations

from typing import Any

from django import forms

from scoring.reading.records import bounds_of
from tournaments.web.fields import NumberField


def declared_number(record: type, name: str, *, said: str = "", **options: Any) -> NumberField:
    """Return a field for a number of a dataclass; the dataclass itself checks the bounds.

    Args:
        record: the dataclass.
        name: of its field.
        said: the label for screen readers, if none is visible.
        options: of the field.
    """
    bounds = bounds_of(record, name)
    attrs = {"min": bounds.minimum, "max": bounds.maximum}
    widget = forms.NumberInput(attrs | ({"aria-label": said} if said else {}))
    return NumberField(widget=widget, **options)
