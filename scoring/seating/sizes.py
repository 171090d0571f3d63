"""The sizes of the tables: four players to a table, three only as an exception (§ 2.1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.errors import Problem, ScoringError
from scoring.texts import _

DEFAULT_SIZES = (4, 3)
SMALLEST_TABLE, LARGEST_TABLE = 2, 8


def problems_of_sizes(allowed: Sequence[int]) -> list[Problem]:
    """Return the problems of a list of table sizes: empty, repeated or impossible sizes."""
    problems = []
    if not allowed:
        problems.append(
            Problem("table_sizes", _("Es muss mindestens eine Tischgröße erlaubt sein."))
        )
    for index, size in enumerate(allowed):
        where = f"table_sizes[{index}]"
        if not SMALLEST_TABLE <= size <= LARGEST_TABLE:
            sentence = _("Tische mit {size} Plätzen gibt es nicht; möglich sind {low} bis {high}.")
            problems.append(
                Problem(where, sentence.format(size=size, low=SMALLEST_TABLE, high=LARGEST_TABLE))
            )
        elif size in allowed[:index]:
            sentence = _("Die Tischgröße {size} steht schon in der Liste.")
            problems.append(Problem(where, sentence.format(size=size)))
    return problems


def table_sizes(players: int, allowed: Sequence[int] = DEFAULT_SIZES) -> tuple[int, ...]:
    """Return the sizes of the tables for this number of players, the preferred size first.

    A size further back in *allowed* is an exception and used as little as possible: first
    the last one, then the one before it. Tables of an exceptional size are last.

    Raises:
        ScoringError: if the players cannot be seated; the sentence names the nearest
            possible numbers.

    >>> table_sizes(14)
    (4, 4, 3, 3)
    >>> table_sizes(14, allowed=(5, 4))
    (5, 5, 4)
    """
    if problems := problems_of_sizes(allowed):
        raise ScoringError(problems)
    reachable = _reachable(players + allowed[0], allowed)
    if players < 1 or not reachable[-1][players]:
        raise ScoringError([Problem("players", _refusal(players, allowed, reachable[-1]))])
    counts = [0] * len(allowed)
    left = players
    for index in range(len(allowed) - 1, 0, -1):
        while not reachable[index - 1][left]:
            counts[index] += 1
            left -= allowed[index]
    counts[0] = left // allowed[0]
    return tuple(
        size for size, count in zip(allowed, counts, strict=True) for _table in range(count)
    )


def _reachable(limit: int, allowed: Sequence[int]) -> list[list[bool]]:
    """Return for each prefix of *allowed* the numbers up to *limit* that its sizes sum to."""
    reachable = [total == 0 for total in range(limit + 1)]
    prefixes = []
    for size in allowed:
        reachable = list(reachable)
        for total in range(size, limit + 1):
            reachable[total] = reachable[total] or reachable[total - size]
        prefixes.append(reachable)
    return prefixes


def _refusal(players: int, allowed: Sequence[int], possible: Sequence[bool]) -> str:
    neighbours = [
        next((number for number in range(players - 1, 0, -1) if possible[number]), None),
        next(number for number in range(max(players, 0) + 1, len(possible)) if possible[number]),
    ]
    numbers = _or(str(number) for number in neighbours if number is not None)
    sizes = _or(str(size) for size in allowed)
    if players < 1:
        return _("Es ist niemand da, der gesetzt werden kann; nötig sind {numbers}.").format(
            numbers=numbers
        )
    if players == 1:
        sentence = _(
            "Eine Person allein lässt sich nicht an Tische zu {sizes} setzen; "
            "möglich wären {numbers}."
        )
    else:
        sentence = _(
            "{players} Personen lassen sich nicht auf Tische zu {sizes} verteilen; "
            "möglich wären {numbers}."
        )
    return sentence.format(players=players, sizes=sizes, numbers=numbers)


def _or(words: Iterable[str]) -> str:
    """Join words for a sentence: „6“, „4 oder 6“, „4, 5 oder 6“."""
    *first, last = words
    return _("{first} oder {last}").format(first=", ".join(first), last=last) if first else last
