"""Reading and carrying out the acts of a table's device."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.reading.strict_json import Node
from scoring.reading.validation import read
from tournaments.common.errors import InvalidInput
from tournaments.common.submissions import Answer
from tournaments.lists.queries.sheet import Sheet
from tournaments.table.services import acts


def carry_out(
    visitor: acts.Visitor, *, kind: str, key: str, body: Mapping[str, object]
) -> tuple[Answer, Sheet | None]:
    """Carry out the act of this *kind* with the fields in *body*; returns as ``acts.carry_out``.

    Raises:
        InvalidInput: if a field is missing or wrong, or the act refuses it.
        TournamentError: if the act itself refuses.
    """
    if kind not in acts.ACTS:
        raise InvalidInput.at("", _("„{kind}“ gibt es hier nicht.").format(kind=kind[:40]))
    node = Node(body, "", [])
    act = read(node, acts.ACTS[kind])
    if act is None:
        raise InvalidInput(node.problems)
    return acts.carry_out(act, visitor=visitor, key=key, payload=body)
