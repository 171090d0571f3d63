"""A Spielliste as far as it could be read: what the checks look at.

What comes from a file may have entries that could not be read. They are left out here and
marked, so that everything else can still be looked at; each reading keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from scoring.errors import Problem
from scoring.spielliste import Adjustment, Penalty
from scoring.texts import _
from scoring.unclear import Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.ruleset import RuleSet

T = TypeVar("T")


@dataclass(slots=True)
class Findings:
    """What was found: reasons to refuse, and doubts."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def refuse(self, where: str, message: str) -> None:
        """Note a reason to refuse."""
        self.problems.append(Problem(where, message))

    def warn(self, where: str, message: str) -> None:
        """Note a doubt."""
        self.warnings.append(Problem(where, message))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a list is judged by; what is not known of it is ``None`` and not judged."""

    rule_set: RuleSet | None
    seats: int | None  # people at the table

    def seat_problem(self, seat: int) -> str | None:
        """Return why there is no such seat at the table, or None.

        >>> Frame(rule_set=None, seats=4).seat_problem(5)
        'Platz 5 gibt es nicht: An diesem Tisch sind die Plätze 1 bis 4.'
        """
        if self.seats is None or 1 <= seat <= self.seats:
            return None
        return _(
            "Platz {seat} gibt es nicht: An diesem Tisch sind die Plätze 1 bis {seats}."
        ).format(seat=with_minus(seat), seats=self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings(Generic[T]):
    """One entry of a line: its readings with their places, and whether that is all."""

    where: str
    readings: tuple[tuple[str, T], ...]
    is_whole: bool = True  # every reading could be read

    @classmethod
    def of(cls, readings: Sequence[T], where: str) -> Readings[T]:
        """Return the entry of a line; its readings have places of their own if several.

        >>> Readings.of([17], "minus[0]").readings
        (('minus[0]', 17),)
        >>> Readings.of([17, 71], "minus[0]").readings
        (('minus[0][0]', 17), ('minus[0][1]', 71))
        """
        if len(readings) == 1:
            return cls(where=where, readings=((where, readings[0]),))
        return cls(
            where=where,
            readings=tuple((f"{where}[{index}]", value) for index, value in enumerate(readings)),
        )

    @property
    def values(self) -> tuple[T, ...]:
        """The readings as they stand."""
        return tuple(value for __, value in self.readings)

    def distinct(self) -> Iterator[tuple[str, T]]:
        """Yield every reading with the first place where it stands.

        >>> list(Readings.of([17, 71, 17], "minus[0]").distinct())
        [('minus[0][0]', 17), ('minus[0][1]', 71)]
        """
        seen: set[T] = set()
        for where, value in self.readings:
            if value not in seen:
                seen.add(value)
                yield where, value


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """A penalty or an adjustment; what could not be read is ``None``."""

    where: str
    seat: int | None
    points: int | None
    reason: str | None

    @classmethod
    def of(cls, given: Penalty | Adjustment, where: str) -> Points:
        """Return a penalty or an adjustment with its place."""
        return cls(where=where, seat=given.seat, points=given.points, reason=given.reason)

    def penalty(self) -> Penalty | None:
        """Return the penalty, or None if part of it could not be read."""
        if self.seat is None or self.points is None or self.reason is None:
            return None
        return Penalty(seat=self.seat, points=self.points, reason=self.reason)

    def adjustment(self) -> Adjustment | None:
        """Return the adjustment, or None if part of it could not be read."""
        if self.seat is None or self.points is None or self.reason is None:
            return None
        return Adjustment(seat=self.seat, points=self.points, reason=self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLine:
    """One line as far as it could be read; ``number`` counts from 1."""

    number: int
    where: str
    finisher: Readings[int | None]
    minus: tuple[Readings[int], ...] | None  # None: it could not be read at all
    handromme: Readings[bool]
    adjustments: tuple[Points, ...] = ()

    @classmethod
    def of(cls, line: Line, number: int, where: str) -> WrittenLine:
        """Return *line* with the places of its entries."""
        return cls(
            number=number,
            where=where,
            finisher=Readings.of(line.finisher, f"{where}.finisher"),
            minus=tuple(
                Readings.of(readings, f"{where}.minus[{index}]")
                for index, readings in enumerate(line.minus)
            ),
            handromme=Readings.of(line.handromme, f"{where}.handromme"),
            adjustments=tuple(
                Points.of(adjustment, f"{where}.adjustments[{index}]")
                for index, adjustment in enumerate(line.adjustments)
            ),
        )

    @property
    def is_whole(self) -> bool:
        """Whether every reading of who finished, how, and of the hands could be read."""
        return (
            self.finisher.is_whole
            and self.handromme.is_whole
            and self.minus is not None
            and all(entry.is_whole for entry in self.minus)
        )

    def line(self) -> Line:
        """Return the line with what could be read; it counts only if that is all."""
        adjustments = (each.adjustment() for each in self.adjustments)
        return Line(
            finisher=self.finisher.values,
            minus=tuple(entry.values for entry in self.minus or ()),
            handromme=self.handromme.values,
            adjustments=tuple(each for each in adjustments if each is not None),
        )


def with_minus(points: int) -> str:
    """Return *points* with the true minus sign.

    >>> with_minus(-50)
    '−50'
    """
    return str(points).replace("-", "−")
