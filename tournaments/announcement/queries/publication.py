"""The parts of a tournament that are public now, by its Ausschreibung."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.common.names import search_words
from tournaments.models import Registration, Tournament
from tournaments.people.queries.naming import Readers

Mode = Tournament.PublicRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPart:
    """The public part of the ranking, and the note about the rest."""

    upto: int  # the number of Serien that count; 0: none
    running: bool  # whether unfinished lists count
    note: str  # German; empty if nothing is held back


def is_whole_ranking_public(tournament: Tournament) -> bool:
    """Whether the public may see all results; held back, after the prize-giving or closing."""
    mode = tournament.public_ranking
    is_released = tournament.results_released_at is not None or tournament.is_read_only
    return mode == Mode.LIVE or (mode != Mode.NEVER and is_released)


def visible_ranking(tournament: Tournament, serien: int) -> PublicPart:
    """Return the public part of the ranking of *serien* Serien."""
    mode = tournament.public_ranking
    if mode == Mode.NEVER:
        return PublicPart(upto=0, running=False, note=_("Die Rangliste wird nicht veröffentlicht."))
    if is_whole_ranking_public(tournament):
        return PublicPart(upto=serien, running=True, note="")
    if mode == Mode.FINAL:
        note = _("Die Rangliste steht hier nach der Siegerehrung.")
        return PublicPart(upto=0, running=False, note=note)
    note = _("Die letzte Serie zählt hier erst nach der Siegerehrung mit.")
    return PublicPart(upto=max(0, serien - 1), running=True, note=note)


def team_name(name: str, members: Sequence[Registration], readers: Readers) -> str:
    """Return the name of a team as *readers* may read it.

    Many tandems are named after their players and keep the name after a substitution. If
    it contains a name of a present or former member that *readers* may not read, the
    members are listed instead.

    Args:
        members: the present members; prefetch their ``substitutions``.
    """
    words = set(search_words(name))
    before = [
        member.held_by(substitution.left, hides_name=substitution.left_hides_name)
        for member in members
        for substitution in member.substitutions.all()
    ]
    if any(
        words.intersection(search_words(member.person.full_name))
        for member in (*members, *before)
        if not readers.names(member)
    ):
        return " / ".join(readers.of(member) for member in members)
    return name
