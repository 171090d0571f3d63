"""Proves a tournament whenever an act of it is stored, so that no act writes past the journal.

Acts are seen here by what they write, so also those whose entry has the name of the act: each has
a sentence of its own. What is named in the code stands in ``journal/test_texts.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models.signals import post_save

from tournaments.journal import proof
from tournaments.journal.queries.texts import TEXTS
from tournaments.models import JournalEntry, Tournament

TIMES = 4  # of one kind: 216 games are entered alike, and each proof reads the whole journal


def take_all_as_they_are() -> None:
    """Let the journals know the rows of all tournaments, which no act has stored."""
    for tournament in Tournament.objects.order_by("pk"):
        proof.take_as_it_is(tournament)


@contextmanager
def proved_at_each_act() -> Iterator[None]:
    """Fail at the end if after a kind's first acts a row was not as the journal says."""
    wrong: list[tuple[str, str]] = []
    times: Counter[str] = Counter()

    def prove(instance: JournalEntry, **_signal: object) -> None:
        times[instance.action] += 1
        if instance.action not in TEXTS:
            wrong.append((instance.action, "has no sentence"))
        tournament = instance.chain.tournament
        if tournament is not None and times[instance.action] <= TIMES:
            transaction.on_commit(
                lambda: wrong.extend(
                    (instance.action, found.sentence) for found in proof.of_tournament(tournament)
                )
            )

    post_save.connect(prove, sender=JournalEntry)
    try:
        yield
    finally:
        post_save.disconnect(prove, sender=JournalEntry)
    assert not wrong, wrong
