"""The effects of a correction for each person, as stored with the correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.reading.records import to_json
from tournaments.machine.hashes import SHORT, hash_of

Change = tuple[int | None, int | None]
"""Before and after; None: no result, or not ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonEffect:
    """Points and ranks of a person whom the correction concerns, before and after."""

    registration: int | None  # None: it was deleted when the tournament was archived
    number: int  # start number
    points: Change  # of the Serie
    serie_rank: Change  # as soon as all its lists are whole
    total: Change  # of the Serien that the ranking counts
    rank: Change
    augen: Change = (None, None)  # of the Serie, if it is valued in Wertpunkte

    @property
    def changes(self) -> bool:
        """Whether points or ranks change."""
        return any(
            before != after
            for before, after in (
                *(self.points, self.serie_rank, self.total, self.rank),
                self.augen,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """A changed rank of a person whose points do not change."""

    number: int  # start number
    rank: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeMove:
    """The prizes of a player or a player's team, before and after."""

    number: int  # start number
    cents: tuple[int, int]
    goods: tuple[str, str]
    paid_cents: int  # before
    is_of_team: bool = False
    is_undecided: bool = False  # until an Entscheidungsspiel

    @property
    def open_cents(self) -> int:
        """The amount to be paid in addition, negative: to come back; 0 if nothing was paid."""
        is_open = self.paid_cents and not self.is_undecided
        return self.cents[1] - self.paid_cents if is_open else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """The effects of a correction.

    ``rests`` are sentences for the Spielleitung about facts that depend on the old result,
    ``notes`` explain how to read before and after.
    """

    serie: int | None = None
    upto: int | None = None  # totals and ranks are those after this Serie; older records: unknown
    persons: tuple[PersonEffect, ...] = ()
    others: tuple[RankMove, ...] = ()
    rests: tuple[str, ...] = ()
    prizes: tuple[PrizeMove, ...] = ()
    coming: tuple[PrizeMove, ...] = ()  # if all lists are verified unchanged; not in notices
    notes: tuple[str, ...] = ()

    def stored(self) -> dict[str, Any]:
        """Return the effects as JSON; without Augen if no Wertpunkte count."""
        content: dict[str, Any] = to_json(self)
        for person in content["persons"]:
            if person["augen"] == [None, None]:
                del person["augen"]
        return content

    @property
    def is_counted(self) -> bool:
        """Whether the compared ranking includes the Serie that changes."""
        return self.upto is not None and self.upto >= (self.serie or 1)

    @property
    def has_figures(self) -> bool:
        """Whether persons have a result or a ranking to compare."""
        return bool(self.persons) and (self.serie is not None or self.upto != 0)

    def digest(self, facts: Mapping[str, Any]) -> str:
        """Return a hash of the facts on which a decision depends, to compare with those shown.

        The Spielleitung must not store values that it has not seen (*facts*; the rest of the list
        is in its version), nor unseen consequences: seats, prizes, payments and closed Serien
        that depend on the old result. Points and ranks are left out, because they change with
        the games of other tables: a list that ended early counts as played until all others are
        complete. So playing tables cause no refusal, and the page shows the newer ranks.
        """
        seen: list[Any] = [facts, self.rests]
        if self.prizes:
            seen.append([[move.number, move.cents, move.paid_cents] for move in self.prizes])
        return hash_of(seen)[:SHORT] + hash_of(facts)[:SHORT]

    @staticmethod
    def is_of(facts: Mapping[str, Any], digest: str) -> bool:
        """Whether a digest belongs to effects of these facts."""
        return digest[SHORT:] == hash_of(facts)[:SHORT]
