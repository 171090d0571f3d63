"""Which of two laptops goes on: each takeover has a number, its generation, and the highest counts.

It is journalled with the takeover, so it goes along with every backup. A laptop that learns of a
higher one than its own has been replaced: from then on it takes nothing, and shows what it alone
has taken. Restoring a backup on it makes it go on again, with a generation above both.
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
    """Return the generation that begins with *action*, when its backup has been restored."""
    learned = int(read_json(_file()).get("generation", 0))
    return max(current(), learned) + int(action == TAKEN_OVER or learned > 0)


def seal(question: str, statement: dict[str, Any]) -> str:
    """Return what proves that *statement* comes from a laptop with the key of this installation."""
    return keyed_hash(f"takeover:{hash_of([question, statement])}")


# --- On the laptop that was replaced -----------------------------------------------------------


def _file() -> Path:
    # Looked for at every request: the folder is not made for it.
    return Path(settings.DATA_DIR) / "sicherungen" / REPLACED


def is_replaced() -> bool:
    """Whether another laptop has taken over from this one."""
    return _file().exists()


def note_takeover(takeover: dict[str, Any], url: str) -> None:
    """Store that the laptop at *url* has taken over, unless this one goes on after it."""
    if int(takeover["generation"]) > current():
        write_json(folder() / REPLACED, {**takeover, "url": url})


def forget_takeover() -> None:
    """Forget that another laptop has taken over."""
    _file().unlink(missing_ok=True)


def refusal() -> Failure:
    """Return what is said instead of every page."""
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
    """Return the entries of *chains* that the other laptop had not got, the oldest first.

    With *by*, only what this account did.
    """
    ends = read_json(_file()).get("chains", {})
    alone = []
    for chain in chains.select_related("tournament").order_by("pk"):
        entries = chain.entries.filter(number__gt=ends.get(chain.scope, 0))
        entries = entries.filter(actor=by) if by else entries
        if in_words := rows(list(entries.select_related("actor").order_by("number"))):
            alone.append((chain, in_words))
    return alone
