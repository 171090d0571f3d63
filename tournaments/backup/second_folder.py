"""The second folder, to which every backup is copied, for instance on a USB stick."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.database_copy import BackupError
from tournaments.backup.packing import AUTO, DAYS, NEWEST, UNFINISHED, anchors_of, folder, thin_out
from tournaments.backup.status_file import BackupStatus, locked, note_status, status
from tournaments.common.errors import failure_of

_SYSTEM_FOLDERS = tuple(
    Path(name)
    for name in (
        *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr"),
        *("/var/lib", "/var/log", "/var/spool", "/var/www", "/srv/www"),
        *("/Applications", "/Library", "/System", "C:/Windows", "C:/Program Files"),
    )
)


def check_folder(place: Path) -> None:
    """Refuse a folder of the data, the program or the system; some of them are served.

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
