"""The required part of an archive, read and checked: every problem with its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from scoring.checks import check_size
from scoring.errors import Problem, ScoringError
from scoring.reading.checked import read as read_node
from scoring.reading.checked import read_fields
from scoring.reading.interchange import read_games, read_penalties
from scoring.reading.records import LARGEST, By, Text, Whole, one_of
from scoring.reading.ruleset_json import read_ruleset
from scoring.reading.strict_json import Node, parse
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from scoring.spielliste import Penalty
from scoring.standings import check_playoffs
from scoring.texts import _
from scoring.unclear import Line
from scoring.written import Findings, Frame
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.archive import seal, sections
from tournaments.archive.writing import FORMAT, VERSION
from tournaments.common import names
from tournaments.models import Registration, Spielliste, Tournament

MOST_SERIEN = 99
MOST_CENTS = 10**9
# Words of other programs for what is told apart otherwise here.
STATUS_WORDS = {"seated": Registration.Status.PAID, "no-show": Registration.Status.NO_SHOW}
# A list that is short of games is open, or invalid.
Status = Spielliste.Status
WHOLE = frozenset({Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED})
WITH_A_NUMBER = frozenset({"paid", "no_show", "excluded"})


# --- What stands in the file --------------------------------------------------------------


def _slug(slug: str) -> str:
    if not re.fullmatch("[-a-zA-Z0-9_]{1,60}", slug):
        raise ValueError(
            _("Der Kurzname hat bis zu 60 Buchstaben ohne Umlaute, Ziffern und Striche.")
        )
    if slug in reserved_slugs():
        raise ValueError(_("„{slug}“ ist eine Adresse des Programms selbst.").format(slug=slug))
    return slug


def _rule_set(node: Node) -> RuleSet | None:
    """Return the rule set that is named, or stands in the file because it is an own one."""
    if isinstance(node.value, dict):
        return read_ruleset(node)
    return read_node(node, NamedRuleSet)


def _name(name: str) -> str:
    if not names.sort_key(name):
        raise ValueError(_("Ein Name braucht mindestens einen Buchstaben."))
    return name


def _status(word: str) -> Registration.Status:
    words = {status.value: status for status in Registration.Status} | STATUS_WORDS
    return words[one_of(word, words)]


def _counts(word: str) -> Tournament.EndedLists:
    # A list that was ended without a result is invalid, and says no more than that.
    known = {
        each.value: each for each in Tournament.EndedLists if each is not Tournament.EndedLists.NONE
    }
    return known[one_of(word, known)]


NamedRuleSet: Any = Annotated[str, Text(), By(ruleset)]
Day = date  # a field may not be called as its type
StartNumber = Annotated[int, Whole(1, LARGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTournament:
    """What the file says of the tournament itself."""

    slug: Annotated[str, Text(), By(_slug)]
    name: Annotated[str, Text(120)]
    date: Day
    rule_set: Any
    series: Annotated[int, Whole(1, MOST_SERIEN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClub:
    """One club of the file."""

    name: Annotated[str, Text(120), By(_name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRegistration:
    """One registration of the file; a number may be missing before the Startgeld is paid."""

    number: StartNumber | None
    first_name: Annotated[str, Text(80, may_be_empty=True)]
    last_name: Annotated[str, Text(80), By(_name)]
    club: Annotated[str, Text()] | None
    team: Annotated[str, Text(80)] | None
    status: Annotated[Any, By(_status)]
    paid_cents: Annotated[int, Whole(0, MOST_CENTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Serie:
    number: Annotated[int, Whole(1, MOST_SERIEN)]
    tables: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    number: Annotated[int, Whole(1, 9999)]
    seats: Any
    list: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEnd:
    """How a list counts that was ended before its last game."""

    games: Annotated[int, Whole(1, 99)]
    counts: Annotated[Any, By(_counts)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    status: Spielliste.Status
    games: Any
    penalties: Any
    ended: ReadEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Playoff:
    order: tuple[StartNumber, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """One table with its list; ``seats`` are start numbers."""

    serie: int
    number: int
    seats: tuple[int, ...]
    status: str
    lines: tuple[Line, ...]
    penalties: tuple[Penalty, ...]
    ended: ReadEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What an archive says, read without a problem; ``further`` is read when it is stored."""

    root: Node
    tournament: ReadTournament
    clubs: tuple[str, ...]
    registrations: tuple[ReadRegistration, ...]
    tables: tuple[ReadTable, ...]
    playoffs: tuple[tuple[int, ...], ...]
    further: Mapping[str, Node]
    seals: list[str | None]  # as of ``seal.seals_of``


# --- Reading it ---------------------------------------------------------------------------


