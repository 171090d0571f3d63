"""Queues for requests that check a password, which is intentionally slow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from django.utils.translation import gettext as _

from romme_site.request_bodies import RefusedError

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


@dataclass(slots=True)
class _QueuedRequest:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Lane:
    """A worker thread that handles one request at a time, with one place for each sender.

    Further requests of a sender wait for this place, so many requests of one sender delay the
    others no more than a single one. After each request the thread pauses for twice its
    duration, so that pages have priority.
    """

    def __init__(self, name: str, *, most: int) -> None:
        self.most = most  # requests of one sender
        self._thread = ThreadPoolExecutor(1, name)
        self._turns: dict[str, _QueuedRequest] = {}

    async def work(
        self, sender: str, does: Callable[[_Argument], _Result], asked: _Argument
    ) -> _Result:
        """Call *does* with *asked* when it is the turn of *sender*, and return the result.

        Raises:
            RefusedError: if too many requests of the sender are waiting.
        """
        turn = self._turns.setdefault(sender, _QueuedRequest())
        if turn.waiting >= self.most:
            raise RefusedError(
                503,
                _(
                    "Gerade melden sich zu viele auf einmal an. Bitte in ein paar Sekunden noch "
                    "einmal versuchen."
                ),
            )
        turn.waiting += 1
        try:
            async with turn.lock:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, self._work_and_rest, does, asked)
        finally:
            turn.waiting -= 1
            if not turn.waiting:
                del self._turns[sender]

    def _work_and_rest(self, does: Callable[[_Argument], _Result], asked: _Argument) -> _Result:
        begun = time.monotonic()
        try:
            return does(asked)
        finally:
            # Queued like another request, so that this answer does not wait for it.
            self._thread.submit(time.sleep, 2 * (time.monotonic() - begun))
