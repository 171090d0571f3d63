"""A journal as an archive brings it."""

from __future__ import annotations

from tests.factories import make_user
from tournaments.journal import services as journal
from tournaments.models import ArchivedJournal, Tournament


def brought(tournament: Tournament) -> ArchivedJournal:
    """The tournament's own journal as an archive would bring it, with other keys of accounts."""
    chain = tournament.journal_chain
    entries = [
        {**journal.facts_of(entry), "hash": entry.hash}
        for entry in chain.entries.order_by("number")
    ]
    acted = chain.entries.exclude(actor=None).values_list("actor", flat=True).distinct()
    return ArchivedJournal.objects.create(
        tournament=tournament,
        scope=chain.scope,
        accounts={str(key): make_user(name="Lotte Leitung").pk for key in acted},
        entries=entries,
    )
