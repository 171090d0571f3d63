"""Persons without a seat in a draw, and the Startgeld that they owe."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from tournaments.cash.queries import balances
from tournaments.desk.queries.presence import is_here, on_day
from tournaments.models import Registration, Serie

_Status = Registration.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseatedPerson:
    """A person without a seat."""

    registration: Registration
    open_cents: int

    plays_on_day: bool = True  # of the Serie

    @property
    def needs_new_draw(self) -> bool:
        """Whether the person became entitled to a seat after the draw began."""
        return self.registration.status == _Status.PAID and self.plays_on_day


def unseated_persons(serie: Serie, seated: Collection[int | None]) -> list[UnseatedPerson]:
    """Return the persons not in *seated* who have a right to a seat or are present.

    They are sorted by start number. A present person who plays on other days only is included,
    a person who left is not. *seated* has keys of registrations. Two queries.
    """
    tournament = serie.tournament
    registrations = (
        tournament.registrations.filter(
            Q(on_day(tournament, serie.day), status=_Status.PAID) | is_here(tournament),
            status__in=Registration.TAKING_PART,
            gone_after__isnull=True,
        )
        .exclude(pk__in=[key for key in seated if key is not None])
        .select_related("person")
        .order_by("number")
    )
    without = list(registrations)
    paid = balances.paid_by_registration(tournament) if without else {}
    return [
        UnseatedPerson(
            registration=registration,
            open_cents=registration.open_cents_after(paid.get(registration.pk, 0)),
            plays_on_day=registration.plays(serie.day),
        )
        for registration in without
    ]


def number_list(without: Collection[UnseatedPerson]) -> str:
    """Return the start numbers in one line."""
    return ", ".join(str(person.registration.number) for person in without)
