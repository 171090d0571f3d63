"""Signs on pages of the staff: a laptop that stands by lags behind; the margin of a Probelauf."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from tournaments.backup.standby import lag
from tournaments.common.organisers import roles_in
from tournaments.models import Tournament, User
from tournaments.practice.trial import queries

register = template.Library()


@register.inclusion_tag("tournaments/backup/behind.html")
def standby_sign() -> dict[str, Any]:
    """Show how far the other laptop is behind; nothing if there is none, or it is up to date."""
    return lag()


@register.inclusion_tag("tournaments/practice/margin.html", takes_context=True)
def trial_margin(context: Context) -> dict[str, Any]:
    """Show what comes next, if the page belongs to a Probelauf and its reader has a role in it."""
    tournament, request = context.get("tournament"), context.get("request")
    if not (isinstance(tournament, Tournament) and tournament.is_trial_run and request):
        return {}
    user = request.user
    if not isinstance(user, User) or not roles_in(user, tournament):
        return {}
    return {
        "trial": queries.next_of(tournament),
        "tournament": tournament,
        "here": request.path,
        "csrf_token": context.get("csrf_token"),
    }
