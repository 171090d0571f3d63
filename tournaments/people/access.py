"""Who may see and change persons: they belong to no single tournament.

A role that takes registrations in any tournament may search and add persons; a leading role
may change them; administrators may merge, anonymise and export them. A Schiedsrichter
has no rights here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, cast

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.models import Membership, Person, User
from tournaments.web.access import StaffRequest, account_required, admin_required


@dataclass(frozen=True, slots=True)
class Rights:
    """Rights of an account for persons; each includes those before it."""

    see: bool  # search, view, add
    edit: bool  # change, ban, import; and view contact data
    manage: bool  # merge, anonymise, lift bans, export


class PeopleRequest(StaffRequest):
    """The request of a view of persons. Exists for the type checker only."""

    rights: Rights


View = Callable[Concatenate[PeopleRequest, ...], HttpResponse]


def rights_of(user: User) -> Rights:
    """Return the rights of *user* for persons; one query, none for administrators."""
    if user.is_admin:
        return Rights(see=True, edit=True, manage=True)
    # Roles in the practice tournament give rights for made-up persons only.
    own = Membership.objects.filter(user=user, tournament__is_demo=user.is_demo)
    roles = set(own.values_list("role", flat=True))
    return Rights(see=bool(roles & MAY_TAKE_MONEY), edit=bool(roles & MAY_LEAD), manage=False)


def reachable(user: User) -> QuerySet[Person]:
    """Return the persons whose page *user* may open: for a demo account the made-up ones."""
    persons = Person.objects.select_related("club", "merged_into")
    return persons.filter(is_demo=True) if user.is_demo else persons


def may_see_persons(view: View) -> Callable[..., HttpResponse]:
    """Require a role that takes registrations in some tournament, or more."""
    return account_required(
        _guarded(
            view,
            lambda rights: rights.see,
            _("Personen sieht, wer in einem Turnier Veranstalter, Spielleitung oder Kasse ist."),
        )
    )


def may_change_persons(view: View) -> Callable[..., HttpResponse]:
    """Require a leading role in some tournament, or an administrator."""
    return account_required(
        _guarded(
            view,
            lambda rights: rights.edit,
            _("Personen ändert, wer in einem Turnier Veranstalter oder Spielleitung ist."),
        )
    )


def may_manage_persons(view: View) -> Callable[..., HttpResponse]:
    """Require an administrator."""
    return admin_required(_guarded(view, lambda rights: rights.manage, ""))


def _guarded(
    view: View, allows: Callable[[Rights], bool], sentence: str | Promise
) -> Callable[Concatenate[StaffRequest, ...], HttpResponse]:
    @wraps(view)
    def guarded(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        people_request = cast(PeopleRequest, request)
        people_request.rights = rights_of(request.user)
        if not allows(people_request.rights):
            raise PermissionDenied(str(sentence))
        return view(people_request, *args, **kwargs)

    return guarded
