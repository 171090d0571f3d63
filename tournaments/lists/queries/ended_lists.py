"""Sentences on how a list counts that was ended early or whose players changed tables."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.ruleset import RuleSet
from tournaments.common.formats import points, rounding
from tournaments.lists.queries.data import ListData
from tournaments.models import Spielliste, Tournament

Counts = Tournament.EndedLists


def ended_sentences(
    data: ListData | Spielliste, rule_set: RuleSet, *, players: int | None = None
) -> list[str]:
    """Return sentences without names: when and why it ended, its value, seats without a result.

    *players* is the number of players at the table if there is no ``ListData``.
    """
    size = len(data.seats) if isinstance(data, ListData) else players or 0
    own = _own_games(data, rule_set) if isinstance(data, ListData) else []
    if data.ended_games is None:
        return own
    sentences = [
        _("Beendet nach Spiel {games} von {all}: {reason}.").format(
            games=data.ended_games,
            all=rule_set.games_at(size),
            reason=data.ended_reason.rstrip(". "),
        ),
        {
            Counts.EXTRAPOLATED: _("Gezählt wird hochgerechnet auf {all} Spiele, {rounded}."),
            Counts.AS_PLAYED: _("Gezählt wird, was gespielt ist."),
            Counts.NONE: _("Die Liste bringt kein Ergebnis."),
        }[Counts(data.ended_counts)].format(
            all=rule_set.own_games(size), rounded=rounding(rule_set.order)
        ),
    ]
    if data.ended_counts != Counts.NONE:
        sentences += [
            _("Platz {seat} ist gegangen und hat hier kein Ergebnis.").format(seat=seat)
            for seat in data.ended_left
        ]
    return sentences + own


def _own_games(data: ListData, rule_set: RuleSet) -> list[str]:
    """Return how players count whose own games differ from those of the list (§ 2.2.1)."""
    if not (data.has_parts and data.is_counted):
        return []
    gone = {owner: seat for seat, _game, owner in data.spans if owner not in data.seats.values()}
    return [
        *(sentence for seat in data.seats for sentence in _of_seat(data, seat, rule_set)),
        *(
            _("Platz {seat}, frühere Spiele: kein Ergebnis; der Platz am Ende zählt nicht.").format(
                seat=seat
            )
            for owner, seat in gone.items()
            if not data.own_games(owner, rule_set).can_count
        ),
    ]


def _of_seat(data: ListData, seat: int, rule_set: RuleSet) -> Iterator[str]:
    """Yield how the games of the player at *seat* count; nothing if they are those of the list."""
    owner = data.seats[seat]
    own, games = data.own_games(owner, rule_set), data.scaled(rule_set).get(owner)
    elsewhere = {
        part.table: part.as_played(rule_set)[owner].total
        for part in own.counting
        if part.pk != data.pk
    }
    if not own.can_count:
        return
    if own.is_over and not own.number:
        yield _("Platz {seat} hat in dieser Serie kein Spiel, das zählt: kein Ergebnis.").format(
            seat=seat
        )
        return
    if not own.is_whole:
        yield _(
            "Platz {seat} hat auch Spiele an einem Tisch, der noch spielt; das Ergebnis der Serie "
            "steht fest, wenn dessen Liste da ist."
        ).format(seat=seat)
        return
    own_here = rule_set.own_games(len(data.seats), seat=seat, games=len(data.texts))
    if games is not None and (elsewhere or not data.is_extrapolated or games != own_here):
        yield ngettext(
            "Platz {seat}: {games} eigenes Spiel der Serie, umgerechnet auf {all}, {rounded}.",
            "Platz {seat}: {games} eigene Spiele der Serie, umgerechnet auf {all}, {rounded}.",
            games,
        ).format(seat=seat, games=games, all=data.whole(rule_set), rounded=rounding(rule_set.order))
    if elsewhere:
        parts = [
            _("Tisch {table} ({points})").format(table=table, points=points(total))
            for table, total in elsewhere.items()
        ]
        total = data.counted(rule_set)[owner].total + sum(elsewhere.values())
        yield _("Platz {seat}: mit den Spielen an {tables} in der Serie zusammen {total}.").format(
            seat=seat, tables=", ".join(parts), total=points(total)
        )
