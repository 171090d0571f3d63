"""What the Spielleitung checks: the lists of a Serie, one list as it stands on paper, its past."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.checks import check_list
from scoring.errors import Problem
from scoring.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult, running_minus
from scoring.unclear import Explained, Line, explain
from tournaments.common.rules import rule_set_of
from tournaments.control.queries import handing_in
from tournaments.lists.queries import bussgeld as list_bussgeld
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.models import (
    Correction,
    Penalty,
    Registration,
    Serie,
    Spielliste,
    Tournament,
)

Status = Spielliste.Status
_GAME = re.compile(r"games\[(\d+)\]")


# --- The lists of a Serie ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The lists of one Serie by what is to be done with them, each as ``handing_in.Row``."""

    serie: Serie
    to_check: tuple[handing_in.Row, ...]
    on_the_way: tuple[handing_in.Row, ...]  # still at the table, or not handed in
    verified: tuple[handing_in.Row, ...]
    invalid: tuple[handing_in.Row, ...]

    @property
    def settled(self) -> int:
        """How many lists nobody has to look at any more."""
        return len(self.verified) + len(self.invalid)

    @property
    def total(self) -> int:
        """How many lists there are."""
        return self.settled + len(self.to_check) + len(self.on_the_way)


def overview(serie: Serie) -> Overview:
    """Return the lists of a Serie; a fixed number of queries."""
    rows = handing_in.rows(serie)

    def of(*statuses: str) -> tuple[handing_in.Row, ...]:
        return tuple(row for row in rows if row.spielliste.status in statuses)

    return Overview(
        serie=serie,
        to_check=of(Status.HANDED_IN),
        on_the_way=of(Status.OPEN, Status.COMPLETE, Status.SIGNED),
        verified=of(Status.VERIFIED),
        invalid=of(Status.INVALID),
    )


def current_serie(tournament: Tournament) -> Serie | None:
    """Return the Serie that has something to check, else the last one with seats."""
    seated = tournament.serien.filter(tables__spielliste__isnull=False).distinct()
    waiting = seated.filter(tables__spielliste__status=Status.HANDED_IN).order_by("number")
    return waiting.first() or seated.order_by("-number").first()


