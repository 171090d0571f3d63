"""Whether there is something new for the page of a table, found out by one statement.

Hundreds of pages ask every few seconds, and somewhere a game is always entered. So each process
follows the journal of a tournament act by act and remembers at which revision each list was last
concerned: its version for open pages. It asks the database at each request how far the journal is,
so it knows of what other processes did; and what it does not know makes everything new.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from tournaments.common.digits import number_in
from tournaments.models import JournalEntry
from tournaments.models.prepared import cursor

# Acts that concern one list and no other table's page.
OF_ONE_LIST = frozenset(
    {
        "game_entered",
        "game_changed",
        "game_taken_back",
        "cards_bought",
        "list_signed",
        "list_on_paper",
        "list_on_device",
        "listenfuehrer_set",
    }
)
MOST_READ = 1000  # acts at once; after more, every page gets a state and counts from there
MOST_TOURNAMENTS = 10  # that a process follows

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


@dataclass(slots=True)
class _Heard:
    """What a process knows of a tournament: the revisions at which lists were last concerned."""

    revision: int
    number: int
    all_lists: int
    lists: dict[int, int] = field(default_factory=dict)


_heard: dict[int, _Heard] = {}
_following = Lock()


def forget() -> None:
    """Know nothing any more."""
    _heard.clear()


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
    """Return the revision at which the list was last concerned, as far as this process knows.

    What happened before the process began to follow is taken to concern every list; 1 query
    where something happened anywhere since the process looked last, else none.
    """
    with _following:
        heard = _heard.get(seen.tournament_id)
        if heard is None:
            if len(_heard) >= MOST_TOURNAMENTS:
                _heard.clear()
            heard = _heard[seen.tournament_id] = _Heard(seen.revision, seen.number, seen.revision)
        elif seen.revision > heard.revision:
            _follow(heard, seen)
        return max(heard.all_lists, heard.lists.get(seen.spielliste_id, 0))


def _follow(heard: _Heard, seen: Asked) -> None:
    """Take in what happened since; names that change raise the revision without an entry."""
    happened = seen.revision - heard.revision
    entries = []
    if happened == seen.number - heard.number <= MOST_READ:
        found = JournalEntry.objects.filter(
            chain=seen.chain_id, number__gt=heard.number, number__lte=seen.number
        )
        entries = list(found.values_list("number", "action", "subject_type", "subject_id"))
    for number, action, subject_type, subject_id in entries:
        revision = heard.revision + number - heard.number
        if action in OF_ONE_LIST and subject_type == "spielliste" and subject_id is not None:
            heard.lists[subject_id] = revision
        else:
            heard.all_lists = revision
    if len(entries) != happened:
        heard.all_lists = seen.revision
    heard.revision, heard.number = seen.revision, seen.number


def known(seen: Asked, since: str) -> int | None:
    """Return the revision that a page shows; None if it names none that there was."""
    revision_text, dash, number_text = since.partition("-")
    revision = number_in(revision_text)
    if revision is None or revision > seen.revision:
        return None
    return None if dash and number_in(number_text) is None else revision
