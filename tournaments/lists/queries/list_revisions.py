"""The revision of the last act that concerned each list of a tournament.

A list without an act since a revision is unchanged. Each process follows the journal of a
tournament and caches these revisions. It reads the end of the journal from the database each time,
so acts of other processes are included; an act that cannot be attributed to one list concerns
every list.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from django.db.models.functions import Coalesce

from tournaments.common.raw_sql import ENTRIES, rows
from tournaments.models import Tournament

# Acts that concern only one list and its derived data.
ACTS_OF_ONE_LIST = frozenset(
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
MOST_READ = 1000  # entries read at once; after more, every list counts as concerned
MOST_TOURNAMENTS = 10  # that a process follows


@dataclass(slots=True)
class ListRevisions:
    """The revisions of the last acts on lists of a tournament, as cached by this process."""

    revision: int
    number: int  # of the last entry in the journal
    all_lists: int  # revision of the last act that concerned more than one list
    lists: dict[int, int] = field(default_factory=dict)

    def of_list(self, spielliste_id: int) -> int:
        """Return the revision of the last act that concerned a list."""
        return max(self.all_lists, self.lists.get(spielliste_id, 0))


_revisions: dict[int, ListRevisions] = {}
_following = Lock()


def forget() -> None:
    """Clear the cache of this process."""
    _revisions.clear()


def revisions_of(tournament_id: int, stand: tuple[int, int, int] | None = None) -> ListRevisions:
    """Return the revisions of the last acts on the lists of a tournament.

    Acts before the process began to follow count as concerning every list; 1 query if there
    was an act since the last call.

    Args:
        stand: its revision, the key of its journal chain and the number of the last entry there;
            1 query more if None.
    """
    if stand is None:
        end = Coalesce("journal_chain__pk", 0), Coalesce("journal_chain__last_number", 0)
        stand = Tournament.objects.values_list("revision", *end).get(pk=tournament_id)
    revision, chain_id, number = stand
    with _following:
        known = _revisions.get(tournament_id)
        if known is None:
            if len(_revisions) >= MOST_TOURNAMENTS:
                _revisions.clear()
            known = _revisions[tournament_id] = ListRevisions(revision, number, revision)
        elif revision > known.revision:
            _follow(known, revision, chain_id, number)
        return known


def _follow(known: ListRevisions, revision: int, chain_id: int, last: int) -> None:
    """Read the entries since the last call; a changed name raises the revision without an entry."""
    happened = revision - known.revision
    entries = []
    if happened == last - known.number <= MOST_READ:
        entries = rows(ENTRIES, chain_id, known.number, last)
    for number, action, subject_type, subject_id in entries:
        at = known.revision + number - known.number
        if action in ACTS_OF_ONE_LIST and subject_type == "spielliste" and subject_id is not None:
            known.lists[subject_id] = at
        else:
            known.all_lists = at
    if len(entries) != happened:
        known.all_lists = revision
    known.revision, known.number = revision, last
