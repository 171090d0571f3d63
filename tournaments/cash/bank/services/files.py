"""Reading files from a bank: by content, not by file name, and with limits on size."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO

from django.utils.translation import gettext as _

from tournaments.cash.bank.services import camt, tables
from tournaments.cash.bank.services.statements import Statement, UnreadableStatement, check_entries
from tournaments.machine import sheets

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
MAX_TEXT_BYTES = 5 * 1024 * 1024  # of files that are no XML: they cost more to read
# Elements and attributes, which take memory even if empty: 5,000 transfers have 280,000.
MAX_MARKS = 800_000
MAX_FILES = 60  # in one archive: one for each day of two months

_ZIP = b"PK\x03\x04"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_MT940 = re.compile(rb"^:(?:60[FM]|61):", re.MULTILINE)  # else it would be read as a CSV


def read(content: bytes, known: Mapping[str, list[str]] | None = None) -> Statement:
    """Return the booked credits in euros of a CAMT, zipped or not, or of a CSV.

    *known*: the stored columns, see ``tables.read``.

    Raises:
        UnknownColumns: if it is a table whose columns must be chosen.
        UnreadableStatement: if it is neither, is damaged, or is beyond the limits. Then
            no transfer is imported.
    """
    if not content.startswith(_ZIP):
        _check_costs([content])
        return _read_one(content, known or {})
    statement = Statement()
    parts = _unpacked(content)
    _check_costs(parts)
    for part in parts:
        try:
            statement.add(_read_one(part, known or {}))
        except tables.UnknownColumns as unknown:
            raise UnreadableStatement(_no_statement()) from unknown
        check_entries(statement.entries)
    return statement


def _unpacked(content: bytes) -> list[bytes]:
    """Return the files of an archive; their names are never used as paths."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir() and not member.filename.startswith("__MACOSX/")
            ]
            unpacked = sum(member.file_size for member in members)
            if len(members) > MAX_FILES or unpacked > MAX_UNPACKED_BYTES:
                raise UnreadableStatement(_too_large())
            # Reads no more than the size in the directory of the archive.
            return [archive.read(member) for member in members]
    # A member with a password is a RuntimeError; zlib and others have errors of their own.
    except (zipfile.BadZipFile, RuntimeError, EOFError, OSError, ValueError, zlib.error) as problem:
        raise UnreadableStatement(
            _("Das ZIP-Archiv ist beschädigt oder hat ein Kennwort. Bitte ausgepackt hochladen.")
        ) from problem


def _too_large() -> str:
    return _(
        "Das ZIP-Archiv ist ausgepackt zu groß. Bitte den Auszug für einen kürzeren Zeitraum "
        "herunterladen."
    )


def _check_costs(parts: Sequence[bytes]) -> None:
    """Refuse files that would take much more time or memory than any honest statement."""
    marks = sum(part.count(b"<") + part.count(b"=") for part in parts)
    texts = [part for part in parts if not _is_xml(part)]
    # An archive within the archive may be a workbook, and each takes its time.
    if any(part.startswith(_ZIP) for part in texts):
        raise UnreadableStatement(_no_statement())
    if sum(map(len, texts)) > MAX_TEXT_BYTES:
        raise UnreadableStatement(_too_large())
    if marks > MAX_MARKS:
        raise UnreadableStatement(
            _(
                "Die Datei enthält zu viele Angaben. Bitte den Auszug für einen kürzeren Zeitraum "
                "herunterladen."
            )
        )


def _is_xml(content: bytes) -> bool:
    return content.removeprefix(_BOM).lstrip().startswith(b"<") or content.startswith(_UTF16)


def _read_one(content: bytes, known: Mapping[str, list[str]]) -> Statement:
    bare = content.removeprefix(_BOM).lstrip()
    if bare.startswith(b"<"):
        return camt.read(bare)
    if content.startswith(_UTF16):
        return camt.read(content)
    if _MT940.search(content):
        raise UnreadableStatement(_no_statement())
    try:
        rows = sheets.read(content)
    except sheets.UnreadableSheet as problem:
        raise UnreadableStatement(_no_statement()) from problem
    if max(len(cells) for _number, cells in rows) < tables.LEAST_COLUMNS:
        raise UnreadableStatement(_no_statement())
    return tables.read(rows, known)


def _no_statement() -> str:
    return _(
        "Das ist kein Kontoauszug, den das Programm lesen kann. Bitte bei der Bank als "
        "„CAMT.053“ (XML oder ZIP) oder CSV herunterladen, nicht als „MT940“."
    )
