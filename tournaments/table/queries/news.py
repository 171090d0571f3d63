"""Whether there is something new for the page of a table, found out by one statement.

Hundreds of pages ask every few seconds. The revision at which its list was last concerned
(``lists.queries.concerned``) is the version of a table's page.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.common.digits import number_in
from tournaments.lists.queries.concerned import heard
from tournaments.models.prepared import cursor

_OPEN = """
SELECT tournament.id, tournament.revision, COALESCE(chain.id, 0), COALESCE(chain.last_number, 0),
  access.table_id, list.id, at.number, serie.number, device.id, COALESCE(device.is_keeper, %s)
FROM tournaments_tableaccess access
JOIN tournaments_table at ON at.id = access.table_id
JOIN tournaments_serie serie ON serie.id = at.serie_id
JOIN tournaments_tournament tournament ON tournament.id = serie.tournament_id
JOIN tournaments_spielliste list ON list.table_id = at.id
LEFT JOIN tournaments_journalchain chain ON chain.tournament_id = tournament.id
LEFT JOIN tournaments_tabledevice device ON device.token_hash = %s AND device.table_id = at.id
  AND device.generation = access.generation AND device.withdrawn_at IS NULL
WHERE access.token_hash = %s AND access.withdrawn_at IS NULL AND serie.closed_at IS NULL
  AND tournament.status <> 'closed'
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a table's code opens, and how far the tournament is."""

    tournament_id: int
    revision: int
    chain_id: int
    number: int  # of the last entry in the journal
    table_id: int
    spielliste_id: int
    table: int  # number
    serie: int  # number
    device_id: int | None  # of the device that asks, if it is one of the table
    is_keeper: bool  # whether the device that asks keeps the list


def asked(token_hash: str, device_hash: str) -> Asked | None:
    """Return what the code of a table opens now, or None if it opens nothing; 1 query.

    Args:
        token_hash: of the token in the address.
        device_hash: of the secret in the cookie of the device.
    """
    with cursor() as asking:
        asking.execute(_OPEN, [False, device_hash, token_hash])
        row = asking.fetchone()
    return Asked(*(*row[:-1], bool(row[-1]))) if row else None  # SQLite knows no bool


def version(seen: Asked) -> int:
    """Return the revision at which the list was last concerned; see ``concerned.heard``."""
    stand = seen.revision, seen.chain_id, seen.number
    return heard(seen.tournament_id, stand).of_list(seen.spielliste_id)


def known(seen: Asked, since: str) -> int | None:
    """Return the revision that a page shows; None if it names none that there was."""
    revision_text, dash, number_text = since.partition("-")
    revision = number_in(revision_text)
    if revision is None or revision > seen.revision:
        return None
    return None if dash and number_in(number_text) is None else revision
