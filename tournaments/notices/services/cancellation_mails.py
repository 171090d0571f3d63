"""Mails about the cancellation of a tournament, or its withdrawal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext_lazy

from tournaments.announcement.services.tournaments import MAILS
from tournaments.cash.queries.refunds import refunds
from tournaments.machine.jobs import Progress, register_work
from tournaments.machine.mails import deliver
from tournaments.models import EntryLine, Job, Tournament
from tournaments.notices.queries.recipients import addresses_of


@register_work(MAILS)
def send_cancellation_mails(job: Job, report: Progress) -> Mapping[str, Any]:
    """Mail each address once; the result counts the mails sent.

    After a crash the job continues after the last address recorded.
    """
    tournament = job.tournament
    assert tournament is not None  # noqa: S101 - started for one
    persons = _names_by_address(tournament)
    called_off = gettext_lazy("Abgesagt: {tournament}")
    subject = (
        called_off if tournament.is_called_off else gettext_lazy("Findet doch statt: {tournament}")
    )
    sent = 0
    for done, (address, names) in islice(enumerate(persons.items(), 1), job.done, None):
        sent += deliver(
            tournament,
            address,
            subject=subject,
            template="mail/called_off.txt",
            context={"persons": names},
            about=f"tournament {tournament.pk}",
        )
        report(done, len(persons))
    return {"sent": sent}


def _names_by_address(tournament: Tournament) -> dict[str, list[tuple[str, int]]]:
    """Return the names of persons and their refunds in cents, by address."""
    cents_back = {refund.registration.pk: refund.cents for refund in refunds(tournament)}
    coming = tournament.registrations.select_related("person").order_by("number", "pk")
    receivers = {
        player.pk: player for player in coming if player.is_coming or player.pk in cents_back
    }
    by_address = defaultdict(list)
    for pk, address in addresses_of(receivers).items():
        by_address[address].append((receivers[pk].person.full_name, cents_back.get(pk, 0)))
    unclear = EntryLine.objects.filter(entry__tournament=tournament, status=EntryLine.Status.OPEN)
    for line in unclear.exclude(entry__email="").select_related("entry"):
        by_address[line.entry.email].append((line.full_name, 0))
    return by_address
