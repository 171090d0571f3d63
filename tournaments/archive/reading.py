"""Reading and checking an archive before anything is stored; each problem has its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from typing import Any, cast

from django.conf import settings
from django.db.models import Model

from scoring.errors import Problem, ScoringError
from scoring.reading.strict_json import Node, parse
from scoring.reading.validation import read_fields
from scoring.texts import _
from tournaments.archive import chains, seal, sections
from tournaments.archive.chains import ChainPart
from tournaments.archive.json_references import Row
from tournaments.archive.parts import FORMAT, VERSION
from tournaments.archive.persons import AccountPart, OrganiserPart
from tournaments.archive.required_part import RequiredPart, read_required
from tournaments.archive.rows import ArchiveSection, check_positions
from tournaments.archive.seal import SealPart
from tournaments.backup.packing import is_newer_version
from tournaments.models import (
    Club,
    Game,
    Person,
    Registration,
    Seat,
    Serie,
    Spielliste,
    Table,
    Tournament,
    User,
)

# Values in a file: a tournament of 400 has a third; the costliest million takes 2 GB.
MOST_VALUES = 1_500_000
LONGEST_VERSION = 60  # characters of it that are shown

# All parts of a file; the required part is read row by row.
FILE: Any = make_dataclass(
    "FILE",
    [
        ("format", str),
        ("version", int),
        ("program", str, field(default="")),
        ("migration", str, field(default="")),
        ("tournament", dict[str, Any]),
        *((name, tuple[Any, ...]) for name in ("clubs", "registrations", "series", "playoffs")),
        (sections.ORGANISERS, tuple[OrganiserPart, ...], field(default=())),
        (sections.ACCOUNTS, tuple[AccountPart, ...], field(default=())),
        *((section.name, section.form, field(default=())) for section in sections.FILE_ORDER),
        (sections.JOURNAL, tuple[ChainPart, ...], field(default=())),
        (seal.NAME, SealPart, field(default=None)),
    ],
    kw_only=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The content of an archive without problems; references are still positions."""

    root: Node
    required: RequiredPart
    organiser: str  # by name; empty if the file does not say
    accounts: tuple[AccountPart, ...]
    further: Mapping[ArchiveSection, list[Row]]  # the sections in the file
    chains: tuple[ChainPart, ...]
    seal: str | None  # fingerprint of its seal
    seals: list[str | None]  # as of ``seal.installation_fingerprints``


def read(data: bytes) -> Archive:
    """Return the content of the file.

    Raises:
        ScoringError: with every problem and its place.
    """
    _check_size(data)
    root = parse(data)
    _check_format(root)
    try:
        return _read(root)
    except ScoringError as refusal:
        program = root.field("program")
        if _number(program.value) <= _number(settings.VERSION):
            raise
        newer = Problem(program.where, _newer_version(program.value))
        raise ScoringError([newer, *refusal.problems]) from refusal


def _read(root: Node) -> Archive:
    _check_storable(root)
    parts = read_fields(root, FILE)
    if not parts:  # not an object, or of another format
        root.raise_problems()
    chains = parts.get(sections.JOURNAL) or ()
    if seal.NAME in parts:
        # A changed file is not read any further.
        root.raise_problems()
        seal.check(cast(dict[str, Any], root.value), parts[seal.NAME], chains)
    required = read_required(root, root.field(sections.GAMES.name))
    further = {
        section: parts[section.name] for section in sections.FILE_ORDER if section.name in parts
    }
    archive = Archive(
        root=root,
        required=required,
        organiser=next((organiser.name for organiser in parts.get(sections.ORGANISERS) or ()), ""),
        accounts=parts.get(sections.ACCOUNTS, ()),
        further={section: [vars(row) for row in rows] for section, rows in further.items()},
        chains=chains,
        seal=seal.fingerprint_of(parts.get(seal.NAME)),
        seals=seal.installation_fingerprints(parts.get(seal.NAME)),
    )
    _check_further(archive)
    root.raise_problems()
    return archive


def _check_size(data: bytes) -> None:
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise ScoringError(
            _(
                "Die Datei hat mehr Angaben als das größte Turnier. Bitte das Turnier neu "
                "ausgeben und diese Datei nehmen."
            )
        )


