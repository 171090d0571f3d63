"""Registering the best of an earlier tournament in the one in which they play on (§ 1.1)."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.earlier import to_register
from tournaments.desk.services.registrations import register
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Tournament

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Tournament, "register_qualified", entry="qualified_registered")
def register_qualified(act: Act[Tournament], *, seen_number: int) -> list[Registration]:
    """Register all who play on, unpaid, in order of their places in the earlier tournament.

    Past the deadline that they have qualified is the reason (§ 1.3).

    Raises:
        Conflict: if they are not as many as the page showed, or nobody is left.
        TournamentError: as ``register`` does; nobody is registered then.
    """
    earlier, persons = to_register(act.tournament)
    if not persons or len(persons) != seen_number:
        raise Conflict(
            _(
                "Zu melden sind inzwischen {number} Personen, nicht {seen}. Bitte die Liste noch "
                "einmal ansehen."
            ).format(number=len(persons), seen=seen_number)
        )
    is_late = act.tournament.is_past_deadline(timezone.now())
    reason = _("qualifiziert in „{name}“").format(name=earlier) if is_late else ""
    registered = [
        register(act, act.tournament.pk, person_id=person.pk, late_reason=reason)
        for person in persons
    ]
    act.note(registrations=[one.pk for one in registered])
    return registered
