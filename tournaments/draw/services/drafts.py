"""Changes of a draft by the Spielleitung: crossing and swaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from scoring.seating import Chance, Player, cross_drawn, measure
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries.task import club_keys
from tournaments.journal.acts import Act, Acts
from tournaments.models import Draw

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


def check_full(draw: Draw) -> None:
    """Check that a draft has seats and a card for every place."""
    if not draw.seats:
        raise TournamentError(_("Es ist noch nichts ausgelost."))
    missing = sum(row.count(None) for row in draw.seats)
    if missing:
        raise TournamentError(_("Es fehlen noch {missing} Karten.").format(missing=missing))


def metrics_of(draw: Draw) -> dict[str, int]:
    """Return the measures of a full draft, by their names in the interchange format."""
    number_of = dict(draw.serie.tournament.registrations.values_list("pk", "number"))
    return metrics(draw.task, [[number_of[key] or 0 for key in row] for row in draw.seats])


def metrics(task: Mapping[str, Any], tables: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return the measures of tables of start numbers."""
    players = {player["id"]: Player(**player) for player in task["players"]}
    seated = [players.get(number, Player(id=number)) for table in tables for number in table]
    return asdict(measure(seated, [tables], task["history"]))


@acts.on(Draw, "cross_clubs", entry="crossed")
def apply_crossing(act: Act[Draw]) -> Draw:
    """Seat club mates „über Kreuz“ (§ 2.1.2), with the fewest possible changes of place.

    The changes are stored in the draw for the announcement.

    Raises:
        TournamentError: if cards are missing.
    """
    draw = act.row
    check_full(draw)
    players = act.tournament.registrations.select_related("club")
    club_of = dict.fromkeys((player.pk for player in players), None) | club_keys(players)
    chance = Chance(f"{draw.seed} über Kreuz")
    seats, crossings = [], []
    for number, row in enumerate(draw.seats, start=1):
        crossed = cross_drawn(row, club_of, chance)
        seats.append(crossed)
        crossings += [
            [key, number, row.index(key) + 1, place]
            for place, key in enumerate(crossed, start=1)
            if row.index(key) + 1 != place
        ]
    draw.seats = seats
    draw.crossings = [*draw.crossings, *crossings]
    draw.metrics = metrics_of(draw)
    act.store(draw)
    act.note(moved=len(crossings))
    return draw


@acts.on(Draw, "swap_in_draft", entry="swapped")
def swap(act: Act[Draw], *, first_id: int, second_id: int) -> Draw:
    """Swap two players of a draft; broken promises are checked when it is published.

    Raises:
        TournamentError: if one of them has no seat in it.
    """
    draw = act.row
    seated = {key for row in draw.seats for key in row}
    if first_id == second_id or not {first_id, second_id} <= seated:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    other = {first_id: second_id, second_id: first_id}
    before = draw.metrics
    draw.seats = [[other.get(key, key) for key in row] for row in draw.seats]
    if not any(key is None for row in draw.seats for key in row):
        draw.metrics = metrics_of(draw)
    act.store(draw)
    act.note(before={"metrics": before}, registrations=[first_id, second_id], metrics=draw.metrics)
    return draw
