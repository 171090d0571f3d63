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
    """The end of the journal as printed on signed documents; later changes can be proved by it."""

    number: int  # of the last entry of the tournament's journal
    hash: str
    fingerprint: str


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


def seals_of(tournament: Tournament) -> list[str | None]:
    """Return the fingerprints of a tournament's earlier installations; None for one without seal.

    Empty for one made here, or imported under this installation's own seal.
    """
    return seals_in(import_of(tournament))


def has_own_seal(tournament: Tournament) -> bool:
    """Whether a tournament was imported from a file with the seal of this installation."""
    imported = import_of(tournament)
    return imported is not None and imported.after.get("seal") == fingerprint()


def seals_in(imported: JournalEntry | None) -> list[str | None]:
    """Return the fingerprints in an entry as :func:`seals_of`; older entries have none."""
    if imported is None:
        return []
    found: list[str | None] = imported.after.get("seals", [None])
    return found
