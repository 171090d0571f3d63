"""The EPC QR code („Girocode“), from which a banking app fills in a transfer.

Format: EPC069-12, version 002, UTF-8. The image is made by segno; this module makes its
contents: names and purposes that fit and that banks accept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from segno import QRCode
from segno.helpers import make_epc_qr
from stdnum import iban

from tournaments.desk.online.queries.entries import EntryPerson
from tournaments.models import Tournament

BIC_LENGTHS = (8, 11)
LONGEST_HOLDER = 70
LONGEST_PURPOSE = 140
MOST_BYTES = 331  # of the whole code
_FIXED_BYTES = len("BCD\n002\n1\nSCT\n\n\n\nEUR999999999.99\n\n\n")
# Characters that all banks accept, and the umlauts that German banks accept.
_ALLOWED = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ äöüÄÖÜß"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GirocodeTransfer:
    """The fields of a transfer; the amount in cents."""

    holder: str
    iban: str
    bic: str
    amount_cents: int
    purpose: str

    @property
    def iban_in_groups(self) -> str:
        """The IBAN in groups of four: „DE89 3704 0044 0532 0130 00“."""
        return str(iban.format(self.iban))


def transfer(
    tournament: Tournament, *, amount_cents: int, numbers: Sequence[int], name: str
) -> GirocodeTransfer | None:
    """Return the transfer of *amount_cents*, or None without a bank account or amount.

    Args:
        tournament: with the bank account.
        amount_cents: the open amount.
        numbers: the start numbers in the purpose.
        name: last name and first name of the one person, or of the first of several.
    """
    number = iban.compact(tournament.iban)
    holders = (tournament.account_holder, tournament.organiser, tournament.name)
    holder = next((accepted for text in holders if (accepted := acceptable(text))), "")
    holder = holder[:LONGEST_HOLDER].strip()
    if not iban.is_valid(number) or not holder or amount_cents <= 0:
        return None
    bic = "".join(tournament.bic.split()).upper()
    if len(bic) not in BIC_LENGTHS:
        bic = ""  # optional within the euro area
    room = MOST_BYTES - _FIXED_BYTES - sum(len(part.encode()) for part in (holder, number, bic))
    return GirocodeTransfer(
        holder=holder,
        iban=number,
        bic=bic,
        amount_cents=amount_cents,
        purpose=purpose(tournament.name, numbers, name, most_bytes=room),
    )


def joint_transfer(
    tournament: Tournament, standings: Sequence[EntryPerson]
) -> GirocodeTransfer | None:
    """Return one transfer for all persons with open dues, or None for fewer than two."""
    owing = [standing for standing in standings if standing.open_cents]
    return transfer_for(tournament, *owing) if len(owing) > 1 else None


def transfer_for(tournament: Tournament, *owing: EntryPerson) -> GirocodeTransfer | None:
    """Return the transfer for persons of an entry, or None if nothing is to be paid."""
    first_line = owing[0].line
    return transfer(
        tournament,
        amount_cents=sum(standing.open_cents for standing in owing),
        numbers=[standing.number for standing in owing if standing.number is not None],
        name=f"{first_line.last_name} {first_line.first_name}",
    )


def purpose(
    tournament: str, numbers: Sequence[int], name: str, *, most_bytes: int = MOST_BYTES
) -> str:
    """Return the purpose: „Herbstturnier Nr. 12 Kühn Anna“, 140 characters at most.

    If it is too long, the tournament's name is shortened, then the person's: the start
    numbers matter most.

    >>> purpose("Herbstturnier – 2026", [12], "Kühn Anna")
    'Herbstturnier - 2026 Nr. 12 Kühn Anna'
    """
    numbers_text = _("Nr. {numbers}").format(numbers=", ".join(str(number) for number in numbers))
    suffix = f" +{len(numbers) - 1}" if len(numbers) > 1 else ""
    parts = [acceptable(tournament), acceptable(numbers_text), acceptable(name) + suffix]
    for shortened in (0, 2, 1):
        while parts[shortened] and not _fits(parts, most_bytes):
            parts[shortened] = parts[shortened][:-1].rstrip()
    return " ".join(part for part in parts if part)


def _fits(parts: Sequence[str], most_bytes: int) -> bool:
    text = " ".join(part for part in parts if part)
    return len(text) <= LONGEST_PURPOSE and len(text.encode()) <= most_bytes


def acceptable(text: str) -> str:
    """Return *text* in characters that banks accept; accents are removed, umlauts stay.

    >>> acceptable("Rommé & Skat „Łódź“ – Jahn’s Köln")
    "Romme + Skat Lodz - Jahn's Köln"
    """
    text = unicodedata.normalize("NFC", text).translate(_REPLACED)
    bare = "".join(char if char in _ALLOWED else _without_accent(char) for char in text)
    return " ".join(bare.split())


_REPLACED = str.maketrans({"–": "-", "—": "-", "&": "+", "’": "'", "ł": "l", "Ł": "L", "ø": "o"})


def _without_accent(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0]
    if base in _ALLOWED:
        return base
    return " " if char.isspace() else ""


def qr_code(details: GirocodeTransfer) -> QRCode:
    """Return the QR code: error correction M, version 13 at most, as the format requires."""
    return make_epc_qr(
        name=details.holder,
        iban=details.iban,
        bic=details.bic or None,
        amount=Decimal(details.amount_cents) / 100,
        text=details.purpose,
        encoding="utf-8",
    )
