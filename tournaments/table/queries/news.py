"""Polling of a table's page: whether its list has changed, by one query.

The version of a table's page is the last revision that concerned its list
(``lists.queries.list_revisions``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.common.digits import number_in
from tournaments.common.raw_sql import TABLE_OF_CODE, rows, time_of
from tournaments.lists.queries.list_revisions import revisions_of


@dataclass(frozen=True, slots=True)
class TablePoll:
    """The table of a code, its device, and the revision of the tournament."""

    tournament_id: int
    revision: int
    chain_id: int
    number: int  # of the last journal entry
    table_id: int
    spielliste_id: int
    table: int  # number
    serie: int  # number
    device_id: int | None  # key of the polling device, if it belongs to the table
    seen_at: datetime | None  # last recorded request of that device
    is_keeper: bool  # whether that device keeps the list


def poll_of(token_hash: str, device_hash: str) -> TablePoll | None:
    """Return the poll of a table's page; None if the code opens no table; 1 query.

    Args:
        token_hash: of the token in the address.
        device_hash: of the secret in the cookie of the device.
    """
    result = rows(TABLE_OF_CODE, device_hash, token_hash)
    if not result:
        return None
    *keys, seen_at, is_keeper = result[0]
    # SQLite returns nullable booleans as integers.
    return TablePoll(*(*keys, time_of(seen_at), bool(is_keeper)))


def version(poll: TablePoll) -> int:
    """Return the last revision that concerned the list; see ``list_revisions``."""
    stand = poll.revision, poll.chain_id, poll.number
    return revisions_of(poll.tournament_id, stand).of_list(poll.spielliste_id)


def shown_revision(poll: TablePoll, since: str) -> int | None:
    """Return the revision that a page shows; None if that does not exist."""
    revision_text, dash, number_text = since.partition("-")
    revision = number_in(revision_text)
    if revision is None or revision > poll.revision:
        return None
    return None if dash and number_in(number_text) is None else revision
