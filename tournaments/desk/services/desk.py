"""The act of the desk for a new person: store the person and register it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict
from tournaments.common.person_names import person_key
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.services.registrations import register
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Tournament
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
    is_other: bool = False,
    **more: Any,
) -> Registration:
    """Store a new person, with a new club if needed, and register it, all or nothing.

    Args:
        is_other: whether a registered namesake is another person.
        more: further fields of the person, and what ``register`` takes.

    Raises:
        Namesake: if a person of that name is registered, and *is_other* is not set.
        ValidationError: if a field of the person does not fit.
        TournamentError: as ``register`` does.
    """
    tournament, actor = act.tournament, act.actor
    fields = {name: more.pop(name) for name in people.FIELDS if name in more}
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
    return register(act, tournament.pk, person_id=person.pk, **more)


def _check_namesakes(
    tournament: Tournament, last_name: str, first_name: str, birth_year: int | None
) -> None:
    """Refuse a registered name, unless the years of birth differ."""
    namesakes = tournament.registrations.filter(person__sort_key=person_key(last_name, first_name))
    for registration in namesakes.select_related("person", "created_by").order_by("pk"):
        if birth_year and registration.person.birth_year not in {None, birth_year}:
            continue
        raise Namesake(
            _(
                "{registration} ist schon gemeldet{by}. Ist es jemand anderes, bitte ankreuzen und "
                "noch einmal melden."
            ).format(
                registration=registration,
                by=_(", von {name}").format(name=registration.created_by)
                if registration.created_by
                else "",
            )
        )