def _check_format(root: Node) -> None:
    format_, version = root.field("format"), root.field("version")
    program, migration = root.field("program"), root.field("migration")
    if format_.value not in (None, FORMAT):
        format_.refuse(_("Das ist kein Turnier dieses Programms: Erwartet wird „romme-turnier“."))
    elif isinstance(migration.value, str) and is_newer_version(migration.value):
        program.refuse(_newer_version(program.value))
    elif version.value not in (None, VERSION):
        version.refuse(
            _("Diese Version des Formats ist nicht bekannt. Gelesen wird Version {known}.").format(
                known=VERSION
            )
        )
    root.raise_problems()


def _newer_version(program: Any) -> str:
    return _(
        "Diese Datei ist von der neueren Version {theirs} des Programms, hier läuft {ours}. Bitte "
        "hier {theirs} oder eine spätere einrichten, dann die Datei einlesen."
    ).format(theirs=str(program)[:LONGEST_VERSION], ours=settings.VERSION)


def _number(program: Any) -> list[int]:
    """Return the sortable number of a version.

    >>> _number("0.2.0.dev1340+g1a2b3c4")
    [0, 2, 0]
    """
    return [int(digits) for digits in re.findall(r"\d{1,9}", str(program))[:3]]


def _check_storable(node: Node) -> None:
    """Refuse values anywhere in the file that the database cannot store."""
    value = node.value
    if isinstance(value, dict):
        for key in value:
            _check_storable(node.field(key))
    elif isinstance(value, list):
        for index in range(len(value)):
            _check_storable(node.entry(index))
    elif isinstance(value, float):
        node.refuse(_("Hier kann nur eine ganze Zahl stehen, die nicht zu lang ist."))
    elif isinstance(value, str) and "\x00" in value:
        node.refuse(_("Der Text enthält ein unerlaubtes Zeichen."))


# --- The further sections ---------------------------------------------------------------


def _check_further(archive: Archive) -> None:
    """Refuse sections that do not fit the required part, or refer to missing rows."""
    further = archive.further
    played = archive.required.tournament.series
    serien = further.get(sections.SERIEN, [])
    # Struck out Serien follow those that are played.
    struck = [serie for serie in serien[played:] if serie["struck_out"]]
    if any(serie["struck_out"] for serie in serien[:played]):
        archive.root.field(sections.SERIEN.name).refuse(
            _("Was entfällt, steht hinter den Serien, die gespielt werden.")
        )
    players, tables = len(archive.required.registrations), len(archive.required.tables)
    lines = sum(len(table.lines) for table in archive.required.tables)
    required: dict[type[Model], int] = {
        User: len(archive.accounts),
        Club: len(archive.required.clubs),
        Tournament: 1,
        Person: players,
        Registration: players,
        Serie: played + len(struck),
        Table: tables,
        Seat: sum(len(table.part.seats) for table in archive.required.tables),
        Spielliste: tables,
        Game: lines,
    }
    row_counts = {section.model: len(rows) for section, rows in further.items()} | required
    row_counts[Person] += len(further.get(sections.FORMER_PERSONS, ()))
    for section, rows in further.items():
        node = archive.root.field(section.name)
        expected = required[section.model] if section.required else len(rows)
        if len(rows) != expected:
            node.refuse(
                _("Dieser Abschnitt hat {number} Einträge, gebraucht werden {needed}.").format(
                    number=len(rows), needed=expected
                )
            )
        check_positions(section, node, rows, row_counts)
    chains.check(archive.root.field(sections.JOURNAL), archive.chains, row_counts)
    _check_admitted(archive)


def _check_admitted(archive: Archive) -> None:
    """Refuse registrations in a closed tournament without admission or approval (§ 1.1).

    The circle is not checked: clubs and lists may have changed since the registration.
    """
    tournament = archive.further.get(sections.TOURNAMENT)
    if not tournament or not tournament[0]["admission"]:
        return
    node = archive.root.field(sections.REGISTRATIONS.name)
    details = archive.further.get(sections.REGISTRATIONS, [])
    for index, (registration, row) in enumerate(
        zip(archive.required.registrations, details, strict=False)
    ):
        if registration.status in Registration.TAKING_PART and not row["admission"]:
            node.entry(index).refuse(
                _("Das Turnier ist geschlossen (§ 1.1); es fehlt, warum jemand mitspielt.")
            )
