"""Statistics: best lists, most games finished, Handrommés, the closest tables.

Only whole lists count, as in the ranking; ambiguous values count in their least favourable
reading (§ 2.2.6).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from operator import itemgetter

from scoring.competitors import Result
from scoring.ruleset import RuleSet
from scoring.tally import Sums, sums_of
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.models import Registration
from tournaments.results.queries.player_results import ranks_after_each
from tournaments.results.queries.rankings import Rankings

MOST_LISTED = 5
BUMP_LINES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """A player's result of one list."""

    registration: Registration
    serie: int
    table: int
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """A player and a count."""

    registration: Registration
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game of a player."""

    registration: Registration
    serie: int
    table: int
    game: int
    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable:
    """A table and the difference in points between its best and its last player."""

    serie: int
    table: int
    points: int
    registrations: tuple[Registration, ...]  # by seat


class Statistics:
    """All statistics of a tournament, from the data of its rankings."""

    def __init__(self, rankings: Rankings, *, upto: int | None = None) -> None:
        """Count the first *upto* Serien, or all."""
        self.rankings = rankings
        self.upto = rankings.serien if upto is None else upto
        self.rule_set: RuleSet = rule_set_of(rankings.tournament)

    @cached_property
    def _whole(self) -> list[ListData]:
        return [
            data
            for data in self.rankings.lists
            if data.status in list_data.COMPLETE and data.serie <= self.upto
        ]

    @cached_property
    def _brought(self) -> list[tuple[ListData, dict[int, Result]]]:
        return list(list_data.rank_results(self._whole, self.rule_set))

    @cached_property
    def _rows(self) -> list[ListRow]:
        known = self.rankings.registrations
        return [
            ListRow(registration=known[owner], serie=data.serie, table=data.table, result=result)
            for data, brought in self._brought
            for owner, result in brought.items()
            if owner in known
        ]

    @property
    def is_empty(self) -> bool:
        """Whether no list counts yet."""
        return not self._whole

    @property
    def best_lists(self) -> list[ListRow]:
        """The best lists, best first.

        Lists of players who were moved and lists that ended early are left out.
        """
        parts = {(data.serie, data.table) for data in self._whole if _is_in_parts(data)}
        whole = [row for row in self._rows if (row.serie, row.table) not in parts]
        key = self.rule_set.order.key
        whole.sort(
            key=lambda row: (
                *(key(row.result.points), row.result.augen or 0, -row.result.games_won),
                *(row.serie, row.table),
            )
        )
        return whole[:MOST_LISTED]

    @property
    def most_games(self) -> list[CountRow]:
        """The players who finished the most games in all.

        Players with more games by a change of tables are left out of such comparisons.
        """
        return self._most((row.registration, row.result.games_won) for row in self._rows)

    @property
    def most_handrommes(self) -> list[CountRow]:
        """The players who finished the most games by Handrommé."""
        return self._most((row.registration, row.result.handromme) for row in self._rows)

    @cached_property
    def _had_more(self) -> set[int]:
        """The registrations with more games in a Serie than a whole list (§ 2.2.1)."""
        return self.rankings.with_more_games(self.upto)

    @property
    def leaves_out_more(self) -> bool:
        """Whether a player is left out where games are counted."""
        return bool(self._had_more)

    def _most(self, counts: Iterable[tuple[Registration, int]]) -> list[CountRow]:
        sums: Counter[int] = Counter()
        for registration, count in counts:
            sums[registration.pk] += count
        registrations = self.rankings.registrations
        rows = [
            CountRow(registration=registrations[pk], count=count)
            for pk, count in sums.items()
            if count and pk not in self._had_more
        ]
        rows.sort(key=lambda row: (-row.count, row.registration.number or 0))
        return _leading(rows)

    @cached_property
    def _of_games(self) -> dict[int, dict[str, tuple[Sums, ...]]]:
        """The points of each seat in a game: size of the table → text of the game → sums."""
        texts: dict[int, set[str]] = defaultdict(set)
        for data in self._whole:
            texts[len(data.seats)].update(data.texts)
        return {size: dict(sums_of(games, self.rule_set, size)) for size, games in texts.items()}

    def _games(self) -> Iterator[tuple[Sums, tuple[ListData, int, int]]]:
        """Yield the points of each person in each game, with list, game and registration."""
        for data in self._whole:
            owners = zip(*map(data.owners, data.seats), strict=True)
            of_game = self._of_games[len(data.seats)]
            for number, (text, row) in enumerate(zip(data.texts, owners, strict=True), start=1):
                sits_out = self.rule_set.sits_out(number, len(data.seats))
                for seat, (sums, owner) in enumerate(zip(of_game[text], row, strict=True), start=1):
                    if seat != sits_out and owner in self.rankings.registrations:
                        yield sums, (data, number, owner)

    def _row(self, points: int, data: ListData, number: int, owner: int) -> GameRow:
        return GameRow(
            registration=self.rankings.registrations[owner],
            serie=data.serie,
            table=data.table,
            game=number,
            points=points,
        )

    @cached_property
    def handrommes(self) -> list[GameRow]:
        """Every Handrommé, in the order of the lists."""
        handrommes = (
            (minus, game) for (minus, _, handromme, *_), game in self._games() if handromme
        )
        return [self._row(minus, *game) for minus, game in handrommes]

    @property
    def highest_hands(self) -> list[GameRow]:
        """The hands with the most points in one game; ambiguous hands are left out."""
        caught = (
            (minus, game)
            for (minus, won, *_more), game in self._games()
            if not won and _is_legible(*game)
        )
        highest = nlargest(MOST_LISTED, caught, key=itemgetter(0))  # the first of equal ones
        return [self._row(minus, *game) for minus, game in highest]

    @property
    def closest_tables(self) -> list[CloseTable]:
        """The tables with the smallest difference between best and last, smallest first."""
        registrations = self.rankings.registrations
        rows = []
        for data, brought in self._brought:
            if _is_in_parts(data) or not set(data.seats.values()) <= registrations.keys():
                continue
            totals = [result.points for result in brought.values()]
            rows.append(
                CloseTable(
                    serie=data.serie,
                    table=data.table,
                    points=max(totals) - min(totals),
                    registrations=tuple(registrations[owner] for owner in data.seats.values()),
                )
            )
        rows.sort(key=lambda row: (row.points, row.serie, row.table))
        return rows[:MOST_LISTED]

    @property
    def last_whole(self) -> int:
        """The last Serie with an order of all players; 0 if there is none."""
        return min(self.rankings.last_whole, self.upto)

    def bump(self, *, also: int | None = None) -> list[tuple[Registration, list[int | None]]]:
        """Return the leading players after the last whole Serie, with the rank after each.

        The player with the start number *also* follows, if ranked and not among them.
        """
        ranks = ranks_after_each(self.rankings, self.upto)
        if not ranks:
            return []
        shown = list(ranks[-1])[:BUMP_LINES]
        if also in ranks[-1] and also not in shown:
            shown.append(also)
        return [
            (self.rankings.by_number[number], [each.get(number) for each in ranks])
            for number in shown
        ]


def _is_legible(data: ListData, number: int, owner: int) -> bool:
    """Whether the hand of *owner* in a game has one reading."""
    text = data.texts[number - 1]
    if text.count("[") == 1:  # the list of the hands
        return True
    seat = next(seat for seat in data.seats if data.owners(seat)[number - 1] == owner)
    return isinstance(json.loads(text)["minus"][seat - 1], int)


def _is_in_parts(data: ListData) -> bool:
    """Whether the list ended early, or players changed to or from it."""
    return bool(data.spans or data.others or data.ended_games)


def _leading(rows: Sequence[CountRow]) -> list[CountRow]:
    """Return the first rows and those equal to the last of them, unless there are too many."""
    if len(rows) <= MOST_LISTED:
        return list(rows)
    border = rows[MOST_LISTED - 1].count
    whole = [row for row in rows if row.count >= border]
    if len(whole) <= 2 * MOST_LISTED:
        return whole
    return [row for row in rows if row.count > border] or whole[:MOST_LISTED]
