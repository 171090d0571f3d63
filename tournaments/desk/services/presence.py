"""Ticking off persons in the hall: one who paid before may still be absent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PART, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration

acts = Acts(
    MAY_TAKE_MONEY,
    TAKES_PART.saying(gettext_lazy("{name} ist {status}. Abgehakt wird nur, wer mitspielt.")),
)


@acts.on(Registration, "tick_off")
def tick_off(act: Act[Registration], *, now: datetime | None = None) -> Registration:
    """Note that a person is in the hall; nothing changes if that is noted already."""
    set_present(act, [act.row], now=now)
    return act.row


@acts.on(Registration, "untick", when=TAKES_PEOPLE, entry="unticked")
def untick(act: Act[Registration]) -> Registration:
    """Take back a tick: made by mistake, or the person left."""
    act.row.present_at = None
    act.store(act.row)
    return act.row


def set_present(
    act: Act[Any], registrations: Iterable[Registration], *, now: datetime | None = None
) -> None:
    """Set who is present, among those who take part; each has a journal entry."""
    for registration in registrations:
        if registration.present_at is None and registration.takes_part:
            with act.entry("ticked_off", registration):
                registration.present_at = now or timezone.now()
                act.store(registration)
