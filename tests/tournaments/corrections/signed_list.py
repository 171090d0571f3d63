"""Setup of tests for corrections: a signed list, and a correction of one line."""

from __future__ import annotations

from typing import Any

from tests.factories import acting, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tournaments.common.actors import Actor
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services import corrections
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Correction, Spielliste, Tournament

Status = Spielliste.Status
Kind = Correction.Kind
SIGNED_OR_LATER = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)
# Game 1 of FOUR, with 54 instead of 45 in the hand at seat 3.
SLIP = {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]}


def played(status: str = Status.HANDED_IN, *, games: int = 12, **fields: Any) -> Spielliste:
    """A list of twelve games, version 12, of a tournament with one table."""
    serie = make_seated_serie(make_tournament(**fields))
    return write_games(list_of(serie), FOUR[:games], status=status)


def tournament_of(spielliste: Spielliste) -> Tournament:
    return spielliste.table.serie.tournament


def somebody(spielliste: Spielliste) -> Actor:
    return acting(tournament_of(spielliste))


def correct_line(spielliste: Spielliste, *, actor: Actor | None = None, **more) -> Correction:
    values = {
        "game": 1,
        "line": SLIP,
        "reason": "Zahlendreher",
        "version": spielliste.version,
        **more,
    }
    return corrections.correct_line(actor or somebody(spielliste), spielliste.pk, **values)


def total(spielliste: Spielliste, seat: int) -> int:
    tournament = tournament_of(spielliste)
    (data,) = load_lists(tournament, only=[spielliste.pk])
    return data.results(rule_set_of(tournament))[data.seats[seat]].total
