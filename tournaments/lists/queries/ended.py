"""Sentences about a list that the Spielleitung ended before its last game."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from tournaments.lists.queries.data import ListData
from tournaments.models import Spielliste, Tournament

Counts = Tournament.EndedLists


def ended_sentences(data: ListData | Spielliste, rule_set: RuleSet) -> list[str]:
    """Return when and why it ended, how it counts, and which seats have no result; no names."""
    if data.ended_games is None:
        return []
    said = [
        _("Beendet nach Spiel {games} von {all}: {reason}.").format(
            games=data.ended_games, all=rule_set.games, reason=data.ended_reason.rstrip(". ")
        ),
        {
            Counts.EXTRAPOLATED: _("Gezählt wird hochgerechnet auf {all} Spiele, aufgerundet."),
            Counts.AS_PLAYED: _("Gezählt wird, was gespielt ist."),
            Counts.NONE: _("Die Liste bringt kein Ergebnis."),
        }[Counts(data.ended_counts)].format(all=rule_set.games),
    ]
    if data.ended_counts != Counts.NONE:
        said += [
            _("Platz {seat} ist gegangen und hat hier kein Ergebnis.").format(seat=seat)
            for seat in data.ended_left
        ]
    return said
