"""Anchors: the last entry of every chain, signed, to be kept outside the database.

A database cannot show that an older state of it was restored. Anchors kept with a backup, on a
USB stick or on paper can.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.reading.records import Text, WholeNumber
from scoring.reading.strict_json import parse
from scoring.reading.validation import demand
from tournaments.common.formats import short_date
from tournaments.journal.sealing import fingerprint, is_signed, public_key, sign
from tournaments.journal.services import INSTALLATION, Break
from tournaments.models import JournalChain, JournalEntry

FORMAT, VERSION = "romme-anker", 1

Line = Annotated[str, Text()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """The last entry of a chain."""

    scope: Line
    number: Annotated[int, WholeNumber(0)]
    hash: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class _Anchors:
    format: Any
    version: Any
    at: Line
    key: Line
    chains: tuple[_End, ...]
    signature: Line


def anchors(owner: int | None = None) -> dict[str, Any]:
    """Return the ends of all chains as ``docs/formats.md`` 5 has them; one query.

    With *owner*, only those of that organiser and of the installation.
    """
    chains = JournalChain.objects.order_by("pk")
    if owner is not None:
        chains = chains.filter(Q(owner=owner) | Q(tournament__owner=owner) | Q(scope=INSTALLATION))
    ends = chains.values_list("scope", "last_number", "last_hash")
    content = {
        "format": FORMAT,
        "version": VERSION,
        "at": timezone.now().astimezone(UTC).isoformat(timespec="seconds"),
        "key": public_key(),
        "chains": [
            {"scope": scope, "number": number, "hash": last_hash}
            for scope, number, last_hash in ends
        ],
    }
    return {**content, "signature": sign(content)}


def breaks(data: bytes) -> Iterator[Break]:
    """Yield the contradictions between the chains and a file of anchors.

    Raises:
        ScoringError: if it is not such a file, or was changed after it was signed.
    """
    root = parse(data)
    file = demand(root, _Anchors)
    if (file.format, file.version) != (FORMAT, VERSION):
        root.field("format").refuse(
            _("Das ist keine Ankerdatei dieses Programms: Erwartet wird „romme-anker“, Version 1.")
        )
        root.raise_problems()
    content: Any = root.value
    signature = content.pop("signature")
    if not is_signed(content, key=file.key, signature=signature):
        root.field("signature").refuse(_("Das Siegel passt nicht: Die Datei wurde verändert."))
    root.raise_problems()
    at = datetime.fromisoformat(file.at)
    removed = _removed_scopes()
    for end in file.chains:
        scope, number, last_hash = end.scope, end.number, end.hash
        if scope in removed:
            continue
        entry = JournalEntry.objects.filter(chain__scope=scope, number=number).first()
        if number and (entry is None or entry.hash != last_hash):
            sentence = _(
                "Eintrag {number} ist nicht der, der hier am {day} um {time} der letzte war. "
                "Entweder kam eine ältere Sicherung zurück, oder das Ende wurde gekürzt oder neu "
                "geschrieben. Siegel der Ankerdatei: {fingerprint}"
            )
            local = timezone.localtime(at)
            yield Break(
                scope=scope,
                number=number,
                sentence=sentence.format(
                    number=number,
                    day=short_date(at),
                    time=local.strftime("%H:%M"),
                    fingerprint=fingerprint(file.key),
                ),
            )


def _removed_scopes() -> set[str]:
    """Return the scopes of chains that were removed, by the journal of the installation."""
    removed = ("demo_removed", "organiser_removed")
    acts = JournalEntry.objects.filter(chain__scope=INSTALLATION, action__in=removed)
    return {scope for act in acts for scope in act.before.get("chains", {})}
