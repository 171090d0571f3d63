"""Players to be seated, and the invariants of every plan."""

from __future__ import annotations

from itertools import chain

from scoring.seating import Player

QUICK = 4_000  # work that is enough where only the shape of a plan matters


def field(players, *, clubs=0, team=0, first=1):
    """Players with ids from *first* on, dealt to so many clubs, in teams of so many."""
    return [
        Player(
            id=first + index,
            club=f"Verein {index % clubs}" if clubs else None,
            team=f"Mannschaft {index // team}" if team else None,
        )
        for index in range(players)
    ]


def assert_everybody_sits_once(result, players, sizes):
    for tables in result.series:
        assert tuple(len(table) for table in tables) == sizes
        assert sorted(chain.from_iterable(tables)) == sorted(player.id for player in players)
