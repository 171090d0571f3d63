"""Persons in the hall without a seat in a draw, and what they still owe."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from tournaments.cash.queries import balances
from tournaments.desk.queries.presence import is_here, on_day
from tournaments.models import Registration, Serie

_Status = Registration.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplaced:
    """A person without a seat."""

    registration: Registration
    open_cents: int

    @property
    def needs_new_draw(self) -> bool:
        """Whether the person has a right to a seat only since the draw began."""
        return self.registration.status == _Status.PAID


def unplaced(serie: Serie, seated: Collection[int | None]) -> list[Unplaced]:
    """Return who is not in *seated*, by start number: all with a right to a seat, and all present.

    They are those of the day of the Serie.

    *seated* has keys of registrations. Two queries.
    """
    tournament = serie.tournament
    found = (
        tournament.registrations.filter(
            Q(status=_Status.PAID) | Q(is_here(tournament), status=_Status.REGISTERED),
            on_day(tournament, serie.day),
        )
        .exclude(pk__in=[key for key in seated if key is not None])
        .select_related("person")
        .order_by("number")
    )
    without = list(found)
    paid = balances.paid_by_registration(tournament) if without else {}
    return [
        Unplaced(registration=one, open_cents=max(0, one.due_cents - paid.get(one.pk, 0)))
        for one in without
    ]


def numbers(without: Collection[Unplaced]) -> str:
    """Return the start numbers in one line."""
    return ", ".join(str(one.registration.number) for one in without)
