"""Limits on entries: persons of one entry, and persons within an hour."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.submissions import CLOCKS_DIFFER
from tournaments.models import EntryLine, Tournament

MOST_PERSONS = 20  # in one entry
# Persons within an hour. A club's Wi-Fi has one address, so the limit by address is not small.
HOUR = timedelta(hours=1)
MOST_PER_ADDRESS = 40
MOST_PER_EMAIL = 40
MOST_PER_TOURNAMENT = 200


class TooManyEntries(TournamentError):
    """More entries within an hour than allowed."""


def check_number(number: int) -> None:
    """Refuse an entry without persons, or with too many."""
    if not number:
        raise TournamentError(_("Bitte mindestens eine Person eintragen."))
    if number > MOST_PERSONS:
        raise TournamentError(
            _("Höchstens {most} Personen auf einmal. Bitte die übrigen danach senden.").format(
                most=MOST_PERSONS
            )
        )


def check_limits(
    tournament: Tournament, number: int, address_hash: str, email: str, now: datetime
) -> None:
    """Refuse too many entries; the tournament's lock prevents races."""
    begin = now - HOUR
    tournament.entries.filter(created_at__lte=begin).exclude(address_hash="").update(
        address_hash=""
    )
    since = (begin, now + CLOCKS_DIFFER)
    recent = EntryLine.objects.filter(entry__tournament=tournament, entry__created_at__range=since)
    counts = recent.aggregate(
        all=Count("pk"),
        address=Count(
            "pk", filter=Q(entry__address_hash=address_hash) if address_hash else Q(pk=0)
        ),
        email=Count("pk", filter=Q(entry__email__iexact=email) if email else Q(pk=0)),
    )
    if counts["all"] + number > MOST_PER_TOURNAMENT:
        raise TooManyEntries(
            _(
                "In der letzten Stunde sind für dieses Turnier ungewöhnlich viele Meldungen "
                "eingegangen. Bitte in einer Stunde noch einmal versuchen."
            )
        )
    if counts["address"] + number > MOST_PER_ADDRESS or counts["email"] + number > MOST_PER_EMAIL:
        raise TooManyEntries(
            _(
                "Von diesem Internetanschluss oder dieser E-Mail-Adresse kamen in der letzten "
                "Stunde sehr viele Meldungen. Bitte in einer Stunde noch einmal versuchen."
            )
        )
