"""Lists with the data their points depend on, read with a fixed number of queries."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.played import PlayedRow, played_rows
from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.ruleset import RuleSet
from scoring.running import TableCourse
from scoring.spielliste import SeatCount, SeatResult, extrapolated, sum_up_seat
from scoring.standings import Result
from scoring.tally import BETWEEN, ranked, tally
from scoring.unclear import Line, count_line
from tournaments.models import Game, Penalty, Seat, SeatSpan, Serie, Spielliste, Tournament

T = TypeVar("T")
Status = Spielliste.Status


# Lists with all their games; an invalid list does not count (§ 2.2.6).
COMPLETE = (Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)


PROVISIONAL = (Status.OPEN, *COMPLETE)


@dataclass(slots=True, kw_only=True)
class ListData:
    """The data of a list that its points depend on."""

    pk: int
    status: str
    serie: int  # number
    table: int  # number
    bonus_size: int | None
    seats: dict[int, int] = field(default_factory=dict)  # number, ascending -> registration
    text: str = ""  # its games as stored, in JSON, game 1 first, separated by ``BETWEEN``
    spans: list[tuple[int, int, int]] = field(default_factory=list)  # seat, last game, person
    penalties: dict[int, int] = field(default_factory=dict)  # registration -> Strafpunkte
    ended_games: int | None = None  # number of games when the Spielleitung ended it
    ended_counts: str = ""
    ended_reason: str = ""
    is_late: bool = False  # handed in late, for the Bußgeld
    ended_left: Sequence[int] = ()  # seats whose players had left by then
    others: Sequence[ListData] = ()  # of the Serie, with people of this one, if extrapolated

    @property
    def texts(self) -> tuple[str, ...]:
        """The games as stored, one by one."""
        return tuple(self.text.split(BETWEEN)) if self.text else ()

    @property
    def games(self) -> list[Mapping[str, Any]]:
        """The games in the interchange format, game 1 first."""
        games: list[Mapping[str, Any]] = json.loads(f"[{self.text}]")
        return games

    @property
    def lines(self) -> list[Line]:
        """The games with their readings; can be replaced as a whole to compare results."""
        return [line_from_json(game) for game in self.games]

    @lines.setter
    def lines(self, lines: Sequence[Line]) -> None:
        self.text = BETWEEN.join(map(json.dumps, lines_to_json(lines)))

    @property
    def size(self) -> int:
        """The number of players that counts for the bonus (§ 3.2.1)."""
        return self.bonus_size or len(self.seats)

    def owners(self, seat: int) -> list[int]:
        """Return the registration that played each game of a seat, game 1 first."""
        owners = [self.seats[seat]] * len(self.texts)
        for span_seat, last_game, registration in sorted(self.spans, reverse=True):
            if span_seat == seat:
                owners[:last_game] = [registration] * min(last_game, len(owners))
        return owners

    def rows(self, rule_set: RuleSet, *, of: int | None = None) -> tuple[PlayedRow, ...]:
        """Return the rows of the list as on paper, with the games *of* a registration marked."""
        own = {
            (number, seat)
            for seat in self.seats
            for number, owner in enumerate(self.owners(seat), start=1)
            if owner == of
        }
        return played_rows(self.lines, rule_set, len(self.seats), own=own)

    def course(self, rule_set: RuleSet) -> TableCourse:
        """Return the points that each game brought the whole table."""
        size = len(self.seats)
        found = ranked(self.texts, rule_set=rule_set, players=size, bonus_size=self.bonus_size)
        brought = [sum(seat.points for seat in found[text]) for text in self.texts]
        return TableCourse(players=size, brought=brought)

    @property
    def people(self) -> set[int]:
        """The registrations with a seat or games."""
        return {*self.seats.values(), *(owner for _seat, _game, owner in self.spans)}

    def played(self) -> Counter[int]:
        """Return the number of games of each registration."""
        if not self.spans:
            return Counter(dict.fromkeys(self.seats.values(), len(self.texts)))
        return Counter(owner for seat in self.seats for owner in self.owners(seat))

    @property
    def is_extrapolated(self) -> bool:
        """Whether it was ended early and its games are extrapolated to a complete list."""
        return (
            self.ended_counts == Tournament.EndedLists.EXTRAPOLATED
            and len(self.texts) == self.ended_games
        )

    def sums(self, rule_set: RuleSet) -> list[tuple[int, int]]:
        """Return the two sums allowed below each column: minus points, and result as played."""
        rows, found = self.rows(rule_set), self.as_played(rule_set)
        return [
            (rows[-1].cells[seat - 1].running if rows else 0, found[owner].total)
            for seat, owner in self.seats.items()
        ]

    @property
    def is_plain(self) -> bool:
        """Whether its results depend on its games and the size of the table only."""
        return not self.spans and not self.penalties and self.ended_games is None

    def owned(self, by_seat: Sequence[T]) -> dict[int, T]:
        return dict(zip(self.seats.values(), by_seat, strict=True))

    def results(
        self, rule_set: RuleSet, *, while_others_play: bool = False
    ) -> dict[int, SeatResult]:
        """Return the results by key of the registration; *while_others_play*, as played.

        A player who left before the list was ended has none.
        """
        counted = self.as_played(rule_set) if while_others_play else self.counted(rule_set)
        for owner in self.left():
            counted.pop(owner, None)
        return counted

    def left(self) -> set[int]:
        """Return the keys of the registrations that left before the list was ended."""
        seats = [seat for seat in self.ended_left if seat in self.seats]
        return {(self.owners(seat) or [self.seats[seat]])[-1] for seat in seats}

    def counted(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results by key of the registration, including players who left.

        Extrapolated are all games of a player in the Serie, once, on the list where they sit;
        nobody's who plays on at another table.
        """
        played = self.as_played(rule_set)
        if not self.is_extrapolated:
            return played
        games = self.played()
        return {
            owner: self._extrapolated(owner, result, games[owner], rule_set)
            for owner, result in played.items()
        }

    def _extrapolated(
        self, owner: int, result: SeatResult, games: int, rule_set: RuleSet
    ) -> SeatResult:
        others = [one for one in self.others if owner in one.people]
        ended = [self, *(one for one in others if one.is_extrapolated)]
        shown_on = min(ended, key=lambda one: (owner not in one.seats.values(), one.table))
        games += sum(one.played()[owner] for one in others)
        plays_on = any(one.status == Status.OPEN for one in others)
        if shown_on is not self or plays_on or not games:
            return result
        elsewhere = [one.as_played(rule_set)[owner].played for one in others]
        return extrapolated(result, played=games, games=rule_set.games, elsewhere=sum(elsewhere))

    def as_played(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results of the games as played, by key of the registration."""
        if self.spans:
            return self._parted_results(rule_set)
        players, size = len(self.seats), self.bonus_size
        found = self.owned(tally(self.text, rule_set=rule_set, players=players, bonus_size=size))
        for registration, points in self.penalties.items():
            if registration in found:
                found[registration] = found[registration]._replace(penalty=points)
        return found

    def _parted_results(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results of a list in which games of a seat belong to different players.

        A player who was moved within the table has games of two seats in one result.
        """
        shares: dict[int, list[SeatCount]] = {owner: [] for owner in self.seats.values()}
        seat_of = {owner: seat for seat, owner in self.seats.items()}
        counts = [count_line(line, rule_set) for line in self.lines]
        for seat in self.seats:
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


# Columns of a list that are fields of :class:`ListData`.
_OWN = (
    *("pk", "status", "bonus_size", "is_late"),
    *("ended_games", "ended_counts", "ended_reason", "ended_left"),
)


def load_lists(
    tournament: Tournament, *, only: Sequence[int] | QuerySet[Spielliste, Any] | None = None
) -> list[ListData]:
    """Return the lists of a tournament, or those with the keys in *only*; see ``read_lists``."""
    wanted = Spielliste.objects.filter(table__serie__tournament=tournament)
    return read_lists(wanted if only is None else wanted.filter(pk__in=only))


def read_lists(wanted: QuerySet[Spielliste]) -> list[ListData]:
    """Return lists by Serie and table; 5 queries, and another if any is extrapolated."""
    lists = _read(wanted)
    known = [one.pk for one in lists]
    people = set[int]().union(*(one.people for one in lists if one.is_extrapolated))
    if not people:
        return lists
    sits, played = Q(table__seats__registration__in=people), Q(spans__registration__in=people)
    series = Serie.objects.filter(tables__spielliste__in=known)
    others = Spielliste.objects.filter(sits | played, table__serie__in=series)
    missing = set(others.values_list("pk", flat=True)).difference(known)
    further = _read(Spielliste.objects.filter(pk__in=missing)) if missing else []
    return linked([*lists, *further])[: len(lists)]


def linked(lists: Sequence[ListData]) -> list[ListData]:
    """Return the same lists, those extrapolated with the ``others`` on which their people are."""
    moved = {(one.serie, owner) for one in lists for _seat, _game, owner in one.spans}
    return [_linked(one, lists, moved) if one.is_extrapolated else one for one in lists]


def _linked(
    data: ListData, lists: Sequence[ListData], moved: Container[tuple[int, int]]
) -> ListData:
    """Return *data* with the other lists of those whose games are on several of them."""
    mine = {owner for owner in data.people if (data.serie, owner) in moved}
    others = [
        one
        for one in lists
        if one.pk != data.pk
        and one.serie == data.serie
        and one.status != Status.INVALID
        and not mine.isdisjoint(one.people)
    ]
    return replace(data, others=others)


def _read(wanted: QuerySet[Spielliste]) -> list[ListData]:
    keys = wanted.order_by().values("pk")
    games = Game.objects.filter(spielliste__in=keys).order_by("spielliste_id", "number")
    as_text = games.values_list("spielliste_id", Cast("line", TextField())).iterator()
    texts = {
        pk: BETWEEN.join([text for _pk, text in rows])
        for pk, rows in groupby(as_text, key=itemgetter(0))
    }
    seats: defaultdict[int, dict[int, int]] = defaultdict(dict)
    sitting = Seat.objects.filter(table__spielliste__in=keys).order_by("number")
    for pk, seat, owner in sitting.values_list("table__spielliste", "number", "registration_id"):
        seats[pk][seat] = owner
    spans: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    moved = SeatSpan.objects.filter(spielliste__in=keys)
    for pk, *span in moved.values_list("spielliste_id", "seat", "last_game", "registration_id"):
        spans[pk].append((span[0], span[1], span[2]))
    penalties: defaultdict[int, Counter[int]] = defaultdict(Counter)
    given = Penalty.objects.filter(spielliste__in=keys, status=Penalty.Status.GIVEN)
    for pk, owner, points in given.values_list("spielliste_id", "registration_id", "points"):
        penalties[pk][owner] += points
    lists = wanted.order_by("table__serie__number", "table__number")
    return [
        ListData(
            serie=serie,
            table=table,
            seats=seats[pk],
            text=texts.get(pk, ""),
            spans=spans[pk],
            penalties=penalties[pk],
            **dict(zip(_OWN, (pk, *own), strict=True)),
        )
        for serie, table, pk, *own in lists.values_list(
            "table__serie__number", "table__number", *_OWN
        )
    ]


def rank_results(
    lists: Iterable[ListData], rule_set: RuleSet, *, running: Container[int] = ()
) -> Iterator[tuple[ListData, dict[int, Result]]]:
    """Yield each list with its results for the ranking, by key of the registration.

    Lists of the Serien *running* that ended early bring what was played.
    """
    plain: defaultdict[tuple[int, int | None], list[ListData]] = defaultdict(list)
    for data in lists:
        if data.is_plain:
            plain[len(data.seats), data.bonus_size].append(data)
        else:
            found = data.results(rule_set, while_others_play=data.serie in running).items()
            yield data, {key: Result(one.total, one.games_won, one.handromme) for key, one in found}
    for (players, bonus_size), alike in plain.items():
        texts = [data.text for data in alike]
        found_of = ranked(texts, rule_set=rule_set, players=players, bonus_size=bonus_size)
        for data in alike:
            yield data, data.owned(found_of[data.text])


CORRECTABLE = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)


def is_correctable(spielliste: Spielliste) -> bool:
    """Whether a correction of the list may be offered; *spielliste* has its table and Serie."""
    return spielliste.status in CORRECTABLE and spielliste.table.serie.closed_at is None
