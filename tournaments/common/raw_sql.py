"""The queries for acts, requests of table devices and polls, in plain SQL for both databases.

In a hall hundreds of devices poll in the same seconds, and building these statements with Django
takes longer than running them. Nothing is written here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar, cast

from django.db import connection
from django.db.models import Model, QuerySet
from django.utils.dateparse import parse_datetime

from tournaments.models import JournalChain, Tournament

ModelT = TypeVar("ModelT", bound=Model)

# The table that a code opens, and the device that asks.
TABLE_OF_CODE = """
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
LIST_CONTEXT = """
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

# The device that keeps a list, and the stored answer to a submission, by its key.
EARLIER_ANSWER = """
SELECT keeper.id, known.digest, known.answer FROM tournaments_spielliste list
LEFT JOIN tournaments_tabledevice keeper ON keeper.table_id = list.table_id AND keeper.is_keeper
LEFT JOIN tournaments_submission known ON known.spielliste_id = list.id AND known.key = %s
WHERE list.id = %s
"""

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

# Counts and sums that differ after each change of any tournament.
REVISIONS = """
SELECT COUNT(*), MAX(id), SUM(revision), COUNT(replaced_at) FROM tournaments_tournament
"""

# The owner of an own page that polls, by the hash of its token.
OWNER_OF_PAGE = """
SELECT registration.id, tournament.id, tournament.revision
FROM tournaments_registration registration
JOIN tournaments_tournament tournament ON tournament.id = registration.tournament_id
WHERE registration.token_hash = %s AND tournament.replaced_at IS NULL
"""


def lock_tournament_of(model: type[Model], key: int, path: tuple[str, ...]) -> Tournament | None:
    """Lock the tournament of a row until the transaction ends, and return it as it is now.

    *path* leads from the row to its tournament; None if there is no such row. 1 statement.
    """
    can_lock = connection.features.has_select_for_update
    lock = " FOR NO KEY UPDATE" if can_lock else ""
    return _first(Tournament, _statement(Tournament, "id", _key_at(model, path)) + lock, key)


def row_with_owners(model: type[ModelT], key: int, path: tuple[str, ...]) -> ModelT | None:
    """Return a row with the rows on *path*, each as the value of its field; None if it is gone.

    A statement for each is faster than one that Django builds and joins.
    """
    row: Any = _first(model, _statement(model, "id"), key)
    below = row
    for name in path if row is not None else ():
        field = below._meta.get_field(name)
        owner, owner_key = field.related_model, getattr(below, field.attname)
        setattr(below, name, _first(owner, _statement(owner, "id"), owner_key))
        below = getattr(below, name)
    return cast("ModelT | None", row)


def chain_of(scope: str) -> JournalChain | None:
    """Return a chain of the journal, or None if there is none."""
    return _first(JournalChain, _statement(JournalChain, "scope"), scope)


def _first(model: type[ModelT], statement: str, value: int | str) -> ModelT | None:
    return next(iter(QuerySet(model).raw(statement, [value])), None)


@cache
def _key_at(model: type[Model], path: tuple[str, ...]) -> str:
    """Return the SQL for the key at the end of a path that begins at the row with a key."""
    value = "%s"
    for name in path:
        field: Any = model._meta.get_field(name)
        value = f'(SELECT "{field.column}" FROM {model._meta.db_table} WHERE id = {value})'  # noqa: S608 - own
        model = field.related_model
    return value


@cache
def _statement(model: type[Model], by: str, value: str = "%s") -> str:
    # With „*“ PostgreSQL would refuse a cached plan as soon as a column is added.
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
    return f'SELECT {columns} FROM {model._meta.db_table} WHERE "{by}" = {value}'  # noqa: S608 - own


def time_of(stored: Any) -> datetime | None:
    """Return a time of a statement; SQLite has it as a text or without its zone, in UTC."""
    parsed = parse_datetime(stored) if isinstance(stored, str) else stored
    return parsed.replace(tzinfo=UTC) if parsed is not None and parsed.tzinfo is None else parsed


def rows(statement: str, *values: int | str | None) -> list[tuple[Any, ...]]:
    """Return the rows of a statement with these values."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor)
