"""Impossible and improbable entries in a line of the Spielliste.

A *problem* is impossible: no deal and no play leads to it, so it is refused. A *doubt* is
possible, but so rare that a writing error is likelier: the table must confirm it once, the
Spielleitung gets a warning. Both are German sentences that say what to check
(:mod:`scoring.hand_checks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.hand_checks import doubt_of_hand, finisher_objection, hand_objection, joint_objection
from scoring.hands import PossibleHands, possible_hands
from scoring.ruleset import RuleSet
from scoring.texts import _


@dataclass(frozen=True, slots=True, kw_only=True)
class LineContext:
    """The context of a line: rule set, number of players, and number of the game."""

    rule_set: RuleSet
    players: int
    number: int  # in the list, from 1

    def hands(self, *, after_handromme: bool) -> PossibleHands:
        """Return the possible hands of the players who did not finish, at the end of the game."""
        return possible_hands(
            self.rule_set,
            players=self.players,
            game=self.number,
            after_handromme=after_handromme,
        )

    def unreadable(self, line: AmbiguousLine) -> tuple[int, int]:
        """Return the readings of a hand of *line* that cannot be read: the lowest and highest.

        The highest counts (§ 2.2.6); combined with other hands it may be any between.
        """
        hands = self.hands(after_handromme=all(line.handromme))
        return hands.lowest(), hands.highest()


class _Course(NamedTuple):
    """One way in which the game of an unclear line may have gone."""

    finisher: int | None
    handromme: bool


def _courses(line: AmbiguousLine) -> list[_Course]:
    """Return every possible course of the game; without a finisher there is no Handrommé."""
    return list(
        dict.fromkeys(
            _Course(finisher, handromme and finisher is not None)
            for handromme in sorted(set(line.handromme))
            for finisher in dict.fromkeys(line.finisher)
        )
    )


def _objection(points: int, seat: int, course: _Course, game: LineContext) -> str | None:
    """Return why *seat* cannot have *points* in this course of the game."""
    if seat == course.finisher:
        limit = 0 if course.handromme else game.rule_set.finisher_may_hold
        return finisher_objection(points, limit, game.hands(after_handromme=False))
    return hand_objection(points, game.hands(after_handromme=course.handromme))


def impossible_readings(line: AmbiguousLine, game: LineContext) -> Iterator[tuple[int, int, str]]:
    """Yield seat, points and reason for each reading impossible in every course of the game.

    The points of a seat that may have finished are for the case that it did not; they are
    not used for the case that it did.

    >>> from scoring.rulesets import ruleset
    >>> game = LineContext(rule_set=ruleset("rommeordnung"), players=4, number=3)
    >>> line = AmbiguousLine(finisher=(1,), minus=((0,), (23,), (1,), (12,)))
    >>> [(seat, points) for seat, points, _objection in impossible_readings(line, game)]
    [(3, 1)]
    """
    for seat, readings in enumerate(line.minus, start=1):
        # For a seat that may have finished, the sentence is about its hand.
        courses = sorted(_courses(line), key=lambda course: course.finisher == seat)
        for points in dict.fromkeys(readings):
            objections = [_objection(points, seat, course, game) for course in courses]
            if all(objections):
                yield seat, points, str(objections[0])


def misfit(line: AmbiguousLine, game: LineContext) -> str | None:
    """Return why seats, each possible by itself, are impossible together, or None.

    In an unclear line they must be possible together in at least one course.
    """
    allowed = {
        course: {
            seat: [points for points in readings if not _objection(points, seat, course, game)]
            for seat, readings in enumerate(line.minus, start=1)
        }
        for course in _courses(line)
    }
    # Seats without a possible reading are left out here.
    possible = {seat for each in allowed.values() for seat, points in each.items() if points}
    is_clear = len(set(line.finisher)) == 1
    objections = [
        _misfit_in(
            [
                points
                for seat, points in each.items()
                if seat in possible and (is_clear or seat != course.finisher)
            ],
            game.hands(after_handromme=course.handromme),
        )
        for course, each in allowed.items()
    ]
    if not all(objections):
        return None
    return objections[0] if len(objections) == 1 else _impossible_course()


def _misfit_in(seats: Sequence[list[int]], hands: PossibleHands) -> str | None:
    """Return why seats with these possible readings are impossible together in one course."""
    if not all(seats):
        return _impossible_course()
    held = [points for points in seats if 0 not in points]
    return joint_objection(map(min, held), map(max, held), hands)


def _impossible_course() -> str:
    return _(
        "Wie man den Eintrag auch liest, die Punkte der Plätze passen nicht zusammen. "
        "Bitte nachzählen oder die Lesarten prüfen."
    )


def doubts(
    line: AmbiguousLine, game: LineContext, earlier: Sequence[AmbiguousLine] = ()
) -> list[Problem]:
    """Return the improbable entries of one line; ``where`` is a place inside the line.

    Impossible entries are left out. *earlier* are the lines of the list before this one.
    """
    return [
        *_doubtful_hands(line, game),
        *_repeated_handromme(line, earlier),
        *_repeated(line, earlier),
    ]


def _doubtful_hands(line: AmbiguousLine, game: LineContext) -> Iterator[Problem]:
    """Yield the doubts about each reading of the seats that may not have finished."""
    hands = game.hands(after_handromme=all(line.handromme))
    for seat, readings in enumerate(line.minus, start=1):
        if set(line.finisher) == {seat} or readings == game.unreadable(line):
            continue
        for points in dict.fromkeys(readings):
            doubt = doubt_of_hand(points, hands)
            if doubt is not None and hand_objection(points, hands) is None:
                yield Problem(f"minus[{seat - 1}]", doubt)


def _handromme_of(line: AmbiguousLine) -> int | None:
    """Return the seat that finished by Handrommé in every reading."""
    if all(line.handromme) and len(set(line.finisher)) == 1:
        return line.finisher[0]
    return None


def _repeated_handromme(line: AmbiguousLine, earlier: Sequence[AmbiguousLine]) -> Iterator[Problem]:
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


def _repeated(line: AmbiguousLine, earlier: Sequence[AmbiguousLine]) -> Iterator[Problem]:
    # Two equal hands are needed: a single one is often a coincidence.
    hands = sum(0 not in points for points in line.minus if points)
    if hands > 1 and earlier and line == earlier[-1]:
        yield Problem(
            "",
            _(
                "Diese Zeile gleicht der vorigen in allem. "
                "Bitte prüfen, ob dasselbe Spiel zweimal eingetragen ist."
            ),
        )
