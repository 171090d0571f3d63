"""Registering the qualified persons of an earlier tournament, with their points (§ 1.1)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.earlier_tournament import PointsMove, points_moves, qualified_persons
from tournaments.desk.services.registrations import register
from tournaments.journal.acts import Act, Acts
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import Registration, Tournament

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Tournament, "register_qualified", entry="qualified_registered")
def register_qualified(act: Act[Tournament], *, seen_number: int) -> list[Registration]:
    """Register all qualified persons, unpaid, in order of their ranks in the earlier tournament.

    As at every registration, the points are carried over if the Ausschreibung says so. Past the
    deadline the qualification is the reason (§ 1.3).

    Raises:
        Conflict: if their number differs from the page, or there are none.
        TournamentError: as ``register`` does; then no person is registered.
    """
    earlier, persons = qualified_persons(act.tournament)
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
    act.note(registrations=[registration.pk for registration in registered])
    return registered


def fingerprint_of(moves: Sequence[PointsMove]) -> str:
    """Return a fingerprint of the points that a page shows."""
    return hash_of([[move.registration.pk, move.carried] for move in moves])[:SHORT]


@acts.on(Tournament, "take_points", by=MAY_LEAD, entry="points_taken")
def take_points(act: Act[Tournament], *, seen: str) -> list[PointsMove]:
    """Carry over the points of all registrations from the earlier tournament, never of single ones.

    So a correction there changes the points here for all at once. A closed tournament must be
    reopened first, as for any correction.

    Raises:
        Conflict: if the points differ from those that the page showed.
        TournamentError: if points are replaced without a reason.
    """
    moves = points_moves(act.tournament)
    if not moves or fingerprint_of(moves) != seen:
        raise Conflict(
            _(
                "Die Punkte der Vorrunde sind inzwischen andere. Bitte die Liste noch einmal "
                "ansehen."
            )
        )
    if any(move.replaces for move in moves) and not act.reason:
        raise TournamentError(_("Bitte angeben, warum Punkte der Vorrunde neu übernommen werden."))
    for move in moves:
        with act.entry("points_taken", move.registration, act.reason):
            move.registration.carried_points = move.carried
            act.store(move.registration)
    return moves
