"""Lists as far as their points depend on them, read with few queries, whatever their number."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from scoring.played import PlayedRow, played_rows
from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.ruleset import RuleSet
from scoring.running import TableCourse
from scoring.spielliste import SeatCount, SeatResult, extrapolated, sum_up_seat
from scoring.tally import tally
from scoring.unclear import Line, count_line
from tournaments.models import Game, Penalty, Seat, SeatSpan, Spielliste, Tournament

Status = Spielliste.Status


# Lists with all their games; an invalid one counts for nothing (§ 2.2.6).
COMPLETE = (Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)


PROVISIONAL = (Status.OPEN, *COMPLETE)
_NOBODY = "[]"


@dataclass(slots=True, kw_only=True)
class ListData:
    """A list as far as its points depend on it."""

    pk: int
    status: str
    serie: int  # number
    table: int  # number
    bonus_size: int | None
    seats: dict[int, int] = field(default_factory=dict)  # number of the seat -> registration
    texts: tuple[str, ...] = ()  # its games as stored, in JSON, game 1 first
    spans: list[tuple[int, int, int]] = field(default_factory=list)  # seat, last game, person
    penalties: dict[int, int] = field(default_factory=dict)  # registration -> Strafpunkte
    ended_games: int | None = None  # after which game the Spielleitung ended it
    ended_counts: str = ""
    ended_reason: str = ""
    ended_left: Sequence[int] = ()  # seats of those who had left by then

    @property
    def games(self) -> list[Mapping[str, Any]]:
        """The games in the interchange format, game 1 first."""
        return read_games(self.texts)

    @property
    def lines(self) -> list[Line]:
        """The games with their readings; whoever asks what if replaces them as a whole."""
        return [line_from_json(game) for game in self.games]

    @lines.setter
    def lines(self, lines: Sequence[Line]) -> None:
        self.texts = tuple(map(json.dumps, lines_to_json(lines)))

    @property
    def size(self) -> int:
        """The number of players that counts for the bonus (§ 3.2.1)."""
        return self.bonus_size or len(self.seats)

    def owners(self, seat: int) -> list[int]:
        """Return whose each game of a seat is, game 1 first."""
        owners = [self.seats[seat]] * len(self.texts)
        for span_seat, last_game, registration in sorted(self.spans, reverse=True):
            if span_seat == seat:
                owners[:last_game] = [registration] * min(last_game, len(owners))
        return owners

    def rows(self, rule_set: RuleSet, *, of: int | None = None) -> tuple[PlayedRow, ...]:
        """Return the list as it stands on the paper, the games *of* a registration marked."""
        own = {
            (number, seat)
            for seat in self.seats
            for number, owner in enumerate(self.owners(seat), start=1)
            if owner == of
        }
        return played_rows(self.lines, rule_set, len(self.seats), own=own)

    def course(self, rule_set: RuleSet) -> TableCourse:
        """Return what the table has collected after each game; a whole list comes to its result.

        However many games a whole list has: it stands beside those with all of them.
        """
        size = len(self.seats)
        after = dict(enumerate(_course(self.texts, rule_set, size, self.bonus_size), start=1))
        if self.status in COMPLETE:
            found = self.counted(rule_set).values()
            after[rule_set.games] = sum(one.total - one.penalty for one in found)
        return TableCourse(players=size, after=after)

    def played(self, rule_set: RuleSet) -> Counter[int]:
        """Return how many games each person has in it, all of them where it is whole."""
        if not self.spans:
            games = rule_set.games if self.status in COMPLETE else len(self.texts)
            return Counter(dict.fromkeys(self.seats.values(), games))
        return Counter(owner for seat in self.seats for owner in self.owners(seat))

    @property
    def is_extrapolated(self) -> bool:
        """Whether it was ended early and its games are reckoned up to a whole list."""
        return (
            len(self.texts) == self.ended_games
            and self.ended_counts == Tournament.EndedLists.EXTRAPOLATED
        )

    def sums(self, rule_set: RuleSet) -> list[tuple[int, int]]:
        """Return what may stand below each column: the minus points, or the result as played."""
        rows, found = self.rows(rule_set), self.as_played(rule_set)
        return [
            (rows[-1].cells[seat - 1].running if rows else 0, found[owner].total)
            for seat, owner in sorted(self.seats.items())
        ]

    def results(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return what the list brings to each person who has a result, by registration.

        Who left before it was ended has none.
        """
        counted = self.counted(rule_set)
        for owner in self.left() if self.ended_left else ():
            counted.pop(owner, None)
        return counted

    def left(self) -> set[int]:
        """Return who left before it was ended, by key of the registration."""
        seats = [seat for seat in self.ended_left if seat in self.seats]
        return {(self.owners(seat) or [self.seats[seat]])[-1] for seat in seats}

    def counted(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return what the list says of each person, of those too who left it, by registration."""
        played = self.as_played(rule_set)
        if not self.is_extrapolated:
            return played
        return {
            owner: extrapolated(result, played=len(self.texts), games=rule_set.games)
            for owner, result in played.items()
        }

    def as_played(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return what the games come to for each person, by key of the registration."""
        if self.spans:
            return self._parted_results(rule_set)
        sums = add_up(self.texts, rule_set, len(self.seats), self.bonus_size)
        found = dict(zip(map(self.seats.__getitem__, sorted(self.seats)), sums, strict=True))
        for registration, points in self.penalties.items():
            if registration in found:
                found[registration] = found[registration]._replace(penalty=points)
        return found

    def _parted_results(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results where games of a seat belong to different persons.

        Somebody who was moved within the table has games of two seats in one result.
        """
        shares: dict[int, list[SeatCount]] = {owner: [] for owner in self.seats.values()}
        seat_of = {owner: seat for seat, owner in self.seats.items()}
        counts = [count_line(line, rule_set) for line in self.lines]
        for seat in sorted(self.seats):
            for row, owner in zip(counts, self.owners(seat), strict=True):
                shares.setdefault(owner, []).append(row[seat - 1])
                seat_of.setdefault(owner, seat)
        return {
            owner: sum_up_seat(
                share,
                seat=seat_of[owner],
                rule_set=rule_set,
                bonus_size=self.size,
                penalty=self.penalties.get(owner, 0),
            )
            for owner, share in shares.items()
        }


def load_lists(
    tournament: Tournament, *, upto: int | None = None, only: Sequence[int] | None = None
) -> list[ListData]:
    """Return the lists of the first *upto* Serien, or those with the keys *only*; 5 queries."""
    wanted = Spielliste.objects.filter(table__serie__tournament=tournament)
    if upto is not None:
        wanted = wanted.filter(table__serie__number__lte=upto)
    if only is not None:
        wanted = wanted.filter(pk__in=only)
    keys = wanted.values("pk")
    rows = wanted.order_by("table__serie__number", "table__number").values_list(
        *("pk", "status", "table__serie__number", "table__number", "bonus_size", "table"),
        *("ended_games", "ended_counts", "ended_reason"),
        Cast("ended_left", TextField()),
    )
    by_table = {}
    for pk, status, serie, number, bonus_size, table, games, counts, reason, left in rows:
        by_table[table] = ListData(
            pk=pk,
            status=status,
            serie=serie,
            table=number,
            bonus_size=bonus_size,
            ended_games=games,
            ended_counts=counts,
            ended_reason=reason,
            ended_left=[] if left == _NOBODY else json.loads(left),
        )
    by_pk = {data.pk: data for data in by_table.values()}
    seats = Seat.objects.filter(table__in=wanted.values("table")).order_by("table_id", "number")
    for table, number, registration in seats.values_list("table", "number", "registration"):
        by_table[table].seats[number] = registration
    games = Game.objects.filter(spielliste__in=keys).order_by("spielliste_id", "number")
    lines = games.values_list("spielliste_id", Cast("line", TextField()))
    for pk, of_list in groupby(lines, key=itemgetter(0)):
        by_pk[pk].texts = tuple([text for _pk, text in of_list])
    spans = SeatSpan.objects.filter(spielliste__in=keys)
    for pk, *span in spans.values_list("spielliste", "seat", "last_game", "registration"):
        by_pk[pk].spans.append((span[0], span[1], span[2]))
    penalties = Penalty.objects.filter(spielliste__in=keys, status=Penalty.Status.GIVEN)
    for pk, registration, points in penalties.values_list("spielliste", "registration", "points"):
        sums = by_pk[pk].penalties
        sums[registration] = sums.get(registration, 0) + points
    return list(by_table.values())


def read_games(texts: tuple[str, ...]) -> list[Mapping[str, Any]]:
    """Return stored games in the interchange format."""
    games: list[Mapping[str, Any]] = json.loads(f"[{','.join(texts)}]")  # quicker than one by one
    return games


@lru_cache(maxsize=4096)  # a large hall's lists of all Serien; some 2 KB each
def add_up(
    texts: tuple[str, ...], rule_set: RuleSet, players: int, bonus_size: int | None
) -> tuple[SeatResult, ...]:
    """Return what games come to for each seat: what they say never changes."""
    return tally(read_games(texts), rule_set=rule_set, players=players, bonus_size=bonus_size)


@lru_cache(maxsize=1024)  # a large hall's lists of one Serie
def _course(
    texts: tuple[str, ...], rule_set: RuleSet, players: int, bonus_size: int | None
) -> list[int]:
    """Return what all seats together have after each game."""
    each = (
        tally([game], rule_set=rule_set, players=players, bonus_size=bonus_size)
        for game in read_games(texts)
    )
    return list(accumulate(sum(seat.total for seat in seats) for seats in each))


CORRECTABLE = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)


def is_correctable(spielliste: Spielliste) -> bool:
    """Whether a correction of the list may be offered; *spielliste* has its table and Serie."""
    return spielliste.status in CORRECTABLE and spielliste.table.serie.closed_at is None
