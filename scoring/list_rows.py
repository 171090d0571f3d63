"""A list as on the paper: a row for each game, a cell for each seat.

Every view of a list, on a screen or on paper, uses these rows.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from scoring.ambiguity import AmbiguousLine, explain, unclear_entries
from scoring.plausibility import LineContext
from scoring.reading.cells import SITS_OUT, write_row
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatCount, points_of_game, running_sums


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCell:
    """The result of one game for one seat; the finisher is marked in clear entries only."""

    count: SeatCount
    points_of_game: int  # minus points of this game, or Wertpunkte
    running: int  # their sum up to this game
    readings: str  # as typed, „17/71“ or „0/23“; empty if the entry is clear
    reasons: tuple[str, ...]  # how the points were computed, if that is not evident (§ 2.2.6)
    is_own: bool  # of the person for whom the list is shown

    @property
    def seat(self) -> int:
        """The place at the table, counted from 1."""
        return self.count.seat

    @property
    def points(self) -> str:
        """The points that count, or the readings."""
        return self.readings or (str(self.count.minus) if self.count.plays else SITS_OUT)

    @property
    def written(self) -> str:
        """The points on the paper, without the addition of the rule set for a Handrommé."""
        return self.readings or (str(self.count.hand) if self.count.plays else SITS_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRow:
    """One game."""

    number: int
    dealer: int
    ends_round: bool
    cells: tuple[PlayedCell, ...]  # seat 1 first
    unclear: str  # the entries with several readings; empty if all are clear


def played_rows(
    lines: Sequence[AmbiguousLine],
    rule_set: RuleSet,
    players: int,
    *,
    own: Container[tuple[int, int]] = (),
    bonus_size: int | None = None,
) -> tuple[PlayedRow, ...]:
    """Return the rows of a list.

    Args:
        lines: its games, the first one first; they have passed the checks.
        players: number of people at the table.
        own: the games of the person for whom the list is shown, as game and seat.
        bonus_size: the size of table that counts for the bonus, if it is not *players*.

    >>> from scoring.rulesets import ruleset
    >>> lines = [
    ...     AmbiguousLine(finisher=(1,), minus=((0,), (23,), (45,))),
    ...     AmbiguousLine(finisher=(2, 3), minus=((17, 71), (20,), (0,))),
    ... ]
    >>> rows = played_rows(lines, ruleset("rommeordnung"), 3)
    >>> [[cell.points for cell in row.cells] for row in rows]
    [['0', '23', '45'], ['17/71', '0/20', '0/?']]
    >>> [(cell.seat, cell.running) for cell in rows[1].cells]
    [(1, 71), (2, 43), (3, 45)]
    """
    games = [
        LineContext(rule_set=rule_set, players=players, number=number)
        for number in range(1, len(lines) + 1)
    ]
    unreadable = [
        () if line.is_clear else game.unreadable(line)
        for game, line in zip(games, lines, strict=True)
    ]
    explained = [
        explain(line, rule_set, hand) for line, hand in zip(lines, unreadable, strict=True)
    ]
    size = bonus_size or players
    running = running_sums(
        [[result.count for result in game] for game in explained], rule_set, size
    )
    return tuple(
        PlayedRow(
            number=number,
            dealer=rule_set.dealer(number, players),
            ends_round=rule_set.ends_round(number, players),
            cells=tuple(
                PlayedCell(
                    count=result.count,
                    points_of_game=points_of_game(result.count, rule_set, size),
                    running=sums[at],
                    readings=texts[at] if _is_unclear(line, at + 1) else "",
                    reasons=result.reasons,
                    is_own=(number, at + 1) in own,
                )
                for at, result in enumerate(game)
            ),
            unclear=unclear_entries(line, hand),
        )
        for number, (line, hand, game, sums, texts) in enumerate(
            zip(lines, unreadable, explained, running, map(write_row, lines, games), strict=True),
            start=1,
        )
    )


def _is_unclear(line: AmbiguousLine, seat: int) -> bool:
    """Whether the points of this seat, or whether and how it finished, are unclear."""
    may_have_finished = seat in line.finisher
    return len(set(line.minus[seat - 1])) > 1 or (
        may_have_finished and (len(set(line.finisher)) > 1 or len(set(line.handromme)) > 1)
    )
