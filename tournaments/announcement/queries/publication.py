"""What everybody may see of a tournament at the moment, as its Ausschreibung sets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.common.names import search_words
from tournaments.models import Registration, Tournament
from tournaments.people.queries.naming import Readers

Mode = Tournament.PublicRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """How much of the ranking strangers see, and what they are told about the rest."""

    upto: int  # Serien that may be counted; 0: nothing yet
    running: bool  # also lists that are still being written
    note: str  # German; empty where nothing is held back


def is_released(tournament: Tournament) -> bool:
    """Whether nothing is held back any more: after the prize-giving, or once it is closed."""
    return tournament.results_released_at is not None or tournament.is_read_only


def is_whole_ranking_public(tournament: Tournament) -> bool:
    """Whether everybody may know where they stand by all that is in."""
    mode = tournament.public_ranking
    return mode == Mode.LIVE or (mode != Mode.NEVER and is_released(tournament))


def visible_ranking(tournament: Tournament, serien: int) -> Visible:
    """Return what of the ranking of *serien* Serien is public."""
    mode = tournament.public_ranking
    if mode == Mode.NEVER:
        return Visible(upto=0, running=False, note=_("Die Rangliste wird nicht veröffentlicht."))
    if is_whole_ranking_public(tournament):
        return Visible(upto=serien, running=True, note="")
    if mode == Mode.FINAL:
        return Visible(
            upto=0,
            running=False,
            note=_("Die Rangliste steht hier nach der Siegerehrung."),
        )
    return Visible(
        upto=max(0, serien - 1),
        running=True,
        note=_("Die letzte Serie zählt hier erst nach der Siegerehrung mit."),
    )


def team_name(name: str, members: Sequence[Registration], readers: Readers) -> str:
    """Return what a team is called where *readers* read it.

    Many a tandem is called by its players, and keeps the name when somebody else takes over
    a start number. A name that names anybody of them who is not to be named gives way to the
    members, each as they may be read.

    Args:
        name: of the team.
        readers: who reads it.
        members: who plays in it now; their ``substitutions`` had better be prefetched.
    """
    said = set(search_words(name))
    persons = [member.person for member in members]
    left = [one.left for member in members for one in member.substitutions.all()]
    if any(
        said.intersection(search_words(person.full_name))
        for person in (*persons, *left)
        if not readers.names(person)
    ):
        return " / ".join(readers.of(member) for member in members)
    return name
