"""What cannot stand in a line of the Spielliste, and what hardly can.

A *problem* is impossible: no deal and no play leads to it, so it is refused. A *doubt* is
possible, but so rare that a slip of the pen is likelier: the table is asked once, the
Spielleitung gets a warning. Both are German sentences that say what to check
(:mod:`scoring.hand_checks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import Problem
from scoring.hand_checks import doubt_of_hand, finisher_objection, hand_objection, joint_objection
from scoring.hands import Holding, holding
from scoring.ruleset import RuleSet
from scoring.texts import _
from scoring.unclear import Line


def problems(line: Line, *, number: int, rule_set: RuleSet, players: int) -> list[Problem]:
    """Return what is impossible in one line; ``where`` is relative to the line.

    In an unclear line each reading of each seat must be possible in some way, and there
    must be a way in which all seats have a possible reading and the hands fit together.
    A seat that may have finished has its points for the case that it did not, so they
    say nothing about the case that it did.

    Args:
        line: has points for each of the *players* and a finisher where the rule set
            asks for one; that much is not checked here.
        number: of the game in the list, from 1.
        rule_set: the numbers of the tournament.
        players: at the table.

    >>> from scoring.rulesets import ruleset
    >>> line = Line(finisher=(1,), minus=((0,), (23,), (1,), (12,)))
    >>> found = problems(line, number=3, rule_set=ruleset("rommeordnung"), players=4)
    >>> [problem.where for problem in found]
    ['minus[2]']
    """
    check = _LineCheck.of(line, number=number, rule_set=rule_set, players=players)
    return [*check.alone(), *check.together()]


def doubts(
    line: Line,
    *,
    number: int,
    rule_set: RuleSet,
    players: int,
    earlier: Sequence[Line] = (),
) -> list[Problem]:
    """Return what is possible in one line but hardly true; ``where`` as in :func:`problems`.

    What is impossible is left to :func:`problems`. *earlier* are the lines of the list
    before this one; the other arguments are those of :func:`problems`.
    """
    check = _LineCheck.of(line, number=number, rule_set=rule_set, players=players)
    return [*check.doubtful_hands(), *_repeated_handromme(line, earlier), *_repeated(line, earlier)]


class _Course(NamedTuple):
    """One way in which the game of an unclear line may have gone."""

    finisher: int | None
    handromme: bool


def _courses(line: Line) -> list[_Course]:
    """Return every way the game may have gone; without a finisher there is no Handrommé."""
    return list(
        dict.fromkeys(
            _Course(finisher, handromme and finisher is not None)
            for handromme in sorted(set(line.handromme))
            for finisher in dict.fromkeys(line.finisher)
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LineCheck:
    """A line with what can be held at its end, by whether it was a Handrommé."""

    line: Line
    hands: Mapping[bool, Holding]
    finisher_may_hold: int
    courses: Sequence[_Course]

    @classmethod
    def of(cls, line: Line, *, number: int, rule_set: RuleSet, players: int) -> _LineCheck:
        return cls(
            line=line,
            hands={
                handromme: holding(
                    rule_set, players=players, game=number, after_handromme=handromme
                )
                for handromme in (False, True)
            },
            finisher_may_hold=rule_set.finisher_may_hold,
            courses=_courses(line),
        )

    def objection(self, points: int, seat: int, course: _Course) -> str | None:
        """Return why *seat* cannot have *points* if the game went that way."""
        if seat == course.finisher:
            limit = 0 if course.handromme else self.finisher_may_hold
            return finisher_objection(points, limit, self.hands[False])
        return hand_objection(points, self.hands[course.handromme])

    def alone(self) -> Iterator[Problem]:
        """Yield a problem for each reading that cannot be, however the game went."""
        for seat, readings in enumerate(self.line.minus, start=1):
            # Of a seat that may have finished, the sentence is about its hand.
            courses = [course for course in self.courses if course.finisher != seat]
            courses += [course for course in self.courses if course.finisher == seat]
            for points in dict.fromkeys(readings):
                objections = [self.objection(points, seat, course) for course in courses]
                if all(objections):
                    yield Problem(f"minus[{seat - 1}]", str(objections[0]))

    def together(self) -> Iterator[Problem]:
        """Yield a problem if seats, each possible by itself, do not fit together."""
        seats = range(1, len(self.line.minus) + 1)
        allowed = {
            course: {seat: self.allowed(seat, course) for seat in seats} for course in self.courses
        }
        # Who is allowed nothing at all was named by alone() and is left out here.
        possible = {seat for seat in seats if any(each[seat] for each in allowed.values())}
        objections = [
            self.misfit(course, {seat: each[seat] for seat in possible})
            for course, each in allowed.items()
        ]
        if all(objections):
            message = str(objections[0]) if len(objections) == 1 else self.no_way()
            yield Problem("minus", message)

    def allowed(self, seat: int, course: _Course) -> list[int]:
        """Return the readings that *seat* can have if the game went that way."""
        readings = self.line.minus[seat - 1]
        return [points for points in readings if self.objection(points, seat, course) is None]

    def misfit(self, course: _Course, allowed: Mapping[int, list[int]]) -> str | None:
        """Return why the seats do not fit together if the game went that way."""
        unclear = len(set(self.line.finisher)) > 1
        counting = {
            seat: points
            for seat, points in allowed.items()
            if not (unclear and seat == course.finisher)
        }
        if not all(counting.values()):
            return self.no_way()
        held = [points for points in counting.values() if 0 not in points]
        return joint_objection(map(min, held), map(max, held), self.hands[course.handromme])

    @staticmethod
    def no_way() -> str:
        return _(
            "Wie man den Eintrag auch liest, die Punkte der Plätze passen nicht zusammen. "
            "Bitte nachzählen oder die Lesarten prüfen."
        )

    def doubtful_hands(self) -> Iterator[Problem]:
        """Yield a doubt for each reading of those who did not surely finish."""
        hands = self.hands[all(self.line.handromme)]
        for seat, readings in enumerate(self.line.minus, start=1):
            if set(self.line.finisher) == {seat}:
                continue
            for points in dict.fromkeys(readings):
                doubt = doubt_of_hand(points, hands)
                if doubt is not None and hand_objection(points, hands) is None:
                    yield Problem(f"minus[{seat - 1}]", doubt)


def _handromme_of(line: Line) -> int | None:
    """Return the seat that surely finished by Handrommé."""
    if all(line.handromme) and len(set(line.finisher)) == 1:
        return line.finisher[0]
    return None


def _repeated_handromme(line: Line, earlier: Sequence[Line]) -> Iterator[Problem]:
    seat = _handromme_of(line)
    before = sum(_handromme_of(each) == seat for each in earlier)
    if seat is not None and before:
        yield Problem(
            "handromme",
            _(
                "Das wäre das {count}. Handrommé von Platz {seat} auf dieser Liste. "
                "Bitte prüfen, ob es eines war."
            ).format(count=before + 1, seat=seat),
        )


def _repeated(line: Line, earlier: Sequence[Line]) -> Iterator[Problem]:
    # Two equal hands are needed: with a single one, chance does it often enough.
    hands = sum(0 not in points for points in line.minus)
    if hands > 1 and earlier and line == earlier[-1]:
        yield Problem(
            "",
            _(
                "Diese Zeile gleicht der vorigen in allem. "
                "Bitte prüfen, ob dasselbe Spiel zweimal eingetragen ist."
            ),
        )
