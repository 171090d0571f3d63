"""Several tournaments together: the ranking of a season.

The best tournaments of a person count; the season sets their number. Either their points are
added, and the best sum wins as in a single tournament (§ 1.5), or ranks give points, and the
most points win. The Romméordnung knows no season; docs/rules.md has the interpretation of ties
and missing tournaments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import ScoringError
from scoring.ordering import Order
from scoring.texts import _


class Counting(StrEnum):
    """Which result of a tournament counts for the season."""

    POINTS = "points"  # the total of the tournament, in the order of its rule set
    RANKS = "ranks"  # points for the rank; the most points win


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonResult:
    """The result of a person in one tournament."""

    total: int  # points of the tournament
    rank: int
    ranked: int  # how many had a rank there
    order: Order = Order.FEWEST  # of the points


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine:
    """One person in the ranking of the season."""

    rank: int
    person: int
    value: int  # points added up, or points for ranks
    values: tuple[int | None, ...]  # one for each tournament, None where there is none
    counted: tuple[bool, ...]  # which of them count

    @property
    def played(self) -> int:
        """The number of tournaments with a result."""
        return len(self.values) - self.values.count(None)


def points_for_rank(outcome: SeasonResult, table: Sequence[int] = ()) -> int:
    """Return the points for a rank: by the *table*, or the number of persons not ahead.

    >>> points_for_rank(SeasonResult(total=0, rank=2, ranked=20))
    19
    >>> points_for_rank(SeasonResult(total=0, rank=2, ranked=20), table=(25, 18, 15))
    18
    >>> points_for_rank(SeasonResult(total=0, rank=4, ranked=20), table=(25, 18, 15))
    0
    """
    if not table:
        return outcome.ranked - outcome.rank + 1
    return table[outcome.rank - 1] if outcome.rank <= len(table) else 0


def rank_season(
    outcomes: Mapping[int, Sequence[SeasonResult | None]],
    *,
    best: int,
    counting: Counting,
    table: Sequence[int] = (),
) -> tuple[SeasonLine, ...]:
    """Return the ranking of a season, best first; equals share a rank (1, 2, 2, 4).

    If points are added up, persons with fewer counted tournaments rank behind all with more:
    a tournament not played must never count as 0 points. With points for ranks it does,
    because the most points win.

    Args:
        outcomes: for each person one entry per tournament, in order, None where missing.
        best: how many tournaments count at most.
        counting: which result of them counts.
        table: points for the first ranks; without it, the number of persons not ahead.

    Raises:
        ScoringError: if *best* is below 1, if a person has entries for another number of
            tournaments than the others, or if Minuspunkte and Wertpunkte were to be added.

    >>> won = SeasonResult(total=300, rank=1, ranked=9)
    >>> second = SeasonResult(total=350, rank=2, ranked=9)
    >>> lines = rank_season({7: [won, None], 8: [second, won]}, best=1, counting=Counting.POINTS)
    >>> [(line.rank, line.person, line.value) for line in lines]
    [(1, 7, 300), (1, 8, 300)]
    """
    _check(outcomes.values(), best)
    order = _order(outcomes.values(), counting)
    rows = []
    for person, row in outcomes.items():
        values = [_value(outcome, counting, table) for outcome in row]
        counted = _counted(values, best, order)
        value = sum(values[place] or 0 for place in counted)
        number = len(counted) if counting is Counting.POINTS else 0
        rows.append(((-number, order.key(value)), person, value, values, counted))
    rows.sort(key=lambda row: (row[0], row[1]))
    lines: list[SeasonLine] = []
    for place, (key, person, value, values, counted) in enumerate(rows):
        is_equal = place > 0 and rows[place - 1][0] == key
        lines.append(
            SeasonLine(
                rank=lines[-1].rank if is_equal else place + 1,
                person=person,
                value=value,
                values=tuple(values),
                counted=tuple(at in counted for at in range(len(values))),
            )
        )
    return tuple(lines)


def _value(outcome: SeasonResult | None, counting: Counting, table: Sequence[int]) -> int | None:
    if outcome is None:
        return None
    return outcome.total if counting is Counting.POINTS else points_for_rank(outcome, table)


def _order(rows: Iterable[Sequence[SeasonResult | None]], counting: Counting) -> Order:
    """Return the order of the values; for points for ranks it is that of the most points."""
    if counting is Counting.RANKS:
        return Order.MOST
    orders = {outcome.order for row in rows for outcome in row if outcome is not None}
    if len(orders) > 1:
        message = _("Minuspunkte und Wertpunkte lassen sich nicht zusammenzählen.")
        raise ScoringError(message)
    return orders.pop() if orders else Order.FEWEST


def _counted(values: Sequence[int | None], best: int, order: Order) -> frozenset[int]:
    """Return the indices of the tournaments that count, the earlier ones among equals."""
    reached = [(order.key(value), place) for place, value in enumerate(values) if value is not None]
    return frozenset(place for _value, place in sorted(reached)[:best])


def _check(rows: Iterable[Sequence[SeasonResult | None]], best: int) -> None:
    if best < 1:
        raise ScoringError(_("Mindestens ein Turnier muss für die Saison zählen."))
    if len({len(row) for row in rows}) > 1:
        raise ScoringError(_("Jede Person braucht für jedes Turnier der Saison einen Eintrag."))
