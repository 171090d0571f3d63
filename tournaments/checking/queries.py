"""Queries for checking: the lists of a Serie, one list as on paper, and its history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.checks import check_list
from scoring.errors import Problem
from scoring.list_rows import played_rows
from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.common.formats import NOTHING, points
from tournaments.common.rules import rule_set_of
from tournaments.hall.queries import handing_in
from tournaments.lists.queries import bussgeld as list_bussgeld
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.ended_lists import ended_sentences
from tournaments.lists.queries.foot import FootLine, foot_lines, formula
from tournaments.lists.queries.grid import Grid, GridColumn, GridRow, plain_rows
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.queries.seat_history import Sitter, Sitters, earlier_sitters
from tournaments.lists.queries.seat_moves import SeatMoves, name_lookup, seat_moves
from tournaments.models import Correction, Penalty, Registration, Serie, Spielliste, Tournament

Status = Spielliste.Status


# --- The lists of a Serie ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The lists of one Serie by the next step."""

    serie: Serie
    to_check: tuple[handing_in.TableToHandIn, ...]
    on_the_way: tuple[handing_in.TableToHandIn, ...]  # not handed in
    verified: tuple[handing_in.TableToHandIn, ...]
    invalid: tuple[handing_in.TableToHandIn, ...]

    @property
    def settled(self) -> int:
        """The number of lists that need no checking."""
        return len(self.verified) + len(self.invalid)

    @property
    def total(self) -> int:
        """The number of lists."""
        return self.settled + len(self.to_check) + len(self.on_the_way)


def overview(serie: Serie) -> Overview:
    """Return the lists of a Serie; a fixed number of queries."""
    rows = handing_in.rows(serie)

    def of(*statuses: str) -> tuple[handing_in.TableToHandIn, ...]:
        return tuple(row for row in rows if row.spielliste.status in statuses)

    return Overview(
        serie=serie,
        to_check=of(Status.HANDED_IN),
        on_the_way=of(Status.OPEN, Status.COMPLETE, Status.SIGNED),
        verified=of(Status.VERIFIED),
        invalid=of(Status.INVALID),
    )


def current_serie(tournament: Tournament) -> Serie | None:
    """Return the first Serie with a list to check, else the last one with seats."""
    seated = tournament.serien.filter(tables__spielliste__isnull=False).distinct()
    waiting = seated.filter(tables__spielliste__status=Status.HANDED_IN).order_by("number")
    return waiting.first() or seated.order_by("-number").first()


