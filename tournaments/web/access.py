"""Access to pages: every view has one of these decorators; a test checks it.

A request without an account is sent to the log-in; an account without the role gets a page
that names the role needed. Views for roles receive the tournament instead of its slug, and
get other objects of the address with :func:`own`; acts name their model (``acting``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce, wraps
from typing import Any, Concatenate, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from tournaments.common.actors import Actor
from tournaments.common.organisers import choices_of, roles_in
from tournaments.common.roles import MAY_LEAD
from tournaments.models import Organiser, Role, Spielliste, Tournament, User

VIEW_ATTRIBUTE = "access"


class StaffRequest(HttpRequest):
    """A request with a logged-in account. Exists for the type checker only."""

    user: User
    actor: Actor  # the account as an actor, for services and the journal
    htmx: HtmxDetails
    roles: frozenset[str]  # of the tournament at hand
    at_hand: Organiser  # for which the page stores persons, tournaments or seasons
    is_leading: bool  # decides there, more than helping and reading
    tournament: Tournament  # only with roles_required
    shown: dict[str, Any]  # shown again by the page of an act if it is refused


@dataclass(frozen=True, slots=True)
class Access:
    """The access that a view requires; the tests read it from the view."""

    kind: str  # "public", "account", "admin" or "roles"
    roles: frozenset[str] = frozenset()


_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])


def _declare(view: _View, access: Access) -> _View:
    setattr(view, VIEW_ATTRIBUTE, access)
    return view


def public(view: _View) -> _View:
    """Allow all requests; a token in the address may restrict that."""
    return _declare(view, Access("public"))


def account_required(
    view: Callable[Concatenate[StaffRequest, ...], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow only logged-in accounts."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        staff = _as_staff(request, frozenset())
        return uncached(view(staff, *args, **kwargs))

    return _declare(guarded, Access("account"))


def admin_required(
    view: Callable[Concatenate[StaffRequest, ...], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Allow only accounts of operators."""

    @account_required
    @wraps(view)
    def guarded(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_admin:
            raise PermissionDenied(_("Diese Seite ist für Konten, die das Programm verwalten."))
        return view(request, *args, **kwargs)

    return _declare(guarded, Access("admin"))


def roles_required(
    allowed: frozenset[Role],
) -> Callable[
    [Callable[Concatenate[StaffRequest, Tournament, ...], HttpResponse]],
    Callable[..., HttpResponse],
]:
    """Allow only accounts with one of the roles in the tournament of ``slug``."""

    def decorate(
        view: Callable[Concatenate[StaffRequest, Tournament, ...], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            tournament = get_object_or_404(Tournament, slug=slug)
            mine = roles_in(request.user, tournament)
            if not mine & allowed:
                raise PermissionDenied(
                    _("Für diese Seite braucht es im Turnier eine dieser Rollen: {roles}.").format(
                        roles=", ".join(role_labels(allowed))
                    )
                )
            staff = _as_staff(request, mine)
            staff.tournament = tournament
            return uncached(view(staff, tournament, **kwargs))

        return _declare(guarded, Access("roles", allowed))

    return decorate


def greet_staff(request: HttpRequest, tournament: Tournament) -> bool:
    """Give a public page the frame of the staff if the account has a role; return whether it has.

    Such an answer must not be cached: it names an account.
    """
    if not isinstance(request.user, User) or not (roles := roles_in(request.user, tournament)):
        return False
    _as_staff(request, roles).tournament = tournament
    return True


def chosen_organiser(user: User, held: Mapping[Organiser, Collection[str]]) -> Organiser:
    """Return the organiser at hand among these: the one that the account chose, or the first."""
    choices = choices_of(held)
    return next((organiser for organiser in choices if organiser.pk == user.at_hand_id), choices[0])


def role_labels(roles: Iterable[str]) -> list[str]:
    """Return the German names of *roles* in the order of responsibility."""
    chosen = set(roles)
    return [str(role.label) for role in Role if role.value in chosen]


def uncached(response: HttpResponse) -> HttpResponse:
    """Forbid caching, so that no page of the staff stays in a shared browser."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _as_staff(request: HttpRequest, roles: frozenset[str]) -> StaffRequest:
    staff = cast(StaffRequest, request)
    staff.roles = roles
    staff.is_leading = bool(roles & MAY_LEAD)
    staff.actor = Actor.account(staff.user, roles or None)
    return staff


# --- Objects of an address -----------------------------------------------------------------------

_Thing = TypeVar("_Thing", bound=Model)
_Value = TypeVar("_Value")


def or_404(value: _Value | None) -> _Value:
    """Return *value*; None is a 404."""
    if value is None:
        raise Http404
    return value


def own(tournament: Tournament, things: type[_Thing] | QuerySet[_Thing], **keys: Any) -> _Thing:
    """Return an object of *tournament* with the objects between; 404 for a key of another one."""
    queryset = things if isinstance(things, QuerySet) else QuerySet(things)
    path: tuple[str, ...] = getattr(queryset.model, "within", ())
    if path:
        queryset = queryset.select_related("__".join(path))
    thing = get_object_or_404(queryset, **{"__".join([*path, "tournament"]): tournament}, **keys)
    # The same instance of the tournament, so that it is not fetched again.
    reduce(getattr, path, thing).tournament = tournament  # type: ignore[attr-defined]
    return thing


def own_list(tournament: Tournament, serie: int, table: int) -> Spielliste:
    """Return the list of a table, by the numbers of both, or 404."""
    lists = Spielliste.objects.select_related("verified_by")
    return own(tournament, lists, table__serie__number=serie, table__number=table)
