"""Setup of tests for the control room: a table, a tariff, accounts with roles."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.payments.bussgeld import BussgeldTariff, PerGame
from tests.factories import make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tournaments.models import Serie, Spielliste, Tournament

# 0,50 € for each game not finished. Of FOUR seats 1 to 4 finished 4, 3, 3 and 2 of 12:
HALF_A_EURO = PerGame(cents=50)
# With 68 instead of 58 in game 6, which causes no doubt.
SOUND = (*FOUR[:5], {**FOUR[5], "minus": [62, 0, 71, 68]}, *FOUR[6:])
DUE = (400, 450, 450, 500)
DUE_TOTAL = 1800


def running(
    *, tables: int = 1, size: int = 4, tariff: BussgeldTariff | None = HALF_A_EURO, **fields
) -> Serie:
    """A Serie that is seated and has begun to be played; its tournament runs."""
    values = {"status": Tournament.Status.RUNNING, "name": "Herbstturnier 2026", **fields}
    tournament = make_tournament(**values)
    if tariff is not None:
        tournament.bussgeld = tariff.to_dict()
        tournament.save()
    rows = [make_players(tournament, size) for _table in range(tables)]
    return make_seated_serie(tournament, rows)


def played(
    serie: Serie,
    table: int = 1,
    *,
    status: str = Spielliste.Status.COMPLETE,
    on_paper: bool = True,
) -> Spielliste:
    """The list of a table with all its games."""
    spielliste = list_of(serie, table)
    spielliste.on_paper = on_paper
    return write_games(spielliste, FOUR, status=status)


def people(spielliste: Spielliste) -> Sequence[int]:
    """The keys of the registrations at a table, by seat."""
    seats = spielliste.table.seats.order_by("number")
    return list(seats.values_list("registration", flat=True))
