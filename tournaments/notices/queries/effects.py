"""What a correction brought about for each person, as it is kept with the correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.machine.hashes import SHORT, hash_of

Change = tuple[int | None, int | None]
"""Before and after; None: no result, or not ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonEffect:
    """Points and ranks of somebody whom the correction concerns."""

    registration: int | None  # None: it was gone when the tournament was archived
    number: int  # start number
    points: Change  # of the Serie
    serie_rank: Change
    total: Change
    rank: Change

    @property
    def changes(self) -> bool:
        """Whether anything is different afterwards."""
        return any(
            before != after
            for before, after in (self.points, self.serie_rank, self.total, self.rank)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Another rank of somebody who is not concerned otherwise."""

    number: int  # start number
    rank: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a correction brings about; ``rests`` are sentences for the Spielleitung."""

    serie: int | None = None
    persons: tuple[PersonEffect, ...] = ()
    others: tuple[Moved, ...] = ()
    rests: tuple[str, ...] = ()

    def digest(self, facts: Mapping[str, Any]) -> str:
        """Return what tells whether these effects of these *facts* were the ones shown.

        Ranks are left out: they move with every list that another table completes, and
        nobody should have to look again for that.
        """
        seen = [facts, [[one.number, one.points] for one in self.persons], self.rests]
        return hash_of(seen)[:SHORT]
