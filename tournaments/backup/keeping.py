"""When a backup is due, where it is copied to, and the status of the last one.

All of this is stored in files beside the backups and not in the database: it belongs to this
machine, is needed without a database, and must not change when a backup is restored.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from time import time
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.copying import BackupError, check_database_exists
from tournaments.backup.packing import (
    UNFINISHED,
    anchors_of,
    current_ends,
    ends_of,
    folder,
    new_path,
    newest_first,
    pack,
    thin_out,
)
from tournaments.common.errors import failure_of
from tournaments.machine import systems
from tournaments.models import Closing, Serie

INTERVAL = timedelta(minutes=5)
MAX_AGE = timedelta(minutes=10)
MAX_SILENCE = timedelta(minutes=3)  # longer than a backup takes: no process watches any more
RETRY_INTERVAL = timedelta(seconds=30)
CLOCK_TOLERANCE = timedelta(minutes=1)
AUTO, CLOSING, UPDATE = "-auto", "-abschluss", "-vor-Version-"
NEWEST, DAYS = 24, 30
_SYSTEM_FOLDERS = tuple(
    Path(name)
    for name in (
        *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr"),
        *("/var/lib", "/var/log", "/var/spool", "/var/www", "/srv/www"),
        *("/Applications", "/Library", "/System", "C:/Windows", "C:/Program Files"),
    )
)

ENDED = "beendet"  # note that the page of this computer has ended the program


@dataclass(frozen=True, kw_only=True)
class BackupStatus:
    """The status of the last backup; times are ISO texts, sentences German, "" for none."""

    at: str = ""
    file: str = ""
    state: str = ""  # of the database that was saved
    closings: int = 0  # that there were then
    breaks: tuple[str, ...] = ()  # of the journal
    failed_at: str = ""
    failed: str = ""
    second: str = ""  # folder
    second_is_a_disk: bool = False  # a device of its own, as a USB stick is
    second_at: str = ""
    second_file: str = ""
    second_failed: str = ""


def status() -> BackupStatus:
    """Return the status of the last backup."""
    return BackupStatus(**read_json(folder() / "stand.json"))


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a small JSON file; empty if there is none."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError):
        return {}


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Replace a small file atomically, readable for its owner only."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(json.dumps(values), encoding="utf-8")
    systems.replace_file(new, path)


@contextmanager
def locked(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Take a lock among all processes of this machine; yield whether it was free."""
    with systems.locked(folder() / f".{name}", wait=wait) as is_mine:
        yield is_mine


def note_status(**changes: Any) -> BackupStatus:
    updated = replace(status(), **changes)
    write_json(folder() / "stand.json", asdict(updated))
    return updated


def save_now(*, where: Path | None = None, kind: str = "") -> Path:
    """Make a backup, store its status, and return its path.

    Args:
        where: another folder, which exists and is none of the program's; then no status is stored.
        kind: why it was made; the end of its name.

    Raises:
        BackupError: if there is nothing to save, or the backup is damaged.
        OSError: if it cannot be written.
    """
    check_database_exists()
    if where is not None:
        return _save_elsewhere(where)
    with locked("sichern"):
        try:
            now, closings = timezone.now().isoformat(), _closings()
            path = new_path(folder(), kind)
            breaks = pack(path)
        except (BackupError, DatabaseError, OSError) as problem:
            note_failure(problem)
            raise
        state = ends_of(path)["state"]
        note_status(
            at=now, file=path.name, state=state, closings=closings, breaks=breaks, failed=""
        )
        thin_out(folder(), AUTO, newest=NEWEST, days=DAYS)
        copy_to_second()
        return path


def _save_elsewhere(where: Path) -> Path:
    if not where.is_dir():  # made here, the folder of a stick would be on the program's own disk
        raise BackupError(
            _("Den Ordner {folder} gibt es nicht; gesichert ist nichts. Steckt der Stick?").format(
                folder=where
            )
        )
    check_folder(where)
    path = new_path(where)
    try:
        pack(path)
    except (DatabaseError, OSError) as problem:
        if (failure := failure_of(problem)) is None:
            raise
        raise BackupError(
            _(
                "{why}: {folder}. Dort ist nichts gesichert; bitte Platz schaffen oder einen "
                "anderen Ordner nehmen."
            ).format(why=failure.title, folder=where)
        ) from None
    return path