def next_to_check(spielliste: Spielliste) -> Spielliste | None:
    """Return the next list of the Serie to check: after this table, else from the first one."""
    waiting = (
        Spielliste.objects.filter(table__serie=spielliste.table.serie_id, status=Status.HANDED_IN)
        .exclude(pk=spielliste.pk)
        .select_related("table")
        .order_by("table__number")
    )
    later = [row for row in waiting if row.table.number > spielliste.table.number]
    return next(iter([*later, *waiting]), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProposals:
    """Undecided proposals of all Serien."""

    corrections: tuple[Correction, ...]
    penalties: tuple[Penalty, ...]

    def __bool__(self) -> bool:
        return bool(self.corrections or self.penalties)


def open_proposals(tournament: Tournament) -> OpenProposals:
    """Return proposed corrections and Strafpunkte; two queries."""
    corrections = tournament.corrections.filter(status=Correction.Status.PROPOSED).select_related(
        "spielliste__table__serie", "created_by"
    )
    waiting = [correction.after.get("penalty") for correction in corrections]
    penalties = (
        Penalty.objects.filter(
            spielliste__table__serie__tournament=tournament, status=Penalty.Status.PROPOSED
        )
        .exclude(pk__in=[key for key in waiting if key is not None])
        .select_related("spielliste__table__serie", "registration__person", "proposed_by")
    )
    return OpenProposals(corrections=tuple(corrections), penalties=tuple(penalties))


# --- One list ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow(GridRow):
    """One game of the list, with the notes about it."""

    overridden: bool
    problems: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def reasons(self) -> list[tuple[int, str]]:
        """The readings that determined points, by seat (§ 2.2.6)."""
        return [(cell.seat, reason) for cell in self.played.cells for reason in cell.reasons]

    @property
    def tone(self) -> str:
        """The CSS class that marks the row; the page has the same information in words."""
        if self.problems or self.overridden:
            return "is-odd"
        return "is-doubtful" if self.warnings else ""

    @property
    def is_noted(self) -> bool:
        """Whether the game has notes."""
        return bool(self.problems or self.warnings or self.reasons or self.overridden)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedColumn:
    """One seat of the list, with its sums as on the paper."""

    seat: int
    registration: Registration
    sums: tuple[int, ...]  # allowed on the paper; see ``ListData.sums``
    result: SeatResult  # of the present player
    place: int | None  # at the table; None for a player who left
    paper_sum: int | None
    sitter: Sitter | None  # the earlier player, if a substitute took over later

    @property
    def paper_differs(self) -> bool:
        """Whether the sum on the paper is not allowed."""
        return self.paper_sum is not None and self.paper_sum not in self.sums


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetToCheck:
    """One list as on paper, with all notes about it."""

    spielliste: Spielliste
    rule_set: RuleSet
    columns: tuple[CheckedColumn, ...]
    rows: tuple[CheckedRow, ...]
    moves: SeatMoves
    whole: tuple[str, ...]  # notes about the list as a whole
    foot: tuple[FootLine, ...]
    ended: tuple[str, ...]  # sentences about a list that was ended early
    seats: int
    finished: int = 0  # number of games won by a player

    @property
    def formula(self) -> str:
        """The formula of the result from the lines of the foot."""
        return formula(self.foot)

    @property
    def grid(self) -> Grid:
        """The grid in which a page shows the list."""
        return Grid(
            columns=tuple(
                GridColumn.of(seat.seat, seat.registration, sitter=seat.sitter)
                for seat in self.columns
            ),
            rows=self.rows,
            foot=self.foot,
            results=tuple(
                points(seat.result.total if seat.place else None) for seat in self.columns
            ),
            places=tuple(f"{seat.place}." if seat.place else NOTHING for seat in self.columns),
            moves=self.moves,
            most_first=self.rule_set.order.most_first,
        )

    @property
    def noted(self) -> list[CheckedRow]:
        """Return the games with notes."""
        return [row for row in self.rows if row.is_noted]

    @property
    def is_whole(self) -> bool:
        """Whether all games of the list are entered."""
        return len(self.rows) == self.games_wanted

    @property
    def games_wanted(self) -> int:
        """Number of games of the complete list."""
        return self.spielliste.games_wanted(self.rule_set.games_at(self.seats))


def sheet(spielliste: Spielliste) -> SheetToCheck:
    """Return a list as on paper; *spielliste* was fetched with table, Serie and tournament."""
    tournament = spielliste.table.serie.tournament
    rule_set = rule_set_of(tournament)
    (data,) = load_lists(tournament, only=[spielliste.pk])
    keys = {*data.seats.values(), *(span[2] for span in data.spans)}
    people = Registration.objects.select_related("person", "club").in_bulk(keys)
    overridden = set(spielliste.games.filter(overridden=True).values_list("number", flat=True))
    rows = data.rows(rule_set)
    findings = check_list(data.lines, rule_set=rule_set, seats=len(data.seats))
    problems, warnings = _by_game(findings.problems), _by_game(findings.warnings)
    sitters = earlier_sitters(tournament).get(data.serie, {}) if data.status != Status.OPEN else {}
    columns = tuple(_columns(spielliste, data, people, sitters, rule_set=rule_set))
    return SheetToCheck(
        spielliste=spielliste,
        rule_set=rule_set,
        columns=columns,
        rows=tuple(
            CheckedRow(
                played=row,
                overridden=row.number in overridden,
                problems=tuple(problems[row.number]),
                warnings=tuple(warnings[row.number]),
            )
            for row in rows
        ),
        moves=seat_moves(data, name_lookup(people, sitters), data.counted(rule_set)),
        whole=(*problems[0], *warnings[0]),
        foot=foot_lines(
            rule_set,
            size=data.size,
            results=[column.result for column in columns],
            extrapolated_from=data.extrapolated_from,
        ),
        ended=tuple(ended_sentences(data, rule_set)),
        seats=len(data.seats),
        finished=sum(cell.count.finished for row in rows for cell in row.cells),
    )


def _by_game(problems: Iterable[Problem]) -> dict[int, list[str]]:
    """Return the sentences by number of the game; 0 has those about the whole list."""
    sentences: dict[int, list[str]] = defaultdict(list)
    for problem in problems:
        game, _seat = problem.place
        sentences[game].append(problem.message)
    return sentences


def _columns(
    spielliste: Spielliste,
    data: ListData,
    people: Mapping[int, Registration],
    sitters: Sitters,
    *,
    rule_set: RuleSet,
) -> Iterable[CheckedColumn]:
    results = data.counted(rule_set)
    places = list_bussgeld.places_at_table(data, rule_set)
    paper, sums = spielliste.paper_sums, data.sums(rule_set)
    for index, seat in enumerate(sorted(data.seats)):
        key = data.seats[seat]
        yield CheckedColumn(
            seat=seat,
            registration=people[key],
            sums=sums[index],
            result=results[key],
            place=places[seat],
            paper_sum=paper[index] if index < len(paper) else None,
            sitter=sitters.get(key),
        )


# --- The history of a list ---------------------------------------------------------------------


def corrections_of(spielliste: Spielliste) -> list[Correction]:
    """Return all corrections of a list, the last one first; one query."""
    corrections = Correction.touching(spielliste).select_related("created_by", "decided_by")
    return list(corrections.order_by("-number"))


def grid_of(
    content: Mapping[str, Any], rule_set: RuleSet, changed: Iterable[tuple[int, int]] = ()
) -> Grid:
    """Return the grid of a stored version of a list, with start numbers as names.

    Args:
        content: as returned by ``list_versions.content``.
        changed: game and seat of the cells to mark.
    """

    def name_of(number: int) -> str:
        return _("Nr. {number}").format(number=number)

    columns = tuple(
        GridColumn(seat=seat["seat"], name=name_of(seat["number"])) for seat in content["seats"]
    )
    lines = [line_from_json(game["line"]) for game in content["games"]]
    data = ListData(
        pk=0,
        status=content["status"],
        serie=content["serie"],
        table=content["table"],
        bonus_size=content["bonus_size"],
        seats={seat["seat"]: seat["number"] for seat in content["seats"]},
        spans=[(span["seat"], span["last_game"], span["number"]) for span in content["spans"]],
    )
    data.lines = lines
    return Grid(
        columns=columns,
        rows=plain_rows(
            played_rows(lines, rule_set, len(columns), bonus_size=data.bonus_size), changed
        ),
        moves=seat_moves(data, lambda number: (None, name_of(number)), {}),
        most_first=rule_set.order.most_first,
    )
