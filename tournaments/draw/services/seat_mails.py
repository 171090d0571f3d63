"""Mails about published seats, and about later changes of seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy

from tournaments.common.access_keys import player_path
from tournaments.draw.queries.redraw import draws_of
from tournaments.journal.acts import Act
from tournaments.machine.jobs import Progress, register_work, start
from tournaments.machine.mails import can_mail, deliver
from tournaments.models import Job, Seat, Serie
from tournaments.notices.queries.recipients import addresses_of
from tournaments.results.services import player_access

MAILS = "seat_mails"


def queue_seat_mails(act: Act[Any], serie: Serie, keys: Iterable[int]) -> None:
    """Start a job that mails seats to these registrations, if the Ausschreibung says so."""
    if act.tournament.mails_seats and can_mail():
        start(
            kind=MAILS,
            actor=act.actor,
            tournament=act.tournament,
            serie=serie.pk,
            registrations=list(keys),
        )


@register_work(MAILS)
def send_seat_mails(job: Job, report: Progress) -> Mapping[str, Any]:
    """Mail all players with an address; the result counts the mails sent.

    After a crash the job continues after the last person recorded.
    """
    tournament = job.tournament
    assert tournament is not None  # noqa: S101 - started for one
    player_access.store_tokens(tournament)
    addresses = addresses_of(job.params["registrations"])
    rows = Seat.objects.filter(serie=job.params["serie"], registration__in=addresses)
    seats = list(
        rows.select_related("serie", "table", "registration__person").order_by("registration")
    )
    replaced = draws_of(seats[0].serie, is_seated=True).replaced if seats else None
    sent = 0
    for done, seat in islice(enumerate(seats, 1), job.done, None):
        sent += deliver(
            tournament,
            addresses[seat.registration_id],
            subject=gettext_lazy("Ihr Platz: {tournament}"),
            template="mail/seat.txt",
            context={
                "seat": seat,
                "replaced": replaced,
                "link": f"{settings.PUBLIC_URL}{player_path(seat.registration)}",
                "button": gettext_lazy("Meine Seite"),
            },
            about=f"seat {seat.pk}",
        )
        report(done, len(seats))
    return {"sent": sent}
