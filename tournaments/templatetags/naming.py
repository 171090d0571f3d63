"""Filters for the names of persons."""

from __future__ import annotations

from django import template

from tournaments.common import names
from tournaments.desk.queries import admission
from tournaments.models import Registration
from tournaments.people.queries.naming import Readers

register = template.Library()
register.filter("shortened", names.shortened)
register.filter("asks_because", admission.lacking_in_words)


@register.filter
def called(registration: Registration, readers: Readers) -> str:
    """Return the name in spoken order."""
    return readers.of(registration)


@register.filter
def listed(registration: Registration, readers: Readers) -> str:
    """Return the name in the order of lists."""
    return readers.listed(registration)
