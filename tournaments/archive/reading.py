"""An archive, read and checked before anything is stored: every problem with its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, TypeVar, cast

from django.db.models import Model

from scoring.checks import check_size
from scoring.errors import Problem, ScoringError
from scoring.reading.checked import read as read_part
from scoring.reading.checked import read_fields
from scoring.reading.interchange import read_games, read_penalties
from scoring.reading.records import Whole
from scoring.reading.strict_json import Node, parse
from scoring.ruleset import RuleSet
from scoring.spielliste import Penalty
from scoring.standings import check_playoffs
from scoring.texts import _
from scoring.unclear import Line
from scoring.written import Findings, Frame
from tournaments.archive import chains, seal, sections
from tournaments.archive.chains import ChainPart
from tournaments.archive.persons import AccountPart
from tournaments.archive.required import (
    FORMAT,
    MOST_SERIEN,
    VERSION,
    ClubPart,
    ListPart,
    PlayoffPart,
    RegistrationPart,
    SeriePart,
    TablePart,
    TournamentPart,
)
from tournaments.archive.rows import Row, Section, check_positions
from tournaments.archive.seal import SealPart
from tournaments.common import names
from tournaments.models import (
    Club,
    Game,
    Person,
    Registration,
    Serie,
    Spielliste,
    Table,
    Tournament,
    User,
)

Part = TypeVar("Part")
Value = TypeVar("Value")
Status = Spielliste.Status
# A list that is short of games is open, or invalid.
WHOLE = frozenset({Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED})
WITH_A_NUMBER = frozenset({"paid", "no_show", "excluded"})


# Everything that can stand in a file; the required part is read row by row.
FILE: Any = make_dataclass(
    "FILE",
    [
        ("format", str),
        ("version", int),
        ("tournament", Any),
        *((name, tuple[Any, ...]) for name in ("clubs", "registrations", "series", "playoffs")),
        (sections.ACCOUNTS, tuple[AccountPart, ...], field(default=())),
        *((one.name, one.form, field(default=())) for one in sections.IN_THE_FILE),
        (sections.JOURNAL, tuple[ChainPart, ...], field(default=())),
        (seal.NAME, SealPart, field(default=None)),
    ],
    kw_only=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """One table of a Serie with the lines and Strafpunkte of its list."""

    serie: int
    part: TablePart
    lines: tuple[Line, ...]
    penalties: tuple[Penalty, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What an archive says, read without a problem; references are positions still."""

    root: Node
    tournament: TournamentPart
    clubs: list[ClubPart]
    registrations: list[RegistrationPart]
    tables: list[ReadTable]
    playoffs: list[PlayoffPart]
    accounts: tuple[AccountPart, ...]
    further: Mapping[Section, list[Row]]  # those sections that the file has
    chains: tuple[ChainPart, ...]
    seals: list[str | None]  # as of ``seal.hands``


def read(data: bytes) -> Archive:
    """Return what stands in the file.

    Raises:
        ScoringError: with every problem and its place.
    """
    root = parse(data)
    _check_ours(root)
    _check_storable(root)
    given = read_fields(root, FILE)
    chains = given.get(sections.JOURNAL) or ()
    if seal.NAME in given:
        # A file that was changed need not be read any further.
        root.raise_problems()
        seal.check(cast(dict[str, Any], root.value), given[seal.NAME], chains)
    tournament = read_fields(root.field("tournament"), TournamentPart)
    clubs = _read_clubs(root.field("clubs"))
    registrations = _read_registrations(root.field("registrations"), root.field("clubs"))
    numbers = _all_of(root.field("registrations"), "number", int)
    hall = _Hall(tournament, numbers, root.field(sections.GAMES.name))
    tables = hall.tables(root.field("series"))
    playoffs = _read_playoffs(root.field("playoffs"), numbers)
    root.raise_problems()
    further = {one: given[one.name] for one in sections.IN_THE_FILE if one.name in given}
    archive = Archive(
        root=root,
        tournament=TournamentPart(**tournament),
        clubs=clubs,
        registrations=registrations,
        tables=sorted(tables, key=lambda table: (table.serie, table.part.number)),
        playoffs=playoffs,
        accounts=given.get(sections.ACCOUNTS, ()),
        further={section: [vars(row) for row in rows] for section, rows in further.items()},
        chains=chains,
        seals=seal.hands(given.get(seal.NAME)),
    )
    _check_further(archive)
    root.raise_problems()
    return archive


def _check_ours(root: Node) -> None:
    format_, version = root.field("format"), root.field("version")
    if format_.value not in (None, FORMAT):
        format_.refuse(_("Das ist kein Turnier dieses Programms: Erwartet wird „romme-turnier“."))
    elif version.value not in (None, VERSION):
        version.refuse(
            _("Diese Fassung des Formats ist nicht bekannt. Gelesen wird Fassung {known}.").format(
                known=VERSION
            )
        )
    root.raise_problems()


