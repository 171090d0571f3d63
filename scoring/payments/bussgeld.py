"""Bußgeld: the amount that each seat pays for its list, as the Ausschreibung announced it.

The order leaves amounts to the organiser (§ 1.1) and has the money handed in with the
list (§ 2.3.3). Amounts are whole cents, one per seat, seat 1 first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from scoring.errors import Problem, ScoringError
from scoring.money import euro
from scoring.ordering import SeatStanding, table_groups
from scoring.reading.records import Cents, Record, WholeNumber
from scoring.texts import _

GameCount = Annotated[int, WholeNumber(0, 1000)]
Points = Annotated[int, WholeNumber(1, 10_000)]


class Destination(StrEnum):
    """Where the Bußgeld goes."""

    ORGANISER = "organiser"
    BEST_OF_SERIE = "best_of_serie"  # paid out by prizes.winner_takes_all
    PRIZES = "prizes"  # handed to PrizePlan.fund as extra_cents

    def describe(self) -> str:
        """Return the sentence of the Ausschreibung."""
        sentences = {
            Destination.ORGANISER: _("Es geht in die Kasse des Veranstalters."),
            Destination.BEST_OF_SERIE: _("Es geht an die Besten der Serie."),
            Destination.PRIZES: _("Es wird als Preis ausgespielt."),
        }
        return sentences[self]


class StepCounting(StrEnum):
    """Whether a step of points counts when it is begun or only when it is full."""

    STARTED = "started"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class _CheckedList:
    """A list that was checked: seats, groups sharing a place, games that each seat played."""

    seats: Sequence[SeatStanding]
    groups: Sequence[Sequence[int]]
    own_games: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class BussgeldTariff(Record, ABC):
    """How the Bußgeld of a list is computed; one of the kinds below."""

    kind: str
    destination: Destination = Destination.ORGANISER
    late_cents: Cents = 0  # besides, of each player of a list that was handed in late

    def per_seat(
        self, seats: Sequence[SeatStanding], *, games: int, own_games: Sequence[int] = ()
    ) -> tuple[int, ...]:
        """Return the amount of each seat, in cents.

        Args:
            seats: the table's standing, seat 1 first.
            games: lines of the list; a game that was not played costs nothing.
            own_games: how many of them each seat played, if not all.

        Raises:
            ScoringError: if the standing is invalid, or more games were finished than played.
        """
        groups = table_groups(seats)
        if min(seat.games_won for seat in seats) < 0:
            raise ScoringError(_("Weniger als 0 Spiele kann niemand beendet haben."))
        finished = sum(seat.games_won for seat in seats)
        if finished > games:
            raise ScoringError(
                _("Die Liste hat {games} Spiele, beendet wurden aber {finished}.").format(
                    games=games, finished=finished
                )
            )
        own = own_games or [games] * len(seats)
        return self._amounts(_CheckedList(seats=seats, groups=groups, own_games=own))

    def to_dict(self) -> dict[str, Any]:
        """Return the tariff as JSON; ``late_cents`` only if it is not 0."""
        written = super().to_dict()
        if not self.late_cents:
            del written["late_cents"]
        return written

    def describe_late(self) -> str:
        """Return the surcharge of a list handed in late in one sentence, or ""."""
        if not self.late_cents:
            return ""
        return _("Wird die Liste zu spät abgegeben, je Person dazu {amount}.").format(
            amount=euro(self.late_cents)
        )

    @abstractmethod
    def _amounts(self, played: _CheckedList) -> tuple[int, ...]: ...

    @abstractmethod
    def describe(self) -> str:
        """Return the tariff in one sentence, without the destination of the money."""


@dataclass(frozen=True, kw_only=True)
class NoBussgeld(BussgeldTariff):
    """No player pays."""

    kind: Literal["none"] = "none"

    def _amounts(self, played: _CheckedList) -> tuple[int, ...]:
        return (0,) * len(played.seats)

    def describe(self) -> str:
        return _("Es wird kein Bußgeld erhoben.")


@dataclass(frozen=True, kw_only=True)
class PerList(BussgeldTariff):
    """Every player pays the same for each list."""

    kind: Literal["per_list"] = "per_list"
    cents: Cents

    def _amounts(self, played: _CheckedList) -> tuple[int, ...]:
        return (self.cents,) * len(played.seats)

    def describe(self) -> str:
        return _("Bußgeld je Person und Spielliste: {amount}.").format(amount=euro(self.cents))


@dataclass(frozen=True, kw_only=True)
class PerGame(BussgeldTariff):
    """An amount for each game of the list that the player did not finish.

    The first ``first_games`` of them cost ``first_cents`` each, all others ``cents``. A
    game that ended without a finisher is paid for by every player.
    """

    kind: Literal["per_game"] = "per_game"
    cents: Cents
    first_games: GameCount = 0
    first_cents: Cents = 0

    def _amounts(self, played: _CheckedList) -> tuple[int, ...]:
        each = zip(played.own_games, played.seats, strict=True)
        return tuple(self._for(games - seat.games_won) for games, seat in each)

    def _for(self, not_finished: int) -> int:
        first = min(not_finished, self.first_games)
        return first * self.first_cents + (not_finished - first) * self.cents

    def describe(self) -> str:
        if not self.first_games:
            return _("Bußgeld je nicht beendetem Spiel: {amount}.").format(amount=euro(self.cents))
        return _(
            "Bußgeld für die ersten {games} nicht beendeten Spiele: je {first},"
            " für jedes weitere: {further}."
        ).format(games=self.first_games, first=euro(self.first_cents), further=euro(self.cents))


@dataclass(frozen=True, kw_only=True)
class PerPlace(BussgeldTariff):
    """An amount for each place at the table; the last amount holds for all further places.

    Players who share a place each pay the mean of the places shared, rounded down to the
    cent: together as much as without the tie, up to less than a cent each.
    """

    kind: Literal["per_place"] = "per_place"
    cents: tuple[Cents, ...]

    def contradictions(self) -> tuple[Problem, ...]:
        if self.cents:
            return ()
        return (Problem("cents", _("Für mindestens einen Platz muss ein Betrag stehen.")),)

    def _amounts(self, played: _CheckedList) -> tuple[int, ...]:
        further = (self.cents[-1],) * len(played.seats)
        rates = iter(self.cents + further)
        amounts = [0] * len(played.seats)
        for group in played.groups:
            together = sum(next(rates) for _seat in group)
            for seat in group:
                amounts[seat] = together // len(group)
        return tuple(amounts)

    def describe(self) -> str:
        amounts = ", ".join(
            _("{place}. Platz {amount}").format(place=place, amount=euro(cents))
            for place, cents in enumerate(self.cents, start=1)
        )
        return _(
            "Bußgeld nach dem Platz am Tisch: {amounts}; weitere Plätze wie der letzte."
        ).format(amounts=amounts)


@dataclass(frozen=True, kw_only=True)
class PerPoints(BussgeldTariff):
    """An amount for each step of points of the list's result, or Augen; below zero is free."""

    kind: Literal["per_points"] = "per_points"
    cents: Cents
    points: Points
    counting: StepCounting = StepCounting.COMPLETE

    def _amounts(self, played: _CheckedList) -> tuple[int, ...]:
        # One point short of the next step is enough to have started it.
        begun = self.points - 1 if self.counting is StepCounting.STARTED else 0
        counted = (seat.points if seat.augen is None else seat.augen for seat in played.seats)
        return tuple((max(points, 0) + begun) // self.points * self.cents for points in counted)

    def describe(self) -> str:
        sentence = (
            _("Bußgeld je angefangene {points} Punkte: {amount}.")
            if self.counting is StepCounting.STARTED
            else _("Bußgeld je volle {points} Punkte: {amount}.")
        )
        return sentence.format(points=self.points, amount=euro(self.cents))


TARIFFS: tuple[type[BussgeldTariff], ...] = (NoBussgeld, PerList, PerGame, PerPlace, PerPoints)
