"""Limits on wrong short codes, by what they are typed for and by network address.

Codes are six characters. At this rate, guessing at all tables of the largest tournament finds one
code in a year. A hall has one address behind its router, so attempts are counted for each table
and each start number: a blocked one does not block the others.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from tournaments.common.errors import TournamentError
from tournaments.models import CodeGuess

GUESSES_LAST = timedelta(minutes=10)
MOST_PER_ADDRESS = 20
MOST_IN_ALL = 60

_ADDRESS_SALT = "tournaments.address"


class TooManyGuesses(TournamentError):
    """Too many wrong short codes were typed."""


def are_too_many(number: int, address: str, now: datetime, *, for_player: bool = False) -> bool:
    """Whether too many wrong codes were typed lately for a table, or a start number."""
    recent = CodeGuess.objects.filter(
        number=number, for_player=for_player, at__gt=now - GUESSES_LAST, at__lte=now
    )
    of_all = list(recent.values_list("address_hash", flat=True)[:MOST_IN_ALL])
    return len(of_all) >= MOST_IN_ALL or of_all.count(hash_address(address)) >= MOST_PER_ADDRESS


def note_wrong(number: int, address: str, now: datetime, *, for_player: bool = False) -> None:
    """Store a wrong code for some minutes; must not be called in a transaction that is refused."""
    CodeGuess.objects.filter(at__lte=now - GUESSES_LAST).delete()
    CodeGuess.objects.create(
        number=number, for_player=for_player, address_hash=hash_address(address), at=now
    )


def hash_address(address: str) -> str:
    """Return the hash of a network address, by which it is recognised but cannot be read."""
    return salted_hmac(_ADDRESS_SALT, address, algorithm="sha256").hexdigest() if address else ""
