"""Fields for a day and a time, which together are a moment."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import from_current_timezone
from django.utils import timezone
from django.utils.translation import gettext as _


def at(day: date, clock: time) -> datetime:
    """Return the moment of a local day and time.

    Raises:
        ValidationError: if the change of summer time skips or repeats this time.
    """
    try:
        return from_current_timezone(datetime.combine(day, clock))
    except ValidationError as refusal:
        raise ValidationError(
            _(
                "An diesem Tag wird um diese Zeit die Uhr umgestellt. Bitte eine andere Uhrzeit "
                "wählen."
            )
        ) from refusal


def day_and_time(name: str, moment: datetime | None) -> dict[str, Any]:
    """Return the initial values of the fields for day and time called *name*."""
    local = None if moment is None else timezone.localtime(moment)
    return {f"{name}_day": local and local.date(), f"{name}_time": local and local.time()}


def moment_in(form: forms.BaseForm, name: str) -> datetime | None:
    """Return the moment of the fields called *name*; None if one is empty or invalid."""
    day, clock = (form.cleaned_data.get(f"{name}_{part}") for part in ("day", "time"))
    if not (day and clock):
        return None
    try:
        return at(day, clock)
    except ValidationError as refusal:
        form.add_error(f"{name}_time", refusal)
        return None
