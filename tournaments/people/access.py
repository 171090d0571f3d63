"""Who may see and change persons: they belong to no single tournament.

Whoever takes registrations in any tournament looks persons up and adds new ones; who leads
one changes them; merging, forgetting and taking all data along is for who runs the
installation. A Schiedsrichter needs none of it.
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
    """What an account may do with persons; each includes those before it."""

    see: bool  # search, look at, add
    edit: bool  # change, ban, read files; and see how to reach a person
    manage: bool  # merge, anonymise, lift bans, export


class PeopleRequest(StaffRequest):
    """What a view of persons may rely on. Exists for the type checker only."""

    rights: Rights


View = Callable[Concatenate[PeopleRequest, ...], HttpResponse]


def rights_of(user: User) -> Rights:
    """Return what *user* may do with persons; one query, none for who runs it all."""
    if user.is_admin:
        return Rights(see=True, edit=True, manage=True)
    # Where everybody is made up anybody may lead: that opens nothing else.
    own = Membership.objects.filter(user=user, tournament__is_demo=user.is_demo)
    roles = set(own.values_list("role", flat=True))
    return Rights(see=bool(roles & MAY_TAKE_MONEY), edit=bool(roles & MAY_LEAD), manage=False)


def reachable(user: User) -> QuerySet[Person]:
    """Return the persons whose page *user* may open: with a demo account who was made up."""
    persons = Person.objects.select_related("club", "merged_into")
    return persons.filter(is_demo=True) if user.is_demo else persons


def may_see_persons(view: View) -> Callable[..., HttpResponse]:
    """Only who takes registrations in some tournament, or may do more."""
    return account_required(
        _guarded(
            view,
            lambda rights: rights.see,
            _("Personen sieht, wer in einem Turnier Veranstalter, Spielleitung oder Kasse ist."),
        )
    )


def may_change_persons(view: View) -> Callable[..., HttpResponse]:
    """Only who leads some tournament, or runs the installation."""
    return account_required(
        _guarded(
            view,
            lambda rights: rights.edit,
            _("Personen ändert, wer in einem Turnier Veranstalter oder Spielleitung ist."),
        )
    )


def may_manage_persons(view: View) -> Callable[..., HttpResponse]:
    """Only who runs the installation."""
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