def check_folder(place: Path) -> None:
    """Refuse a folder of the data, the program or the system, of which some are handed out.

    Raises:
        BackupError: if backups may not be in *place*.
    """
    real = place.resolve()
    within = [Path(settings.DATA_DIR), settings.BASE_DIR, Path(sys.prefix), *_SYSTEM_FOLDERS]
    inside = any(real.is_relative_to(folder.resolve()) for folder in within)
    if inside or real in {Path(real.anchor), Path(tempfile.gettempdir()).resolve()}:
        raise BackupError(
            _(
                "„{path}“ gehört zum Programm, zu seinen Daten oder zum System; eine Kopie ist "
                "dort nicht sicher. Bitte einen Ordner auf einem anderen Datenträger nehmen."
            ).format(path=place)
        )


def is_other_disk(path: Path) -> bool:
    """Whether *path* is on another disk than the backups of the program."""
    return path.stat().st_dev != folder().stat().st_dev


def save_before_update() -> Path:
    """Save a database that a new version is about to migrate; the backup is never thinned out.

    An update that failed and begins again keeps the first one only.

    Raises:
        BackupError: if there is nothing to save.
        DatabaseError, OSError: if it cannot be written.
    """
    kind = f"{UPDATE}{settings.VERSION}"
    path = new_path(folder(), kind)
    earlier = newest_first(folder().glob(f"*{kind}.tar.gz"))
    pack(path, proven=False)  # proving would migrate it
    if earlier and ends_of(earlier[0])["state"] == ends_of(path)["state"]:
        path.unlink()
        return earlier[0]
    return path


def _reason(problem: Exception) -> str:
    failure = failure_of(problem)
    return str(failure) if failure else " ".join(str(problem).split())


def _closings() -> int:
    return Serie.objects.filter(closed_at__isnull=False).count() + Closing.objects.count()


def save_if_due(now: datetime | None = None) -> Path | None:
    """Make a backup if something has changed, five minutes after the last one or at a closing.

    Raises:
        BackupError, DatabaseError, OSError: as :func:`save_now`.
    """
    now, last = now or timezone.now(), status()

    def is_recent(at: str, span: timedelta) -> bool:
        # A clock that was set back must not delay the next one.
        return bool(at) and abs(now - datetime.fromisoformat(at)) < span

    if last.failed:
        return None if is_recent(last.failed_at, RETRY_INTERVAL) else save_now(kind=AUTO)
    if current_ends()["state"] == last.state:
        return None
    was_closed = bool(last.at) and _closings() != last.closings
    if is_recent(last.at, INTERVAL) and not was_closed:
        return None
    return save_now(kind=CLOSING if was_closed else AUTO)


def note_failure(problem: Exception) -> None:
    """Store the reason why there can be no backup, for the page."""
    note_status(failed_at=timezone.now().isoformat(), failed=_reason(problem))


def request_backup() -> None:
    """Request a backup from the process that makes them."""
    touch("wunsch")


def is_requested() -> bool:
    """Whether a backup was requested that has not been made."""
    return last("wunsch") > 0


def save_requested() -> None:
    """Make the backup that was requested; a process that is killed meanwhile leaves the request."""
    wished = last("wunsch")
    try:
        save_now()
    finally:
        if last("wunsch") == wished:  # else it was requested once more
            (folder() / ".wunsch").unlink(missing_ok=True)


# --- The second folder -------------------------------------------------------------------


def set_second(path: str) -> BackupStatus:
    """Set the folder that every backup is copied to, for instance on a USB stick; "" for none.

    Raises:
        BackupError: if it is not a writable folder, or one in which backups may not be.
    """
    with locked("sichern"):
        if not path:
            return note_status(second="", second_failed="", second_at="", second_file="")
        second = Path(path)
        try:
            if not second.is_absolute() or folder().samefile(second):
                raise FileNotFoundError
            check_folder(second)
            probe = second / f"{UNFINISHED}probe"
            probe.touch(mode=0o600)
            probe.unlink()
        except OSError as problem:
            raise BackupError(
                _(
                    "In den Ordner „{path}“ lässt sich nicht schreiben ({why}). Steckt der Stick?"
                ).format(path=path, why=problem.strerror or _("es ist kein anderer Ordner"))
            ) from None
        note_status(
            second=path, second_is_a_disk=is_other_disk(second), second_at="", second_file=""
        )
        return copy_to_second()


