"""The metrics of a plan of one or more Serien, as in the interchange format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Annotated

from scoring.reading.records import Text, WholeNumber
from scoring.seating.opposite_seats import count_beside

Table = Sequence[int]
Round = Sequence[Table]

TABLE_OF_THREE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player to be seated; ``team`` is the team or tandem whose members are kept apart."""

    id: Annotated[int, WholeNumber()]
    club: Annotated[str, Text()] | None = None
    team: Annotated[str, Text()] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Counts of what a plan should avoid; 0 is best, except that a spread of 1 may be needed.

    repeat_meetings: sum over pairs of (meetings − 1) where they met, history included.
    teammates_at_table: pairs of one team at one table, over all planned Serien.
    clubmates_at_table: the same for pairs of one club.
    clubmates_adjacent: such pairs on neighbouring seats.
    three_table_spread: largest minus smallest number of tables of three that a player of
        this field sat at, history included.
    seat_one_spread: the same for seat 1.
    """

    repeat_meetings: int
    teammates_at_table: int
    clubmates_at_table: int
    clubmates_adjacent: int
    three_table_spread: int
    seat_one_spread: int


def measure(
    players: Sequence[Player], series: Sequence[Round], history: Sequence[Round] = ()
) -> Metrics:
    """Return the metrics of the planned *series* after the *history* as played.

    Meetings count for all players of the history, including those who have left; the
    spreads compare only players who are seated now.
    """
    club_of = {player.id: player.club for player in players}
    team_of = {player.id: player.team for player in players}
    planned = list(chain.from_iterable(series))
    played = [*chain.from_iterable(history), *planned]
    meetings = Counter(frozenset(pair) for table in played for pair in combinations(table, 2))
    threes = Counter(player for table in played if len(table) == TABLE_OF_THREE for player in table)
    firsts = Counter(table[0] for table in played)
    ids = list(club_of)
    return Metrics(
        repeat_meetings=sum(count - 1 for count in meetings.values()),
        teammates_at_table=_mates(planned, team_of),
        clubmates_at_table=_mates(planned, club_of),
        clubmates_adjacent=sum(count_beside(table, club_of) for table in planned),
        three_table_spread=_spread(threes, ids),
        seat_one_spread=_spread(firsts, ids),
    )


def _mates(tables: Iterable[Table], group_of: dict[int, str | None]) -> int:
    return sum(
        group_of[player] is not None and group_of[player] == group_of[other]
        for table in tables
        for player, other in combinations(table, 2)
    )


def _spread(counts: Counter[int], players: Sequence[int]) -> int:
    """Return the largest minus the smallest count."""
    numbers = [counts[player] for player in players]
    return max(numbers) - min(numbers)
