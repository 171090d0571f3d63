"""The alarm that backups fail: on pages, to probes, by mail."""

from __future__ import annotations

import os
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.backup.packing import folder
from tournaments.backup.status_file import failures, happened_within, last, status, touch
from tournaments.machine.mails import notify
from tournaments.models import User

WATCHER_VARIABLE = "HAS_WATCHER"  # set for a server with a watcher process
FAILING, TOLD = "gestoert", "gemeldet"  # notes of :mod:`status_file`
ALARM_DELAY, REPEAT_INTERVAL = timedelta(minutes=10), timedelta(days=1)


def alarm_for(user: User, *, leads: bool) -> list[str]:
    """Return the failures shown to an account; on a server, only operators see them.

    The database is not queried: it may be the cause.
    """
    is_told = user.is_admin or (leads and settings.IS_IN_THE_HALL)
    return failures() if is_told and os.environ.get(WATCHER_VARIABLE) else []


def tell_operator() -> None:
    """Send a mail when backups have failed for ten minutes, and again each day."""
    problems = failures()
    if not problems:
        (folder() / f".{FAILING}").unlink(missing_ok=True)
        return
    if not last(FAILING):
        touch(FAILING)
    if happened_within(FAILING, ALARM_DELAY) or happened_within(TOLD, REPEAT_INTERVAL):
        return
    touch(TOLD)
    operators = User.objects.filter(is_admin=True, is_active=True).exclude(email="")
    notify(
        operators.values_list("email", flat=True),
        subject=_("Die Sicherung scheitert"),
        template="mail/backup_fails.txt",
        context={"problems": problems, "last": status(), "folder": folder()},
        about="backups that fail",
    )
