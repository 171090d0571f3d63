"""The first step of what changes a tournament and is no act.

Locks are always taken in the same order: tournament, other rows, the journal.
"""

from __future__ import annotations

from django.db import connection

from tournaments.common.plain import list_at_table
from tournaments.common.states import OPEN
from tournaments.models import Spielliste, Tournament


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
        OPEN.demand(tournament)
    return tournament


def lock_list(spielliste_id: int) -> Spielliste:
    """Lock the tournament of a list, and return the list with its table as they are now.

    The tournament or the Serie may be closed.
    """
    if connection.features.has_select_for_update:
        rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
        rows.values_list("pk").get(serien__tables__spielliste=spielliste_id)
    return list_at_table(spielliste_id)
