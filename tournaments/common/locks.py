"""The lock for changes of a tournament that are no acts.

Locks are always taken in the same order: tournament, other rows, the journal.
"""

from __future__ import annotations

from tournaments.common.states import OPEN
from tournaments.models import Tournament


def lock_tournament(tournament_id: int, *, allow_closed: bool = False) -> Tournament:
    """Lock the tournament's row until the transaction ends, and return it as it is now.

    Every change of a tournament begins with this lock, so two acts on the same tournament never
    interleave or deadlock. SQLite has no row locks; there the settings open every transaction
    with BEGIN IMMEDIATE, to the same effect.

    Raises:
        WrongStatus: if the tournament is closed or called off, unless *allow_closed*.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if not allow_closed:
        OPEN.check(tournament)
    return tournament
