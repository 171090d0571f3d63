"""The status of the last backup, and notes of the program, in files beside the backups.

They are not in the database: they belong to this machine, are needed without a database, and
must not change when a backup is restored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from time import time
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.packing import current_ends, folder
from tournaments.common.errors import failure_of
from tournaments.machine import operating_system

MAX_AGE = timedelta(minutes=10)
MAX_SILENCE = timedelta(minutes=3)  # longer than a backup takes: the scheduler has stopped
CLOCK_TOLERANCE = timedelta(minutes=1)
ENDED = "beendet"  # note that the page of this computer has ended the program


@dataclass(frozen=True, kw_only=True)
class BackupStatus:
    """The status of the last backup; times are ISO texts, sentences German, "" for none."""

    at: str = ""
    file: str = ""
    state: str = ""  # of the database that was saved
    closings: int = 0  # their number at that time
    breaks: tuple[str, ...] = ()  # of the journal
    failed_at: str = ""
    failed: str = ""
    second: str = ""  # folder
    second_is_a_disk: bool = False  # on a device of its own, such as a USB stick
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
    operating_system.replace_file(new, path)


@contextmanager
def locked(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Take a lock among all processes of this machine; yield whether it was free."""
    with operating_system.locked(folder() / f".{name}", wait=wait) as is_mine:
        yield is_mine


def note_status(**changes: Any) -> BackupStatus:
    updated = replace(status(), **changes)
    write_json(folder() / "stand.json", asdict(updated))
    return updated


def _reason(problem: Exception) -> str:
    failure = failure_of(problem)
    return str(failure) if failure else " ".join(str(problem).split())


def note_failure(problem: Exception) -> None:
    """Store the reason why there can be no backup, for the page."""
    note_status(failed_at=timezone.now().isoformat(), failed=_reason(problem))


def touch(name: str, at: float | None = None) -> None:
    """Store the time *at*, in seconds, for *name*; by default the present."""
    path = folder() / f".{name}"
    path.touch(mode=0o600)
    if at is not None:
        os.utime(path, (at, at))


def last(name: str) -> float:
    """Return the time stored for *name* by :func:`touch`, in seconds; 0 if there is none."""
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
    """Return sentences on why backups are unreliable; empty if they are reliable."""
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
    """Return sentences on failures that are known without the database."""
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
