"""Corrections of a list as a whole: its size for the bonus, and whether it is valid."""

from __future__ import annotations

import pytest

from tests.tournaments.corrections.signed_list import (
    Kind,
    Status,
    played,
    somebody,
    total,
    tournament_of,
)
from tests.worlds import world
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Spielliste
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]

spielliste = world(played)


def correct(
    spielliste: Spielliste,
    kind: Correction.Kind,
    facts: dict[str, int],
    reason: str,
    *,
    version: int = 12,
) -> Correction:
    return corrections.correct_list(
        somebody(spielliste),
        spielliste.pk,
        kind=kind,
        facts=facts,
        reason=reason,
        versions={spielliste.pk: version},
    )


def test_the_table_size_for_the_bonus_is_corrected_and_reset(spielliste: Spielliste):
    first = correct(spielliste, Kind.BONUS_SIZE, {"bonus_size": 3}, "Ab Spiel 2 zu dritt")
    # Seat 1: 290 − 4 × 15
    assert total(spielliste, 1) == 230
    assert first.paragraph == "3.2.1"

    correct(spielliste, Kind.BONUS_SIZE, {"bonus_size": 4}, "Doch zu viert", version=13)
    spielliste.refresh_from_db()
    assert spielliste.bonus_size is None


@pytest.mark.parametrize(
    ("size", "message"),
    [
        pytest.param(4, "zählt schon ein Tisch mit 4", id="as it is"),
        pytest.param(5, "Einen Bonus gibt es", id="§ 3.2.1 names no bonus"),
    ],
)
def test_an_impossible_size_for_the_bonus_is_refused(
    size: int, message: str, spielliste: Spielliste
):
    with pytest.raises(TournamentError, match=message):
        correct(spielliste, Kind.BONUS_SIZE, {"bonus_size": size}, "Versuch")


@pytest.mark.parametrize("status", [s for s in Status if s != Status.INVALID])
def test_a_list_in_any_state_is_invalidated_and_restored(status: Status):
    spielliste = played(status=status)

    invalid = correct(spielliste, Kind.INVALID, {}, "unleserlich")
    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.invalid_reason) == (Status.INVALID, "unleserlich")
    assert invalid.paragraph == "2.2.6"
    standings = Rankings(tournament_of(spielliste)).standings(OVERALL)
    assert {line.series_totals[0] for line in standings} == {None}

    correct(spielliste, Kind.VALID, {}, "Abschrift liegt vor", version=13)
    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.invalid_reason) == (status, "")


def test_an_invalid_list_cannot_be_invalidated_nor_a_valid_one_restored():
    invalid, valid = played(status=Status.INVALID), played()

    with pytest.raises(WrongStatus, match="schon ungültig"):
        correct(invalid, Kind.INVALID, {}, "x")
    with pytest.raises(WrongStatus, match="nicht ungültig"):
        correct(valid, Kind.VALID, {}, "x")
