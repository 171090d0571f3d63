"""Changes of a full draft, seen by the Spielleitung only: über Kreuz, and two who swap."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.seating import Chance, Player, cross_drawn, measure
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import lock_serie
from tournaments.journal import services as journal
from tournaments.models import Draw, Tournament


def lock_draft(draw_id: int) -> tuple[Tournament, Draw]:
    """Lock the tournament of a draft, and return both as they are now.

    Raises:
        WrongStatus: if it is no draft any more.
    """
    found = Draw.objects.only("serie_id").get(pk=draw_id)
    tournament, serie = lock_serie(found.serie_id)
    draw = Draw.objects.get(pk=draw_id)
    draw.serie = serie
    if draw.status != Draw.Status.DRAFT:
        raise WrongStatus(
            _("Diese Auslosung ist {status} und wird nicht mehr geändert.").format(
                status=draw.get_status_display()
            )
        )
    return tournament, draw


def check_full(draw: Draw) -> None:
    """Refuse a draft without seats, or with a place for which no card was entered."""
    if not draw.seats:
        raise TournamentError(_("Es ist noch nichts ausgelost."))
    missing = sum(row.count(None) for row in draw.seats)
    if missing:
        raise TournamentError(_("Es fehlen noch {missing} Karten.").format(missing=missing))


def metrics_of(draw: Draw) -> dict[str, int]:
    """Return what the seats of a full draft are worth, in the measures of the format."""
    number_of = dict(draw.serie.tournament.registrations.values_list("pk", "number"))
    players = {one["id"]: Player(**one) for one in draw.task["players"]}
    tables = [[number_of[key] or 0 for key in row] for row in draw.seats]
    seated = [players.get(number, Player(id=number)) for table in tables for number in table]
    return asdict(measure(seated, [tables], draw.task["history"]))


@transaction.atomic
def apply_crossing(*, draw_id: int, actor: Actor) -> Draw:
    """Seat club mates „über Kreuz“ (§ 2.1.2), with as few changes of place as it takes.

    The changes are kept in the draw, so that they can be announced.

    Raises:
        TournamentError: if cards are still missing.
    """
    tournament, draw = lock_draft(draw_id)
    check_full(draw)
    club_of = dict(tournament.registrations.values_list("pk", "club"))
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
    draw.save(update_fields=["seats", "crossings", "metrics"])
    journal.record(tournament, actor, "crossed", draw, after={"moved": len(crossings)})
    return draw


@transaction.atomic
def swap(*, draw_id: int, first_id: int, second_id: int, actor: Actor) -> Draw:
    """Let two people of a draft change places; what that breaks, publishing asks about.

    Raises:
        TournamentError: if one of them has no place in it.
    """
    tournament, draw = lock_draft(draw_id)
    there = {key for row in draw.seats for key in row}
    if first_id == second_id or not {first_id, second_id} <= there:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    other = {first_id: second_id, second_id: first_id}
    before = draw.metrics
    draw.seats = [[other.get(key, key) for key in row] for row in draw.seats]
    if not any(key is None for row in draw.seats for key in row):
        draw.metrics = metrics_of(draw)
    draw.save(update_fields=["seats", "metrics"])
    journal.record(
        tournament,
        actor,
        "swapped",
        draw,
        before={"metrics": before},
        after={"registrations": [first_id, second_id], "metrics": draw.metrics},
    )
    return draw
