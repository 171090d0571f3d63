"""What an account statement says, whatever format it comes in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError

CURRENCY = "EUR"
REMITTER_LENGTH, PURPOSE_LENGTH = 140, 400  # of the fields of BankTransaction
# A statement of a club has hundreds of entries; reading thousands keeps all others waiting.
MAX_ENTRIES = 5_000
NO_REFERENCE = frozenset({"", "NONREF", "NOTPROVIDED", "KEINE ANGABE"})

# What German banks put into the lines of the purpose: EREF+… MREF+… SVWZ+…
_KEYWORD = re.compile(
    r"(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|SQTP)\+\s?"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class UnreadableStatement(TournamentError):
    """A file that is no account statement, damaged, or too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One credit: who paid how much and said what about it."""

    booked_on: date
    amount_cents: int
    remitter: str
    purpose: str
    # What the bank calls it; tells two alike apart and is the same in every file.
    reference: str = ""


@dataclass(slots=True)
class Statement:
    """What stood in a file: the credits, what was left out, and whose account it is."""

    transfers: list[Transfer] = field(default_factory=list)
    debits: int = 0
    foreign: int = 0  # in another currency
    pending: int = 0  # announced, not booked yet
    accounts: set[str] = field(default_factory=set)  # IBAN, where the file has one

    def add(self, other: Statement) -> None:
        """Take over what another file says."""
        self.transfers += other.transfers
        self.debits += other.debits
        self.foreign += other.foreign
        self.pending += other.pending
        self.accounts |= other.accounts

    @property
    def entries(self) -> int:
        """How many entries there were, those left out included."""
        return len(self.transfers) + self.debits + self.foreign + self.pending


def check_entries(number: int) -> None:
    """Refuse a file with more entries than the program reads in one go."""
    if number > MAX_ENTRIES:
        raise UnreadableStatement(
            _(
                "Die Datei hat mehr als {n} Umsätze. Bitte den Auszug für einen kürzeren "
                "Zeitraum herunterladen."
            ).format(n=MAX_ENTRIES)
        )


def cents(amount: Decimal) -> int:
    """Return an amount of euros in cents.

    Raises:
        UnreadableStatement: if it is below zero, has fractions of a cent or does not fit.
    """
    in_cents = amount.scaleb(2)
    if in_cents != in_cents.to_integral_value() or not 0 <= in_cents < 10**9:
        raise UnreadableStatement(
            _("Ein Betrag im Auszug ist nicht zu lesen: {amount}").format(amount=amount)
        )
    return int(in_cents)


def tidy(*parts: str | None, length: int) -> str:
    """Join what is there with single spaces and no control characters, cut to *length*."""
    joined = _CONTROL.sub(" ", " ".join(part or "" for part in parts))
    return " ".join(joined.split())[:length].rstrip()


def keywords(text: str) -> dict[str, str]:
    """Return what stands after each of the banks' keywords; under "" what is before the first.

    >>> keywords("EREF+NOTPROVIDED SVWZ+Nr. 12 Anna Kühn ABWA+Karl Kühn")["SVWZ"]
    'Nr. 12 Anna Kühn'
    >>> keywords("Nr. 12, 2+1 Personen")
    {'': 'Nr. 12, 2+1 Personen'}
    """
    before, *pieces = _KEYWORD.split(text)
    found = {"": before.strip()}
    for key, value in zip(pieces[::2], pieces[1::2], strict=True):
        found.setdefault(key, value.strip())
    return found


def purpose_of(text: str) -> str:
    """Return what the remitter wrote, without the bank's keywords around it."""
    found = keywords(text)
    return found.get("SVWZ") or found[""]


def remitter_of(*names: str) -> str:
    """Return who paid, and for whom where that was somebody else.

    >>> remitter_of("Karl Kühn", "Anna Kühn"), remitter_of("", "Anna Kühn")
    ('Karl Kühn / Anna Kühn', 'Anna Kühn')
    """
    known = dict.fromkeys(name.strip() for name in names)
    return tidy(" / ".join(name for name in known if name), length=REMITTER_LENGTH)