def copy_to_second() -> BackupStatus:
    """Copy the last backup to the second folder, if that is available and lacks it."""
    current = status()
    second, source = Path(current.second), folder() / current.file
    if (
        current.second_file == current.file
        or not source.is_file()
        or not is_second_available(current)
    ):
        return current
    try:
        for path in (anchors_of(source), source):
            _copy(path, second)
    except OSError as problem:
        failure = failure_of(problem)  # the hint is about the program's own disk
        return note_status(second_failed=str(failure.title if failure else problem))
    thin_out(second, AUTO, newest=NEWEST, days=DAYS)
    now = timezone.now().isoformat()
    return note_status(second_at=now, second_file=source.name, second_failed="")


def is_second_available(status: BackupStatus) -> bool:
    """Whether the second folder is set and available now."""
    # Without the USB stick, its empty mount point may still exist.
    second = Path(status.second)
    return (
        bool(status.second) and second.is_dir() and is_other_disk(second) >= status.second_is_a_disk
    )


def _copy(source: Path, second: Path) -> None:
    """Copy a backup completely or not at all.

    Raises:
        OSError: if it cannot be written to the folder, or reads back differently.
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


def touch(name: str, at: float | None = None) -> None:
    """Store the time *at*, in seconds, for *name*; without it the present one."""
    path = folder() / f".{name}"
    path.touch(mode=0o600)
    if at is not None:
        os.utime(path, (at, at))


def last(name: str) -> float:
    """Return when :func:`touch` last stored for *name*, in seconds; 0 for never."""
    try:
        return (folder() / f".{name}").stat().st_mtime
    except FileNotFoundError:
        return 0.0


def happened_within(name: str, span: timedelta) -> bool:
    """Whether :func:`touch` was called for *name* recently."""
    return abs(time() - last(name)) < span.total_seconds()


def is_elsewhere() -> bool:
    """Whether another host of the same database makes the backups."""
    return happened_within("anderswo", MAX_SILENCE)


def problems(now: datetime | None = None) -> list[str]:
    """Return why the backups are not reliable, in sentences; empty if they are."""
    if is_elsewhere() or not settings.SAVES_ITSELF:
        return []
    now, current = now or timezone.now(), status()
    sentences = failures(now)
    if current_ends()["state"] != current.state:
        if not current.at:
            sentences.append(_("Es gibt noch keine Sicherung."))
        elif abs(now - datetime.fromisoformat(current.at)) > MAX_AGE:
            sentences.append(_("Seit der letzten Sicherung ist zu viel Zeit vergangen."))
    return sentences


def failures(now: datetime | None = None) -> list[str]:
    """Return what fails, in sentences, as far as it is known without the database."""
    if is_elsewhere() or not settings.SAVES_ITSELF:
        return []
    now, current = now or timezone.now(), status()
    sentences = []
    if current.failed:
        sentences.append(_("Die Sicherung ist gescheitert: {why}").format(why=current.failed))
    if not happened_within("wache", MAX_SILENCE):
        sentences.append(
            _("Es wird nicht mehr von selbst gesichert. Bitte das Programm neu starten.")
        )
    if current.at and datetime.fromisoformat(current.at) - now > CLOCK_TOLERANCE:
        sentences.append(
            _(
                "Die letzte Sicherung trägt eine spätere Zeit als jetzt: Die Uhr dieses Rechners "
                "ging oder geht falsch. Bitte richtig stellen; die Reihenfolge stimmt trotzdem."
            )
        )
    sentences += [_("Protokoll {entry}").format(entry=entry) for entry in current.breaks]
    if current.second_failed:
        sentences.append(_("Zweiter Ordner: {why}").format(why=current.second_failed))
    return sentences
