"""Proves a tournament after every stored act, so that no act writes past the journal.

Acts are recognised by their writes, including acts whose entry has the name of the act: each has a
sentence of its own. ``journal/test_texts.py`` checks the names in the code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models.signals import post_save

from tournaments.journal import proof
from tournaments.journal.queries.texts import TEXTS
from tournaments.models import JournalChain, Tournament

TIMES = 4  # of one kind: 216 games are entered alike, and each proof reads the whole journal


def take_all_as_they_are() -> None:
    """Let the journals know the rows of all tournaments, which no act has stored."""
    for tournament in Tournament.objects.order_by("pk"):
        proof.baseline_proof(tournament)


@contextmanager
def proved_at_each_act() -> Iterator[None]:
    """Fail at the end if after a kind's first acts a row was not as the journal says."""
    wrong: list[tuple[str, str]] = []
    times: Counter[str] = Counter()
    seen: dict[int, int] = {}  # the last number of each chain

    def prove(action: str, tournament: Tournament) -> None:
        breaks = proof.of_tournament(tournament)  # not read yet
        transaction.on_commit(lambda: wrong.extend((action, each.sentence) for each in breaks))

    def follow(instance: JournalChain, **_signal: object) -> None:
        """Follow a chain, which is stored behind its new entries."""
        since = seen.get(instance.pk, instance.last_number - 1)
        seen[instance.pk] = instance.last_number
        new = instance.entries.filter(number__gt=since).order_by("number")
        for action in new.values_list("action", flat=True):
            times[action] += 1
            if action not in TEXTS:
                wrong.append((action, "has no sentence"))
            if instance.tournament is not None and times[action] <= TIMES:
                prove(action, instance.tournament)

    post_save.connect(follow, sender=JournalChain)
    try:
        yield
    finally:
        post_save.disconnect(follow, sender=JournalChain)
    assert not wrong, wrong
