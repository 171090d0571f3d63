"""What the tests of corrections begin with: a signed list, and one line of it put right."""

from __future__ import annotations

from tests.factories import make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.common.actors import Actor
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services import corrections
from tournaments.lists.queries import data as list_data
from tournaments.models import Correction, Role, Spielliste, Tournament

Status = Spielliste.Status
Kind = Correction.Kind
SIGNED_OR_LATER = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)
# Game 1 of FOUR, with 54 instead of 45 in the hand at seat 3.
SLIP = {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]}


def played(*, status: Status = Status.HANDED_IN, four_eyes: bool = False) -> Spielliste:
    tournament = make_tournament(four_eyes=four_eyes)
    return write_games(list_of(make_seated_serie(tournament)), status=status)


def tournament_of(spielliste: Spielliste) -> Tournament:
    return spielliste.table.serie.tournament


def somebody(spielliste: Spielliste) -> Actor:
    return Actor.account(make_member(tournament_of(spielliste), Role.SPIELLEITUNG))


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
    (data,) = list_data.load_lists(tournament, only=[spielliste.pk])
    return data.results(rule_set_of(tournament))[data.seats[seat]].total
