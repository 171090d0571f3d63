"""The frame of every staff page: steps, role and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from tournaments.common.roles import MAY_APPOINT, MAY_CHECK, MAY_LEAD
from tournaments.models import Tournament, User
from tournaments.people.access import rights_of
from tournaments.web.access import role_labels
from tournaments.web.decisions import decisions_of
from tournaments.web.steps import steps

_Wanted = tuple[str, str, dict[str, str]]  # label, URL name, URL arguments


def staff_frame(request: HttpRequest) -> dict[str, Any]:
    """Return the frame of the page; empty for pages without log-in."""
    roles: frozenset[str] | None = getattr(request, "roles", None)
    tournament: Tournament | None = getattr(request, "tournament", None)
    if roles is None:
        return {}
    frame: dict[str, Any] = {
        "home_url": reverse("setup:tournaments"),
        # Lazy, as are the steps: parts of pages show no header and need no query.
        "header_links": SimpleLazyObject(lambda: _links(request, tournament, roles)),
        "own_links": SimpleLazyObject(lambda: _own_links(request, tournament, roles)),
    }
    if tournament is None:
        return frame
    namespace = request.resolver_match.namespace if request.resolver_match else ""
    return {
        **frame,
        "tournament": tournament,
        "roles": roles,
        "role_label": next(iter(role_labels(roles)), ""),
        "steps": SimpleLazyObject(lambda: steps(tournament, roles, namespace)),
        "decisions": SimpleLazyObject(lambda: decisions_of(cast(User, request.user), tournament))
        if MAY_LEAD & roles
        else None,
    }


def _links(
    request: HttpRequest, tournament: Tournament | None, roles: frozenset[str]
) -> list[dict[str, Any]]:
    user = cast(User, request.user)
    wanted: list[_Wanted] = []
    if rights_of(user).see:
        wanted.append((_("Personen"), "people:persons", {}))
    if tournament is not None:
        wanted.append((_("Drucken"), "printing:documents", {"slug": tournament.slug}))
    if tournament is not None and MAY_CHECK & roles:
        wanted.append((_("Regeln"), "public:rules", {"slug": tournament.slug}))
        wanted.append((_("Mitteilungen"), "notices:page", {"slug": tournament.slug}))
    if tournament is not None and MAY_LEAD & roles:
        wanted.append((_("Protokoll"), "journal:page", {"slug": tournament.slug}))
    if (tournament is None and user.is_admin) or MAY_LEAD & roles:
        wanted.append((_("Sicherungen"), "backup:page", {}))
    if tournament is None:
        wanted.append((_("Saisons"), "seasons:overview", {}))
    if tournament is None and user.is_admin:
        wanted.append((_("Konten"), "account:accounts", {}))
        wanted.append((_("Betrieb"), "operator:requests", {}))
        wanted.append((_("Aufbewahrung"), "operator:due", {}))
    return _as_links(request, wanted)


def _own_links(
    request: HttpRequest, tournament: Tournament | None, roles: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the links of the account menu, without profile and log-out."""
    if tournament is None or not MAY_APPOINT & roles:
        return []
    return _as_links(request, [(_("Rollen"), "account:roles", {"slug": tournament.slug})])


def _as_links(request: HttpRequest, wanted: Sequence[_Wanted]) -> list[dict[str, Any]]:
    links = []
    for label, name, kwargs in wanted:
        url = reverse(name, kwargs=kwargs)
        links.append({"label": label, "url": url, "current": url == request.path})
    return links
