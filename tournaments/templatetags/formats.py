"""Filters for numbers, money and times."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tournaments.common.formats import (
    ago,
    clock,
    day_in_words,
    euro,
    long_date,
    points,
    quoted,
    short_date,
)
from tournaments.models import Registration
from tournaments.models.schedule import Days

register = template.Library()
for written in (points, euro, long_date, short_date, day_in_words, clock, ago, quoted):
    register.filter(written)


@register.simple_tag
def days_of(registration: Registration, days: Days) -> str:
    """Return the days on which a person plays: „Samstag, 3. Oktober 2026“, „alle Tage“."""
    own = [day for day in days.numbers if registration.plays(day)]
    if len(own) == days.number:
        return _("alle Tage")
    return " · ".join(day_in_words(days.date(day)) for day in own)


@register.filter
def absolute(number: int) -> int:
    """Return the number without its sign."""
    return abs(number)
