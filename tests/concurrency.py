"""Acts of several people in one moment, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from tournaments.common.errors import TournamentError
from tournaments.journal import proof
from tournaments.models import JournalEntry, Tournament


def entries() -> QuerySet[JournalEntry]:
    """Return the entries of acts."""
    return JournalEntry.objects.exclude(action="rows_taken")


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Start all *acts* in the same moment; a refusal comes back as its sentence.

    All rows are then as the journal says.
    """
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return act()
        except TournamentError as refusal:
            return str(refusal)
        finally:
            connection.close()

    for tournament in Tournament.objects.all():  # made by factories, past the journal
        proof.baseline_proof(tournament)
    with ThreadPoolExecutor(len(acts)) as pool:
        said = list(pool.map(run, acts))
    wrong = list(proof.of_installation())
    assert not wrong, wrong
    return said
