"""Saves everything the program keeps into one file, and brings it back.

    python -m scripts.backup save [FOLDER]      default: data/sicherungen
    python -m scripts.backup restore FILE

Both work while the program is running: SQLite copies page by page under its own locks, so
a copy never has half a transaction in it. A PostgreSQL database is saved with pg_dump and
brought back with pg_restore, which docs/operating.md shows; here it is refused.
"""

from __future__ import annotations

import sqlite3
import sys
import tarfile
import tempfile
import zlib
from contextlib import closing
from datetime import datetime
from pathlib import Path, PurePosixPath

from django.core.exceptions import ImproperlyConfigured

from romme_site import env

DATABASE = "datenbank.sqlite3"  # its name inside the file
FOLDER = "sicherungen"
KEPT = ("files", "secret_key", "installation_key")  # of the data folder; the rest can be made again


class CannotSaveError(Exception):
    """Nothing was saved or brought back; the message says why and what to do."""


def _database() -> Path:
    config = env.database()
    if config["ENGINE"] != "django.db.backends.sqlite3":
        raise CannotSaveError(
            "Diese Sicherung ist für SQLite. Eine PostgreSQL-Datenbank sichert pg_dump; "
            "wie das geht, steht in docs/operating.md."
        )
    return Path(config["NAME"])


def _copy(source: Path, target: Path) -> None:
    # The timeout is for a transaction that is just being written.
    with (
        closing(sqlite3.connect(source, timeout=30)) as reading,
        closing(sqlite3.connect(target, timeout=30)) as writing,
    ):
        reading.backup(writing)


def _free_name(folder: Path) -> Path:
    now = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    path, number = folder / f"romme-{now}.tar.gz", 1
    while path.exists():  # saved twice in one second
        number += 1
        path = folder / f"romme-{now}-{number}.tar.gz"
    return path


def save(folder: Path) -> Path:
    """Save everything into a new file in *folder* and return its path.

    Raises:
        CannotSaveError: if there is no database yet or it is not SQLite.
    """
    database = _database()
    if not database.exists():
        raise CannotSaveError(f"Es gibt noch nichts zu sichern: {database} fehlt.")
    folder.mkdir(parents=True, exist_ok=True)
    path = _free_name(folder)
    with tempfile.TemporaryDirectory(prefix="romme-backup-") as scratch:
        copy = Path(scratch) / DATABASE
        _copy(database, copy)
        unfinished = path.with_suffix(".unfertig")
        unfinished.touch(mode=0o600)  # it holds names, and the key that signs sessions
        with tarfile.open(unfinished, "w:gz") as archive:
            archive.add(copy, DATABASE)
            for name in KEPT:
                if (env.DATA_DIR / name).exists():
                    archive.add(env.DATA_DIR / name, name)
        unfinished.rename(path)
    return path


def _unpack(path: Path, folder: Path) -> None:
    """Unpack what a backup holds and nothing else: no links, no way out of *folder*."""
    with tarfile.open(path) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or parts[0] not in {DATABASE, *KEPT} or ".." in parts:
                continue
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
            target.chmod(member.mode & 0o777)


def restore(path: Path) -> Path | None:
    """Bring back what *path* holds; return where the state until now was saved, if any.

    Raises:
        CannotSaveError: if the file is no backup, or damaged; then nothing has changed.
    """
    database = _database()
    with tempfile.TemporaryDirectory(prefix="romme-backup-") as scratch:
        try:
            _unpack(path, Path(scratch))
            copy = Path(scratch) / DATABASE
            with closing(sqlite3.connect(copy.as_uri() + "?mode=ro", uri=True)) as check:
                (found,) = check.execute("PRAGMA integrity_check").fetchone()
        except FileNotFoundError:
            raise CannotSaveError(f"Die Datei {path} gibt es nicht.") from None
        except (OSError, EOFError, zlib.error, tarfile.TarError, sqlite3.Error):
            raise CannotSaveError(
                f"{path} ist keine Sicherung dieses Programms oder ist beschädigt; es wurde nichts "
                "geändert. Bitte eine andere Datei wählen."
            ) from None
        if found != "ok":
            raise CannotSaveError(
                f"Die Datenbank in {path} ist beschädigt ({found}); es wurde nichts geändert."
            )
        before = save(env.DATA_DIR / FOLDER) if database.exists() else None
        for name in KEPT:
            for file in sorted((Path(scratch) / name).rglob("*")) or [Path(scratch) / name]:
                if file.is_file():
                    target = env.DATA_DIR / file.relative_to(scratch)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(file.read_bytes())
                    target.chmod(file.stat().st_mode)
        _copy(copy, database)
    return before


def _do(what: str, given: str) -> None:
    if what == "save":
        print(f"Gesichert: {save(Path(given) if given else env.DATA_DIR / FOLDER)}")
        return
    if not given:
        raise CannotSaveError("Welche Sicherung? Bitte so: make restore FROM=pfad/zur/datei")
    if before := restore(Path(given)):
        print(f"Der Stand bis eben liegt in {before}.")
    print(f"Zurückgeholt: {given}")


def main() -> int:
    what, given = [*sys.argv[1:], ""][:2]
    try:
        _do(what, given)
    except (CannotSaveError, ImproperlyConfigured) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
