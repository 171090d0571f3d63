"""Making backups: now, when one is due, on request, and before an update."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.database_copy import BackupError, check_database_exists
from tournaments.backup.packing import (
    AUTO,
    CLOSING,
    DAYS,
    NEWEST,
    UPDATE,
    current_ends,
    ends_of,
    folder,
    new_path,
    newest_first,
    pack,
    thin_out,
)
from tournaments.backup.second_folder import check_folder, copy_to_second
from tournaments.backup.status_file import last, locked, note_failure, note_status, status, touch
from tournaments.common.errors import failure_of
from tournaments.models import Closing, Serie

INTERVAL = timedelta(minutes=5)
RETRY_INTERVAL = timedelta(seconds=30)


def save_now(*, where: Path | None = None, kind: str = "") -> Path:
    """Make a backup, store its status, and return its path.

    Args:
        where: another existing folder outside of the program; then no status is stored.
        kind: the reason, which ends its name.

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
    if not where.is_dir():  # not created: a missing stick's would be on the own disk
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


def save_before_update() -> Path:
    """Save a database before a new version migrates it; the backup is never thinned out.

    A failed update that is repeated keeps only the first backup.

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
