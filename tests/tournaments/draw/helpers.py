"""Setup of tests for draws."""

from __future__ import annotations

from typing import Any

from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.models import Club, Draw, Registration, Serie, Tournament


def field(players: int, clubs: tuple[Club | None, ...] = (None,), **more: Any) -> Tournament:
    tournament = make_tournament(**more)
    for number in range(players):
        make_registration(tournament, make_person(club=clubs[number % len(clubs)]))
    return tournament


def begin(tournament: Tournament, method: Serie.Seating, serie: int = 1, **more: Any) -> Draw:
    row = tournament.serien.get(number=serie)
    return draws.begin(COMMAND, row.pk, method=method, **more)


def carry_out(draw: Draw) -> Draw:
    return draws.store_plan(COMMAND, draw.pk, plan=draws.plan_of(draw))


def enter(draw: Draw, number: int, table: int, seat: int) -> Draw:
    return draw_cards.enter_cards(COMMAND, draw.pk, cards={number: (table, seat)})


def numbers(draw: Draw) -> list[list[Any]]:
    number_of = dict(Registration.objects.values_list("pk", "number"))
    return [[number_of.get(key) for key in row] for row in draw.seats]


def enter_in_order(draw: Draw) -> Draw:
    """Enter start number 1 at table 1, place 1 and so on."""
    places = [(t, s) for t, row in enumerate(draw.seats, 1) for s in range(1, len(row) + 1)]
    return draw_cards.enter_cards(COMMAND, draw.pk, cards=dict(enumerate(places, start=1)))


def seat_in_order(tournament: Tournament) -> Serie:
    """Seat start number 1 at table 1, place 1 and so on in Serie 1, published."""
    draw = enter_in_order(begin(tournament, Serie.Seating.CARDS))
    return draws.publish(COMMAND, draw.pk)
