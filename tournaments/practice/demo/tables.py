"""Acts of made-up persons at their table's device: playing on, and signing."""

from __future__ import annotations

from random import Random

from scoring.ruleset import RuleSet
from tournaments.common.actors import Actor
from tournaments.lists.services import signing, spiellisten
from tournaments.models import Spielliste
from tournaments.practice.demo.games import play_list

SIGNATURE = "M40 120C120 20 180 180 260 80S420 40 540 130"


def play_on(spielliste: Spielliste, upto: int, rule_set: RuleSet, chance: Random) -> None:
    """Enter games until there are *upto*; updates the version of *spielliste*."""
    actor = Actor.table(spielliste.table)
    begun = spielliste.games.count()
    lines = play_list(chance, rule_set, spielliste.table.seats.count(), upto - begun)
    for number, line in enumerate(lines, start=begun + 1):
        stored = spiellisten.enter_game(
            actor, spielliste.pk, number=number, line=line, version=spielliste.version
        )
        spielliste.version = stored.spielliste.version


def sign(spielliste: Spielliste) -> None:
    """Sign by finger for all seats of the table without a signature."""
    signed = spielliste.signatures.filter(version=spielliste.version).values("registration")
    missing = spielliste.table.seats.exclude(registration__in=signed).order_by("number")
    for seat in missing.values_list("number", flat=True):
        signing.sign(
            Actor.table(spielliste.table),
            spielliste.pk,
            seat=seat,
            version=spielliste.version,
            drawing=SIGNATURE,
        )
