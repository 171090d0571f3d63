"""Seated Serien and lists in any state, stored directly; tests use services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from tests.factories import make_players
from tournaments.lists.services.opening import open_lists
from tournaments.models import Game, Registration, Seat, Serie, Spielliste, Table, Tournament

# Twelve games of a table of four: the finisher, Handrommé or not, and the hands. Minus 290, 311,
# 339, 341; finished 4, 3, 3, 2; one Handrommé at seat 2.
FOUR: Sequence[Mapping[str, Any]] = tuple(
    {"finisher": finisher, "handromme": handromme, "minus": minus}
    for finisher, handromme, minus in (
        (1, False, [0, 23, 45, 12]),
        (2, False, [31, 0, 18, 40]),
        (3, False, [27, 35, 0, 22]),
        (4, False, [14, 52, 33, 0]),
        (1, False, [0, 41, 25, 36]),
        (2, True, [62, 0, 71, 58]),
        (3, False, [19, 30, 0, 47]),
        (1, False, [0, 28, 39, 51]),
        (4, False, [44, 16, 37, 0]),
        (2, False, [53, 0, 29, 24]),
        (1, False, [0, 65, 42, 33]),
        (3, False, [40, 21, 0, 18]),
    )
)


def make_seated_serie(
    tournament: Tournament,
    rows: Sequence[Sequence[Registration]] = (),
    *,
    number: int = 1,
    tables: int = 1,
) -> Serie:
    """A Serie with its tables; without *rows* so many *tables* of four new players."""
    serie = tournament.serien.get(number=number)
    rows = rows or [make_players(tournament, 4) for _table in range(tables)]
    seated = Table.objects.bulk_create(
        Table(serie=serie, number=number) for number in range(1, len(rows) + 1)
    )
    Seat.objects.bulk_create(
        Seat(serie=serie, table=table, number=number, registration=registration)
        for table, row in zip(seated, rows, strict=True)
        for number, registration in enumerate(row, start=1)
    )
    open_lists(serie)
    return serie


def list_of(serie: Serie, table: int = 1) -> Spielliste:
    """The list of a table."""
    return Spielliste.objects.get(table__serie=serie, table__number=table)


def write_games(
    spielliste: Spielliste, lines: Sequence[Mapping[str, Any]] = FOUR, *, status: str = ""
) -> Spielliste:
    """Write lines into a list, and set its *status*."""
    now = timezone.now()
    first = spielliste.games.count() + 1
    Game.objects.bulk_create(
        Game(spielliste=spielliste, number=number, line=dict(line), entered_at=now)
        for number, line in enumerate(lines, start=first)
    )
    spielliste.version += len(lines)
    spielliste.last_entry_at = now
    if status:
        spielliste.status = status
        reached = list(Spielliste.Status).index(Spielliste.Status(status))
        if reached >= list(Spielliste.Status).index(Spielliste.Status.SIGNED):
            spielliste.signed_at = now
        if status in {Spielliste.Status.HANDED_IN, Spielliste.Status.VERIFIED}:
            spielliste.handed_in_at = now
            spielliste.list_received = spielliste.cards_received = True
        if status == Spielliste.Status.VERIFIED:
            spielliste.verified_at = now
        if status == Spielliste.Status.INVALID:
            spielliste.invalid_reason = "unleserlich"
            spielliste.status_before_invalid = Spielliste.Status.HANDED_IN
    spielliste.save()
    return spielliste
