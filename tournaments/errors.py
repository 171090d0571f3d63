"""What the program refuses: German sentences that a page can show as they are."""

from __future__ import annotations


class TournamentError(Exception):
    """An act that is refused; the message says what is wrong, where, and what to do."""


class NotAllowed(TournamentError):
    """The person has no role that may do this."""


class WrongStatus(TournamentError):
    """The thing is in a state in which this cannot be done."""


class Conflict(TournamentError):
    """Somebody else was faster; the page must show what is there now."""
