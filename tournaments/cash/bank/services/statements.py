"""The facts of an account statement, in any format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.short_texts import clean_line

CURRENCY = "EUR"
REMITTER_LENGTH, PURPOSE_LENGTH = 140, 400  # of the fields of BankTransaction
# A statement of a club has hundreds of entries; thousands would block other requests.
MAX_ENTRIES = 5_000
NO_REFERENCE = frozenset({"", "NONREF", "NOTPROVIDED", "KEINE ANGABE"})

# Keywords of German banks in the lines of the purpose: EREF+… MREF+… SVWZ+…
_KEYWORD = re.compile(
    r"(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|SQTP)\+\s?"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class UnreadableStatement(TournamentError):
    """The file is no account statement, is damaged, or is too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One credit: remitter, amount and purpose."""

    booked_on: date
    amount_cents: int
    remitter: str
    purpose: str
    # The bank's reference; distinguishes equal transfers and is the same in every file.
    reference: str = ""


@dataclass(slots=True)
class Statement:
    """The contents of a file: credits, numbers of entries left out, and the accounts."""

    transfers: list[Transfer] = field(default_factory=list)
    debits: int = 0
    foreign: int = 0  # in another currency
    pending: int = 0  # announced, not booked yet
    accounts: set[str] = field(default_factory=set)  # IBANs, where the file has them

    def add(self, other: Statement) -> None:
        """Add the contents of another file."""
        self.transfers += other.transfers
        self.debits += other.debits
        self.foreign += other.foreign
        self.pending += other.pending
        self.accounts |= other.accounts

    @property
    def entries(self) -> int:
        """The number of entries, including those left out."""
        return len(self.transfers) + self.debits + self.foreign + self.pending


def check_entries(number: int) -> None:
    """Refuse a file with more than ``MAX_ENTRIES`` entries."""
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
        UnreadableStatement: if it is negative, has fractions of a cent or is too large.
    """
    in_cents = amount.scaleb(2)
    if in_cents != in_cents.to_integral_value() or not 0 <= in_cents < 10**9:
        raise UnreadableStatement(
            _("Ein Betrag im Auszug ist nicht zu lesen: {amount}").format(amount=amount)
        )
    return int(in_cents)


def tidy(*parts: str | None, length: int) -> str:
    """Join non-empty *parts* with single spaces, without control characters, cut to *length*."""
    joined = _CONTROL.sub(" ", " ".join(part or "" for part in parts))
    return clean_line(joined)[:length].rstrip()


def keywords(text: str) -> dict[str, str]:
    """Return the text after each of the banks' keywords; under "" the text before the first.

    >>> keywords("EREF+NOTPROVIDED SVWZ+Nr. 12 Anna Kühn ABWA+Karl Kühn")["SVWZ"]
    'Nr. 12 Anna Kühn'
    >>> keywords("Nr. 12, 2+1 Personen")
    {'': 'Nr. 12, 2+1 Personen'}
    """
    before, *pieces = _KEYWORD.split(text)
    texts = {"": before.strip()}
    for key, value in zip(pieces[::2], pieces[1::2], strict=True):
        texts.setdefault(key, value.strip())
    return texts


def purpose_of(text: str) -> str:
    """Return the remitter's text without the bank's keywords."""
    texts = keywords(text)
    return texts.get("SVWZ") or texts[""]


def remitter_of(*names: str) -> str:
    """Return the remitter, and the person it is for if that is another one.

    >>> remitter_of("Karl Kühn", "Anna Kühn"), remitter_of("", "Anna Kühn")
    ('Karl Kühn / Anna Kühn', 'Anna Kühn')
    """
    distinct = dict.fromkeys(name.strip() for name in names)
    return tidy(" / ".join(name for name in distinct if name), length=REMITTER_LENGTH)
