"""The journals that an archive carries, taken in only if they are whole."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.strict_json import Node
from scoring.texts import _
from tournaments.archive.rows import Positions
from tournaments.archive.writing import ENTRY
from tournaments.models import ArchivedJournal, User
from tournaments.services import journal


def read_chains(node: Node, positions: Positions) -> Iterator[ArchivedJournal]:
    """Yield the chains of a file; what is wrong with them is noted at the node.

    A chain that does not hold was changed behind the program's back, and is refused: taken
    in, it would look like a proof.
    """
    for item in node.items() or []:
        fields = item.fields(required=("scope", "accounts", "entries"))
        if len(fields) < 3:
            continue
        accounts = fields["accounts"].fields(required=(), optional=_keys(fields["accounts"]))
        mapped = {key: _account(place, positions) for key, place in accounts.items()}
        entries = [
            {key: value.value for key, value in entry.fields(required=ENTRY).items()}
            for entry in fields["entries"].items() or []
        ]
        scope = (fields["scope"].text() or "")[:30]
        if node.problems:
            return
        broken = journal.first_break(scope, entries)
        if broken is not None:
            fields["entries"].refuse(
                _("Das Protokoll ist nicht unversehrt: Eintrag {number} {why}.").format(
                    number=broken.number, why=broken.why
                )
            )
            return
        yield ArchivedJournal(scope=scope, accounts=mapped, entries=entries)


def _keys(node: Node) -> list[str]:
    return list(node.value) if isinstance(node.value, dict) else []


def _account(node: Node, positions: Positions) -> int:
    try:
        return positions.key(User, node.value)
    except LookupError:
        node.refuse(_("Dieses Konto steht nicht unter „accounts“."))
        return 0
