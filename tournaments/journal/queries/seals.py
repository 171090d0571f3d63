"""Seals on pages and paper: the origin of a tournament, and the end of its journal."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.journal.sealing import fingerprint
from tournaments.machine.hashes import in_groups
from tournaments.models import JournalChain, JournalEntry, Tournament
from tournaments.models.journal import GENESIS

IMPORTED = "archive_imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSeal:
    """The end of the journal as printed on signed documents; it proves later changes."""

    number: int  # of the last entry of the tournament's journal
    hash: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The origin of a tournament; empty for one made here.

    Args:
        seals: fingerprints of its earlier installations; None for one without a seal.
        has_own_seal: imported from a file with the seal of this installation.
        lacks_journal: imported from a file without a journal.
    """

    seals: tuple[str | None, ...] = ()
    has_own_seal: bool = False
    lacks_journal: bool = False


def paper_seal(tournament: Tournament) -> PaperSeal:
    """Return the end of a tournament's journal, with the fingerprint of the installation."""
    chain = JournalChain.objects.filter(tournament=tournament).first()
    return PaperSeal(
        number=chain.last_number if chain is not None else 0,
        hash=in_groups(chain.last_hash if chain is not None else GENESIS),
        fingerprint=fingerprint(),
    )


def import_of(tournament: Tournament) -> JournalEntry | None:
    """Return the entry of the import of a tournament, or None."""
    acts = JournalEntry.objects.filter(chain__tournament__isnull=True, action=IMPORTED)
    return acts.filter(subject_type="tournament", subject_id=tournament.pk).first()


def origin_of(tournament: Tournament) -> Origin:
    """Return the installations that a tournament came through."""
    imported = import_of(tournament)
    if imported is None:
        return Origin()
    return Origin(
        seals=tuple(imported.after.get("seals", [None])),  # older entries have none
        has_own_seal=imported.after.get("seal") == fingerprint(),
        lacks_journal=imported.after.get("chains") == [],
    )
