"""Corrections and notices, stored directly; tests use services."""

from __future__ import annotations

from typing import Any

from tests.factories import make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.models import (
    Case,
    Correction,
    Notice,
    Registration,
    Role,
    Spielliste,
    Tournament,
    User,
)


def make_checked_list(**fields: Any) -> Spielliste:
    """A verified list of a running tournament of one Serie, four at the table."""
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=1, **fields)
    return write_games(list_of(make_seated_serie(tournament)), status="verified")


def tournament_of(spielliste: Spielliste) -> Tournament:
    """Return the tournament of a list."""
    return spielliste.table.serie.tournament


def players_of(spielliste: Spielliste) -> list[Registration]:
    """Return the players of the table by seat."""
    seats = spielliste.table.seats.select_related("registration__person").order_by("number")
    return [seat.registration for seat in seats]


def make_correction(spielliste: Spielliste, /, **fields: Any) -> Correction:
    """Game 3 of the list was put right: seat 2 counted 53 and not 35."""
    tournament = tournament_of(spielliste)
    values: dict[str, Any] = {
        "tournament": tournament,
        "number": tournament.corrections.count() + 1,
        "spielliste": spielliste,
        "kind": Correction.Kind.LINE,
        "game": 3,
        "before": {"line": {"finisher": 3, "handromme": False, "minus": [27, 35, 0, 22]}},
        "after": {"game": 3, "line": {"finisher": 3, "handromme": False, "minus": [27, 53, 0, 22]}},
        "reason": "Zahlendreher, am Tisch nachgezählt",
        "paragraph": "2.2.5",
        **fields,
    }
    return Correction.objects.create(**values)


def make_notice(spielliste: Spielliste | None = None, seat: int = 2, **fields: Any) -> Notice:
    """An untold notice for the player at *seat*."""
    spielliste = spielliste or make_checked_list()
    correction = fields.pop("correction", None) or make_correction(spielliste)
    player = players_of(spielliste)[seat - 1]
    return Notice.objects.create(correction=correction, registration=player, **fields)


def leader_of(tournament: Tournament) -> User:
    """An account of the Spielleitung."""
    return make_member(tournament, Role.SPIELLEITUNG)


def make_case(spielliste: Spielliste, **fields: Any) -> Case:
    """Make a case: the table requests a correction of game 5."""
    values: dict[str, Any] = {
        "tournament": tournament_of(spielliste),
        "spielliste": spielliste,
        "kind": Case.Kind.CORRECTION,
        "game": 5,
        "text": "Platz 2 hatte 14, nicht 41.",
        **fields,
    }
    return Case.objects.create(**values)
