"""Sentences about how a list counts: ended before its last game, or with people who changed."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.ruleset import RuleSet
from tournaments.lists.queries.data import ListData
from tournaments.models import Spielliste, Tournament

Counts = Tournament.EndedLists


def ended_sentences(data: ListData | Spielliste, rule_set: RuleSet) -> list[str]:
    """Return when and why it ended, how it counts, and which seats have no result; no names."""
    if data.ended_games is None:
        return scaled_sentences(data, rule_set) if isinstance(data, ListData) else []
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
    return said + (scaled_sentences(data, rule_set) if isinstance(data, ListData) else [])


def scaled_sentences(data: ListData, rule_set: RuleSet) -> list[str]:
    """Return whose own games are not as many as the list asks for, and what follows (§ 2.2.1).

    Nothing is said of those whose games are those of an extrapolated list. Games of people who
    sit at a list that counts nothing bring no result; no names.
    """
    games, left = data.scaled(rule_set), data.left()
    said = [
        scaled_sentence(_("Platz {seat}").format(seat=seat), games[owner], data.asks_for(rule_set))
        for seat, owner in data.seats.items()
        if owner in games
        and owner not in left
        and not (data.is_extrapolated and games[owner] == len(data.texts))
    ]
    moved = {owner: seat for seat, _game, owner in data.spans if owner not in data.seats.values()}
    said += [
        _("Platz {seat}, frühere Spiele: kein Ergebnis; der Platz am Ende zählt nicht.").format(
            seat=seat
        )
        for owner, seat in moved.items()
        if not data.own_games(owner).can_count
    ]
    return said


def scaled_sentence(who: str, games: int, wanted: int) -> str:
    """Return how many own games somebody has and that they are scaled once."""
    return ngettext(
        "{who}: {games} eigenes Spiel der Serie, umgerechnet auf {all}, aufgerundet.",
        "{who}: {games} eigene Spiele der Serie, umgerechnet auf {all}, aufgerundet.",
        games,
    ).format(who=who, games=games, all=wanted)
