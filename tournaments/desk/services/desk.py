"""The act of the desk for a new person: store the person and register it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.common.errors import Conflict
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.services.registrations import Payment, register
from tournaments.journal.acts import Act, Acts
from tournaments.models import Category, Ranking, Registration, Tournament
from tournaments.people.services import people

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


class Namesake(Conflict):
    """A person of that name is registered already, perhaps by another desk."""


@acts.on(Tournament, "register_new_person")
def register_new_person(
    act: Act[Tournament],
    /,
    *,
    last_name: str,
    first_name: str,
    club_name: str,
    category: Category | None = None,
    rankings: Sequence[Ranking] = (),
    payment: Payment | None = None,
    late_reason: str = "",
    admission_reason: str = "",
    is_other: bool = False,
    plays_on: str = "",
    source: Registration.Source = Registration.Source.DESK,
    is_here: bool = False,
    now: datetime | None = None,
    **fields: Any,
) -> Registration:
    """Store a new person, with a new club if need be, and register it, all or nothing.

    Args:
        is_other: whether the person is another one than a registered namesake.
        is_here: as of ``register``.

    Raises:
        Namesake: if a person of that name is registered, and *is_other* is not set.
        ValidationError: if a field of the person does not fit.
        TournamentError: as ``register`` does.
    """
    tournament, actor = act.tournament, act.actor
    if not is_other:
        _check_namesakes(tournament, last_name, first_name, fields.get("birth_year"))
    person = people.create_person(
        actor=actor,
        within=tournament,
        last_name=last_name,
        first_name=first_name,
        club=people.find_or_create_club(club_name, actor=actor, within=tournament),
        **fields,
    )
    return register(
        act,
        tournament.pk,
        person_id=person.pk,
        category=category,
        rankings=rankings,
        payment=payment,
        late_reason=late_reason,
        admission_reason=admission_reason,
        plays_on=plays_on,
        source=source,
        is_here=is_here,
        now=now,
    )


def _check_namesakes(
    tournament: Tournament, last_name: str, first_name: str, birth_year: int | None
) -> None:
    """Refuse a registered name, unless the years of birth differ."""
    found = tournament.registrations.filter(person__sort_key=names.sort_key(last_name, first_name))
    for one in found.select_related("person", "created_by").order_by("pk"):
        if birth_year and one.person.birth_year not in {None, birth_year}:
            continue
        raise Namesake(
            _(
                "{registration} ist schon gemeldet{by}. Ist es jemand anderes, bitte ankreuzen und "
                "noch einmal melden."
            ).format(
                registration=one,
                by=_(", von {name}").format(name=one.created_by.name) if one.created_by else "",
            )
        )
