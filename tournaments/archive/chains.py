"""The journals that an archive carries, taken in only if they are whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.archive import sections
from tournaments.archive.rows import Positions
from tournaments.archive.writing import ENTRY
from tournaments.journal import services as journal
from tournaments.models import ArchivedJournal, User

# What pages read of an entry; the rest is as the act left it.
_FORMS = {
    "number": int,
    "at": str,
    "actor_kind": str,
    "actor_label": str,
    "action": str,
    "subject_type": str,
    "before": dict,
    "after": dict,
    "reason": str,
    "hash": str,
}


def read_chains(node: Node, positions: Positions) -> Iterator[ArchivedJournal]:
    """Yield the chains of a file; what is wrong with them is noted at the node.

    A chain that does not hold was changed behind the program's back, and is refused: taken
    in, it would look like a proof.
    """
    for item in node.items() or []:
        fields = item.fields(required=("scope", "accounts", "entries"), optional=("keys",))
        if not fields.keys() >= {"scope", "accounts", "entries"}:
            continue
        accounts = fields["accounts"].fields(required=(), optional=_keys(fields["accounts"]))
        mapped = {key: _account(place, positions) for key, place in accounts.items()}
        keys = _keys_of_rows(fields["keys"], positions) if "keys" in fields else {}
        entries = [_entry(entry) for entry in fields["entries"].items() or []]
        scope = (fields["scope"].text() or "")[:30]
        if node.problems:
            return
        broken = journal.first_break(scope, entries)
        if broken is not None:
            fields["entries"].refuse(
                _("Das Protokoll ist nicht unversehrt: {sentence}").format(sentence=broken.sentence)
            )
            return
        yield ArchivedJournal(scope=scope, accounts=mapped, keys=keys, entries=entries)


def _entry(node: Node) -> dict[str, Any]:
    fields = node.fields(required=ENTRY)
    for name, form in _FORMS.items():
        if name in fields and not isinstance(fields[name].value, form):
            fields[name].refuse(_("Diese Angabe hat nicht ihre Form."))
    if "at" in fields and not _is_time(fields["at"].value):
        fields["at"].refuse(_("Hier muss eine Zeit mit Zeitzone stehen."))
    return {name: value.value for name, value in fields.items()}


def _is_time(value: object) -> bool:
    try:
        return datetime.fromisoformat(str(value)).tzinfo is not None
    except ValueError:
        return False


def _keys(node: Node) -> list[str]:
    return list(node.value) if isinstance(node.value, dict) else []


def _keys_of_rows(node: Node, positions: Positions) -> dict[str, dict[str, int]]:
    """Return the key here by the key there, for every kind of row that entries are about."""
    models = {model._meta.model_name or "": model for model in sections.IN_JOURNAL}
    found: dict[str, dict[str, int]] = {}
    for name, rows in node.fields(required=list(models)).items():
        found[name] = {}
        for key, place in rows.fields(required=(), optional=_keys(rows)).items():
            try:
                found[name][key] = positions.key(models[name], place.value)
            except LookupError:
                place.refuse(_("Diese Angabe verweist auf etwas, das nicht in der Datei steht."))
    return found


def _account(node: Node, positions: Positions) -> int:
    try:
        return positions.key(User, node.value)
    except LookupError:
        node.refuse(_("Dieses Konto steht nicht unter „accounts“."))
        return 0
