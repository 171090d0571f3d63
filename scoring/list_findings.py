"""Types shared by the checks of a Spielliste: findings, frame, and readings in a file.

A file may have entries that cannot be read. Such a reading is :data:`UNREADABLE` in an
:class:`~scoring.ambiguity.AmbiguousLine` until the file is refused, so that the rest is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scoring.errors import Problem
from scoring.ruleset import RuleSet
from scoring.texts import _

T = TypeVar("T")

UNREADABLE: Any = object()


@dataclass(slots=True)
class ListFindings:
    """The findings: reasons to refuse, and doubts."""

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
    """The facts that a list is checked against; unknown ones are ``None`` and not checked."""

    rule_set: RuleSet | None
    seats: int | None  # people at the table

    def sits_out(self, game: int) -> int | None:
        """Return the seat that has no hand in *game*; None if there is none or it is unknown."""
        if self.rule_set is None or self.seats is None:
            return None
        return self.rule_set.sits_out(game, self.seats)

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


def readings_at(where: str, readings: Sequence[T]) -> Iterator[tuple[str, T]]:
    """Yield every distinct reading of an entry with its first place.

    >>> list(readings_at("minus[0]", [17]))
    [('minus[0]', 17)]
    >>> list(readings_at("minus[0]", [17, UNREADABLE, 71, 17]))
    [('minus[0][0]', 17), ('minus[0][2]', 71)]
    """
    for index, value in enumerate(readings):
        if value is not UNREADABLE and readings.index(value) == index:
            yield where if len(readings) == 1 else f"{where}[{index}]", value


def with_minus(points: int) -> str:
    """Return *points* with the true minus sign.

    >>> with_minus(-50)
    '−50'
    """
    return str(points).replace("-", "−")