def _check_storable(node: Node) -> None:
    """Refuse what no database can keep, wherever in the file it stands."""
    value = node.value
    if isinstance(value, dict):
        for key in value:
            _check_storable(node.field(key))
    elif isinstance(value, list):
        for each in node.items() or []:
            _check_storable(each)
    elif isinstance(value, float):
        node.refuse(_("Hier kann nur eine ganze Zahl stehen, die nicht zu lang ist."))
    elif isinstance(value, str) and "\x00" in value:
        node.refuse(_("Der Text enthält ein unerlaubtes Zeichen."))


# --- The required part ------------------------------------------------------------------


def _rows(node: Node, form: type[Part]) -> list[tuple[Node, Part]]:
    """Return those rows of a list that can be read, with their places."""
    rows = [(row, read_part(row, form)) for row in (node.items() if node.is_list else None) or ()]
    return [(row, part) for row, part in rows if part is not None]


def _all_of(node: Node, name: str, kind: type[Value]) -> set[Value]:
    """Return what all rows of a list have at *name*, also those that cannot be read."""
    values = (row.field(name).value for row in (node.items() if node.is_list else None) or ())
    return {value for value in values if isinstance(value, kind)}


def _demand_once(rows: Iterable[tuple[Node, Any]], name: str, message: str) -> None:
    """Refuse rows that have at *name* what an earlier one has."""
    seen = set()
    for node, part in rows:
        value = getattr(part, name)
        if value is not None and value in seen:
            node.field(name).refuse(message)
        seen.add(value)


def _read_clubs(node: Node) -> list[ClubPart]:
    seen = set()
    clubs = _rows(node, ClubPart)
    for row, club in clubs:
        if (key := names.sort_key(club.name)) in seen:
            row.field("name").refuse(_("Diesen Verein gibt es in der Datei schon."))
        seen.add(key)
    return [club for _row, club in clubs]


def _read_registrations(node: Node, clubs: Node) -> list[RegistrationPart]:
    known = {names.sort_key(name) for name in _all_of(clubs, "name", str)}
    registrations = _rows(node, RegistrationPart)
    _demand_once(registrations, "number", _("Diese Startnummer gibt es in der Datei schon."))
    for row, one in registrations:
        if one.club is not None and names.sort_key(one.club) not in known:
            row.field("club").refuse(_("Dieser Verein steht nicht unter „clubs“."))
        if one.status in WITH_A_NUMBER and one.number is None:
            row.field("status").refuse(
                _("Ohne Startnummer kann die Meldung diesen Stand nicht haben.")
            )
    return [one for _row, one in registrations]


class _Hall:
    """Reads the tables; knows which start numbers there are, and counts the lines."""

    def __init__(
        self, tournament: Mapping[str, Any], numbers: Collection[int], details: Node
    ) -> None:
        self.serien = tournament.get("series") or MOST_SERIEN
        self.rule_set: RuleSet | None = tournament.get("rule_set")
        self.numbers = numbers
        rows = (details.items() if details.is_list else None) or ()
        self.overridden = [row.field("overridden").value is True for row in rows]
        self.lines = 0

    def tables(self, node: Node) -> list[ReadTable]:
        """Return the tables of all Serien; they are whole only if no problem was noted."""
        found = []
        serien = _rows(node, SeriePart)
        _demand_once(serien, "number", _("Diese Serie gibt es in der Datei schon."))
        for row, serie in serien:
            if serie.number > self.serien:
                of_tournament: Any = Annotated[int, Whole(1, self.serien)]
                read_part(row.field("number"), of_tournament)
            tables = _rows(row.field("tables"), TablePart)
            _demand_once(tables, "number", _("Diesen Tisch gibt es in der Serie schon."))
            seated: set[int] = set()
            for table, part in tables:
                self._check_seats(table.field("seats"), part.seats, seated)
                found.append(self._table(table.field("list"), serie.number, part))
        return found

    def _check_seats(self, node: Node, seats: tuple[int, ...], seated: set[int]) -> None:
        _check_known(node, seats, self.numbers)
        for index, number in enumerate(seats):
            if number in seated:
                node.entry(index).refuse(
                    _("Diese Startnummer sitzt in der Serie schon an einem Tisch.")
                )
            seated.add(number)
        if self.rule_set is not None:
            check_size(self.rule_set, len(seats), node.where, Findings(problems=node.problems))

    def _table(self, node: Node, serie: int, part: TablePart) -> ReadTable:
        frame = Frame(rule_set=self.rule_set, seats=len(part.seats) or None)
        findings = Findings()
        lines = read_games(node.field("games"), frame, findings)
        penalties = read_penalties(node.field("penalties"), frame, findings)
        node.problems += [each for each in findings.problems if not self._may_stand(each, node)]
        self.lines += len(lines)
        if self.rule_set is not None:
            _check_games(node, part.list, len(lines), of_rule_set=self.rule_set.games)
        return ReadTable(serie=serie, part=part, lines=lines, penalties=penalties)

    def _may_stand(self, problem: Problem, node: Node) -> bool:
        """Whether the Spielleitung let a line stand although it looks impossible."""
        found = re.match(re.escape(node.where) + r"\.games\[(\d+)\]\.minus", problem.where)
        return found is not None and any(self.overridden[self.lines + int(found[1]) :][:1])


