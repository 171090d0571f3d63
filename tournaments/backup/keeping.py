"""When a backup is due, where copies of it go, and what became of the last one.

All of this stands in files beside the backups and not in the database: it is about this machine,
it has to be there when the database is not, and bringing a backup back must not change it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from time import time
from typing import Any

from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.copying import BackupError, demand_database
from tournaments.backup.packing import (
    UNFINISHED,
    anchors_of,
    ends_now,
    ends_of,
    folder,
    free_name,
    pack,
    thin_out,
)
from tournaments.common.errors import failure_of
from tournaments.machine import systems as machine
from tournaments.models import Closing, Serie

EVERY = timedelta(minutes=5)
TOO_OLD = timedelta(minutes=10)
SILENT = timedelta(minutes=1)  # then nobody watches any more
TRY_AGAIN = timedelta(seconds=30)
AUTO, CLOSING = "-auto", "-abschluss"
NEWEST, DAYS = 24, 30


@dataclass(frozen=True, kw_only=True)
class Status:
    """What became of the last backup; times are ISO texts, sentences German, "" for none."""

    at: str = ""
    file: str = ""
    state: str = ""  # of the database that was saved
    closings: int = 0  # that there were then
    breaks: tuple[str, ...] = ()  # of the journal
    failed_at: str = ""
    failed: str = ""
    second: str = ""  # folder
    second_is_a_disk: bool = False  # of its own, as a stick is
    second_at: str = ""
    second_file: str = ""
    second_failed: str = ""


def status() -> Status:
    """Return what is known of the last backup."""
    return Status(**read_json(folder() / "stand.json"))


def read_json(path: Path) -> dict[str, Any]:
    """Return what stands in a small file of one's own; nothing if there is none."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError):
        return {}


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Replace a small file, readable for its owner only, so that nobody ever sees half of it."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(json.dumps(values), encoding="utf-8")
    machine.put_in_place(new, path)


