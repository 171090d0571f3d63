"""The process beside the server: it makes backups, and what else is due regularly."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection

from romme_site.command.loading import set_up_django


def start_watcher() -> Connection:
    """Start the process that makes backups; it ends when the pipe that is returned is closed."""
    ended, server = multiprocessing.Pipe(duplex=False)
    multiprocessing.Process(target=_watch, args=(ended, server)).start()
    ended.close()
    return server


def _watch(ended: Connection, server: Connection) -> None:
    server.close()
    set_up_django()
    from django.utils import translation  # noqa: PLC0415

    from tournaments.backup.watch import watch  # noqa: PLC0415
    from tournaments.desk.online.services import naming, offers  # noqa: PLC0415

    translation.deactivate()  # what it stores is in the language of the installation
    watch(ended, [offers.move_up, naming.ask_by_mail])
