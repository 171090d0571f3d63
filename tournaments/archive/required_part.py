"""Reading and checking the required part of an archive; each problem has its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from scoring.ambiguity import AmbiguousLine
from scoring.checks import check_size, has_hands_of_players
from scoring.errors import Problem, ScoringError
from scoring.list_findings import Frame, ListFindings
from scoring.playoffs import check_playoffs
from scoring.reading.interchange import read_games, read_penalties
from scoring.reading.records import WholeNumber
from scoring.reading.strict_json import Node
from scoring.reading.validation import read, read_fields
from scoring.ruleset import RuleSet
from scoring.spielliste import Penalty
from scoring.texts import _
from tournaments.archive.parts import (
    MOST_SERIEN,
    ClubPart,
    ListPart,
    PlayoffPart,
    RegistrationPart,
    SeriePart,
    TablePart,
    TournamentPart,
)
from tournaments.common import names
from tournaments.models import Spielliste

PartT = TypeVar("PartT")
ValueT = TypeVar("ValueT")
Status = Spielliste.Status
# Lists in these states have all games; one with fewer games is open or invalid.
COMPLETE_STATES = frozenset({Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED})
NUMBERED_STATES = frozenset({"paid", "no_show", "excluded"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """One table of a Serie with the lines and Strafpunkte of its list."""

    serie: int
    part: TablePart
    lines: tuple[AmbiguousLine, ...]
    penalties: tuple[Penalty, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredPart:
    """The content of the required part; tables in the order of Serien and numbers."""

    tournament: TournamentPart
    clubs: list[ClubPart]
    registrations: list[RegistrationPart]
    tables: list[ReadTable]
    playoffs: list[PlayoffPart]


def read_required(root: Node, details: Node) -> RequiredPart:
    """Return the required part.

    Args:
        details: of the lines; overridden ones are not checked for plausibility.

    Raises:
        ScoringError: with every problem that was noted in the file.
    """
    node = root.field("tournament")
    tournament = read_fields(node, TournamentPart) if isinstance(node.value, dict) else {}
    clubs = _read_clubs(root.field("clubs"))
    registrations = _read_registrations(root.field("registrations"), root.field("clubs"))
    numbers = _values_at(root.field("registrations"), "number", int)
    tables = _TableReader(tournament, numbers, details).tables(root.field("series"))
    playoffs = _read_playoffs(root.field("playoffs"), numbers)
    root.raise_problems()
    return RequiredPart(
        tournament=TournamentPart(**tournament),
        clubs=clubs,
        registrations=registrations,
        tables=sorted(tables, key=lambda table: (table.serie, table.part.number)),
        playoffs=playoffs,
    )


def _items(node: Node) -> list[Node]:
    """Return the entries of a list; none for another type, which is refused elsewhere."""
    return (node.items() if node.is_list else None) or []


def _readable(node: Node, form: type[PartT]) -> list[tuple[Node, PartT]]:
    """Return the readable rows of a list, with their places."""
    rows = [(row, read(row, form)) for row in _items(node)]
    return [(row, part) for row, part in rows if part is not None]


def _values_at(node: Node, name: str, kind: type[ValueT]) -> set[ValueT]:
    """Return the values at *name* of all rows of a list, including unreadable ones."""
    values = (row.field(name).value for row in _items(node))
    return {value for value in values if isinstance(value, kind)}


def _check_unique(
    rows: Iterable[tuple[Node, Any]],
    name: str,
    message: str,
    same: Callable[[Any], Any] = lambda value: value,
) -> None:
    """Refuse rows with the same value at *name* as an earlier row."""
    seen = set()
    for node, part in rows:
        value = same(getattr(part, name))
        if value is not None and value in seen:
            node.field(name).refuse(message)
        seen.add(value)


def _check_known(node: Node, start_numbers: Iterable[int], numbers: Collection[int]) -> None:
    """Refuse start numbers that no registration has."""
    for index, number in enumerate(start_numbers):
        if number not in numbers:
            node.entry(index).refuse(_("Diese Startnummer steht nicht unter „registrations“."))


def _read_clubs(node: Node) -> list[ClubPart]:
    clubs = _readable(node, ClubPart)
    message = _("Diesen Verein gibt es in der Datei schon.")
    _check_unique(clubs, "name", message, names.sort_key)
    return [club for _row, club in clubs]


def _read_registrations(node: Node, clubs: Node) -> list[RegistrationPart]:
    club_keys = {names.sort_key(name) for name in _values_at(clubs, "name", str)}
    registrations = _readable(node, RegistrationPart)
    _check_unique(registrations, "number", _("Diese Startnummer gibt es in der Datei schon."))
    for row, registration in registrations:
        if registration.club is not None and names.sort_key(registration.club) not in club_keys:
            row.field("club").refuse(_("Dieser Verein steht nicht unter „clubs“."))
        if registration.status in NUMBERED_STATES and registration.number is None:
            row.field("status").refuse(
                _("Ohne Startnummer kann die Meldung diesen Stand nicht haben.")
            )
    return [registration for _row, registration in registrations]


def _read_playoffs(node: Node, numbers: Collection[int]) -> list[PlayoffPart]:
    playoffs = _readable(node, PlayoffPart)
    problems_before = len(node.problems)
    for row, playoff in playoffs:
        _check_known(row.field("order"), playoff.order, numbers)
    if len(node.problems) == problems_before:
        try:
            check_playoffs([playoff.order for _row, playoff in playoffs])
        except ScoringError as refusal:
            node.problems += refusal.problems
    return [playoff for _row, playoff in playoffs]


class _TableReader:
    """Reads the tables with the known start numbers, and counts the lines."""

    def __init__(
        self, tournament: Mapping[str, Any], numbers: Collection[int], details: Node
    ) -> None:
        self.serien = tournament.get("series") or MOST_SERIEN
        self.rule_set: RuleSet | None = tournament.get("rule_set")
        self.numbers = numbers
        self.overridden = [row.field("overridden").value is True for row in _items(details)]
        self.lines = 0

    def tables(self, node: Node) -> list[ReadTable]:
        """Return the tables of all Serien; complete only if no problem was noted."""
        read_tables = []
        serien = _readable(node, SeriePart)
        _check_unique(serien, "number", _("Diese Serie gibt es in der Datei schon."))
        for row, serie in serien:
            if serie.number > self.serien:
                of_tournament: Any = Annotated[int, WholeNumber(1, self.serien)]
                read(row.field("number"), of_tournament)
            tables = _readable(row.field("tables"), TablePart)
            _check_unique(tables, "number", _("Diesen Tisch gibt es in der Serie schon."))
            part_of = {table.where: part for table, part in tables}
            seated: set[int] = set()
            for table in _items(row.field("tables")):
                part = part_of.get(table.where)
                lines, penalties = self._lines(table.field("list"), part)
                if part is not None:
                    self._check_table(table, part, len(lines), seated)
                    read_tables.append(
                        ReadTable(serie=serie.number, part=part, lines=lines, penalties=penalties)
                    )
        return read_tables

    def _lines(
        self, node: Node, part: TablePart | None
    ) -> tuple[tuple[AmbiguousLine, ...], tuple[Penalty, ...]]:
        """Return lines and Strafpunkte, which are checked even if the table is invalid."""
        games, penalties = node.field("games"), node.field("penalties")
        frame = Frame(rule_set=self.rule_set, seats=(len(part.seats) or None) if part else None)
        findings = ListFindings()
        lines = read_games(games, frame, findings) if part or games.is_list else ()
        table_penalties = (
            read_penalties(penalties, frame, findings) if part or penalties.is_list else ()
        )
        sound = [
            has_hands_of_players(line, number, frame) for number, line in enumerate(lines, start=1)
        ]
        node.problems += [
            problem for problem in findings.problems if not self._may_stand(problem, node, sound)
        ]
        self.lines += len(lines)
        return lines, table_penalties

    def _check_table(self, table: Node, part: TablePart, games: int, seated: set[int]) -> None:
        seats = table.field("seats")
        _check_known(seats, part.seats, self.numbers)
        for index, number in enumerate(part.seats):
            if number in seated:
                seats.entry(index).refuse(
                    _("Diese Startnummer sitzt in der Serie schon an einem Tisch.")
                )
            seated.add(number)
        if self.rule_set is not None:
            findings = ListFindings(problems=table.problems)
            check_size(self.rule_set, len(part.seats), seats.where, findings)
            of_rule_set = self.rule_set.games_at(len(part.seats))
            _check_games(table.field("list"), part.list, games, of_rule_set=of_rule_set)

    def _may_stand(self, problem: Problem, node: Node, sound: Sequence[bool]) -> bool:
        """Whether the Spielleitung accepted an implausible line; *sound* lines have all hands."""
        match = re.match(re.escape(node.where) + r"\.games\[(\d+)\]\.minus", problem.where)
        if match is None or not sound[int(match[1])]:
            return False
        return any(self.overridden[self.lines + int(match[1]) :][:1])


def _check_games(node: Node, part: ListPart, games: int, *, of_rule_set: int) -> None:
    """Refuse a list whose number of games does not fit its state."""
    expected = part.ended.games if part.ended else of_rule_set
    if part.ended and not games <= expected < of_rule_set:
        node.field("ended").field("games").refuse(
            _(
                "Die Liste hat {games} von {all} Spielen und kann nicht nach Spiel {ended} "
                "beendet sein."
            ).format(games=games, all=of_rule_set, ended=expected)
        )
    elif (part.status in COMPLETE_STATES and games != expected) or (
        part.status == Status.OPEN and games == expected and part.ended
    ):
        node.field("status").refuse(
            _("Die Liste hat {games} von {wanted} Spielen und kann nicht „{status}“ sein.").format(
                games=games, wanted=expected, status=part.status.label
            )
        )
