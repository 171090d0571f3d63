"""Ticking off persons as present in the hall."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY, ON_OWN_PAGE, ONLINE
from tournaments.common.states import TAKES_PART, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Tournament

acts = Acts(
    MAY_TAKE_MONEY,
    TAKES_PART.with_refusal(gettext_lazy("{name} ist {status}. Abgehakt wird nur, wer mitspielt.")),
)


@acts.on(Registration, "tick_off")
def tick_off(act: Act[Registration]) -> Registration:
    """Tick a person off as present; idempotent."""
    _demand_not_gone(act.row)
    set_present(act, [act.row])
    return act.row


def _demand_not_gone(registration: Registration) -> None:
    if registration.is_gone:
        raise WrongStatus(
            _(
                "{name} ist {status}. Ist {name} zurück, nimmt der Tisch der Anmeldung das auf der "
                "Seite der Meldung mit „Wieder dabei“ auf."
            ).format(name=registration.person, status=registration.get_status_display())
        )


@acts.on(Registration, "untick", when=TAKES_PEOPLE, entry="unticked")
def untick(act: Act[Registration]) -> Registration:
    """Take back a tick made by mistake; the next draw asks about the person."""
    if act.row.present_at is not None:
        act.row.present_at, act.row.unticked_at = None, timezone.now()
    return act.store(act.row)


@acts.on(Registration, "check_in", entry="ticked_off", by=ON_OWN_PAGE | ONLINE)
def check_in(act: Act[Registration], *, now: datetime | None = None) -> Registration:
    """Tick off a player who checks in online; open dues stay open (§ 1.3).

    Raises:
        WrongStatus: if the Ausschreibung does not allow it, or the day has not come.
    """
    now = now or timezone.now()
    demand_day(act.tournament, now)
    _demand_not_gone(act.row)
    set_present(act, [act.row], now=now)
    return act.row


def demand_day(tournament: Tournament, now: datetime) -> None:
    """Check that players may check in on their own phones.

    Raises:
        WrongStatus: if the Ausschreibung does not allow it, or the day has not come.
    """
    if not tournament.lets_check_in(now):
        raise WrongStatus(
            _(
                "„Ich bin da“ geht nur am Turniertag, bis zum Abschluss. Sonst hilft der Tisch der "
                "Anmeldung."
            )
        )


def set_present(
    act: Act[Any], registrations: Iterable[Registration], *, now: datetime | None = None
) -> None:
    """Tick off the registrations that take part and have not left, each with a journal entry."""
    for registration in registrations:
        if registration.here_since is None and registration.plays_next:
            with act.entry("ticked_off", registration):
                registration.present_at, registration.unticked_at = now or timezone.now(), None
                act.store(registration)