def read(data: bytes) -> Archive:
    """Return what stands in the file.

    Raises:
        ScoringError: with every problem of the required part and its place.
    """
    root = parse(data)
    fields = root.fields(
        required=(
            "format",
            "version",
            "tournament",
            "clubs",
            "registrations",
            "series",
            "playoffs",
        ),
        optional=(*sections.NAMES, seal.NAME),
    )
    if not _is_ours(fields):
        root.raise_problems()
    _check_storable(root)
    # A file that was changed need not be read any further.
    seals = seal.seals_of(root, fields.get(seal.NAME))
    tournament = read_fields(fields["tournament"], ReadTournament) if "tournament" in fields else {}
    if "rule_set" in tournament:
        tournament["rule_set"] = _rule_set(fields["tournament"].field("rule_set"))
    clubs = _read_clubs(fields.get("clubs"))
    registrations = _read_registrations(fields.get("registrations"), clubs)
    numbers = {one["number"] for one in registrations if one.get("number") is not None}
    hall = _SeriesReader(tournament.get("rule_set"), numbers, _overridden(fields))
    tables = list(hall.tables(fields.get("series"), tournament.get("series") or MOST_SERIEN))
    playoffs = _read_playoffs(fields.get("playoffs"), numbers)
    root.raise_problems()
    return Archive(
        root=root,
        tournament=ReadTournament(**tournament),
        clubs=tuple(clubs.values()),
        registrations=tuple(ReadRegistration(**one) for one in registrations),
        tables=tuple(sorted(tables, key=lambda table: (table.serie, table.number))),
        playoffs=playoffs,
        further={name: fields[name] for name in sections.NAMES if name in fields},
        seals=seals,
    )


def _is_ours(fields: dict[str, Node]) -> bool:
    format_, version = fields.get("format"), fields.get("version")
    if format_ is not None and format_.value != FORMAT:
        format_.refuse(_("Das ist kein Turnier dieses Programms: Erwartet wird „romme-turnier“."))
        return False
    if version is not None and version.value != VERSION:
        version.refuse(
            _("Diese Fassung des Formats ist nicht bekannt. Gelesen wird Fassung {known}.").format(
                known=VERSION
            )
        )
        return False
    return True


def _check_storable(node: Node) -> None:
    """Refuse what no database can keep, wherever in the file it stands."""
    value = node.value
    if isinstance(value, dict):
        for key, each in value.items():
            _check_storable(Node(each, f"{node.where}.{key}".removeprefix("."), node.problems))
    elif isinstance(value, list):
        for each in node.items() or []:
            _check_storable(each)
    elif isinstance(value, float):
        node.refuse(_("Hier kann nur eine ganze Zahl stehen, die nicht zu lang ist."))
    elif isinstance(value, str) and re.search("[\x00\ud800-\udfff]", value):
        node.refuse(_("Der Text enthält ein unerlaubtes Zeichen."))


def _rows(node: Node | None, record: type) -> Iterator[tuple[Node, dict[str, Any]]]:
    """Yield each row of a list with what could be read of it."""
    for item in (node.items() if node is not None else None) or []:
        yield item, read_fields(item, record)


def _demand_new(item: Node, name: str, value: object, seen: set[Any], message: str) -> None:
    """Refuse a *value* that an earlier row has."""
    if value is not None and value in seen:
        item.field(name).refuse(message)
    seen.add(value)


def _read_clubs(node: Node | None) -> dict[str, str]:
    """Return the names of the clubs by what they are found by."""
    clubs: dict[str, str] = {}
    for item, club in _rows(node, ReadClub):
        name = club.get("name") or ""
        key = names.sort_key(name)
        if key and key in clubs:
            item.field("name").refuse(_("Diesen Verein gibt es in der Datei schon."))
        clubs[key] = name
    return clubs


def _read_registrations(node: Node | None, clubs: Collection[str]) -> list[dict[str, Any]]:
    seen: set[int] = set()
    found = []
    for item, one in _rows(node, ReadRegistration):
        number, club, status = one.get("number"), one.get("club"), one.get("status")
        _demand_new(
            item, "number", number, seen, _("Diese Startnummer gibt es in der Datei schon.")
        )
        if club is not None and names.sort_key(club) not in clubs:
            item.field("club").refuse(_("Dieser Verein steht nicht unter „clubs“."))
        if status in WITH_A_NUMBER and item.field("number").is_null:
            item.field("status").refuse(
                _("Ohne Startnummer kann die Meldung diesen Stand nicht haben.")
            )
        found.append(one)
    return found


def _overridden(fields: Mapping[str, Node]) -> set[int]:
    """Return which lines of the file, counted from 0, stand although they are impossible."""
    node = fields.get(sections.GAMES.name)
    rows = node.items() if node is not None and node.is_list else None
    return {index for index, row in enumerate(rows or []) if row.field("overridden").value is True}