@contextmanager
def locked(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Hold a lock among all processes of this machine; say whether one has it."""
    with machine.locked(folder() / f".{name}", wait=wait) as is_mine:
        yield is_mine


def _note(**changes: Any) -> Status:
    found = replace(status(), **changes)
    write_json(folder() / "stand.json", asdict(found))
    return found


def save_now(*, where: Path | None = None, kind: str = "") -> Path:
    """Make a backup, note what became of it, and return its path.

    Args:
        where: another folder than the usual one; then nothing is noted.
        kind: how it came about, as the end of its name.

    Raises:
        BackupError: if there is nothing to save, or what was saved is damaged.
        OSError: if it cannot be written.
    """
    demand_database()
    if where is not None:
        where.mkdir(parents=True, exist_ok=True)
        pack(path := free_name(where))
        return path
    with locked("sichern"):
        try:
            now, closings = timezone.now().isoformat(), _closings()
            path = free_name(folder(), kind)
            breaks = pack(path)
        except (BackupError, DatabaseError, OSError) as problem:
            note_failure(problem)
            raise
        state = ends_of(path)["state"]
        _note(at=now, file=path.name, state=state, closings=closings, breaks=breaks, failed="")
        thin_out(folder(), AUTO, newest=NEWEST, days=DAYS)
        copy_to_second()
        return path


def _why(problem: Exception) -> str:
    known = failure_of(problem)
    return str(known) if known else " ".join(str(problem).split())


def _closings() -> int:
    return Serie.objects.filter(closed_at__isnull=False).count() + Closing.objects.count()


def save_if_due(now: datetime | None = None) -> Path | None:
    """Make a backup if something is new, five minutes after the last one or at a closing.

    Raises:
        BackupError, DatabaseError, OSError: as :func:`save_now`.
    """
    now, last = now or timezone.now(), status()

    def is_recent(at: str, span: timedelta) -> bool:
        # A clock that was set back must not keep the next one waiting.
        return bool(at) and abs(now - datetime.fromisoformat(at)) < span

    if last.failed:
        return None if is_recent(last.failed_at, TRY_AGAIN) else save_now(kind=AUTO)
    if ends_now()["state"] == last.state:
        return None
    was_closed = bool(last.at) and _closings() != last.closings
    if is_recent(last.at, EVERY) and not was_closed:
        return None
    return save_now(kind=CLOSING if was_closed else AUTO)


def note_failure(problem: Exception) -> None:
    """Have the page say why there can be no backup."""
    _note(failed_at=timezone.now().isoformat(), failed=_why(problem))


def wish() -> None:
    """Ask the process that watches for a backup."""
    touch("wunsch")


def take_wish() -> bool:
    """Whether somebody asked for a backup; it is asked for no more then."""
    wished = (folder() / ".wunsch").exists()
    (folder() / ".wunsch").unlink(missing_ok=True)
    return wished


# --- The second folder -------------------------------------------------------------------


def set_second(path: str) -> Status:
    """Have every backup copied to a folder, perhaps on a stick; "" for none.

    Raises:
        BackupError: if it is no folder that can be written to.
    """
    with locked("sichern"):
        if not path:
            return _note(second="", second_failed="", second_at="", second_file="")
        second = Path(path)
        try:
            if not second.is_absolute() or folder().samefile(second):
                raise FileNotFoundError
            probe = second / f"{UNFINISHED}probe"
            probe.touch(mode=0o600)
            probe.unlink()
        except OSError as problem:
            raise BackupError(
                _(
                    "In den Ordner „{path}“ lässt sich nicht schreiben ({why}). Steckt der Stick?"
                ).format(path=path, why=problem.strerror or _("es ist kein anderer Ordner"))
            ) from None
        _note(second=path, second_is_a_disk=_is_a_disk(second), second_at="", second_file="")
        return copy_to_second()


def _is_a_disk(path: Path) -> bool:
    return path.stat().st_dev != folder().stat().st_dev


def copy_to_second() -> Status:
    """Copy the last backup to the second folder, if that is there and has it not yet."""
    found = status()
    second, source = Path(found.second), folder() / found.file
    if found.second_file == found.file or not source.is_file() or not second_is_there(found):
        return found
    try:
        for one in (anchors_of(source), source):
            _copy(one, second)
    except OSError as problem:
        known = failure_of(problem)  # the advice is for the program's own disk
        return _note(second_failed=str(known.title if known else problem))
    thin_out(second, AUTO, newest=NEWEST, days=DAYS)
    now = timezone.now().isoformat()
    return _note(second_at=now, second_file=source.name, second_failed="")


def second_is_there(found: Status) -> bool:
    """Whether the second folder is named and can be reached this moment."""
    # Where a stick is not, there may still be the empty folder in which it appears.
    second = Path(found.second)
    return bool(found.second) and second.is_dir() and _is_a_disk(second) >= found.second_is_a_disk


def _copy(source: Path, second: Path) -> None:
    """Copy a backup whole or not at all.

    Raises:
        OSError: if the folder cannot take it, or gives back something else.
    """
    unfinished = second / f"{UNFINISHED}{source.name}"
    try:
        unfinished.touch(mode=0o600)
        with source.open("rb") as reading, unfinished.open("wb") as writing:
            shutil.copyfileobj(reading, writing)
            writing.flush()
            os.fsync(writing.fileno())
        digests = set()
        for path in (source, unfinished):
            with path.open("rb") as file:
                digests.add(hashlib.file_digest(file, "sha256").hexdigest())
        if len(digests) > 1:
            raise OSError(_("Was auf dem Stick ankam, ist etwas anderes als gesichert wurde."))
        unfinished.replace(second / source.name)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


# --- What the page says ------------------------------------------------------------------


def touch(name: str) -> None:
    """Note that something happened now."""
    (folder() / f".{name}").touch(mode=0o600)


def happened_within(name: str, span: timedelta) -> bool:
    """Whether :func:`touch` was called for *name* of late."""
    try:
        seconds = (folder() / f".{name}").stat().st_mtime
    except FileNotFoundError:
        return False
    return abs(time() - seconds) < span.total_seconds()


def problems(now: datetime | None = None) -> list[str]:
    """Return why one must not rely on the backups, in sentences; nothing if one may."""
    now, found = now or timezone.now(), status()
    said = []
    if found.failed:
        said.append(_("Die Sicherung ist gescheitert: {why}").format(why=found.failed))
    if not happened_within("wache", SILENT):
        said.append(_("Es wird nicht mehr von selbst gesichert. Bitte das Programm neu starten."))
    if ends_now()["state"] != found.state:
        if not found.at:
            said.append(_("Es gibt noch keine Sicherung."))
        elif abs(now - datetime.fromisoformat(found.at)) > TOO_OLD:
            said.append(_("Seit der letzten Sicherung ist zu viel Zeit vergangen."))
    said += [_("Protokoll {entry}").format(entry=entry) for entry in found.breaks]
    if found.second_failed:
        said.append(_("Zweiter Ordner: {why}").format(why=found.second_failed))
    return said