def _check_games(node: Node, part: ListPart, games: int, *, of_rule_set: int) -> None:
    """Refuse a list that has not as many games as its state says."""
    wanted = part.ended.games if part.ended else of_rule_set
    if part.ended and not games <= wanted < of_rule_set:
        node.field("ended").field("games").refuse(
            _(
                "Die Liste hat {games} von {all} Spielen und kann nicht nach Spiel {ended} "
                "beendet sein."
            ).format(games=games, all=of_rule_set, ended=wanted)
        )
    elif (part.status in WHOLE and games != wanted) or (
        part.status == Status.OPEN and games == wanted and part.ended
    ):
        node.field("status").refuse(
            _("Die Liste hat {games} von {wanted} Spielen und kann nicht „{status}“ sein.").format(
                games=games, wanted=wanted, status=part.status.label
            )
        )


def _read_playoffs(node: Node, numbers: Collection[int]) -> list[PlayoffPart]:
    playoffs = _rows(node, PlayoffPart)
    known = len(node.problems)
    for row, playoff in playoffs:
        _check_known(row.field("order"), playoff.order, numbers)
    if len(node.problems) == known:
        try:
            check_playoffs([playoff.order for _row, playoff in playoffs])
        except ScoringError as refusal:
            node.problems += refusal.problems
    return [playoff for _row, playoff in playoffs]


def _check_known(node: Node, given: Iterable[int], numbers: Collection[int]) -> None:
    """Refuse start numbers that nobody has."""
    for index, number in enumerate(given):
        if number not in numbers:
            node.entry(index).refuse(_("Diese Startnummer steht nicht unter „registrations“."))


# --- The further sections ---------------------------------------------------------------


def _check_further(archive: Archive) -> None:
    """Refuse sections that do not go with the required part, or point to nothing."""
    further = archive.further
    played = archive.tournament.series
    serien = further.get(sections.SERIEN, [])
    # Behind the Serien that are played stand those that were struck out.
    struck = [one for one in serien[played:] if one["struck_out"]]
    if any(one["struck_out"] for one in serien[:played]):
        archive.root.field(sections.SERIEN.name).refuse(
            _("Was entfällt, steht hinter den Serien, die gespielt werden.")
        )
    players, tables = len(archive.registrations), len(archive.tables)
    lines = sum(len(table.lines) for table in archive.tables)
    required: dict[type[Model], int] = {
        User: len(archive.accounts),
        Club: len(archive.clubs),
        Tournament: 1,
        Person: players,
        Registration: players,
        Serie: played + len(struck),
        Table: tables,
        Spielliste: tables,
        Game: lines,
    }
    there = {section.model: len(rows) for section, rows in further.items()} | required
    there[Person] += len(further.get(sections.FORMER_PERSONS, ()))
    for section, rows in further.items():
        node = archive.root.field(section.name)
        wanted = required[section.model] if section.required else len(rows)
        if len(rows) != wanted:
            node.refuse(
                _("Dieser Abschnitt hat {found} Einträge, gebraucht werden {wanted}.").format(
                    found=len(rows), wanted=wanted
                )
            )
        check_positions(section, node, rows, there)
    chains.check(archive.root.field(sections.JOURNAL), archive.chains, there)
    _check_admitted(archive)


def _check_admitted(archive: Archive) -> None:
    """Refuse who plays in a closed tournament without a word why (§ 1.1).

    Not by its lists: clubs and lists may have changed since somebody registered.
    """
    tournament = archive.further.get(sections.TOURNAMENT)
    if not tournament or not tournament[0]["admission"]:
        return
    node = archive.root.field(sections.REGISTRATIONS.name)
    details = archive.further.get(sections.REGISTRATIONS, [])
    for index, (one, row) in enumerate(zip(archive.registrations, details, strict=False)):
        if one.status in Registration.TAKING_PART and not row["admission"]:
            node.entry(index).refuse(
                _("Das Turnier ist geschlossen (§ 1.1); es fehlt, warum jemand mitspielt.")
            )
