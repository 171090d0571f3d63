"""Which lists the acts of a tournament concerned, and when: what they did not, is as it was.

Somewhere in the hall a game is always entered. So each process follows the journal of a
tournament act by act and remembers at which revision each list was last concerned. It asks the
database each time how far the journal is, so it knows of what other processes did; and what it
does not know concerns every list.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from django.db.models.functions import Coalesce

from tournaments.models import JournalEntry, Tournament

# Acts that concern one list, and nothing beside what follows from it.
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
MOST_READ = 1000  # acts at once; after more, every list counts as concerned
MOST_TOURNAMENTS = 10  # that a process follows


@dataclass(slots=True)
class Heard:
    """What a process knows of a tournament: the revisions at which lists were last concerned."""

    revision: int
    number: int  # of the last entry in the journal
    all_lists: int  # when something happened that was not of one list
    lists: dict[int, int] = field(default_factory=dict)

    def of_list(self, spielliste_id: int) -> int:
        """Return the revision at which a list was last concerned."""
        return max(self.all_lists, self.lists.get(spielliste_id, 0))


_heard: dict[int, Heard] = {}
_following = Lock()


def forget() -> None:
    """Know nothing any more."""
    _heard.clear()


def heard(tournament_id: int, stand: tuple[int, int, int] | None = None) -> Heard:
    """Return what happened in a tournament, as far as this process knows.

    What happened before the process began to follow is taken to concern every list; 1 query
    where something happened anywhere since the process looked last.

    Args:
        tournament_id: of the tournament.
        stand: its revision, the key of its journal and the number of the last entry there, where
            these are at hand; else 1 query more.
    """
    if stand is None:
        end = Coalesce("journal_chain__pk", 0), Coalesce("journal_chain__last_number", 0)
        stand = Tournament.objects.values_list("revision", *end).get(pk=tournament_id)
    revision, chain_id, number = stand
    with _following:
        known = _heard.get(tournament_id)
        if known is None:
            if len(_heard) >= MOST_TOURNAMENTS:
                _heard.clear()
            known = _heard[tournament_id] = Heard(revision, number, revision)
        elif revision > known.revision:
            _follow(known, revision, chain_id, number)
        return known


def _follow(known: Heard, revision: int, chain_id: int, last: int) -> None:
    """Take in what happened since; names that change raise the revision without an entry."""
    happened = revision - known.revision
    entries = []
    if happened == last - known.number <= MOST_READ:
        found = JournalEntry.objects.filter(
            chain=chain_id, number__gt=known.number, number__lte=last
        )
        entries = list(found.values_list("number", "action", "subject_type", "subject_id"))
    for number, action, subject_type, subject_id in entries:
        at = known.revision + number - known.number
        if action in OF_ONE_LIST and subject_type == "spielliste" and subject_id is not None:
            known.lists[subject_id] = at
        else:
            known.all_lists = at
    if len(entries) != happened:
        known.all_lists = revision
    known.revision, known.number = revision, last
