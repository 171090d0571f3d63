"""The required part of an archive, read and checked: every problem with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from scoring.checks import check_size
from scoring.errors import Problem, ScoringError
from scoring.interchange import read_games, read_penalties
from scoring.ruleset import RuleSet
from scoring.ruleset_json import read_ruleset
from scoring.rulesets import ruleset
from scoring.spielliste import Penalty
from scoring.standings import check_playoffs
from scoring.strict_json import HugeNumber, JsonObject, Node, parse
from scoring.texts import _
from scoring.unclear import Line
from scoring.written import Findings, Frame
from tournaments.archive import sections
from tournaments.archive.writing import FORMAT, VERSION
from tournaments.common import names
from tournaments.models import Registration, Spielliste

MOST_SERIEN = 99
LONGEST_NAME = 80
# Words of other programs for what is told apart otherwise here.
STATUS_WORDS = {"seated": Registration.Status.PAID, "no-show": Registration.Status.NO_SHOW}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRegistration:
    """One registration of the file; a number may be missing before the Startgeld is paid."""

    number: int | None
    first_name: str
    last_name: str
    club: str | None
    team: str | None
    status: str
    paid_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """One table with its list; ``seats`` are start numbers."""

    where: str
    number: int
    seats: tuple[int, ...]
    status: str
    lines: tuple[Line, ...]
    penalties: tuple[Penalty, ...]


@dataclass(slots=True, kw_only=True)
class Archive:
    """What an archive says; complete only if no problem was noted."""

    root: Node
    slug: str = ""
    name: str = ""
    day: date = date.min
    rule_set: RuleSet | None = None
    serien: int = 0
    clubs: list[str] = field(default_factory=list)
    registrations: list[ReadRegistration] = field(default_factory=list)
    tables: list[tuple[int, ReadTable]] = field(default_factory=list)  # Serie, table
    playoffs: list[list[int]] = field(default_factory=list)
    further: dict[str, Node] = field(default_factory=dict)


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
        optional=sections.NAMES,
    )
    archive = Archive(root=root)
    if not _is_ours(fields):
        root.raise_problems()
    _check_storable(root)
    if "tournament" in fields:
        _read_tournament(fields["tournament"], archive)
    if "clubs" in fields:
        _read_clubs(fields["clubs"], archive)
    if "registrations" in fields:
        _read_registrations(fields["registrations"], archive)
    if "series" in fields:
        _SeriesReader(archive, _overridden(fields)).read(fields["series"])
    if "playoffs" in fields:
        _read_playoffs(fields["playoffs"], archive)
    archive.further = {name: fields[name] for name in sections.NAMES if name in fields}
    root.raise_problems()
    return archive


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
    if isinstance(value, JsonObject):
        for key, each in value.items():
            _check_storable(Node(each, f"{node.where}.{key}".removeprefix("."), node.problems))
    elif isinstance(value, list):
        for each in node.items() or []:
            _check_storable(each)
    elif isinstance(value, HugeNumber | float):
        node.refuse(_("Hier kann nur eine ganze Zahl stehen, die nicht zu lang ist."))
    elif isinstance(value, str) and re.search("[\x00\ud800-\udfff]", value):
        node.refuse(_("Der Text enthält ein unerlaubtes Zeichen."))


def _read_tournament(node: Node, archive: Archive) -> None:
    fields = node.fields(required=("slug", "name", "date", "rule_set", "series"))
    if "slug" in fields:
        archive.slug = fields["slug"].text() or ""
        if archive.slug and not re.fullmatch("[-a-zA-Z0-9_]{1,60}", archive.slug):
            fields["slug"].refuse(
                _("Der Kurzname hat bis zu 60 Buchstaben ohne Umlaute, Ziffern und Striche.")
            )
    if "name" in fields:
        archive.name = _short_text(fields["name"], longest=120)
    if "date" in fields:
        archive.day = _read_date(fields["date"])
    if "rule_set" in fields:
        archive.rule_set = _read_rule_set(fields["rule_set"])
    if "series" in fields:
        archive.serien = fields["series"].whole_number(minimum=1, maximum=MOST_SERIEN) or 0


def _read_date(node: Node) -> date:
    try:
        return date.fromisoformat(str(node.value))
    except ValueError:
        node.refuse(_("Hier muss ein Tag stehen, etwa 2026-10-03."))
        return date.min


def _read_rule_set(node: Node) -> RuleSet | None:
    if isinstance(node.value, JsonObject):
        return read_ruleset(node)
    name = node.text()
    if name is None:
        return None
    try:
        return ruleset(name)
    except ScoringError as refusal:
        node.refuse(str(refusal))
        return None


def _short_text(node: Node, *, longest: int, may_be_empty: bool = False) -> str:
    if may_be_empty and node.value == "":
        return ""
    text = node.text() or ""
    if len(text) > longest:
        node.refuse(_("Der Text ist zu lang: Erlaubt sind {limit} Zeichen.").format(limit=longest))
    return text


def _read_clubs(node: Node, archive: Archive) -> None:
    seen: set[str] = set()
    for item in node.items() or []:
        fields = item.fields(required=("name",))
        if "name" not in fields:
            continue
        name = _short_text(fields["name"], longest=120)
        key = names.sort_key(name)
        if name and not key:
            fields["name"].refuse(_("Der Verein braucht einen Namen mit Buchstaben."))
        elif key in seen:
            fields["name"].refuse(_("Diesen Verein gibt es in der Datei schon."))
        seen.add(key)
        archive.clubs.append(name)


def _read_registrations(node: Node, archive: Archive) -> None:
    numbers: set[int] = set()
    clubs = {names.sort_key(club): club for club in archive.clubs}
    for item in node.items() or []:
        given = item.fields(
            required=("number", "first_name", "last_name", "club", "team", "status", "paid_cents")
        )
        if len(given) < 7:
            continue
        number = None
        if not given["number"].is_null:
            number = given["number"].whole_number(minimum=1, maximum=2**31 - 1)
            if number in numbers:
                given["number"].refuse(_("Diese Startnummer gibt es in der Datei schon."))
            numbers.add(number or 0)
        club = None
        if not given["club"].is_null:
            written = given["club"].text() or ""
            club = clubs.get(names.sort_key(written))
            if written and club is None:
                given["club"].refuse(_("Dieser Verein steht nicht unter „clubs“."))
        team = None if given["team"].is_null else _short_text(given["team"], longest=80)
        archive.registrations.append(
            ReadRegistration(
                number=number,
                first_name=_short_text(
                    given["first_name"], longest=LONGEST_NAME, may_be_empty=True
                ),
                last_name=_person_name(given["last_name"]),
                club=club,
                team=team,
                status=_registration_status(given["status"], number),
                paid_cents=given["paid_cents"].whole_number(minimum=-(10**9), maximum=10**9) or 0,
            )
        )


def _person_name(node: Node) -> str:
    name = _short_text(node, longest=LONGEST_NAME)
    if name and not names.sort_key(name):
        node.refuse(_("Eine Person braucht einen Nachnamen mit Buchstaben."))
    return name


def _registration_status(node: Node, number: int | None) -> str:
    word = node.text() or ""
    status = STATUS_WORDS.get(word, word)
    if status not in Registration.Status.values:
        node.refuse(
            _("Diesen Stand einer Meldung gibt es nicht. Möglich sind: {known}.").format(
                known=", ".join(Registration.Status.values)
            )
        )
    elif number is None and status in {"paid", "no_show", "excluded"}:
        node.refuse(_("Ohne Startnummer kann die Meldung diesen Stand nicht haben."))
    return str(status)


def _overridden(fields: dict[str, Node]) -> set[int]:
    """Return which lines of the file, counted from 0, stand although they are impossible."""
    node = fields.get(sections.GAMES.name)
    rows: Any = node.value if node is not None and node.is_list else []
    return {
        index
        for index, row in enumerate(rows)
        if isinstance(row, JsonObject) and row.get("overridden") is True
    }


class _SeriesReader:
    """Reads the tables; knows who sits where already and how many lines came before."""

    def __init__(self, archive: Archive, overridden: set[int]) -> None:
        self.archive = archive
        self.overridden = overridden
        self.numbers = {one.number for one in archive.registrations if one.number is not None}
        self.lines = 0
        self.seated: set[int] = set()

    def read(self, node: Node) -> None:
        seen: set[int] = set()
        for item in node.items() or []:
            fields = item.fields(required=("number", "tables"))
            number = None
            if "number" in fields:
                number = fields["number"].whole_number(
                    minimum=1, maximum=self.archive.serien or MOST_SERIEN
                )
                if number in seen:
                    fields["number"].refuse(_("Diese Serie gibt es in der Datei schon."))
                seen.add(number or 0)
            self.seated = set()
            if "tables" in fields:
                self.tables(fields["tables"], number or 0)

    def tables(self, node: Node, serie: int) -> None:
        seen: set[int] = set()
        for item in node.items() or []:
            fields = item.fields(required=("number", "seats", "list"))
            if len(fields) < 3:
                continue
            number = fields["number"].whole_number(minimum=1, maximum=9999) or 0
            if number in seen:
                fields["number"].refuse(_("Diesen Tisch gibt es in der Serie schon."))
            seen.add(number)
            seats = self.seats(fields["seats"])
            table = self.list(fields["list"], number, seats)
            if table is not None:
                self.archive.tables.append((serie, table))

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
        if self.archive.rule_set is not None and node.is_list:
            findings = Findings()
            check_size(self.archive.rule_set, len(found), node.where, findings)
            node.problems += findings.problems
        return tuple(found)

    def list(self, node: Node, number: int, seats: tuple[int, ...]) -> ReadTable | None:
        fields = node.fields(required=("status", "games", "penalties"))
        if len(fields) < 3:
            return None
        status = fields["status"].text() or ""
        if status and status not in Spielliste.Status.values:
            fields["status"].refuse(
                _("Diesen Stand einer Liste gibt es nicht. Möglich sind: {known}.").format(
                    known=", ".join(Spielliste.Status.values)
                )
            )
        frame = Frame(rule_set=self.archive.rule_set, seats=len(seats) or None)
        findings = Findings()
        lines = read_games(fields["games"], frame, findings)
        penalties = read_penalties(fields["penalties"], frame, findings)
        node.problems += [each for each in findings.problems if not self.may_stand(each, node)]
        self.lines += len(lines)
        return ReadTable(
            where=node.where,
            number=number,
            seats=seats,
            status=status,
            lines=lines,
            penalties=penalties,
        )

    def may_stand(self, problem: Problem, node: Node) -> bool:
        """Whether the Spielleitung let a line stand although it looks impossible."""
        found = re.match(re.escape(node.where) + r"\.games\[(\d+)\]\.minus", problem.where)
        return found is not None and self.lines + int(found[1]) in self.overridden


def _read_playoffs(node: Node, archive: Archive) -> None:
    numbers = {one.number for one in archive.registrations if one.number is not None}
    known = len(node.problems)
    for item in node.items() or []:
        fields = item.fields(required=("order",))
        order = []
        for place in (fields["order"].items() or []) if "order" in fields else []:
            number = place.whole_number(minimum=1)
            if number is not None and number not in numbers:
                place.refuse(_("Diese Startnummer steht nicht unter „registrations“."))
            order.append(number or 0)
        archive.playoffs.append(order)
    if len(node.problems) == known:
        try:
            check_playoffs(archive.playoffs)
        except ScoringError as refusal:
            node.problems += refusal.problems