def next_to_check(spielliste: Spielliste) -> Spielliste | None:
    """Return the next list of the Serie that waits, after this table and then from the front."""
    waiting = (
        Spielliste.objects.filter(table__serie=spielliste.table.serie_id, status=Status.HANDED_IN)
        .exclude(pk=spielliste.pk)
        .select_related("table")
        .order_by("table__number")
    )
    later = [one for one in waiting if one.table.number > spielliste.table.number]
    return next(iter([*later, *waiting]), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What waits for a decision of the Spielleitung, whatever the Serie."""

    corrections: tuple[Correction, ...]
    penalties: tuple[Penalty, ...]

    def __bool__(self) -> bool:
        return bool(self.corrections or self.penalties)


def pending(tournament: Tournament) -> Pending:
    """Return proposed corrections and Strafpunkte; two queries."""
    corrections = tournament.corrections.filter(status=Correction.Status.PROPOSED).select_related(
        "spielliste__table__serie", "created_by"
    )
    waiting = [one.after.get("penalty") for one in corrections]
    penalties = (
        Penalty.objects.filter(
            spielliste__table__serie__tournament=tournament, status=Penalty.Status.PROPOSED
        )
        .exclude(pk__in=[key for key in waiting if key is not None])
        .select_related("spielliste__table__serie", "registration__person", "proposed_by")
    )
    return Pending(corrections=tuple(corrections), penalties=tuple(penalties))


# --- One list ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one game brought one seat, as it stands on the list."""

    seat: int
    text: str  # „23“, or the readings „17/71“
    running: int
    finished: bool  # circled on the paper; also where it is unclear
    handromme: bool
    is_unclear: bool
    added: int  # by the rule set, for somebody else's Handrommé
    adjustment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One game of the list."""

    number: int
    dealer: int
    cells: tuple[Cell, ...]
    ends_round: bool  # everybody has dealt once more
    overridden: bool
    problems: tuple[str, ...]
    warnings: tuple[str, ...]
    reasons: tuple[tuple[int, str], ...]  # seat and how its points were found (§ 2.2.6)

    @property
    def is_noted(self) -> bool:
        """Whether there is anything to be said about the game."""
        return bool(self.problems or self.warnings or self.reasons or self.overridden)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One seat of the list, with its sums A to F as on the paper."""

    seat: int
    registration: Registration
    minus: int  # A: the sum of the column
    result: SeatResult  # of the person who sits there now
    place: int
    paper_sum: int | None

    @property
    def paper_differs(self) -> bool:
        """Whether another sum stands on the paper."""
        return self.paper_sum is not None and self.paper_sum not in self.sums

    @property
    def sums(self) -> tuple[int, int]:
        """Return what may stand on the paper: the minus points, or the result."""
        return self.minus, self.result.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Games of a seat that belong to somebody who sits there no more."""

    seat: int
    last_game: int
    registration: Registration
    result: SeatResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One list as it stands on paper, with everything that is to be said about it."""

    spielliste: Spielliste
    rule_set: RuleSet
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]
    spans: tuple[Span, ...]
    whole: tuple[str, ...]  # what is to be said about the list as a whole
    bonus_rate: int
    handromme_rate: int
    seats: int
    has_adjustments: bool = False
    finished: int = 0  # games that are credited to somebody

    @property
    def noted(self) -> list[SheetRow]:
        """Return the games about which there is something to be said."""
        return [row for row in self.rows if row.is_noted]

    @property
    def is_whole(self) -> bool:
        """Whether every game of the rule set is there."""
        return len(self.rows) == self.rule_set.games


def sheet(spielliste: Spielliste) -> Sheet:
    """Return a list as the paper has it; expects its table, Serie and tournament."""
    tournament = spielliste.table.serie.tournament
    rule_set = rule_set_of(tournament)
    (data,) = list_data.load_lists(tournament, only=[spielliste.pk])
    keys = {*data.seats.values(), *(span[2] for span in data.spans)}
    people = Registration.objects.select_related("person", "club").in_bulk(keys)
    overridden = set(spielliste.games.filter(overridden=True).values_list("number", flat=True))
    lines = data.lines
    explained = [explain(line, rule_set) for line in lines]
    running = running_minus([[one.count for one in row] for row in explained])
    said = _Said.of(lines, rule_set, len(data.seats))
    found = data.results(rule_set)
    return Sheet(
        spielliste=spielliste,
        rule_set=rule_set,
        columns=tuple(_columns(spielliste, data, people, running, rule_set=rule_set)),
        rows=tuple(
            _row(
                number=number,
                line=line,
                row=row,
                sums=sums,
                said=said,
                rule_set=rule_set,
                overridden=number in overridden,
            )
            for number, (line, row, sums) in enumerate(
                zip(lines, explained, running, strict=True), start=1
            )
        ),
        spans=tuple(
            Span(seat=seat, last_game=last, registration=people[key], result=found[key])
            for seat, last, key in sorted(data.spans)
            if key in found
        ),
        whole=said.whole,
        bonus_rate=rule_set.bonus_per_game[data.size],
        handromme_rate=rule_set.handromme.bonus if rule_set.handromme else 0,
        seats=len(data.seats),
        has_adjustments=any(line.adjustments for line in lines),
        finished=sum(one.count.finished for row in explained for one in row),
    )


