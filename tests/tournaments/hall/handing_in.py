"""Steps and queries of tests for handing in a list."""

from __future__ import annotations

from tests.factories import COMMAND
from tests.tournaments.hall.helpers import DUE_TOTAL
from tournaments.hall.queries.handing_in import TableToHandIn, rows
from tournaments.hall.services import handing_in
from tournaments.hall.services.handing_in import HandInItem
from tournaments.models import Game, Receipt, Spielliste


def row_of(spielliste: Spielliste) -> TableToHandIn:
    return rows(spielliste.table.serie, table=spielliste.table.number)[0]


def now(spielliste: Spielliste) -> Spielliste:
    return Spielliste.objects.get(pk=spielliste.pk)


def tick(spielliste: Spielliste, *things: HandInItem, received: bool = True) -> None:
    for thing in things or tuple(HandInItem):
        handing_in.tick(COMMAND, spielliste.pk, thing=thing, received=received)


def pay(spielliste: Spielliste, cents: int = DUE_TOTAL, **kwargs) -> Receipt:
    return handing_in.pay(COMMAND, spielliste.pk, expected_cents=cents, **kwargs)


def give_first_game_to_seat_two(spielliste: Spielliste) -> None:
    """Correct the first game: seat 1 finished one game less, seat 2 one more."""
    Game.objects.filter(spielliste=spielliste, number=1).update(
        line={"finisher": 2, "handromme": False, "minus": [23, 0, 45, 12]}
    )
