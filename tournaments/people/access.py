"""Access to persons, who belong to an organiser and not to a single tournament.

A role that takes registrations in a tournament of the organiser may search and add its persons; a
leading role, or the right for persons, may change them; the right to all may merge, anonymise and
export them. A Schiedsrichter has no rights here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.organisers import implied_roles, rights_by_organiser
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.models import Organiser, Person, Right
from tournaments.web.access import StaffRequest, account_required, chosen_organiser


@dataclass(frozen=True, slots=True)
class Rights:
    """Rights of an account for the persons of an organiser; each includes those before it."""

    organiser: Organiser
    see: bool  # search, view, add
    edit: bool  # change, ban, import; and view contact data
    manage: bool  # merge, anonymise, lift bans, export


class PeopleRequest(StaffRequest):
    """The request of a view of persons. Exists for the type checker only."""

    held: dict[Organiser, frozenset[str]]  # organisers of the account, from held_by
    rights: Rights  # at the current organiser
    allowed: dict[int, Rights]  # by organiser at which the account may do this


View = Callable[Concatenate[PeopleRequest, ...], HttpResponse]
_Thing = TypeVar("_Thing", bound=Model)


def rights_by(organiser: Organiser, words: frozenset[str]) -> Rights:
    """Return the rights for persons from rights and roles at an organiser."""
    roles = implied_roles(words)
    edits = bool(roles & MAY_LEAD) or Right.PERSONS in words
    return Rights(
        organiser,
        see=edits or bool(roles & MAY_TAKE_MONEY),
        edit=edits,
        manage=Right.ALL in words,
    )


def get_reachable(
    request: PeopleRequest, things: QuerySet[_Thing], *, owner: str = "owner", **keys: Any
) -> _Thing:
    """Return a person, club or ban of an allowed organiser, or raise 404.

    Its organiser becomes the current one of the request; *owner* is the path to it.
    """
    keys[f"{owner}__in"] = list(request.allowed)
    row = get_object_or_404(things, **keys)
    held_at: Any = row
    for name in f"{owner}_id".split("__"):
        held_at = getattr(held_at, name)
    request.rights = request.allowed[held_at]
    request.at_hand = request.rights.organiser
    return row


def all_persons() -> QuerySet[Person]:
    """Return all persons with the relations of their pages, for :func:`get_reachable`."""
    return Person.objects.select_related("club", "merged_into")


def _guarded(
    view: View, allows: Callable[[Rights], bool], sentence: str | Promise
) -> Callable[..., HttpResponse]:
    @account_required
    @wraps(view)
    def guarded(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        people_request = cast(PeopleRequest, request)
        people_request.held = rights_by_organiser(request.user)
        rights = [rights_by(organiser, words) for organiser, words in people_request.held.items()]
        allowed_rights = {right.organiser.pk: right for right in rights if allows(right)}
        if not allowed_rights:
            raise PermissionDenied(str(sentence))
        people_request.allowed = allowed_rights
        held = {
            organiser: words
            for organiser, words in people_request.held.items()
            if organiser.pk in allowed_rights
        }
        people_request.at_hand = chosen_organiser(request.user, held)
        people_request.rights = allowed_rights[people_request.at_hand.pk]
        return view(people_request, *args, **kwargs)

    return guarded


# A role that takes registrations in some tournament, or more.
may_see_persons = partial(
    _guarded,
    allows=lambda rights: rights.see,
    sentence=_("Personen sieht, wer in einem Turnier Veranstalter, Spielleitung oder Kasse ist."),
)
# A leading role in some tournament, or the right for persons.
may_change_persons = partial(
    _guarded,
    allows=lambda rights: rights.edit,
    sentence=_("Personen ändert, wer in einem Turnier Veranstalter oder Spielleitung ist."),
)
# The right to all of an organiser.
may_manage_persons = partial(
    _guarded,
    allows=lambda rights: rights.manage,
    sentence=_("Diese Seite ist für Konten, die alle Personen verwalten."),
)
