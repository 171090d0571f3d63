"""The quick way from stored games to the points of lists.

A ranking of 1,000 players over five Serien rests on 15,000 games. Nearly all of them are
clear, and as text those differ in nothing but figures and whether it was a Handrommé. So
the figures of all lists that look alike are read at once and added up by column. A game with
anything beside that takes the way of :mod:`scoring.unclear`. Both come to the same, which a
test shows for any lists.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import lru_cache
from itertools import chain, compress, repeat
from typing import TYPE_CHECKING

from scoring.reading.interchange import line_from_json
from scoring.spielliste import SeatResult, added_for_handromme
from scoring.standings import Result
from scoring.unclear import count_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoring.ruleset import RuleSet

# Stands between the games of a list as one text; within a game JSON has no line break.
BETWEEN = ",\n"
AT_ONCE = 200  # lists whose figures are read together: as many as stay near the processor

_DIGITS = b"0123456789"
_IN_VALUES = _DIGITS + b"truefalsenull"  # what is left of the keys still tells them apart
_BY_NOBODY = '"finisher": null'
# A clear game without its letters is its figures, with 1 for true and 0 for false: of its
# words only these have a t or an l.
_FIGURES = bytes.maketrans(b"tl", b"10")
_NO_FIGURES = bytes(set(range(256)) - {*_DIGITS, *b",tl"})
_read = json.JSONDecoder().raw_decode  # what json.loads ends in


def tally(
    games: str, *, rule_set: RuleSet, players: int, bonus_size: int | None = None
) -> tuple[SeatResult, ...]:
    """Return what stored games come to for each seat, seat 1 first, Strafpunkte apart.

    Args:
        games: lines in JSON as the interchange format has them, ``BETWEEN`` between them;
            checked when they were stored.
        rule_set: by which they are scored.
        players: number of people at the table.
        bonus_size: the size of table that counts for the bonus, if it is not *players*.

    >>> from scoring.rulesets import ruleset
    >>> first = '{"finisher": 1, "handromme": false, "minus": [0, 23, 45, 12]}'
    >>> second = '{"finisher": 3, "handromme": true, "minus": [61, 88, 0, 40]}'
    >>> found = tally(first + BETWEEN + second, rule_set=ruleset("rommeordnung"), players=4)
    >>> [seat.total for seat in found]
    [41, 111, -25, 52]
    """
    ((_games, sums),) = sums_of([games], rule_set, players)
    bonus, for_handromme = _bonuses(rule_set, bonus_size or players)
    return tuple(
        SeatResult(
            seat, minus, won, handromme, bonus * won, for_handromme * handromme, adjustment=adjusted
        )
        for seat, (minus, won, handromme, adjusted) in enumerate(sums, start=1)
    )


def ranked(
    lists: Iterable[str], *, rule_set: RuleSet, players: int, bonus_size: int | None = None
) -> dict[str, tuple[Result, ...]]:
    """Return what each of some lists brings to the ranking, seat 1 first; see :func:`tally`."""
    results = _Results(*_bonuses(rule_set, bonus_size or players))
    return {
        games: tuple(map(results.__getitem__, sums))
        for games, sums in sums_of(lists, rule_set, players)
    }


# Minus points, games finished, those by Handrommé, and adjustments.
Sums = tuple[int, ...]


class _Results(dict[Sums, Result]):
    """Results by what they follow from, each made once: many of a large field are equal."""

    def __init__(self, bonus: int, for_handromme: int) -> None:
        super().__init__()
        self.bonuses = bonus, for_handromme

    def __missing__(self, sums: Sums) -> Result:
        minus, won, handromme, adjusted = sums
        bonus, for_handromme = self.bonuses
        points = minus + bonus * won + for_handromme * handromme + adjusted
        self[sums] = result = Result(points, won, handromme)
        return result


def _bonuses(rule_set: RuleSet, players: int) -> tuple[int, int]:
    """Return what a finished game brings, and what it brings more by Handrommé."""
    return (
        -rule_set.bonus_per_game[players],
        -rule_set.handromme.bonus if rule_set.handromme else 0,
    )


def sums_of(
    lists: Iterable[str], rule_set: RuleSet, players: int
) -> Iterator[tuple[str, tuple[Sums, ...]]]:
    """Yield lists, or single games, with what each comes to for each seat; see :func:`tally`."""
    alike: defaultdict[bytes, list[str]] = defaultdict(list)
    for games in lists:
        alike[games.encode().translate(None, _IN_VALUES)].append(games)
    others: list[str] = []
    for look, those in alike.items():
        count = look.count(b"\n") + 1
        first = _looks(count, players).get(look)
        if first is None:
            others += those
            continue
        for at in range(0, len(those), AT_ONCE):
            some = those[at : at + AT_ONCE]
            columns = _columns(",".join(some), players, first)
            yield from zip(some, _sums(columns, count, rule_set), strict=True)
    parted = {games: games.split(BETWEEN) for games in others if BETWEEN in games}
    of_game = dict(sums_of(set(chain(*parted.values())), rule_set, players)) if parted else {}
    for games in others:
        if games in parted:
            rows = zip(*map(of_game.__getitem__, parted[games]), strict=True)
            yield games, tuple([tuple(map(sum, zip(*row, strict=True))) for row in rows])
        else:
            yield games, _sums_of_game(games, rule_set) if games else ((0, 0, 0, 0),) * players


def _sums_of_game(game: str, rule_set: RuleSet) -> tuple[Sums, ...]:
    """Return what a game comes to that need not be clear."""
    counts = count_line(line_from_json(json.loads(game)), rule_set)
    return tuple(
        [(one.minus, int(one.finished), int(one.handromme), one.adjustment) for one in counts]
    )


def _columns(games: str, players: int, first: int) -> list[list[int]]:
    """Return the figures of clear games: finishers (0: nobody), 1 for each Handrommé, hands.

    In the text the column of finishers is the one with the number *first*, and others follow
    in that order, the last by the one with number 0.
    """
    text = games.replace(_BY_NOBODY, '"finisher": 0').encode()
    figures, _end = _read(f"[{text.translate(_FIGURES, _NO_FIGURES).decode()}]")
    width = players + 2
    return [figures[(first + at) % width :: width] for at in range(width)]


def _sums(
    columns: Sequence[Sequence[int]], count: int, rule_set: RuleSet
) -> Iterator[tuple[Sums, ...]]:
    """Return what clear lists of *count* games each come to, one after the other in *columns*."""
    finishers, by_handromme, *hands = columns
    won = list(_by(count, finishers))
    of_seats = []
    for seat, column in enumerate(hands, start=1):
        minus = list(map(sum, _by(count, column)))
        of_seats.append((minus, [row.count(seat) for row in won], [0] * len(minus)))
    adds = added_for_handromme(1, rule_set) > 0
    for at in compress(range(len(finishers)), by_handromme):
        finisher = finishers[at]
        if finisher:
            of_seats[finisher - 1][2][at // count] += 1
        if finisher and adds:
            for seat, (minus, _won, _handromme) in enumerate(of_seats, start=1):
                hand = hands[seat - 1][at] if seat != finisher else 0
                minus[at // count] += added_for_handromme(hand, rule_set)
    return zip(*[zip(*sums, repeat(0)) for sums in of_seats], strict=True)


def _by(count: int, column: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return zip(*[iter(column)] * count, strict=True)


@lru_cache(maxsize=256)
def _looks(count: int, players: int) -> Mapping[bytes, int]:
    """Return what so many clear games look like without values, and the column of finishers.

    Keys stand as they are written, or as PostgreSQL keeps them.
    """
    minus = f'"minus": [{", ".join([""] * players)}]'
    how = '"finisher": , "handromme": '
    games = {f"{{{how}, {minus}}}": 0, f"{{{minus}, {how}}}": players}
    return {
        BETWEEN.join([game] * count).encode().translate(None, _IN_VALUES): first
        for game, first in games.items()
    }
