"""Excluding somebody (§ 1.4): before the first draw, and as a part of a correction later."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.cash.services.dues import update_paid_status
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import demand_status, lock_registration
from tournaments.desk.queries.registrations import is_drawn
from tournaments.desk.services.changes import Status, change_status
from tournaments.models import Registration


@transaction.atomic
def exclude(*, registration_id: int, reason: str, actor: Actor) -> Registration:
    """Exclude somebody for gross misconduct: no refund, games stay, no rank (§ 1.4).

    Raises:
        TournamentError: if no reason is given.
        WrongStatus: if the person has no start number to be excluded with.
    """
    _tournament, registration = lock_registration(registration_id)
    if not reason.strip():
        raise TournamentError(_("Ein Ausschluss braucht einen Grund (§ 1.4)."))
    demand_status(registration, Registration.TAKING_PART, _("{name} ist {status}."))
    change_status(registration, Status.EXCLUDED, actor, reason)
    return registration


@transaction.atomic
def take_back_exclusion(*, registration_id: int, reason: str, actor: Actor) -> Registration:
    """Let somebody excluded take part again.

    Raises:
        TournamentError: if no reason is given.
        WrongStatus: if the person is not excluded.
    """
    _tournament, registration = lock_registration(registration_id)
    if not reason.strip():
        raise TournamentError(_("Die Rücknahme eines Ausschlusses braucht einen Grund."))
    if registration.status != Status.EXCLUDED:
        raise WrongStatus(_("{name} ist nicht ausgeschlossen.").format(name=registration.person))
    change_status(registration, Status.REGISTERED, actor, reason)
    update_paid_status(registration, actor)
    return registration


@transaction.atomic
def exclude_undrawn(*, registration_id: int, reason: str, actor: Actor) -> Registration:
    """Exclude somebody while there are no tables: nothing rests on it that had to be shown.

    Raises:
        WrongStatus: if there are tables, or the person does not take part.
        TournamentError: if no reason is given.
    """
    _demand_undrawn(registration_id)
    return exclude(registration_id=registration_id, reason=reason, actor=actor)


@transaction.atomic
def take_back_undrawn(*, registration_id: int, reason: str, actor: Actor) -> Registration:
    """Take such an exclusion back; refuses as :func:`exclude_undrawn`."""
    _demand_undrawn(registration_id)
    return take_back_exclusion(registration_id=registration_id, reason=reason, actor=actor)


def _demand_undrawn(registration_id: int) -> None:
    # Under the lock: whoever is drawn in the same moment must not vanish from the tables.
    tournament, _registration = lock_registration(registration_id)
    if is_drawn(tournament):
        raise WrongStatus(
            _(
                "Es ist schon ausgelost: Ausschließen und Zurücknehmen geht jetzt in der "
                "„Prüfung“, mit Vorschau und Mitteilung."
            )
        )