@dataclass(slots=True)
class _Said:
    """Problems and warnings of a list, by number of the game."""

    problems: dict[int, list[str]] = field(default_factory=dict)
    warnings: dict[int, list[str]] = field(default_factory=dict)
    whole: tuple[str, ...] = ()

    @classmethod
    def of(cls, lines: Sequence[Line], rule_set: RuleSet, seats: int) -> _Said:
        findings = check_list(lines, rule_set=rule_set, seats=seats)
        said = cls()
        whole = []
        for target, problems in (
            (said.problems, findings.problems),
            (said.warnings, findings.warnings),
        ):
            for problem in problems:
                number = _game_of(problem)
                if number is None:
                    whole.append(problem.message)
                else:
                    target.setdefault(number, []).append(problem.message)
        said.whole = tuple(whole)
        return said


def _game_of(problem: Problem) -> int | None:
    found = _GAME.search(problem.where)
    return int(found[1]) + 1 if found else None


def _row(
    *,
    number: int,
    line: Line,
    row: Sequence[Explained],
    sums: Sequence[int],
    said: _Said,
    rule_set: RuleSet,
    overridden: bool,
) -> SheetRow:
    players = len(row)
    return SheetRow(
        number=number,
        dealer=rule_set.dealer(number, players),
        cells=tuple(
            Cell(
                seat=seat,
                text=readings_text(line.minus[seat - 1]),
                running=sums[seat - 1],
                finished=seat in line.finisher,
                handromme=seat in line.finisher and any(line.handromme),
                is_unclear=_is_unclear(line, seat),
                added=one.count.added,
                adjustment=one.count.adjustment,
            )
            for seat, one in enumerate(row, start=1)
        ),
        ends_round=number % players == 0,
        overridden=overridden,
        problems=tuple(said.problems.get(number, ())),
        warnings=tuple(said.warnings.get(number, ())),
        reasons=tuple(
            (seat, reason) for seat, one in enumerate(row, start=1) for reason in one.reasons
        ),
    )


def _is_unclear(line: Line, seat: int) -> bool:
    """Whether it is not clear what this seat had, or whether and how it finished."""
    may_have_finished = seat in line.finisher
    return len(set(line.minus[seat - 1])) > 1 or (
        may_have_finished and (len(set(line.finisher)) > 1 or len(set(line.handromme)) > 1)
    )


def readings_text(readings: Iterable[int]) -> str:
    """Return the readings of a hand as they are typed.

    >>> readings_text((17, 71))
    '17/71'
    """
    return "/".join(str(points) for points in dict.fromkeys(readings))


def _columns(
    spielliste: Spielliste,
    data: ListData,
    people: Mapping[int, Registration],
    running: Sequence[Sequence[int]],
    *,
    rule_set: RuleSet,
) -> Iterable[Column]:
    found = data.results(rule_set)
    standings = list_bussgeld.seat_standings(data, rule_set)
    paper = spielliste.paper_sums
    for index, seat in enumerate(sorted(data.seats)):
        key = data.seats[seat]
        yield Column(
            seat=seat,
            registration=people[key],
            minus=running[-1][seat - 1] if running else 0,
            result=found[key],
            place=standings[index].rank,
            paper_sum=paper[index] if index < len(paper) else None,
        )


# --- The past of a list ----------------------------------------------------------------------


def corrections_of(spielliste: Spielliste) -> list[Correction]:
    """Return what was corrected on a list or is proposed, the last first; one query."""
    found = Correction.touching(spielliste).select_related("created_by", "decided_by")
    return list(found.order_by("-number"))


def kept_table(content: Mapping[str, Any]) -> list[list[str]]:
    """Return the games of a kept version as rows of cells: number, then each seat."""
    return [[str(game["number"]), *_kept_cells(game["line"])] for game in content["games"]]


def _kept_cells(line: Mapping[str, Any]) -> Iterable[str]:
    read = line_from_json(line)
    for seat, readings in enumerate(read.minus, start=1):
        mark = ""
        if seat in read.finisher:
            mark = " ○" + (" H" if any(read.handromme) else "")
        yield readings_text(readings) + mark
