"""Acts in a tournament, so that a backup has new data."""

from __future__ import annotations

from django.db import transaction

from tests.factories import COMMAND
from tournaments.journal import services as journal
from tournaments.models import JournalEntry, Tournament


@transaction.atomic
def happens(tournament: Tournament) -> JournalEntry:
    """Store an act, as any service does."""
    return journal.record(tournament, COMMAND, "serie_started")
