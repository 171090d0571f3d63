"""Plausible games, and acts at the tables of made-up persons: entering games, and signing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scoring.ambiguity import AmbiguousLine
from scoring.checks import check_line
from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from tournaments.common.actors import Actor
from tournaments.lists.services import signing, spiellisten
from tournaments.models import Spielliste

# Values of the cards in the pack of the Romméordnung (§ 4.2).
PACK = [11] * 8 + [10] * 32 + [20] * 6 + [value for value in range(2, 10) for _card in range(8)]
FULL_HAND = 13
ONE_HANDROMME_IN = 30


def play_list(
    chance: Random, rule_set: RuleSet, seats: int, games: int, *, after: int = 0
) -> list[dict[str, Any]]:
    """Return *games* lines of a list in the interchange format, without warnings.

    *after* is the number of games before them, which decides who deals.
    """
    lines: list[dict[str, Any]] = []
    earlier: list[AmbiguousLine] = []
    while len(lines) < games:
        line = _game(chance, seats, rule_set.sits_out(after + len(lines) + 1, seats))
        if _is_usual(line, rule_set, seats, earlier, after=after):
            lines.append(line)
            earlier.append(line_from_json(line))
    return lines


def _game(chance: Random, seats: int, sits_out: int | None) -> dict[str, Any]:
    finisher = chance.randint(1, seats)
    if finisher == sits_out:
        finisher = finisher % seats + 1
    handromme = chance.randrange(ONE_HANDROMME_IN) == 0
    pack = chance.sample(PACK, len(PACK))
    minus: list[int | None] = []
    for seat in range(1, seats + 1):
        if seat == sits_out:
            minus.append(None)
            continue
        cards = FULL_HAND if handromme else chance.choice((2, 3, 4, 5, 5, 6, 7, 8, 10))
        minus.append(0 if seat == finisher else sum(pack.pop() for _card in range(cards)))
    return {"finisher": finisher, "handromme": handromme, "minus": minus}


def _is_usual(
    line: Mapping[str, Any],
    rule_set: RuleSet,
    seats: int,
    earlier: Sequence[AmbiguousLine],
    *,
    after: int,
) -> bool:
    findings = check_line(
        line_from_json(line),
        rule_set=rule_set,
        seats=seats,
        number=after + len(earlier) + 1,
        earlier=earlier,
    )
    return not findings.problems and not findings.warnings


SIGNATURE = "M40 120C120 20 180 180 260 80S420 40 540 130"


def play_on(spielliste: Spielliste, upto: int | None, rule_set: RuleSet, chance: Random) -> None:
    """Enter games until there are *upto*, or all; updates the version of *spielliste*."""
    actor = Actor.table(spielliste.table)
    begun, seats = spielliste.games.count(), spielliste.table.seats.count()
    games = (rule_set.games_at(seats) if upto is None else upto) - begun
    lines = play_list(chance, rule_set, seats, games, after=begun)
    for number, line in enumerate(lines, start=begun + 1):
        stored = spiellisten.enter_game(
            actor, spielliste.pk, number=number, line=line, version=spielliste.version
        )
        spielliste.version = stored.spielliste.version


def sign(spielliste: Spielliste) -> None:
    """Sign by finger for all seats of the table without a signature."""
    signed = spielliste.signatures.filter(version=spielliste.version).values("registration")
    unsigned = spielliste.table.seats.exclude(registration__in=signed).order_by("number")
    for seat in unsigned.values_list("number", flat=True):
        signing.sign(
            Actor.table(spielliste.table),
            spielliste.pk,
            seat=seat,
            version=spielliste.version,
            drawing=SIGNATURE,
        )
