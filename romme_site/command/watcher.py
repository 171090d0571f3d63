"""The process beside the server that makes backups and runs other periodic tasks."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from romme_site.command.django_setup import set_up_django
from tournaments.machine import operating_system

LOOK_SECONDS = 1.0
PAUSE_SECONDS = 1.0  # before a restart, so that a process that cannot start uses little time

# Not forked, because it is restarted while this process has threads.
_context = multiprocessing.get_context("spawn")


@contextmanager
def running_watcher() -> Iterator[None]:
    """Run the process during the block, and restart it whenever it ends."""
    from tournaments.backup.alarm import WATCHER_VARIABLE  # noqa: PLC0415 - needs the settings

    os.environ[WATCHER_VARIABLE] = "1"
    is_over = threading.Event()
    ended, server = _context.Pipe(duplex=False)
    first = _start_process(ended)
    threading.Thread(target=_restart_until_over, args=(first, ended, is_over), daemon=True).start()
    with server:  # closing it ends the process
        try:
            yield
        finally:
            is_over.set()


def _start_process(ended: Connection) -> BaseProcess:
    process = _context.Process(target=_watch, args=(ended,))
    process.start()
    return process


def _restart_until_over(process: BaseProcess, ended: Connection, is_over: threading.Event) -> None:
    while not is_over.is_set():
        process.join(LOOK_SECONDS)
        if not process.is_alive() and not is_over.wait(PAUSE_SECONDS):
            process = _start_process(ended)


def _watch(ended: Connection) -> None:
    operating_system.end_with_parent()  # also while the program is loaded
    set_up_django()
    from django.utils import translation  # noqa: PLC0415

    from tournaments.backup.alarm import tell_operator  # noqa: PLC0415
    from tournaments.backup.scheduler import run  # noqa: PLC0415
    from tournaments.desk.online.services import offers  # noqa: PLC0415

    translation.deactivate()  # it stores texts in the language of the installation
    run(ended, [offers.offer_free_places, tell_operator])
