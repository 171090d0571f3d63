"""The waiting list: free places are offered by mail and held until the answer is due.

A background process looks for free places every ten seconds. An offer expires by its time, and
then the next person is asked.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.common.access_keys import offer_token
from tournaments.common.actors import Actor
from tournaments.common.digits import number_in
from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY, ONLINE, PROGRAM_ONLY
from tournaments.common.states import ANNOUNCED
from tournaments.desk.online.services import mails
from tournaments.desk.queries.free_places import may_answer_offers, next_in_line
from tournaments.desk.services.changes import STATUS, admit, change_status
from tournaments.journal.acts import Act, Acts
from tournaments.machine.mails import can_mail
from tournaments.models import EntryLine, Registration, Tournament

acts = Acts(ONLINE, ANNOUNCED)

WORKER = Actor.command("watch_backups")  # the name of the background process in the journal
MOST_AT_ONCE = 3  # mails, so that a silent mail server does not delay backups
OFFERED = "place_offered"  # the kind of the journal entry


def offer_free_places(now: datetime | None = None) -> None:
    """Offer the free places of all tournaments with automatic offers."""
    now = now or timezone.now()
    coming = Tournament.objects.filter(
        status=Tournament.Status.ANNOUNCED, offer_hours__isnull=False, replaced_at__isnull=True
    )
    for tournament in coming:
        if next_in_line(tournament, now):
            _ask_next(tournament, now)


def _ask_next(tournament: Tournament, now: datetime) -> None:
    with suppress(WrongStatus):  # it was called off or began meanwhile
        for registration in offer_places(WORKER, tournament.pk, now=now):
            if registration.ask_by_phone or mails.send_offer(registration):
                continue
            with suppress(WrongStatus):  # the desk was faster
                ask_by_phone(WORKER, registration.pk)


@acts.on(Tournament, "offer_places", by=PROGRAM_ONLY, entry=OFFERED)
def offer_places(act: Act[Tournament], *, now: datetime) -> list[Registration]:
    """Offer free places to the next on the waiting list, a few at a time; return them.

    The desk asks people without an e-mail address by phone, until the day of the tournament.
    """
    registrations = next_in_line(act.tournament, now)[:MOST_AT_ONCE]
    for registration in registrations:
        has_mail = can_mail() and registration.entry_lines.exclude(entry__email="").exists()
        until = now + timedelta(hours=act.tournament.offer_hours or 0)
        _offer(act, registration, until=until if has_mail else None)
    return registrations


@acts.on(Registration, "ask_by_phone", by=PROGRAM_ONLY, entry=OFFERED)
def ask_by_phone(act: Act[Registration]) -> None:
    """Let the desk ask by phone, because the mail did not go out.

    Raises:
        WrongStatus: if no place is held any more.
    """
    _demand_offer(act.row)
    _offer(act, act.row, until=None)


def _offer(
    act: Act[Tournament] | Act[Registration], to: Registration, *, until: datetime | None
) -> None:
    """Hold a place, at most until the day of the tournament; without *until* ask by phone."""
    day = timezone.localtime(act.tournament.starts_at)
    begin = day.replace(hour=0, minute=0, second=0, microsecond=0)
    to.offered_until, to.ask_by_phone = min(until or begin, begin), until is None
    with act.entry(OFFERED, to):
        act.store(to)


@acts.on(Registration, "end_offer", by=MAY_TAKE_MONEY, entry="offer_ended")
def end_offer(act: Act[Registration]) -> None:
    """Release the held place, e.g. if the person cannot be reached; the next person is asked.

    Raises:
        WrongStatus: if no place is held.
    """
    _demand_offer(act.row)
    act.row.offered_until = timezone.now()
    act.store(act.row)


@acts.on(Registration, "accept_offer", entry=STATUS)
def accept_offer(act: Act[Registration]) -> Registration:
    """Take the place.

    Raises:
        WrongStatus: if the time to answer is over.
        TournamentError: if there are fewer places now.
    """
    _demand_offer(act.row)
    return admit(act, act.row.pk)


@acts.on(Registration, "decline_offer", entry=STATUS)
def decline_offer(act: Act[Registration]) -> Registration:
    """Leave the waiting list; the next person is asked.

    Raises:
        WrongStatus: if the time to answer is over.
    """
    _demand_offer(act.row)
    act.reason = _("hat den Platz abgelehnt")
    return change_status(act, act.row, Registration.Status.WITHDRAWN, act.reason)


def _demand_offer(registration: Registration) -> None:
    if not (registration.has_offer and may_answer_offers(registration.tournament, timezone.now())):
        raise WrongStatus(_("Für diese Meldung ist kein Platz mehr freigehalten."))


def find(token: str) -> EntryLine | None:
    """Return the line of the token in the mail of an offer, open or not."""
    lines = EntryLine.objects.select_related("registration__person", "entry__tournament")
    line = lines.filter(registration=number_in(token.partition("-")[0])).order_by("pk").first()
    if line is None or line.registration is None:
        return None
    line.registration.tournament = line.entry.tournament
    return line if constant_time_compare(token, offer_token(line.registration)) else None
