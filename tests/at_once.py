"""Acts of several people in one moment, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from tournaments.common.errors import TournamentError


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Start all *acts* in the same moment; a refusal comes back as its sentence."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            barrier.wait()
            return act()
        except TournamentError as refusal:
            return str(refusal)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
