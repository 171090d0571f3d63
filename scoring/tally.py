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
from itertools import compress
from typing import TYPE_CHECKING

from scoring.reading.interchange import line_from_json
from scoring.spielliste import SeatResult, added_for_handromme, sum_up
from scoring.standings import Result
from scoring.unclear import count_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.ruleset import RuleSet

# Stands between the games of a list as one text; within a game JSON has no line break.
BETWEEN = ",\n"

_DIGITS = b"0123456789"
_IN_VALUES = _DIGITS + b"truefalse"  # what is left of the keys still tells them apart
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
    sums = _sums_of_clear([games], rule_set, players).get(games)
    if sums is None:
        return _parted(games.split(BETWEEN) if games else [], rule_set, players, bonus_size)
    bonus, for_handromme = _bonuses(rule_set, bonus_size or players)
    return tuple(
        SeatResult(seat, minus, won, handromme, bonus * won, for_handromme * handromme)
        for seat, (minus, won, handromme) in enumerate(sums, start=1)
    )


def ranked(
    lists: Sequence[str], *, rule_set: RuleSet, players: int, bonus_size: int | None = None
) -> dict[str, tuple[Result, ...]]:
    """Return what each of some lists brings to the ranking, seat 1 first; see :func:`tally`."""
    bonus, for_handromme = _bonuses(rule_set, bonus_size or players)
    clear = _sums_of_clear(lists, rule_set, players)
    found = {
        games: tuple(
            [
                Result(minus + bonus * won + for_handromme * handromme, won, handromme)
                for minus, won, handromme in sums
            ]
        )
        for games, sums in clear.items()
    }
    for games in lists:
        if games not in clear:
            seats = tally(games, rule_set=rule_set, players=players, bonus_size=bonus_size)
            found[games] = tuple(map(result_of, seats))
    return found


def result_of(seat: SeatResult) -> Result:
    """Return what counts in the ranking of what a seat comes to."""
    return Result(seat.total, seat.games_won, seat.handromme)


def _bonuses(rule_set: RuleSet, players: int) -> tuple[int, int]:
    """Return what a finished game brings, and what it brings more by Handrommé."""
    return (
        -rule_set.bonus_per_game[players],
        -rule_set.handromme.bonus if rule_set.handromme else 0,
    )


# Minus points, games finished and those by Handrommé, for each seat.
_Sums = tuple[tuple[int, int, int], ...]


def _sums_of_clear(lists: Sequence[str], rule_set: RuleSet, players: int) -> dict[str, _Sums]:
    """Return what those of the lists come to of which every game is clear."""
    alike: defaultdict[bytes, list[tuple[str, bytes]]] = defaultdict(list)
    for games in lists:
        text = games.encode()
        if b"null" in text:
            text = text.replace(b'"finisher": null', b'"finisher": 0')
        alike[text.translate(None, _IN_VALUES)].append((games, text))
    found: dict[str, _Sums] = {}
    for look, pairs in alike.items():
        count = look.count(b"\n") + 1
        first = _looks(count, players).get(look)
        if first is not None:
            those, texts = zip(*pairs, strict=True)
            columns = _columns(b",".join(texts), players, first)
            found |= zip(those, _sums(columns, count, rule_set), strict=True)
    return found


def _columns(games: bytes, players: int, first: int) -> list[list[int]]:
    """Return the figures of clear games: finishers (0: nobody), 1 for each Handrommé, hands.

    In the text the column of finishers is the one with the number *first*, and others follow
    in that order, the last by the one with number 0.
    """
    figures, _end = _read(f"[{games.translate(_FIGURES, _NO_FIGURES).decode()}]")
    width = players + 2
    return [figures[(first + at) % width :: width] for at in range(width)]


def _sums(columns: Sequence[Sequence[int]], count: int, rule_set: RuleSet) -> Iterator[_Sums]:
    """Return what lists of *count* games each come to, one after the other in *columns*."""
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
    return zip(*[zip(*sums, strict=True) for sums in of_seats], strict=True)


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


def _parted(
    games: Sequence[str], rule_set: RuleSet, players: int, bonus_size: int | None
) -> tuple[SeatResult, ...]:
    """Return what games come to that do not all look alike."""
    clear = _sums_of_clear(games, rule_set, players)
    others = [json.loads(game) for game in games if game not in clear]
    counts = [count_line(line_from_json(game), rule_set) for game in others]
    read = sum_up(counts, rule_set=rule_set, players=players, bonus_size=bonus_size)
    if not clear:
        return read
    bonus, for_handromme = _bonuses(rule_set, bonus_size or players)
    beside = zip(*[clear[game] for game in games if game in clear], strict=True)
    found = []
    for seat, sums in zip(read, beside, strict=True):
        minus, won, handromme = map(sum, zip(*sums, strict=True))
        found.append(
            seat._replace(
                minus=seat.minus + minus,
                games_won=seat.games_won + won,
                handromme=seat.handromme + handromme,
                bonus=seat.bonus + bonus * won,
                handromme_bonus=seat.handromme_bonus + for_handromme * handromme,
            )
        )
    return tuple(found)
