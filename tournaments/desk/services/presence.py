"""Ticking people off as they come into the hall: prepaid, somebody may still stay away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.locks import demand_status, lock_registration
from tournaments.journal import services as journal
from tournaments.models import Registration


@transaction.atomic
def tick_off(*, registration_id: int, actor: Actor, now: datetime | None = None) -> Registration:
    """Note that somebody is in the hall; who is noted already stays so.

    Raises:
        WrongStatus: if the person does not take part.
    """
    _tournament, registration = lock_registration(registration_id)
    demand_status(
        registration,
        Registration.TAKING_PART,
        _("{name} ist {status}. Abgehakt wird nur, wer mitspielt."),
    )
    set_present([registration], actor, now=now)
    return registration


@transaction.atomic
def untick(*, registration_id: int, actor: Actor) -> Registration:
    """Take back that somebody is in the hall: a slip of the finger, or gone again."""
    _tournament, registration = lock_registration(registration_id)
    if registration.present_at is not None:
        registration.present_at = None
        registration.save(update_fields=["present_at"])
        journal.record(registration.tournament, actor, "unticked", registration)
    return registration


def set_present(
    registrations: Iterable[Registration], actor: Actor, *, now: datetime | None = None
) -> None:
    """Note who is in the hall. Part of a service that has locked their tournament."""
    for registration in registrations:
        if registration.present_at is None and registration.takes_part:
            registration.present_at = now or timezone.now()
            registration.save(update_fields=["present_at"])
            journal.record(registration.tournament, actor, "ticked_off", registration)
