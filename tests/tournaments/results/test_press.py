"""The press text: winners by consent, in the requested language."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tests.factories_results import make_team, play_serie
from tests.worlds import world
from tournaments.models import Ranking, Registration, Role, Serie, Spielliste, Tournament

RULE = "Es gewinnt, wer die wenigsten Punkte hat."
pytestmark = pytest.mark.django_db


def player(tournament: Tournament, first: str, last: str, *, named: bool = True) -> Registration:
    club = make_club("SC Altenburg") if first == "Anna" else None
    return make_registration(tournament, make_person(first, last, club=club, publish_consent=named))


@world
def tournament() -> Tournament:
    """Return a Serie of one table, won by Anna Kühn, with Bernd Voß second, without consent."""
    tournament = make_tournament(
        serien=1, status="running", name="Herbstpokal", venue="Altenburg", organiser="SC Altenburg"
    )
    players = [
        player(tournament, "Anna", "Kühn"),
        player(tournament, "Bernd", "Voß", named=False),
        player(tournament, "Clara", "Sommer"),
        player(tournament, "Dieter", "Lang"),
    ]
    play_serie(tournament, [players], [(-10, 100, 120, 130)])
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    make_team(tandem, "Die Asse", players[:2])
    return tournament


@pytest.fixture
def staff(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def told(client: Client, tournament: Tournament, **query: str) -> str:
    answer = client.get(reverse("results:press_file", args=[tournament.slug]), query)
    return answer.content.decode("utf-8-sig")


def test_winners_come_first_with_initials_without_consent(staff, tournament):
    assert told(staff, tournament).splitlines() == [
        "Anna Kühn gewinnt das Turnier „Herbstpokal“",
        "",
        "Am Rommé-Turnier „Herbstpokal“ am 3. Oktober 2026 haben 4 Personen teilgenommen.",
        "Spielort: Altenburg",
        "Veranstalter: SC Altenburg",
        f"Gespielt wurde 1 Serie nach dem Regelwerk „Romméordnung“. {RULE}",
        "",
        "Einzel",
        "1. Anna Kühn (SC Altenburg): −10 Punkte",
        "2. B. V.: 100 Punkte",
        "3. Clara Sommer: 120 Punkte",
        "",
        "Tandem",
        "1. Die Asse (Anna Kühn, B. V.): 90 Punkte",
        "",
        f"Mehr dazu: http://testserver/t/{tournament.slug}/",
    ]


def test_the_press_text_uses_the_language_of_the_tournament(staff, tournament):
    tournament.language = "en"
    tournament.save(update_fields=["language"])

    english = told(staff, tournament)

    assert english.startswith(
        "Anna Kühn wins the tournament “Herbstpokal”\n\n4 people took part in the rummy tournament"
    )
    assert "1. Anna Kühn (SC Altenburg): −10 points\n" in english
    assert told(staff, tournament, sprache="de").startswith("Anna Kühn gewinnt")


def test_the_press_page_names_missing_checks_instead_of_winners(staff, tournament):
    Spielliste.objects.update(status=Spielliste.Status.HANDED_IN)

    page = staff.get(reverse("results:press", args=[tournament.slug])).content.decode()

    assert "Anna Kühn gewinnt" not in page
    assert "Die Ergebnisse sind noch nicht endgültig." in page
    assert "1 Liste ist noch nicht geprüft (Tisch 1)" in page
    assert "1 Person steht mit Anfangsbuchstaben" in page


def test_the_press_text_names_no_winner_before_the_last_serie(staff, tournament):
    Serie.objects.create(tournament=tournament, number=2)

    text = told(staff, tournament)

    assert text.startswith("Ergebnisse: Herbstpokal\n")
    assert "Zwischenstand nach Serie 1. Die Ergebnisse sind noch nicht endgültig." in text


@pytest.mark.parametrize("name", ["press", "press_file"])
def test_a_press_text_needs_a_result(client: Client, name: str):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    answer = client.get(reverse(f"results:{name}", args=[tournament.slug]))

    assert answer.status_code == (404 if name == "press_file" else 200)
    assert "textarea" not in answer.content.decode()


def test_namesakes_of_different_rankings_are_distinguished(staff, tournament):
    for number in (1, 3):
        person = tournament.registrations.get(number=number).person
        person.first_name, person.last_name = "Anna", "Kühn"
        person.save()
    tandem = Ranking.objects.get(tournament=tournament, kind=Ranking.Kind.TANDEM)
    make_team(tandem, "Die Buben", tournament.registrations.filter(number__in=(3, 4)))

    text = told(staff, tournament)

    # Of all players 1 is first and 3 third; 3 also in the second tandem.
    assert "Anna Kühn (Nr. 1)" in text
    assert text.count("Anna Kühn (Nr. 3)") == 2
    assert text.count("Anna Kühn") == text.count("Anna Kühn (Nr. ")
