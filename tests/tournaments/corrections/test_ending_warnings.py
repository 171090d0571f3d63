"""Ending a list after few games warns of a new leader."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_member, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import play_serie
from tournaments.corrections.services import corrections, ending
from tournaments.models import Correction, Registration, Role, SeatSpan, Spielliste, Tournament

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
Kind = Correction.Kind
Counts = Tournament.EndedLists


def beside_whole_lists(counts: str = Counts.AS_PLAYED) -> Spielliste:
    """Serie 2: table 1 is whole; at table 2, Nr. 5 has −20 + 31 = 11 points after two games."""
    tournament = make_tournament(serien=2, ended_lists=counts, status=Tournament.Status.RUNNING)
    rows = [make_players(tournament, 4) for _table in range(2)]
    play_serie(tournament, rows, [(100, 110, 120, 130), (105, 115, 125, 135)])
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), FOUR, status=Status.SIGNED)
    return write_games(list_of(serie, 2), FOUR[:2])


def test_counting_two_games_as_played_warns_of_a_new_leader():
    spielliste = beside_whole_lists()

    plan = corrections.preview(
        tournament=spielliste.table.serie.tournament,
        kind=Kind.ENDED,
        facts={"ended": {"games": 2, "left": []}},
        spielliste_id=spielliste.pk,
    ).plan

    # Nr. 5: 31 − 20 = 11, Nr. 6: 23 − 20 = 3; with Serie 1 116 and 118. Table 1: 201 and more.
    few = "Wie gespielt zählen an Tisch 2 nur 2 von 12 Spielen"
    assert [warning.message for warning in plan.warnings] == [
        f"{few}: Nr. 6 steht damit auf Platz 1 in Serie 2.",
        f"{few}: Nr. 5 steht damit auf Platz 1 in der Rangliste.",
    ]


def test_extrapolating_two_games_warns_of_a_new_leader():
    spielliste = beside_whole_lists(Counts.EXTRAPOLATED)

    warned = ending.warnings_of_ending(spielliste.table.serie.tournament, {spielliste.pk})

    # Nr. 6: 3 × 12 ÷ 2 = 18, with Serie 1 133. Nr. 1 has 100 + 210.
    few = "Hochgerechnet wird an Tisch 2 aus nur 2 von 12 Spielen"
    assert warned == [
        f"{few}: Nr. 6 steht damit auf Platz 1 in Serie 2.",
        f"{few}: Nr. 6 steht damit auf Platz 1 in der Rangliste.",
    ]


def test_a_leader_with_twelve_own_games_causes_no_warning():
    spielliste = beside_whole_lists()
    # Nr. 5 finished ten games at table 1, −200, and has 11 in two at their own: twelve games.
    first = list_of(spielliste.table.serie, 1)
    first.games.all().delete()
    cheap = {"finisher": 1, "handromme": False, "minus": [0, 50, 50, 50]}
    write_games(first, [cheap] * 10 + [{**cheap, "finisher": 2, "minus": [50, 0, 50, 50]}] * 2)
    fifth = spielliste.table.seats.get(number=1).registration
    SeatSpan.objects.create(spielliste=first, seat=1, last_game=10, registration=fifth)

    warned = ending.warnings_of_ending(spielliste.table.serie.tournament, {spielliste.pk})

    assert [sentence for sentence in warned if "Nr. 5" in sentence] == []


@pytest.mark.parametrize(
    ("counts", "warned"), [(Counts.AS_PLAYED, 2), (Counts.EXTRAPOLATED, 2), (Counts.NONE, 0)]
)
def test_the_page_ending_all_lists_warns(client: Client, counts: str, warned: int):
    serie = beside_whole_lists(counts).table.serie
    client.force_login(make_member(serie.tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("checking:end_all", args=[serie.tournament.slug, 2]))

    assert page.content.decode().count("steht damit auf Platz 1 in") == warned


def test_an_end_without_a_new_leader_causes_no_warning():
    spielliste = beside_whole_lists()
    spielliste.games.all().delete()
    dear = {"finisher": 1, "handromme": False, "minus": [0, 150, 150, 150]}
    write_games(spielliste, [dear, {**dear, "finisher": 2, "minus": [150, 0, 150, 150]}] * 4)

    # 4 × 150 − 80 = 520 for two of them, 1,200 for the others; the best of table 1 has 201.
    assert ending.warnings_of_ending(spielliste.table.serie.tournament, {spielliste.pk}) == []


def test_unpaid_people_without_a_result_do_not_block_the_end():
    tournament = make_tournament(ended_lists=Counts.AS_PLAYED)
    spielliste = write_games(list_of(make_seated_serie(tournament)), FOUR[:2])
    first = tournament.registrations.get(number=1)
    first.status = Registration.Status.REGISTERED
    first.save()

    plan = corrections.preview(
        tournament=tournament,
        kind=Kind.ENDED,
        facts={"ended": {"games": 2, "left": [1]}},
        spielliste_id=spielliste.pk,
    ).plan

    # Nr. 1 has left. Of the others Nr. 2 has the fewest: 23 − 20 = 3.
    few = "Wie gespielt zählen an Tisch 1 nur 2 von 12 Spielen"
    assert [warning.message for warning in plan.warnings] == [
        f"{few}: Nr. 2 steht damit auf Platz 1 in Serie 1."
    ]