class _SeriesReader:
    """Reads the tables; knows who sits where already and how many lines came before."""

    def __init__(
        self, rule_set: RuleSet | None, numbers: Collection[int], overridden: Collection[int]
    ) -> None:
        self.rule_set = rule_set
        self.numbers = numbers
        self.overridden = overridden
        self.lines = 0
        self.seated: set[int] = set()

    def tables(self, node: Node | None, serien: int) -> Iterator[ReadTable]:
        """Yield the tables of all Serien; they are whole only if no problem was noted."""
        seen: set[int] = set()
        for item, serie in _rows(node, _Serie):
            number = serie.get("number")
            _demand_new(item, "number", number, seen, _("Diese Serie gibt es in der Datei schon."))
            if number is not None and number > serien:
                item.field("number").whole_number(minimum=1, maximum=serien)
            self.seated, at = set(), set[int]()
            for table, values in _rows(item.field("tables") if "tables" in serie else None, _Table):
                _demand_new(
                    table,
                    "number",
                    values.get("number"),
                    at,
                    _("Diesen Tisch gibt es in der Serie schon."),
                )
                if values.keys() >= {"seats", "list"}:
                    yield self.table(number or 0, table, values)

    def table(self, serie: int, table: Node, values: Mapping[str, Any]) -> ReadTable:
        node = table.field("list")
        seats = self.seats(table.field("seats"))
        read = read_fields(node, _List)
        frame = Frame(rule_set=self.rule_set, seats=len(seats) or None)
        findings = Findings()
        lines = read_games(node.field("games"), frame, findings) if "games" in read else ()
        penalties = (
            read_penalties(node.field("penalties"), frame, findings) if "penalties" in read else ()
        )
        node.problems += [each for each in findings.problems if not self.may_stand(each, node)]
        self.lines += len(lines)
        status = read.get("status") or Spielliste.Status.OPEN
        ended: ReadEnd | None = read.get("ended")
        if self.rule_set is not None:
            _check_games(node, status, len(lines), ended, of_rule_set=self.rule_set.games)
        return ReadTable(
            serie=serie,
            number=values.get("number") or 0,
            seats=seats,
            status=status,
            lines=lines,
            penalties=penalties,
            ended=ended,
        )

    def seats(self, node: Node) -> tuple[int, ...]:
        found = []
        for item in node.items() or []:
            number = item.whole_number(minimum=1)
            if number is None:
                continue
            if number not in self.numbers:
                item.refuse(_("Diese Startnummer steht nicht unter „registrations“."))
            elif number in self.seated:
                item.refuse(_("Diese Startnummer sitzt in der Serie schon an einem Tisch."))
            self.seated.add(number)
            found.append(number)
        if self.rule_set is not None and node.is_list:
            findings = Findings()
            check_size(self.rule_set, len(found), node.where, findings)
            node.problems += findings.problems
        return tuple(found)

    def may_stand(self, problem: Problem, node: Node) -> bool:
        """Whether the Spielleitung let a line stand although it looks impossible."""
        found = re.match(re.escape(node.where) + r"\.games\[(\d+)\]\.minus", problem.where)
        return found is not None and self.lines + int(found[1]) in self.overridden


def _check_games(
    node: Node, status: Spielliste.Status, games: int, ended: ReadEnd | None, *, of_rule_set: int
) -> None:
    """Refuse a list that has not as many games as its state says."""
    wanted = of_rule_set
    if ended is not None and ended.games is not None:
        wanted = ended.games
        if not games <= wanted < of_rule_set:
            node.field("ended").field("games").refuse(
                _(
                    "Die Liste hat {games} von {all} Spielen und kann nicht nach Spiel {ended} "
                    "beendet sein."
                ).format(games=games, all=of_rule_set, ended=wanted)
            )
            return
    is_whole = games == wanted
    if (status in WHOLE and not is_whole) or (
        status == Status.OPEN and is_whole and ended is not None
    ):
        node.field("status").refuse(
            _("Die Liste hat {games} von {wanted} Spielen und kann nicht „{status}“ sein.").format(
                games=games, wanted=wanted, status=status.label
            )
        )


def _read_playoffs(node: Node | None, numbers: Collection[int]) -> tuple[tuple[int, ...], ...]:
    if node is None:
        return ()
    known = len(node.problems)
    playoffs = []
    for item, one in _rows(node, _Playoff):
        order = one.get("order") or ()
        for at, number in enumerate(order):
            if number is not None and number not in numbers:
                place = item.field("order").items() or []
                place[at].refuse(_("Diese Startnummer steht nicht unter „registrations“."))
        playoffs.append(order)
    if len(node.problems) == known:
        try:
            check_playoffs(playoffs)
        except ScoringError as refusal:
            node.problems += refusal.problems
    return tuple(playoffs)
