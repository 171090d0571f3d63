"""Lines that can be read in more than one way: the least favourable reading counts.

The Spielleitung may correct a list that is hard to read so that always the points least
favourable to the participants count (§ 2.2.6). This is applied to each participant alone,
so the readings that count for two of them need not be consistent:

* points: the largest, which never bring more Wertpunkte;
* the finish, if it is not clear who finished: credited to no seat. A seat that may have
  finished carries the points given for the case that it did not; a game that may have
  ended without a finisher is one more such reading;
* the Handrommé, if it is not clear whether it was one: no credit for the finisher, who
  keeps the finish; every other seat carries what the rule set adds for it. With an unclear
  finisher, that is every seat with points if another seat may have finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.ruleset import RuleSet
from scoring.spielliste import (
    Adjustment,
    Penalty,
    SeatCount,
    SeatResult,
    added_for_handromme,
    adjustment_of,
    sum_up,
)
from scoring.texts import _


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousLine:
    """One line as written: all possible readings of each entry.

    An entry with one distinct reading is clear. Every entry has at least one reading, except
    the hand of a seat that sits out.
    """

    finisher: tuple[int | None, ...]  # seats; None: the game ended without a finisher
    minus: tuple[tuple[int, ...], ...]  # seat 1 first; points before any doubling
    handromme: tuple[bool, ...] = (False,)
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether every entry can be read in one way only.

        >>> AmbiguousLine(finisher=(1,), minus=((0,), (23, 28), (45,))).is_clear
        False
        >>> AmbiguousLine(finisher=(1, 1), minus=((0,), (23, 23), (45,))).is_clear
        True
        """
        entries: tuple[tuple[object, ...], ...] = (self.finisher, self.handromme, *self.minus)
        return all(len(set(readings)) <= 1 for readings in entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineResult:
    """The result of a line for one seat and, where it is not evident, the reasons."""

    count: SeatCount
    reasons: tuple[str, ...]  # whole sentences


def count_line(line: AmbiguousLine, rule_set: RuleSet) -> tuple[SeatCount, ...]:
    """Return the result of a line for each seat, seat 1 first, in its least favourable reading.

    >>> from scoring.rulesets import ruleset
    >>> line = AmbiguousLine(finisher=(2, 4), minus=((12,), (30,), (9, 19), (22,)))
    >>> [(count.minus, count.finished) for count in count_line(line, ruleset("rommeordnung"))]
    [(12, False), (30, False), (19, False), (22, False)]
    >>> line = AmbiguousLine(finisher=(3,), minus=((61,), (88,), (0,), (40,)), handromme=(True,))
    >>> [count.minus for count in count_line(line, ruleset("hausregel"))]
    [122, 176, 0, 80]
    """
    finishers = set(line.finisher)
    counts = []
    for seat, readings in enumerate(line.minus, start=1):
        hand = max(readings, default=0)
        finished = finishers == {seat}
        valuation = None if finished else rule_set.valuation
        suffers = True in line.handromme and bool(finishers - {seat, None})
        counts.append(
            SeatCount(
                seat=seat,
                hand=hand,
                added=added_for_handromme(hand, rule_set) if suffers else 0,
                finished=finished,
                handromme=finished and all(line.handromme),
                adjustment=adjustment_of(seat, line.adjustments),
                step=valuation.of_hand(hand) if valuation and readings else 0,
                plays=bool(readings),
            )
        )
    return tuple(counts)


def score(
    lines: Iterable[AmbiguousLine],
    *,
    rule_set: RuleSet,
    players: int,
    penalties: Iterable[Penalty] = (),
) -> tuple[SeatResult, ...]:
    """Return the result of lines for each seat, seat 1 first; see ``spielliste.sum_up``.

    The lines must have passed :mod:`scoring.checks`.
    """
    counts = [count_line(line, rule_set) for line in lines]
    return sum_up(counts, rule_set=rule_set, players=players, penalties=penalties)


def explain(
    line: AmbiguousLine, rule_set: RuleSet, unreadable: tuple[int, ...] = ()
) -> tuple[LineResult, ...]:
    """Return for each seat the result of a line and the reasons for it.

    *unreadable* are the readings of a hand that cannot be read at all.

    >>> from scoring.rulesets import ruleset
    >>> line = AmbiguousLine(finisher=(2,), minus=((17, 71), (0,), (30,), (12,)))
    >>> explain(line, ruleset("rommeordnung"))[0].reasons
    ('Gelesen werden kann 17 oder 71; es zählt 71 (§ 2.2.6).',)
    """
    return tuple(
        LineResult(count=count, reasons=tuple(_reasons(line, count, unreadable)))
        for count in count_line(line, rule_set)
    )


def _reasons(line: AmbiguousLine, count: SeatCount, unreadable: tuple[int, ...]) -> Iterable[str]:
    readings = sorted(set(line.minus[count.seat - 1]))
    if readings and line.minus[count.seat - 1] == unreadable:
        yield _(
            "Nicht zu lesen; es zählt das Höchste, was diese Hand sein kann: {points} (§ 2.2.6)."
        ).format(points=count.hand)
    elif len(readings) > 1:
        yield _("Gelesen werden kann {readings}; es zählt {points} (§ 2.2.6).").format(
            readings=alternatives([str(points) for points in readings]), points=count.hand
        )
    if count.seat in line.finisher and not count.finished:
        yield _(
            "Ob dieser Platz das Spiel beendet hat, ist unklar: "
            "Es wird ihm nicht gutgeschrieben (§ 2.2.6)."
        )
    if count.finished and len(set(line.handromme)) > 1:
        yield _("Ob es ein Handrommé war, ist unklar: Es wird nicht gutgeschrieben (§ 2.2.6).")
    if count.added:
        certain = len(set(line.finisher)) == 1 and all(line.handromme)
        reason = (
            _("Für das Handrommé kommen {points} dazu.")
            if certain
            else _(
                "Jemand anders kann Handrommé gespielt haben: Dafür kommen {points} dazu (§ 2.2.6)."
            )
        )
        yield reason.format(points=count.added)


def unclear_entries(line: AmbiguousLine, unreadable: tuple[int, ...] = ()) -> str:
    """Return the unclear entries of a line and their readings, in words.

    *unreadable* are the readings of a hand that cannot be read at all.

    >>> unclear_entries(AmbiguousLine(finisher=(2, 4), minus=((12,), (30,), (9, 19), (22,))))
    'wer beendet hat (Platz 2 oder Platz 4), Punkte von Platz 3 (9 oder 19)'
    """
    parts = []
    if len(finishers := list(dict.fromkeys(line.finisher))) > 1:
        seats = [
            _("niemand") if seat is None else _("Platz {seat}").format(seat=seat)
            for seat in finishers
        ]
        parts.append(_("wer beendet hat ({readings})").format(readings=alternatives(seats)))
    if len(set(line.handromme)) > 1:
        parts.append(_("ob es ein Handrommé war"))
    for seat, readings in enumerate(line.minus, start=1):
        if readings and readings == unreadable:
            parts.append(
                _("Punkte von Platz {seat} („?“ kann bis {points} sein)").format(
                    seat=seat, points=max(readings)
                )
            )
        elif len(points := sorted(set(readings))) > 1:
            numbers = alternatives([str(number) for number in points])
            parts.append(
                _("Punkte von Platz {seat} ({readings})").format(seat=seat, readings=numbers)
            )
    return ", ".join(parts)


def alternatives(readings: Sequence[str]) -> str:
    """Return one or more readings as a German enumeration.

    >>> alternatives(["17", "71", "77"])
    '17, 71 oder 77'
    """
    if len(readings) == 1:
        return readings[0]
    return _("{readings} oder {last}").format(readings=", ".join(readings[:-1]), last=readings[-1])
