"""Generations: each takeover has a number, and the laptop with the highest one is in service.

The generation is journalled with the takeover, so every backup has it. A laptop that learns of a
higher one has been replaced: it refuses all requests, and shows the entries that only it has.
Restoring a backup puts it into service again, with a generation above both.
"""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.backup.packing import folder
from tournaments.backup.status_file import read_json, write_json
from tournaments.common.errors import Failure
from tournaments.journal import services as journal
from tournaments.journal.queries.journal import EntryInWords, rows
from tournaments.machine.hashes import hash_of, keyed_hash
from tournaments.models import JournalChain, JournalEntry, User

REPLACED = "abgeloest.json"
TAKEN_OVER, RESTORED = "taken_over", "restored"


def current() -> int:
    """Return the generation of the database; 0 before any takeover."""
    entries = JournalEntry.objects.filter(
        chain__scope=journal.INSTALLATION, action__in=(TAKEN_OVER, RESTORED)
    )
    newest = entries.order_by("-number").values_list("after", flat=True).first() or {}
    return int(newest.get("generation", 0))


def next_after(action: str) -> int:
    """Return the generation that *action* begins, once its backup is restored."""
    learned = int(read_json(_file()).get("generation", 0))
    return max(current(), learned) + int(action == TAKEN_OVER or learned > 0)


def seal(question: str, statement: dict[str, Any]) -> str:
    """Return the MAC that proves that *statement* is from a laptop with this installation's key."""
    return keyed_hash(f"takeover:{hash_of([question, statement])}")


# --- On the laptop that was replaced -----------------------------------------------------------


def _file() -> Path:
    # Checked at every request, so the folder is not created here.
    return Path(settings.DATA_DIR) / "sicherungen" / REPLACED


def is_replaced() -> bool:
    """Whether another laptop has taken over from this one."""
    return _file().exists()


def note_takeover(takeover: dict[str, Any], url: str) -> None:
    """Store that the laptop at *url* has taken over, unless this one has a higher generation."""
    if int(takeover["generation"]) > current():
        write_json(folder() / REPLACED, {**takeover, "url": url})


def forget_takeover() -> None:
    """Forget that another laptop has taken over."""
    _file().unlink(missing_ok=True)


def refusal() -> Failure:
    """Return the failure that is shown in place of every page."""
    takeover = read_json(_file())
    at = timezone.localtime(datetime.fromisoformat(takeover["at"]))
    return Failure(
        HTTPStatus.SERVICE_UNAVAILABLE,
        _("Ein anderer Laptop hat übernommen"),
        _(
            "Seit {time} Uhr geht es unter {url} weiter. Dieser Laptop nimmt nichts mehr an; was "
            "nur er hat, steht auf ihm unter „Sicherungen“. Danach bitte ausschalten."
        ).format(time=f"{at:%H:%M}", url=takeover["url"]),
    )


def unreplicated_entries(
    chains: QuerySet[JournalChain], *, by: User | None = None
) -> list[tuple[JournalChain, list[EntryInWords]]]:
    """Return the entries of *chains* that the standby laptop lacks, the oldest first.

    With *by*, only those of this account.
    """
    ends = read_json(_file()).get("chains", {})
    alone = []
    for chain in chains.select_related("tournament").order_by("pk"):
        entries = chain.entries.filter(number__gt=ends.get(chain.scope, 0))
        entries = entries.filter(actor=by) if by else entries
        if in_words := rows(list(entries.select_related("actor").order_by("number"))):
            alone.append((chain, in_words))
    return alone
