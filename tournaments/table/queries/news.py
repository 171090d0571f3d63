"""Whether there is something new for the page of a table, found by one query.

Each page asks every few seconds. The revision at which its list was last concerned
(``lists.queries.list_revisions``) is the version of a table's page.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.common.digits import number_in
from tournaments.common.raw_sql import OPENED, rows, time_of
from tournaments.lists.queries.list_revisions import revisions_of


@dataclass(frozen=True, slots=True)
class TablePoll:
    """What a table's code opens, and the state of the tournament."""

    tournament_id: int
    revision: int
    chain_id: int
    number: int  # of the last entry in the journal
    table_id: int
    spielliste_id: int
    table: int  # number
    serie: int  # number
    device_id: int | None  # key of the device that asks, if it belongs to the table
    seen_at: datetime | None  # when that device was last noted to have asked or sent
    is_keeper: bool  # whether the device that asks keeps the list


def asked(token_hash: str, device_hash: str) -> TablePoll | None:
    """Return what the code of a table opens, or None if it opens nothing; 1 query.

    Args:
        token_hash: of the token in the address.
        device_hash: of the secret in the cookie of the device.
    """
    result = rows(OPENED, device_hash, token_hash)
    if not result:
        return None
    *keys, seen_at, is_keeper = result[0]
    # SQLite returns nullable booleans as integers.
    return TablePoll(*(*keys, time_of(seen_at), bool(is_keeper)))


def version(poll: TablePoll) -> int:
    """Return the revision at which the list was last concerned; see ``concerned.heard``."""
    stand = poll.revision, poll.chain_id, poll.number
    return revisions_of(poll.tournament_id, stand).of_list(poll.spielliste_id)


def known(poll: TablePoll, since: str) -> int | None:
    """Return the revision that a page shows; None if it names none that exists."""
    revision_text, dash, number_text = since.partition("-")
    revision = number_in(revision_text)
    if revision is None or revision > poll.revision:
        return None
    return None if dash and number_in(number_text) is None else revision
