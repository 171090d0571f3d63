"""Limits on wrong short codes, by table or start number and by network address.

They are counted by tournament, so that guesses at one organiser's tables block no other's. A
device that has already been at the table is not blocked by the guesses of others.

Codes are six characters. At this rate, guessing at all tables of the largest tournament finds one
code in a year. A hall has one address behind its router, so attempts are counted for each table
and each start number: a blocked one does not block the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from tournaments.common.errors import TournamentError
from tournaments.models import CodeGuess, Tournament

GUESSES_LAST = timedelta(minutes=10)
MOST_PER_ADDRESS = 20
MOST_IN_ALL = 60

_ADDRESS_SALT = "tournaments.address"


class TooManyGuesses(TournamentError):
    """Too many wrong short codes were typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessLimit:
    """The table or start number that a code is typed for, and its sender."""

    number: int  # of a table, or a start number
    tournament: Tournament | None  # None in a hall, where the number is enough
    address: str
    device: str = ""  # secret of a device that was at the table already
    for_player: bool = False

    def is_too_much(self, now: datetime) -> bool:
        """Whether too many wrong codes were typed lately."""
        recent = CodeGuess.objects.filter(
            tournament=self.tournament,
            number=self.number,
            for_player=self.for_player,
            at__gt=now - GUESSES_LAST,
            at__lte=now,
        )
        if recent.filter(address_hash=self._sender).count() >= MOST_PER_ADDRESS:
            return True
        return not self.device and recent[:MOST_IN_ALL].count() >= MOST_IN_ALL

    def note_wrong(self, now: datetime) -> None:
        """Store a wrong code for some minutes; not in a transaction that is refused."""
        CodeGuess.objects.filter(at__lte=now - GUESSES_LAST).delete()
        CodeGuess.objects.create(
            tournament=self.tournament,
            number=self.number,
            for_player=self.for_player,
            address_hash=self._sender,
            at=now,
        )

    @property
    def _sender(self) -> str:
        """The hash of the device, or else of the address, which a whole hall may share."""
        return hash_address(f"device {self.device}" if self.device else self.address)


def hash_address(address: str) -> str:
    """Return the hash of a network address, by which it is recognised but cannot be read."""
    return salted_hmac(_ADDRESS_SALT, address, algorithm="sha256").hexdigest() if address else ""
