"""What cannot stand in a line of the Spielliste, and what hardly can.

A *problem* is impossible: no deal and no play leads to it, so it is refused. A *doubt* is
possible, but so rare that a slip of the pen is likelier: the table is asked once, the
Spielleitung gets a warning. Both are German sentences that say what to check, and both
are computed from the pack (:mod:`scoring.hands`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from scoring.errors import Problem
from scoring.hands import Holding, holding
from scoring.ruleset import RuleSet
from scoring.spielliste import Game
from scoring.texts import _
from scoring.unclear import Line

ONE_IN = 10_000
"""A value is rare that at most one in so many random hands goes beyond.

80 players in three Serien count some 2,200 hands, so chance alone brings one of these in
every fourth or fifth tournament. Players do not hold random cards, they lay out and keep
what fits; still, whoever is asked has made a slip more often than not.
"""
_ONE_IN_SHOWN = f"{ONE_IN:,}".replace(",", ".")


# --- One hand -------------------------------------------------------------------------


def hand_problem(
    points: int, *, rule_set: RuleSet, players: int, game: int, after_handromme: bool = False
) -> str | None:
    """Return why somebody who did not finish cannot count *points*, or None.

    Args:
        points: of one hand, before any doubling.
        rule_set: the numbers of the tournament.
        players: at the table.
        game: number of the game in the list, from 1.
        after_handromme: whether somebody else finished this game by Handrommé.

    >>> from scoring.rulesets import ruleset
    >>> hand_problem(198, rule_set=ruleset("rommeordnung"), players=4, game=1)
    '198 kann nicht sein: 13 Karten zählen höchstens 197. Bitte nachzählen.'
    """
    hands = holding(rule_set, players=players, game=game, after_handromme=after_handromme)
    return _hand_objection(points, hands)


def _hand_objection(points: int, hands: Holding) -> str | None:
    if points < hands.lowest():
        return _too_low(points, hands)
    if points > hands.highest():
        return _(
            "{points} kann nicht sein: {cards} Karten zählen höchstens {highest}. Bitte nachzählen."
        ).format(points=points, cards=hands.most, highest=hands.highest())
    if hands.can_be(points):
        return None
    below = next(filter(hands.can_be, count(points, -1)))
    above = next(filter(hands.can_be, count(points)))
    return _(
        "{points} kann nicht sein: Die Karten ergeben {below} oder {above}, "
        "aber nichts dazwischen. Bitte nachzählen."
    ).format(points=points, below=below, above=above)


def _too_low(points: int, hands: Holding) -> str:
    if hands.nobody_laid_out:
        return _(
            "{points} kann nicht sein: Nach einem Handrommé halten die anderen noch "
            "{cards} Karten, und die zählen mindestens {lowest}. "
            "Bitte nachzählen oder prüfen, ob es ein Handrommé war."
        ).format(points=points, cards=hands.fewest, lowest=hands.lowest())
    if points == 0:
        return _(
            "0 Punkte hat nur, wer das Spiel beendet; wer noch Karten hält, hat mindestens "
            "{lowest}. Bitte nachzählen oder prüfen, wer das Spiel beendet hat."
        ).format(lowest=hands.lowest())
    return _(
        "{points} kann nicht sein: Wer noch Karten hält, hat mindestens {lowest}. Bitte nachzählen."
    ).format(points=points, lowest=hands.lowest())


def finisher_problem(
    points: int, *, rule_set: RuleSet, players: int, game: int, handromme: bool = False
) -> str | None:
    """Return why the player who finished *game* cannot have *points*, or None (§ 8.1).

    Some rules let a player finish with a few points left, though not by Handrommé.
    """
    limit = 0 if handromme else rule_set.finisher_may_hold
    return _finisher_objection(points, limit, holding(rule_set, players=players, game=game))


def _finisher_objection(points: int, limit: int, hands: Holding) -> str | None:
    if points == 0:
        return None
    if limit == 0:
        return _(
            "Wer das Spiel beendet, hat 0 Punkte, nicht {points}. "
            "Bitte die Punkte prüfen oder wer das Spiel beendet hat."
        ).format(points=points)
    if points > limit:
        return _(
            "Wer das Spiel beendet, darf höchstens {limit} Punkte in der Hand haben, "
            "nicht {points}. Bitte die Punkte prüfen oder wer das Spiel beendet hat."
        ).format(limit=limit, points=points)
    return _hand_objection(points, hands)


def hand_doubt(
    points: int, *, rule_set: RuleSet, players: int, game: int, after_handromme: bool = False
) -> str | None:
    """Return why somebody who did not finish hardly counts *points*, or None.

    For a possible hand; the arguments are those of :func:`hand_problem`. It is compared
    with all hands of as many cards as were dealt and as it may have grown by; how low it
    is after a Handrommé, with all hands of as many cards as were dealt.
    """
    hands = holding(rule_set, players=players, game=game, after_handromme=after_handromme)
    return _hand_doubt(points, hands)


def _hand_doubt(points: int, hands: Holding) -> str | None:
    highest, lowest = hands.rare_above(ONE_IN), hands.rare_below(ONE_IN)
    if points > highest:
        return _(
            "{points} ist ungewöhnlich viel: Von {one_in} zufälligen Blättern mit {cards} "
            "Karten zählt höchstens eines mehr als {limit}. Bitte nachzählen."
        ).format(points=points, one_in=_ONE_IN_SHOWN, cards=hands.usual, limit=highest)
    if points < lowest:
        return _(
            "{points} ist nach einem Handrommé ungewöhnlich wenig: Von {one_in} zufälligen "
            "Blättern mit {cards} Karten zählt höchstens eines weniger als {limit}. "
            "Bitte nachzählen und prüfen, ob es ein Handrommé war."
        ).format(points=points, one_in=_ONE_IN_SHOWN, cards=hands.fewest, limit=lowest)
    return None


# --- Hands together -------------------------------------------------------------------


def joint_problem(
    points: Sequence[int],
    *,
    rule_set: RuleSet,
    players: int,
    game: int,
    after_handromme: bool = False,
) -> str | None:
    """Return why hands of one game cannot have been held at the same time, or None.

    Args:
        points: of all who hold cards, each possible by itself, in any order.
        rule_set, players, game, after_handromme: as for :func:`hand_problem`.

    >>> from scoring.rulesets import ruleset
    >>> joint_problem([197, 132, 2], rule_set=ruleset("rommeordnung"), players=4, game=1)
    '197 + 132 kann nicht sein: 2 Hände aus einem Kartenpaket zählen zusammen höchstens 328. \
Bitte nachzählen.'
    """
    hands = holding(rule_set, players=players, game=game, after_handromme=after_handromme)
    return _joint_objection(points, points, hands)


def _joint_objection(at_least: Iterable[int], at_most: Iterable[int], hands: Holding) -> str | None:
    """Return why no values from *at_least* to *at_most* can be held at the same time.

    Any of the hands together must keep the bounds; of each number of them, those that
    come nearest to a bound are looked at.
    """
    falling = sorted(at_least, reverse=True)
    rising = sorted(at_most)
    for number in range(2, len(rising) + 1):
        highest, lowest = hands.highest(number), hands.lowest(number)
        if sum(falling[:number]) > highest:
            return _(
                "{hands} kann nicht sein: {number} Hände aus einem Kartenpaket zählen "
                "zusammen höchstens {highest}. Bitte nachzählen."
            ).format(hands=_sum(falling[:number]), number=number, highest=highest)
        if sum(rising[:number]) < lowest:
            return _together_too_low(rising[:number], lowest, hands)
    return None


def _together_too_low(points: Sequence[int], lowest: int, hands: Holding) -> str:
    if hands.nobody_laid_out:
        sentence = _(
            "{hands} kann nicht sein: Nach einem Handrommé zählen {number} Hände aus einem "
            "Kartenpaket zusammen mindestens {lowest}. "
            "Bitte nachzählen oder prüfen, ob es ein Handrommé war."
        )
    else:
        sentence = _(
            "{hands} kann nicht sein: {number} Hände aus einem Kartenpaket zählen "
            "zusammen mindestens {lowest}. Bitte nachzählen."
        )
    return sentence.format(hands=_sum(points), number=len(points), lowest=lowest)


def _sum(points: Sequence[int]) -> str:
    return " + ".join(map(str, points))


# --- Whole lines ----------------------------------------------------------------------


def problems(line: Game | Line, *, number: int, rule_set: RuleSet, players: int) -> list[Problem]:
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
    >>> game = Game(finisher=1, minus=(0, 23, 1, 12))
    >>> found = problems(game, number=3, rule_set=ruleset("rommeordnung"), players=4)
    >>> [problem.where for problem in found]
    ['minus[2]']
    """
    check = _LineCheck.of(_as_line(line), number=number, rule_set=rule_set, players=players)
    return [*check.alone(), *check.together()]


