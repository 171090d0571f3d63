"""The lists of one player, game by game, with running sums."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.list_rows import PlayedCell, PlayedRow
from scoring.payments.prizes import Recipient
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.common.formats import points
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.ended_lists import ended_sentences
from tournaments.lists.queries.foot import foot_lines
from tournaments.lists.queries.grid import Grid, GridColumn, plain_rows
from tournaments.lists.queries.seat_history import Sitter, earlier_sitters
from tournaments.lists.queries.seat_moves import SeatMoves, name_lookup, seat_moves
from tournaments.models import Registration, Spielliste
from tournaments.results.queries.rankings import OVERALL, Rankings


def seat_name(registration: Registration | None, *, is_mine: bool) -> str:
    """Return a name that fits a column on a phone; names of others by their consent."""
    if registration is None:
        return ""
    person = registration.person
    if is_mine or registration.publishes_name:
        return person.first_name or person.last_name
    return registration.public_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSeat:
    """The player at a seat, with the result of the list."""

    number: int
    registration: Registration | None
    is_mine: bool
    result: SeatResult
    sitter: Sitter | None  # the player at that time, if a substitute took over later

    @property
    def name(self) -> str:
        """The heading of the column."""
        if self.registration is None or self.sitter is None:
            return seat_name(self.registration, is_mine=self.is_mine)
        return seat_name(self.sitter.seated(self.registration), is_mine=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedList:
    """A whole list in which the player had a seat or games."""

    data: ListData
    rule_set: RuleSet
    seats: tuple[PlayedSeat, ...]
    games: tuple[PlayedRow, ...]
    mine: SeatResult  # the person's result
    moves: SeatMoves  # with names by consent
    staff_moves: SeatMoves
    ended: tuple[str, ...]  # sentences about a list that ended early
    has_result: bool  # whether the list has a result for the person

    @property
    def grid(self) -> Grid:
        """The list as shown to the Spielleitung."""
        left = self.data.without_result(self.rule_set)
        return Grid(
            columns=tuple(
                GridColumn.of(
                    seat.number, seat.registration, is_own=seat.is_mine, sitter=seat.sitter
                )
                for seat in self.seats
            ),
            rows=plain_rows(self.games),
            foot=foot_lines(
                self.rule_set,
                size=self.data.size,
                results=[seat.result for seat in self.seats],
                extrapolated_from=self.data.extrapolated_from,
            ),
            results=tuple(
                points(None if self.data.seats[seat.number] in left else seat.result.total)
                for seat in self.seats
            ),
            moves=self.staff_moves,
            most_first=self.rule_set.order.most_first,
        )

    @property
    def own_seat(self) -> int:
        """The person's seat at the table; 0 if the person was moved away from it."""
        return next((seat.number for seat in self.seats if seat.is_mine), 0)

    @property
    def status_label(self) -> str:
        """The state of the list in German."""
        return str(Spielliste.Status(self.data.status).label)

    @property
    def is_open(self) -> bool:
        """Whether it is unfinished and counts only provisionally."""
        return self.data.status == Spielliste.Status.OPEN

    @property
    def is_invalid(self) -> bool:
        """Whether it is invalid."""
        return self.data.status == Spielliste.Status.INVALID

    @property
    def own_games(self) -> list[tuple[int, PlayedCell]]:
        """The person's own games: number and points."""
        return [
            (game.number, cell)
            for game in self.games
            for cell in game.cells
            if cell.is_own and cell.count.plays
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRank:
    """The player's rank in one ranking."""

    label: str
    rank: int
    of: int
    when: str  # German: "nach Serie 1"; empty for a Serie alone


def played_lists(rankings: Rankings, registration: Registration) -> list[PlayedList]:
    """Return the lists in which the player has a seat or games, by Serie and table."""
    rule_set = rule_set_of(rankings.tournament)
    registrations = rankings.registrations.values()
    is_any_substituted = any(getattr(seated, "is_substituted", False) for seated in registrations)
    sitters = earlier_sitters(rankings.tournament) if is_any_substituted else {}

    def name(seated: Registration) -> str:
        is_mine = seated.person_id == registration.person_id
        return seated.person.full_name if is_mine else seated.public_name

    lists = []
    for data in rankings.lists_of.get(registration.pk, ()):
        sums = data.counted(rule_set)
        sitting = sitters.get(data.serie, {})
        if registration.pk in sums:
            seats = [
                PlayedSeat(
                    number=number,
                    registration=rankings.registrations.get(owner),
                    is_mine=owner == registration.pk,
                    result=sums[owner],
                    sitter=sitting.get(owner),
                )
                for number, owner in sorted(data.seats.items())
            ]
            lists.append(
                PlayedList(
                    data=data,
                    rule_set=rule_set,
                    seats=tuple(seats),
                    games=data.rows(rule_set, of=registration.pk),
                    mine=sums[registration.pk],
                    moves=seat_moves(
                        data, name_lookup(rankings.registrations, sitting, name), sums
                    ),
                    staff_moves=seat_moves(
                        data, name_lookup(rankings.registrations, sitting), sums
                    ),
                    ended=tuple(ended_sentences(data, rule_set)),
                    has_result=data.own_games(registration.pk, rule_set).can_count
                    and registration.pk not in data.without_result(rule_set),
                )
            )
    return lists


@dataclass(frozen=True, slots=True, kw_only=True)
class BestGame:
    """The best game of a player."""

    serie: int
    number: int
    handromme: bool
    caught: int  # points of all others at the table in it


def best_game(lists: Iterable[PlayedList]) -> BestGame | None:
    """Return the finished game with the most points of the others; a Handrommé has priority."""
    finished = [
        BestGame(
            serie=played.data.serie,
            number=game.number,
            handromme=cell.count.handromme,
            caught=sum(
                each.count.minus for each in game.cells if each is not cell and not each.readings
            ),
        )
        for played in lists
        if not played.is_invalid
        for game in played.games
        for cell in game.cells
        if cell.is_own and cell.count.finished
    ]
    return max(finished, key=lambda game: (game.handromme, game.caught), default=None)


def ranks_after_each(rankings: Rankings, upto: int) -> list[dict[int, int]]:
    """Return the ranks after each whole Serie up to *upto*: start number → rank, best first."""
    after = [
        rankings.standings(OVERALL, upto=serie)
        for serie in range(1, min(rankings.last_whole, upto) + 1)
    ]
    return [{line.number: line.rank for line in each if line.has_place} for each in after]


def ranks(rankings: Rankings, registration: Registration) -> list[PlayerRank]:
    """Return the player's rank in each ranking of players, the overall ranking first."""
    player_ranks = []
    for ranking in rankings.choices():
        if ranking.recipient is not Recipient.PLAYER:
            continue
        upto, running = rankings.stand(ranking)
        standings = rankings.standings(ranking, upto=upto, running=running)
        ranked = [line for line in standings if line.has_place]
        mine = next((line for line in ranked if line.number == registration.number), None)
        if mine is not None:
            when = _("mit Serie {number}") if running else _("nach Serie {number}")
            player_ranks.append(
                PlayerRank(
                    label=ranking.describe(),
                    rank=mine.rank,
                    of=len(ranked),
                    when="" if ranking.is_of_part else when.format(number=upto),
                )
            )
    return player_ranks
