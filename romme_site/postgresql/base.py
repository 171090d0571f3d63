"""Whether a kept connection still serves is seen from this side, without asking the server.

Django tries a connection at each request by a statement: a way there and back, which for an open
page that asks takes as long as its question. A server that ends, or a proxy before it, says so to
each connection, and that can be seen for nothing. Only of one that has not been used for a while
may the server be gone without a word; that one is asked.
"""

from __future__ import annotations

import selectors
from time import monotonic

from django.db.backends.postgresql import base

ASKED_AFTER = 5.0  # seconds; no machine is down and up again within them

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)  # Windows has no poll


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of a thread; its backend is found by this name."""

    _tried_at = float("-inf")

    def is_usable(self) -> bool:
        """Whether the connection serves; asks the server only if there is a reason."""
        quiet, self._tried_at = monotonic() - self._tried_at, monotonic()
        if quiet < ASKED_AFTER and not self._has_said_something():
            return True
        return super().is_usable()

    def _has_said_something(self) -> bool:
        """Whether there is something to read: the end, or a word nobody asked for."""
        with _Selector() as selector:
            selector.register(self.connection.fileno(), selectors.EVENT_READ)
            return bool(selector.select(0))
