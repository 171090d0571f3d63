"""What lists come to for the persons at them, and the ranking that follows (§§ 1.5, 3.2)."""

from __future__ import annotations

import pytest

from tests.factories import make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.models import Penalty, SeatSpan, Spielliste
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def played(tournament=None, *, status=Status.VERIFIED, lines=FOUR):
    tournament = tournament or make_tournament()
    serie = make_seated_serie(tournament)
    return tournament, write_games(list_of(serie), lines, status=status)


def standings(tournament, **kwargs):
    return Rankings(tournament).standings(OVERALL, upto=1, **kwargs)


def ranks(tournament, **kwargs):
    return [(line.rank, line.number, line.total) for line in standings(tournament, **kwargs)]


verified = world(played)


def test_a_list_of_four_is_scored_by_hand_and_by_the_program_alike(verified):
    tournament, _list = verified

    # 290 − 4 × 20, 311 − 3 × 20 − 50, 339 − 3 × 20, 341 − 2 × 20
    assert ranks(tournament) == [(1, 2, 201), (2, 1, 210), (3, 3, 279), (4, 4, 301)]


def test_strafpunkte_count_once_they_are_given(verified):
    tournament, spielliste = verified
    seat = spielliste.table.seats.get(number=2)
    penalty = Penalty.objects.create(
        spielliste=spielliste, registration=seat.registration, points=100, reason="§ 8.3"
    )
    before = ranks(tournament)[0]

    penalty.status, penalty.decided_at = Penalty.Status.GIVEN, spielliste.verified_at
    penalty.save()

    assert before == (1, 2, 201)
    totals = {number: total for _rank, number, total in ranks(tournament)}
    assert totals[2] == 301


def test_the_size_that_counts_for_the_bonus_can_be_another(verified):
    tournament, spielliste = verified
    spielliste.bonus_size = 3
    spielliste.save()

    # 290 − 4 × 15, 311 − 3 × 15 − 50, 339 − 3 × 15, 341 − 2 × 15
    assert ranks(tournament) == [(1, 2, 216), (2, 1, 230), (3, 3, 294), (4, 4, 311)]


def test_games_go_with_whoever_was_moved_away(verified):
    tournament, spielliste = verified
    moved = make_registration(tournament)
    SeatSpan.objects.create(spielliste=spielliste, seat=1, last_game=5, registration=moved)

    totals = {number: total for _rank, number, total in ranks(tournament)}

    # Games 1–5: 0 + 31 + 27 + 14 + 0 − 2 × 20 = 32; games 6–12: 62 + 19 + 44 + 53 + 40 − 2 × 20
    assert totals[5] == 32
    assert totals[1] == 178
