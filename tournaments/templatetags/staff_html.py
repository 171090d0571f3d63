"""Signs on pages of the staff: the lag of the standby laptop, and the panel of a Probelauf."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.urls import resolve, reverse

from tournaments.backup.alarm import alarm_for
from tournaments.backup.standby import lag_for
from tournaments.common.organisers import roles_in
from tournaments.common.roles import MAY_LEAD
from tournaments.models import Tournament, User
from tournaments.practice.trial import queries
from tournaments.web.access import VIEW_ATTRIBUTE, Access

register = template.Library()


@register.inclusion_tag("tournaments/backup/behind.html", takes_context=True)
def standby_sign(context: Context) -> dict[str, Any]:
    """Show the lag of the standby laptop; nothing if there is none or it is up to date."""
    return lag_for(context["user"])


@register.inclusion_tag("tournaments/backup/alarm.html", takes_context=True)
def backup_alarm(context: Context) -> dict[str, Any]:
    """Show at the head of staff pages that backups fail, to accounts that can fix it."""
    if "own_links" not in context:  # a public page, which must not depend on the reader
        return {}
    leads = context.get("leads") or bool(MAY_LEAD & (context.get("roles") or frozenset()))
    return {"problems": alarm_for(context["user"], leads=leads)}


@register.simple_tag(takes_context=True)
def url_if_allowed(context: Context, name: str, *keys: Any) -> str:
    """Return the address of a page for roles, or "" if the reader may not open it."""
    url = reverse(name, args=keys)
    access: Access = getattr(resolve(url).func, VIEW_ATTRIBUTE)
    return url if access.roles & (context.get("roles") or frozenset()) else ""


@register.inclusion_tag("tournaments/practice/margin.html", takes_context=True)
def trial_margin(context: Context) -> dict[str, Any]:
    """Show the next step on pages of a Probelauf in which the reader has a role."""
    tournament, request = context.get("tournament"), context.get("request")
    if not (isinstance(tournament, Tournament) and tournament.is_trial_run and request):
        return {}
    user = request.user
    if not isinstance(user, User) or not roles_in(user, tournament):
        return {}
    return {
        "trial": queries.progress_of(tournament),
        "tournament": tournament,
        "here": request.path,
        "csrf_token": context.get("csrf_token"),
    }
