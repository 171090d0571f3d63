"""The file of a backup: database, uploaded files, keys and the ends of the journal.

docs/formats.md 5 has its layout. It contains all data, so it is readable for its owner only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path, PurePosixPath
from time import time
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.backup.database_copy import (
    BackupError,
    check_pages,
    copy_out,
    known_migrations,
    prove,
    replaced_migrations,
)
from tournaments.machine import operating_system
from tournaments.machine.hashes import hash_of
from tournaments.models import JournalChain, Tournament

DATABASE = "datenbank.sqlite3"  # names inside the file
ENDS, ANCHORS = "sicherung.json", "anker.json"
INSTALLATION_KEY = "installation_key"
KEPT_FILES = (
    "files",
    "secret_key",
    INSTALLATION_KEY,
)  # in the data folder; the others can be rebuilt
NAME = "romme-%Y-%m-%d-%H%M%S"
_NUMBER = re.compile(r"romme-\d{4}-\d\d-\d\d-\d{6}-(\d{5,})")
UNFINISHED, _LOCK = ".unfertig-", ".in-arbeit"
CHUNK_BYTES = 2**20  # large: requests may run between reads
_WINDOWS_PATH = re.compile(r"[\\:]")
_TAR_END = bytes(
    2 * tarfile.BLOCKSIZE
)  # without padding: the pages of a database fill whole blocks
MAX_UNFINISHED_SECONDS = 3600  # older ones are abandoned

AUTO, CLOSING, UPDATE = "-auto", "-abschluss", "-vor-Version-"
NEWEST, DAYS = 24, 30
Ends = dict[str, Any]


def folder() -> Path:
    """Return the folder of the backups on this machine."""
    path = Path(settings.DATA_DIR) / "sicherungen"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def current_ends() -> Ends:
    """Return the ends of the journal, and a hash of this state of the database."""
    chains = JournalChain.objects.values_list("scope", "last_number", "last_hash")
    return _ends(list(chains), list(Tournament.objects.values_list("pk", "revision")))


def _ends_in(file: Path) -> Ends:
    with closing(sqlite3.connect(file)) as reading:
        chains = reading.execute(
            "SELECT scope, last_number, last_hash FROM tournaments_journalchain"
        )
        revisions = reading.execute("SELECT id, revision FROM tournaments_tournament")
        return _ends(chains.fetchall(), revisions.fetchall())


def _last_migration(file: Path) -> str:
    with closing(sqlite3.connect(file)) as reading:
        names = reading.execute("SELECT name FROM django_migrations WHERE app = 'tournaments'")
        return str(max({name for (name,) in names} - _replaced_here()))


def check_version(path: Path) -> None:
    """Check that this version of the program knows the tables of a backup.

    Raises:
        BackupError: if a later version made it.
    """
    ends = ends_of(path)
    if is_newer_version(ends.get("migration", "")):
        raise BackupError(
            _(
                "Dieser Stand ist von der neueren Version {theirs} des Programms ({migration}), "
                "hier läuft {ours}. Bitte hier dieselbe Version einrichten; bis dahin bleibt, was "
                "da ist."
            ).format(theirs=ends["program"], migration=ends["migration"], ours=settings.VERSION)
        )


_known_here, _replaced_here = cache(known_migrations), cache(replaced_migrations)


def newest_migration() -> str:
    """Return the name of the last migration of this version of the program."""
    return max(_known_here() - _replaced_here())


def is_newer_version(last_migration: str) -> bool:
    """Whether a program with this last migration is newer: this one lacks its tables."""
    return last_migration not in {"", *_known_here()}


def is_older_version(last_migration: str) -> bool:
    """Whether a program with this last migration is older: it cannot read this one's files."""
    return last_migration in {"", *_known_here()} - {newest_migration()}


def _ends(chains: list[tuple[Any, ...]], revisions: list[tuple[Any, ...]]) -> Ends:
    ends = {scope: [number, entry_hash] for scope, number, entry_hash in sorted(chains)}
    return {"chains": ends, "state": hash_of([ends, sorted(revisions)])}


def ends_of(path: Path) -> Ends:
    """Return the ends of the journal in a backup; empty for one of an earlier version.

    Raises:
        BackupError: if the file is no backup, or damaged.
    """
    with _reading(path) as archive:
        first = archive.next()
        if first is None or first.name != ENDS:
            return {}
        content = archive.extractfile(first)
        return dict(json.load(content)) if content else {}


def pack(path: Path, *, proven: bool = True) -> list[str]:
    """Write a backup into the new file *path*; return the breaks of the journal.

    The file appears only when it is complete and on the disk.

    Args:
        proven: whether every page and the journal are checked.

    Raises:
        BackupError: if there is no database, or its copy is damaged.
    """
    with _database_copy(path.parent) as (copy, texts):
        unfinished, breaks = copy.with_name("alles"), list[str]()
        if proven:
            check_pages(copy)
            proof = prove(copy)
            breaks, texts[ANCHORS] = proof.breaks, json.dumps(proof.anchors)
        with unfinished.open("xb") as file:
            unfinished.chmod(0o600)
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=3) as archive:
                _add_small(archive, texts)
                # Last, because it grows: parts behind it would move and count as changed.
                archive.add(copy, DATABASE)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        if proven:
            anchors_of(path).write_text(texts[ANCHORS], encoding="utf-8")
    return breaks


class _JoinedFiles(RawIOBase):
    """Files that are read as one, without a copy on the disk."""

    def __init__(self, *files: IO[bytes]) -> None:
        self._files = list(files)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._files:
            if piece := self._files[0].read(len(buffer)):
                buffer[: len(piece)] = piece
                return len(piece)
            self._files.pop(0)
        return 0


