"""Restoring a backup: the database, the files and the keys become those of the backup."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.backup import generations, status_file
from tournaments.backup.database_copy import BackupError, copy_in, prove
from tournaments.backup.notification import tell_heads
from tournaments.backup.packing import (
    INSTALLATION_KEY,
    KEPT_FILES,
    check_version,
    ends_of,
    folder,
    new_path,
    pack,
    scratch,
    unpack,
)
from tournaments.common.actors import Actor
from tournaments.journal import services as journal
from tournaments.models import JournalEntry, TableDevice, Tournament

RESTORED = "zurueckgeholt"  # note of :mod:`status_file`
LEAP = 1_000_000  # the least step of the revision, of which pages read nine digits


def restore(path: Path, *, action: str = "restored") -> tuple[Path | None, list[str]]:
    """Restore the backup *path*, of either kind of database, and journal it as *action*.

    A running server notices it and restarts with the restored keys.

    Returns:
        The backup of the previous state, if there was any, and the breaks of the journal.

    Raises:
        BackupError: if the file is no backup, or damaged; then nothing is changed.
    """
    check_version(path)
    with scratch(folder()) as place:
        copy = unpack(path, place)
        key = place / INSTALLATION_KEY
        its_key = key.read_text(encoding="ascii").strip() if key.exists() else ""
        breaks = prove(copy, key=its_key).breaks
        before = _save_current_state()
        copy_in(copy)
        for name in KEPT_FILES:
            for file in sorted((place / name).rglob("*")) or [place / name]:
                if file.is_file():
                    target = Path(settings.DATA_DIR) / file.relative_to(place)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(file.read_bytes())
                    target.chmod(file.stat().st_mode)
    entry = _note(action, path)
    generations.forget_takeover()
    status_file.touch(RESTORED)
    tell_heads(entry)
    return before, breaks


@transaction.atomic
def _note(action: str, path: Path) -> JournalEntry:
    # Pages and devices may know revisions after the backup; none of these may be used again.
    # The step is random, because the same backup may be restored twice.
    leap = LEAP + secrets.randbelow(LEAP)
    Tournament.objects.update(revision=F("revision") + leap)
    # The first request of each device is noted again, not a minute later.
    long_ago = timezone.now() - TableDevice.SEEN_EVERY
    TableDevice.objects.filter(last_seen_at__gt=long_ago).update(last_seen_at=long_ago)
    after = {"saved_at": ends_of(path).get("at", path.name)}
    after["generation"] = generations.next_after(action)
    return journal.record(None, Actor.command(action), action, after=after)


def last_restored() -> float:
    """Return when a backup was last restored here, in seconds; 0 for never."""
    return status_file.last(RESTORED)


def _save_current_state() -> Path | None:
    path = new_path(folder())
    try:
        pack(path, proven=False)
    except BackupError:
        return None  # there is nothing yet
    return path