def doubts(
    line: Game | Line,
    *,
    number: int,
    rule_set: RuleSet,
    players: int,
    earlier: Sequence[Game | Line] = (),
) -> list[Problem]:
    """Return what is possible in one line but hardly true; ``where`` as in :func:`problems`.

    What is impossible is left to :func:`problems`. *earlier* are the lines of the list
    before this one; the other arguments are those of :func:`problems`.
    """
    line = _as_line(line)
    before = [_as_line(each) for each in earlier]
    check = _LineCheck.of(line, number=number, rule_set=rule_set, players=players)
    return [*check.doubtful_hands(), *_repeated_handromme(line, before), *_repeated(line, before)]


def _as_line(line: Game | Line) -> Line:
    return Line.of(line) if isinstance(line, Game) else line


class _Course(NamedTuple):
    """One way in which the game of an unclear line may have gone."""

    finisher: int | None
    handromme: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _LineCheck:
    """A line with what can be held at its end, by whether it was a Handrommé."""

    line: Line
    hands: Mapping[bool, Holding]
    finisher_may_hold: int

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
        )

    @property
    def courses(self) -> list[_Course]:
        """Every way the game may have gone; without a finisher there is no Handrommé."""
        return list(
            dict.fromkeys(
                _Course(finisher, handromme and finisher is not None)
                for handromme in sorted(set(self.line.handromme))
                for finisher in dict.fromkeys(self.line.finisher)
            )
        )

    def objection(self, points: int, seat: int, course: _Course) -> str | None:
        """Return why *seat* cannot have *points* if the game went that way."""
        if seat == course.finisher:
            limit = 0 if course.handromme else self.finisher_may_hold
            return _finisher_objection(points, limit, self.hands[False])
        return _hand_objection(points, self.hands[course.handromme])

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
        return _joint_objection(map(min, held), map(max, held), self.hands[course.handromme])

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
                doubt = _hand_doubt(points, hands)
                if doubt is not None and _hand_objection(points, hands) is None:
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
