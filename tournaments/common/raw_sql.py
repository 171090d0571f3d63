"""The queries for requests of table devices and polls of pages, in plain SQL for both databases.

In a hall hundreds of devices poll in the same seconds, and building these statements with Django
takes longer than running them. Nothing is written here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.utils.dateparse import parse_datetime

from tournaments.models import JournalChain, Serie, Spielliste, Table, Tournament

Stored = TypeVar("Stored", bound=Model)

# The table that a code opens, and the device that asks.
OPENED = """
SELECT tournament.id, tournament.revision, COALESCE(chain.id, 0), COALESCE(chain.last_number, 0),
  access.table_id, list.id, at.number, serie.number, device.id, device.last_seen_at,
  device.is_keeper
FROM tournaments_tableaccess access
JOIN tournaments_table at ON at.id = access.table_id
JOIN tournaments_serie serie ON serie.id = at.serie_id
JOIN tournaments_tournament tournament ON tournament.id = serie.tournament_id
JOIN tournaments_spielliste list ON list.table_id = at.id
LEFT JOIN tournaments_journalchain chain ON chain.tournament_id = tournament.id
LEFT JOIN tournaments_tabledevice device ON device.token_hash = %s AND device.table_id = at.id
  AND device.generation = access.generation AND device.withdrawn_at IS NULL
WHERE access.token_hash = %s AND access.withdrawn_at IS NULL AND serie.closed_at IS NULL
  AND tournament.status IN ('announced', 'running')
"""

# The data around a list: the end of the journal, the keeper, whether there is an open call, and
# whether there are Strafpunkte, or people who have changed seats with their games.
AROUND = """
SELECT COALESCE(chain.last_number, 0), keeper.id,
  EXISTS (SELECT 1 FROM tournaments_call WHERE table_id = at.id AND done_at IS NULL),
  EXISTS (SELECT 1 FROM tournaments_penalty WHERE spielliste_id = list.id AND status = 'given'),
  EXISTS (SELECT 1 FROM tournaments_seatspan WHERE spielliste_id = list.id OR registration_id IN
    (SELECT registration_id FROM tournaments_seat WHERE table_id = at.id))
FROM tournaments_spielliste list
JOIN tournaments_table at ON at.id = list.table_id
JOIN tournaments_serie serie ON serie.id = at.serie_id
LEFT JOIN tournaments_journalchain chain ON chain.tournament_id = serie.tournament_id
LEFT JOIN tournaments_tabledevice keeper ON keeper.table_id = at.id AND keeper.is_keeper
WHERE list.id = %s
"""

SEATS = """
SELECT seat.number, seat.registration_id, registration.number, person.first_name, person.last_name,
  COALESCE(club.name, '')
FROM tournaments_seat seat
JOIN tournaments_registration registration ON registration.id = seat.registration_id
JOIN tournaments_person person ON person.id = registration.person_id
LEFT JOIN tournaments_club club ON club.id = registration.club_id
WHERE seat.table_id = %s ORDER BY seat.number
"""

GAMES = """
SELECT number, line, overridden FROM tournaments_game WHERE spielliste_id = %s ORDER BY number
"""

# The stored answer to a submission, by its key.
KNOWN = """
SELECT digest, answer FROM tournaments_submission WHERE spielliste_id = %s AND key = %s
"""

# The tournament of a list.
TOURNAMENT = """(
SELECT serie.tournament_id FROM tournaments_spielliste list
JOIN tournaments_table at ON at.id = list.table_id
JOIN tournaments_serie serie ON serie.id = at.serie_id WHERE list.id = %s
)"""

# The entries of a chain after a number, up to another.
ENTRIES = """
SELECT number, action, subject_type, subject_id FROM tournaments_journalentry
WHERE chain_id = %s AND number > %s AND number <= %s ORDER BY number
"""

# The tournament of a page that polls.
REVISION = """
SELECT revision, status, replaced_at IS NOT NULL FROM tournaments_tournament WHERE slug = %s
"""

# The seasons that a tournament belongs to.
SEASONS = """
SELECT season.id, season.revision FROM tournaments_season season
JOIN tournaments_season_tournaments taken ON taken.season_id = season.id
JOIN tournaments_tournament tournament ON tournament.id = taken.tournament_id
WHERE tournament.slug = %s ORDER BY season.id
"""

# What rises or falls with each change of any tournament.
REVISIONS = """
SELECT COUNT(*), MAX(id), SUM(revision), COUNT(replaced_at) FROM tournaments_tournament
"""

# The owner of an own page that polls, by the hash of its token.
OWNER = """
SELECT registration.id, tournament.id, tournament.revision
FROM tournaments_registration registration
JOIN tournaments_tournament tournament ON tournament.id = registration.tournament_id
WHERE registration.token_hash = %s AND tournament.replaced_at IS NULL
"""


def lock_list(spielliste_id: int) -> Spielliste:
    """Lock the tournament of a list, and return the list with its table, Serie and tournament.

    All are as they are now; the tournament or the Serie may be closed. 4 statements.
    """
    can_lock = connection.features.has_select_for_update
    lock = _statement(Tournament, "id", TOURNAMENT) + (" FOR NO KEY UPDATE" if can_lock else "")
    tournament = _row(Tournament, spielliste_id, lock)
    spielliste = _row(Spielliste, spielliste_id)
    table = _row(Table, spielliste.table_id)
    serie = _row(Serie, table.serie_id)
    serie.tournament = tournament
    table.serie = serie
    spielliste.table = table
    return spielliste


def _row(model: type[Stored], key: int, statement: str = "") -> Stored:
    row: Stored = QuerySet(model).raw(statement or _statement(model, "id"), [key])[0]
    return row


def chain_of(scope: str) -> JournalChain | None:
    """Return a chain of the journal, or None if there is none."""
    found = JournalChain.objects.raw(_statement(JournalChain, "scope"), [scope])
    return next(iter(found), None)


@cache
def _statement(model: type[Model], by: str, value: str = "%s") -> str:
    # With „*“ PostgreSQL would refuse what it has planned as soon as a column is added.
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
    return f'SELECT {columns} FROM {model._meta.db_table} WHERE "{by}" = {value}'  # noqa: S608 - own


def time_of(stored: Any) -> datetime | None:
    """Return a time of a statement; SQLite has it as a text or without its zone, in UTC."""
    found = parse_datetime(stored) if isinstance(stored, str) else stored
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


def rows(statement: str, *values: int | str) -> list[tuple[Any, ...]]:
    """Return the rows of a statement with these values."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor)
