"""Lists with the data that their points depend on."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

from scoring.ambiguity import AmbiguousLine, count_line
from scoring.competitors import Result
from scoring.list_rows import PlayedRow, played_rows
from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.ruleset import RuleSet
from scoring.running_ranking import TableCourse
from scoring.spielliste import SeatCount, SeatResult, extrapolated, sum_up_seat
from scoring.tally import SEPARATOR, ranking_results, tally
from tournaments.lists.queries.own_games import OwnGames
from tournaments.models import Spielliste, Tournament

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
    text: str = ""  # its games as stored, in JSON, game 1 first, separated by ``SEPARATOR``
    spans: list[tuple[int, int, int]] = field(default_factory=list)  # seat, last game, person
    penalties: dict[int, int] = field(default_factory=dict)  # registration -> Strafpunkte
    ended_games: int | None = None  # number of games when the Spielleitung ended it
    ended_counts: str = ""
    ended_reason: str = ""
    is_late: bool = False  # handed in late, for the Bußgeld
    ended_left: Sequence[int] = ()  # seats whose players had left by then
    others: Sequence[ListData] = ()  # lists of the Serie that share a person who changed tables

    @property
    def texts(self) -> tuple[str, ...]:
        """The stored JSON text of each game."""
        return tuple(self.text.split(SEPARATOR)) if self.text else ()

    @property
    def games(self) -> list[Mapping[str, Any]]:
        """The games in the interchange format, game 1 first."""
        games: list[Mapping[str, Any]] = json.loads(f"[{self.text}]")
        return games

    @property
    def lines(self) -> list[AmbiguousLine]:
        """The games with their readings; can be replaced as a whole to compare results."""
        return [line_from_json(game) for game in self.games]

    @lines.setter
    def lines(self, lines: Sequence[AmbiguousLine]) -> None:
        self.text = SEPARATOR.join(map(json.dumps, lines_to_json(lines)))

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

    def lines_of(self, owner: int) -> int:
        """Return the number of games in which a registration had a seat, played or sat out."""
        return sum(self.owners(seat).count(owner) for seat in self.seats)

    def rows(self, rule_set: RuleSet, *, of: int | None = None) -> tuple[PlayedRow, ...]:
        """Return the rows of the list as on paper, with the games *of* a registration marked."""
        own = {
            (number, seat)
            for seat in self.seats
            for number, owner in enumerate(self.owners(seat), start=1)
            if owner == of
        }
        return played_rows(
            self.lines, rule_set, len(self.seats), own=own, bonus_size=self.bonus_size
        )

    def course(self, rule_set: RuleSet, *, of: str = "points") -> TableCourse:
        """Return the sum of the points (or Augen) of all seats in each own game."""
        size, texts = len(self.seats), self.texts
        by_text = ranking_results(
            texts, rule_set=rule_set, players=size, bonus_size=self.bonus_size
        )
        games = [
            (by_text[text], rule_set.sits_out(game, size))
            for game, text in enumerate(texts, start=1)
        ]
        own = [
            [getattr(brought[seat - 1], of) for brought, out in games if out != seat]
            for seat in range(1, size + 1)
        ]
        brought = list(zip_longest(*own))
        return TableCourse(
            players=size,
            brought=[sum(points or 0 for points in game) for game in brought],
            seats=[size - game.count(None) for game in brought],
        )

    @property
    def people(self) -> set[int]:
        """The registrations with a seat or games."""
        return {*self.seats.values(), *(owner for _seat, _game, owner in self.spans)}

    def played(self, rule_set: RuleSet) -> Counter[int]:
        """Return the number of games of each registration, without those that it sat out."""
        size = len(self.seats)
        if not self.spans and size not in rule_set.dealer_sits_out:
            return Counter(dict.fromkeys(self.seats.values(), len(self.texts)))
        return Counter(
            owner
            for seat in self.seats
            for game, owner in enumerate(self.owners(seat), start=1)
            if rule_set.sits_out(game, size) != seat
        )

    @property
    def is_extrapolated(self) -> bool:
        """Whether the list was ended early and its games are extrapolated to a complete one."""
        return (
            self.ended_counts == Tournament.EndedLists.EXTRAPOLATED
            and len(self.texts) == self.ended_games
        )

    @property
    def extrapolated_from(self) -> int | None:
        """The number of games by which all players at the table are scaled, if it is the same."""
        changed = self.spans or self.others
        return len(self.texts) if self.is_extrapolated and not changed else None

    def sums(self, rule_set: RuleSet) -> list[tuple[int, ...]]:
        """Return the sums allowed below each column: minus points, and result as played.

        If games of the column belong to another player, its own sums are allowed as well.
        """
        rows, results = self.rows(rule_set), self.as_played(rule_set)
        columns = [
            {sum(cell.count.minus for cell in column), column[-1].running}
            for column in zip(*(row.cells for row in rows), strict=True)
        ] or [{0} for _seat in self.seats]
        return [
            (results[owner].minus, results[owner].total, *sorted(sums - {results[owner].minus}))
            for owner, sums in zip(self.seats.values(), columns, strict=True)
        ]

    @property
    def is_plain(self) -> bool:
        """Whether the results depend only on the games and the size of the table."""
        return not (self.spans or self.others or self.penalties) and self.ended_games is None

    @property
    def is_counted(self) -> bool:
        """Whether its games count."""
        return self.status in COMPLETE

    @property
    def has_parts(self) -> bool:
        """Whether its players may have more or fewer games than on a whole list."""
        return bool(self.spans or self.others or self.ended_games is not None)

    def by_owner(self, by_seat: Sequence[T]) -> dict[int, T]:
        return dict(zip(self.seats.values(), by_seat, strict=True))

    def whole(self, rule_set: RuleSet) -> int:
        """Return the number of own games of everybody on a whole list."""
        return rule_set.own_games(len(self.seats))

    def unscaled_numbers(self, rule_set: RuleSet, owner: int) -> Collection[int]:
        """Return the numbers of own games that are not scaled: fewer if it counts as played.

        A player who sat at a table for all games played there, on any seats, has all of them
        as own games, except those sat out.
        """
        whole, seats = self.whole(rule_set), [key for key in self.seats if self.seats[key] == owner]
        if self.ended_counts != Tournament.EndedLists.AS_PLAYED or not seats:
            return {whole}
        of_seat = partial(rule_set.own_games, len(self.seats), seat=seats[0])
        ended, written = self.ended_games or 0, len(self.texts)
        parts = [
            data for data in self.own_games(owner, rule_set).lists if data.status != Status.INVALID
        ]
        lines = ended - written + sum(data.lines_of(owner) for data in parts)
        own = of_seat(games=ended) - of_seat(games=written)
        own += sum(data.played(rule_set)[owner] for data in parts)
        return {of_seat(games=ended), whole, *([own] if lines == ended else [])}

    def own_games(self, owner: int, rule_set: RuleSet) -> OwnGames:
        """Return the lists of the Serie with a seat or games of a registration on this one."""
        others = (data for data in self.others if owner in data.people)
        return OwnGames(owner, (self, *others), rule_set)

    def results(
        self, rule_set: RuleSet, *, while_others_play: bool = False
    ) -> dict[int, SeatResult]:
        """Return the results for the ranking, by key of the registration.

        Players have none if they left before the list was ended, sit at a list that counts
        nothing, or have games on a list that is still open; with *while_others_play* the latter
        count as played, as for all.
        """
        counted = self.as_played(rule_set) if while_others_play else self.counted(rule_set)
        if self.has_parts or self.ended_left:
            for owner in list(counted):
                own = self.own_games(owner, rule_set)
                if not own.can_count or (not while_others_play and not own.is_whole):
                    del counted[owner]
        return counted

    def left(self) -> set[int]:
        """Return the keys of the registrations that left before the list was ended."""
        return {self.seats[seat] for seat in self.ended_left if seat in self.seats}

    def without_result(self, rule_set: RuleSet) -> set[int]:
        """Return the players who left or have no game that counts in the Serie (§ 2.2.1)."""
        own = [self.own_games(owner, rule_set) for owner in self.seats.values() if self.has_parts]
        return self.left() | {each.owner for each in own if each.is_over and not each.number}

    def scaled(self, rule_set: RuleSet) -> dict[int, int]:
        """Return the own games of each registration whose result is scaled here (§ 2.2.1)."""
        if not (self.has_parts and self.is_counted):
            return {}
        owned = {owner: self.own_games(owner, rule_set) for owner in self.people}
        return {
            owner: own.number
            for owner, own in owned.items()
            if own.home.pk == self.pk
            and own.is_whole
            and own.number not in self.unscaled_numbers(rule_set, owner)
        }

    def counted(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results by key of the registration, including players who left.

        The result of a player with another number of own games in the Serie is scaled once to a
        whole list, on the list where the player sits (§ 2.2.1).
        """
        results = self.as_played(rule_set)
        for owner, games in self.scaled(rule_set).items():
            elsewhere = [
                data.as_played(rule_set)[owner]
                for data in self.own_games(owner, rule_set).counting
                if data is not self
            ]
            results[owner] = extrapolated(
                results[owner],
                played=games,
                games=self.whole(rule_set),
                elsewhere=sum(result.played for result in elsewhere),
                elsewhere_augen=sum(result.played_augen for result in elsewhere),
            )
        return results

    def as_played(self, rule_set: RuleSet) -> dict[int, SeatResult]:
        """Return the results of the games as played, by key of the registration."""
        if self.spans:
            return self._parted_results(rule_set)
        players, size = len(self.seats), self.bonus_size
        results = self.by_owner(
            tally(self.text, rule_set=rule_set, players=players, bonus_size=size)
        )
        for registration, points in self.penalties.items():
            if registration in results:
                results[registration] = results[registration].with_penalty(points, rule_set)
        return results

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


def rank_results(
    lists: Iterable[ListData], rule_set: RuleSet, *, running: Container[int] = ()
) -> Iterator[tuple[ListData, dict[int, Result]]]:
    """Yield each list with its results for the ranking, by key of the registration.

    In the Serien *running*, lists that ended early count as played.
    """
    plain: defaultdict[tuple[int, int | None], list[ListData]] = defaultdict(list)
    for data in lists:
        if data.is_plain:
            plain[len(data.seats), data.bonus_size].append(data)
        else:
            results = data.results(rule_set, while_others_play=data.serie in running).items()
            yield (
                data,
                {
                    key: Result(
                        result.total, result.games_won, result.handromme, augen=result.augen
                    )
                    for key, result in results
                },
            )
    for (players, bonus_size), alike in plain.items():
        texts = [data.text for data in alike]
        found_of = ranking_results(texts, rule_set=rule_set, players=players, bonus_size=bonus_size)
        for data in alike:
            yield data, data.by_owner(found_of[data.text])


CORRECTABLE = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)


def is_correctable(spielliste: Spielliste) -> bool:
    """Whether a correction of the list may be offered; *spielliste* has its table and Serie."""
    return spielliste.status in CORRECTABLE and spielliste.table.serie.closed_at is None