@contextmanager
def open_state() -> Iterator[tuple[IO[bytes], int]]:
    """Yield the current state as a backup, neither checked nor compressed, and its length.

    Raises:
        BackupError: if there is no database.
    """
    with _database_copy(folder()) as (copy, texts), copy.open("rb") as database:
        head = (copy.with_name("vorne")).open("w+b")
        with head:
            archive = tarfile.TarFile(fileobj=head, mode="w")
            _add_small(archive, texts)
            head.write(archive.gettarinfo(copy, DATABASE).tobuf())
            length = head.tell() + copy.stat().st_size + len(_TAR_END)
            head.seek(0)
            joined = _JoinedFiles(head, database, BytesIO(_TAR_END))
            yield BufferedReader(joined, CHUNK_BYTES), length


@contextmanager
def _database_copy(where: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield a temporary copy of the database, and the texts that belong to it, by name."""
    with scratch(where) as place:
        copy = place / DATABASE
        copy_out(copy)
        ends = {"at": datetime.now(UTC).isoformat(timespec="seconds"), **_ends_in(copy)}
        ends |= {"program": settings.VERSION, "migration": _last_migration(copy)}
        yield copy, {ENDS: json.dumps(ends)}


@contextmanager
def scratch(where: Path) -> Iterator[Path]:
    """Yield a temporary folder in *where*; remove those of killed processes first.

    Its lock is held as long as its process lives.
    """
    for left in where.glob(f"{UNFINISHED}*/{_LOCK}"):
        with suppress(OSError):
            with operating_system.locked(left, wait=False) as is_left:
                pass  # Windows removes no file that is open
            if is_left:
                shutil.rmtree(left.parent)
    with (
        tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=where) as name,
        operating_system.locked(Path(name) / _LOCK),
    ):
        yield Path(name)


def _add_small(archive: tarfile.TarFile, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        info = tarfile.TarInfo(name)
        info.size = len(text.encode())
        archive.addfile(info, BytesIO(text.encode()))
    for name in KEPT_FILES:
        if (Path(settings.DATA_DIR) / name).exists():
            archive.add(Path(settings.DATA_DIR) / name, name)


def anchors_of(path: Path) -> Path:
    """Return the path of the anchors beside a backup, for ``verify_journal``."""
    return path.with_name(f"{path.name.removesuffix('.tar.gz')}.{ANCHORS}")


def new_path(where: Path, kind: str = "", end: str = ".tar.gz") -> Path:
    """Return a path for a new backup in *where*, named by time, number, *kind* and *end*."""
    newest = newest_first(where.glob("romme-*.tar*"))[:1]
    number = 1 + max((_order(path)[0] for path in newest), default=0)
    return where / f"{datetime.now().astimezone().strftime(NAME)}-{number:05}{kind}{end}"


def newest_first(paths: Iterable[Path]) -> list[Path]:
    """Return backups of one folder, the last made first, independent of the clock.

    Those of earlier versions have no number; they are older, in the order of their times.
    """
    return sorted(paths, key=_order, reverse=True)


def _order(path: Path) -> tuple[int, str]:
    number = _NUMBER.match(path.name)
    return int(number[1]) if number else 0, path.name


def unpack(path: Path, where: Path) -> Path:
    """Unpack the known files of a backup into *where*; return its database.

    Raises:
        BackupError: if the file is no backup, or damaged.
    """
    free = shutil.disk_usage(where).free  # zeros take a thousandth of their size in the file
    with _reading(path) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or parts[0] not in {DATABASE, *KEPT_FILES}:
                continue  # no links
            if ".." in parts or _WINDOWS_PATH.search(member.name):
                continue  # no paths outside of the folder
            free -= member.size
            if free < 0:
                message = _(
                    "Um {path} auszupacken, ist nicht genug Platz; es wurde nichts geändert."
                )
                raise BackupError(message.format(path=path))
            target = where.joinpath(*parts)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(content, file, CHUNK_BYTES)
            target.chmod(0o600)
    if not (where / DATABASE).exists():
        raise _no_backup(path)
    try:
        check_pages(where / DATABASE)
    except BackupError as problem:
        raise BackupError(
            _("In {path}: {why} Es wurde nichts geändert.").format(path=path, why=problem)
        ) from None
    return where / DATABASE


@contextmanager
def _reading(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path) as archive:
            yield archive
    except FileNotFoundError:
        raise BackupError(_("Die Datei {path} gibt es nicht.").format(path=path)) from None
    except (OSError, EOFError, ValueError, zlib.error, tarfile.TarError):
        raise _no_backup(path) from None


def _no_backup(path: Path) -> BackupError:
    return BackupError(
        _(
            "{path} ist keine Sicherung dieses Programms oder ist beschädigt; es wurde nichts "
            "geändert. Bitte eine andere Datei wählen."
        ).format(path=path)
    )


def thin_out(where: Path, kind: str, *, newest: int, days: int) -> None:
    """Delete backups of *kind* in *where* except the *newest* and the last of each day.

    The last one is never deleted. Unfinished files of killed processes are deleted as well.
    """
    for left in where.glob(f"{UNFINISHED}*"):
        if time() - left.stat().st_mtime > MAX_UNFINISHED_SECONDS:
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    kept_days: set[str] = set()
    for at, path in enumerate(newest_first(where.glob(f"romme-*{kind}.tar*"))):
        day = path.name[: len("romme-2026-01-01")]
        if at >= newest and (day in kept_days or len(kept_days) >= days):
            path.unlink(missing_ok=True)
            anchors_of(path).unlink(missing_ok=True)
        kept_days.add(day)
