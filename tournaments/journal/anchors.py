"""The last entry of every chain, signed and kept elsewhere: what a chain alone does not miss.

Whoever has an older state of the whole database can bring it back, and nothing in it would
show that. A copy of the ends that lies with a backup, on a stick or on paper does.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.reading.strict_json import Node, parse
from tournaments.common.formats import short_date
from tournaments.journal.sealing import fingerprint, is_signed, public_key, sign
from tournaments.journal.services import INSTALLATION, Break
from tournaments.models import JournalChain, JournalEntry

FORMAT, VERSION = "romme-anker", 1


def anchors() -> dict[str, Any]:
    """Return the ends of all chains as ``docs/formats.md`` 5 has them; one query."""
    ends = JournalChain.objects.order_by("pk").values_list("scope", "last_number", "last_hash")
    said = {
        "format": FORMAT,
        "version": VERSION,
        "at": timezone.now().astimezone(UTC).isoformat(timespec="seconds"),
        "key": public_key(),
        "chains": [
            {"scope": scope, "number": number, "hash": last_hash}
            for scope, number, last_hash in ends
        ],
    }
    return {**said, "signature": sign(said)}


def breaks(data: bytes) -> Iterator[Break]:
    """Yield where the chains are not what a file of anchors says they were.

    Raises:
        ScoringError: if it is no such file, or was changed after it was signed.
    """
    root = parse(data)
    fields = root.fields(required=("format", "version", "at", "key", "chains", "signature"))
    if not root.problems and (fields["format"].value, fields["version"].value) != (FORMAT, VERSION):
        fields["format"].refuse(
            _("Das ist keine Ankerdatei dieses Programms: Erwartet wird „romme-anker“, Fassung 1.")
        )
    ends = [_end(item) for item in fields["chains"].items() or []] if "chains" in fields else []
    root.raise_problems()
    said = {name: field.value for name, field in fields.items() if name != "signature"}
    key, signature = str(fields["key"].value), str(fields["signature"].value)
    if not is_signed(said, key=key, signature=signature):
        fields["signature"].refuse(_("Das Siegel passt nicht: Die Datei wurde verändert."))
    root.raise_problems()
    at = datetime.fromisoformat(str(fields["at"].value))
    removed = _removed()
    for scope, number, last_hash in ends:
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
                    fingerprint=fingerprint(key),
                ),
            )


def _removed() -> set[str]:
    """Return the chains that went with the tournament to look at, as the installation noted."""
    acts = JournalEntry.objects.filter(chain__scope=INSTALLATION, action="demo_removed")
    return {scope for act in acts for scope in act.before.get("chains", {})}


def _end(node: Node) -> tuple[str, int, str]:
    fields = node.fields(required=("scope", "number", "hash"))
    if len(fields) < 3:
        return "", 0, ""
    number = fields["number"].whole_number(minimum=0) or 0
    return fields["scope"].text() or "", number, fields["hash"].text() or ""
