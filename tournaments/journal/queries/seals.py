"""What pages and paper say of seals: where a tournament came from, and how far its journal goes."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.journal.sealing import fingerprint
from tournaments.machine.hashes import in_groups
from tournaments.models import JournalChain, JournalEntry, Tournament
from tournaments.models.journal import GENESIS

IMPORTED = "archive_imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSeal:
    """What stands on paper that is signed: who has it can show later what was changed since."""

    number: int  # of the last entry of the tournament's journal
    hash: str
    fingerprint: str


def paper_seal(tournament: Tournament) -> PaperSeal:
    """Return the end of a tournament's journal, and whose it is."""
    chain = JournalChain.objects.filter(tournament=tournament).first()
    return PaperSeal(
        number=chain.last_number if chain is not None else 0,
        hash=in_groups(chain.last_hash if chain is not None else GENESIS),
        fingerprint=fingerprint(),
    )


def import_of(tournament: Tournament) -> JournalEntry | None:
    """Return the act by which a tournament was taken in from an archive."""
    acts = JournalEntry.objects.filter(chain__tournament__isnull=True, action=IMPORTED)
    return acts.filter(subject_type="tournament", subject_id=tournament.pk).first()


def seals_of(tournament: Tournament) -> list[str | None]:
    """Return through whose hands a tournament came; None for those who did not seal it.

    Nothing for one that was made here, or was away under this installation's own seal.
    """
    return seals_in(import_of(tournament))


def seals_in(imported: JournalEntry | None) -> list[str | None]:
    """Return as :func:`seals_of` what the act says; before there were seals, no file had one."""
    if imported is None:
        return []
    found: list[str | None] = imported.after.get("seals", [None])
    return found
