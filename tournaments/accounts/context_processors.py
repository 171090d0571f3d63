"""The frame of every staff page: steps, role and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from tournaments.common.organisers import rights_by_organiser
from tournaments.common.roles import MAY_APPOINT, MAY_CHECK, MAY_LEAD
from tournaments.models import Organiser, Right, Tournament, User
from tournaments.people.access import PeopleRequest, rights_by
from tournaments.web.access import chosen_organiser, role_labels
from tournaments.web.decisions import decisions_of, number_to_tell
from tournaments.web.steps import steps

_Target = tuple[str, str, dict[str, str]]  # label, URL name, URL arguments


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
        "stores_for": SimpleLazyObject(lambda: _stores_for(request)),
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
    """Return the links of the header."""
    if tournament is None:
        links: list[_Target] = [*_people(request), (_("Saisons"), "seasons:overview", {})]
        organisers = [
            organiser for organiser in _held_organisers(request) if not organiser.is_practice
        ]
        if len(organisers) > 1:  # shows the current one
            at_hand = chosen_organiser(cast(User, request.user), _held_organisers(request))
            links.append((at_hand.name, "account:organisers", {}))
        return _as_links(request, links)
    kwargs = {"slug": tournament.slug}
    links = [(_("Drucken"), "printing:documents", kwargs)]
    if MAY_CHECK & roles:
        number = number_to_tell(tournament)
        label = _("Mitteilungen ({number})").format(number=number) if number else _("Mitteilungen")
        links += [(label, "notices:page", kwargs), (_("Regeln"), "public:rules", kwargs)]
    return _as_links(request, links)


def _stores_for(request: HttpRequest) -> str:
    """Return the organiser that new rows will belong to; "" for an account of one organiser."""
    at_hand: Organiser | None = getattr(request, "at_hand", None)
    return at_hand.name if at_hand is not None and len(_held_organisers(request)) > 1 else ""


def _own_links(
    request: HttpRequest, tournament: Tournament | None, roles: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the links in the menu of the account, without manual, profile and log-out."""
    user = cast(User, request.user)
    is_admin = tournament is None and user.is_admin
    practices = {organiser.pk for organiser in _held_organisers(request) if organiser.is_practice}
    links: list[_Target] = []
    if tournament is not None:
        kwargs = {"slug": tournament.slug}
        links += _people(request)
        if MAY_LEAD & roles:
            links.append((_("Protokoll"), "journal:page", kwargs))
        if MAY_APPOINT & roles:
            links.append((_("Rollen"), "account:roles", kwargs))
    elif not settings.IS_IN_THE_HALL and any(
        Right.ALL in rights for rights in _held_organisers(request).values()
    ):
        links.append((_("Meine Veranstalter"), "account:organisers", {}))
    # A real account that leads only the practice tournament sees no backups.
    leads = tournament is not None and (tournament.owner_id in practices) == user.is_demo
    sees_backups = settings.IS_IN_THE_HALL or user.is_admin
    if is_admin or (leads and MAY_LEAD & roles and sees_backups):
        links.append((_("Sicherungen"), "backup:page", {}))
    if is_admin:
        links.append((_("Konten"), "account:accounts", {}))
        links.append((_("Betrieb"), "operator:requests", {}))
    is_head = any(
        Right.ALL in words and not organiser.is_practice
        for organiser, words in _held_organisers(request).items()
    )
    if tournament is None and (is_admin or is_head):
        links.append((_("Aufbewahrung"), "operator:due", {}))
    return _as_links(request, links)


def _people(request: HttpRequest) -> list[_Target]:
    is_seen = any(rights_by(*held).see for held in _held_organisers(request).items())
    return [(_("Personen"), "people:persons", {})] if is_seen else []


def _held_organisers(request: HttpRequest) -> dict[Organiser, frozenset[str]]:
    """Return the organisers of the account, cached on the request."""
    people_request = cast(PeopleRequest, request)
    if not hasattr(request, "held"):
        people_request.held = rights_by_organiser(people_request.user)
    return people_request.held


def _as_links(request: HttpRequest, targets: Sequence[_Target]) -> list[dict[str, Any]]:
    links = []
    for label, name, kwargs in targets:
        url = reverse(name, kwargs=kwargs)
        links.append({"label": label, "url": url, "current": url == request.path})
    return links
