"""Present people without a seat are always named."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_member, make_players, make_registration, make_tournament
from tests.factories_lists import make_seated_serie
from tests.tournaments.desk.online.helpers import make_ranking
from tournaments.cash.queries import balances
from tournaments.desk.services import registrations, teams
from tournaments.desk.services.registrations import Payment
from tournaments.draw.queries.task import entrants
from tournaments.draw.services import draws
from tournaments.models import (
    CashEntry,
    Draw,
    JournalEntry,
    Ranking,
    Registration,
    Role,
    Serie,
    Tournament,
)

pytestmark = pytest.mark.django_db
OWING = "da 9 · gesetzt 8 · ohne Platz: 9 (15,00 € offen)"


@pytest.fixture
def hall(client: Client) -> Tournament:
    """Eight have paid; the ninth is there and has not."""
    tournament = make_tournament()
    make_players(tournament, 8)
    make_registration(tournament, status="registered", present_at=tournament.starts_at)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return tournament


def url(tournament: Tournament, name: str, serie: int = 1) -> str:
    return reverse(f"draw:{name}", args=[tournament.slug, serie])


def read(client: Client, tournament: Tournament, serie: int = 1) -> str:
    return " ".join(client.get(url(tournament, "serie", serie)).content.decode().split())


def said(page: str) -> str:
    """Return the text of the line, without markup."""
    line = page.split('id="in-hall"')[1].split("<p>")[1].split("</p>", maxsplit=1)[0]
    return " ".join(line.replace("<strong>", "").replace("</strong>", "").split())


def drafted(tournament: Tournament, serie: int = 1) -> Draw:
    row = tournament.serien.get(number=serie)
    draw = draws.begin(COMMAND, row.pk, method=Serie.Seating.ELECTRONIC)
    return draws.store_plan(COMMAND, draw.pk, plan=draws.plan_of(draw))


def ninth(tournament: Tournament) -> Registration:
    return tournament.registrations.get(number=9)


def give_seat(client: Client, tournament: Tournament, way: str, cents: int = 1500) -> Any:
    sent = {"registration": ninth(tournament).pk, "way": way, "cents": cents}
    return client.post(url(tournament, "give_seat"), sent)


def test_a_paid_player_joining_a_tandem_keeps_the_seat(client: Client):
    tournament = make_tournament()
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM, stake_cents=200)
    people = make_players(tournament, 8, status="registered")
    for person in people:
        registrations.pay(COMMAND, person.pk, payment=Payment(), is_here=True)

    teams.create_team(COMMAND, tandem.pk, registration_ids=[person.pk for person in people[:2]])

    assert len(entrants(tournament)) == 8
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    assert said(read(client, tournament)) == "da 8 · gesetzt 8"


def test_paying_the_startgeld_alone_gives_a_seat():
    tournament = make_tournament()
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM, stake_cents=200)
    registration = make_registration(tournament, status="registered", due_cents=1700)
    registration.rankings.add(tandem)

    registrations.pay(COMMAND, registration.pk, payment=Payment(amount_cents=1499))
    assert entrants(tournament) == []
    registrations.pay(COMMAND, registration.pk, payment=Payment(amount_cents=1))

    assert entrants(tournament) == [registration]
    assert balances.paid_cents(registration) == 1500


@pytest.mark.parametrize("is_drafted", [False, True])
def test_present_people_without_a_seat_are_named_before_and_after_the_draw(
    client: Client, hall: Tournament, *, is_drafted: bool
):
    if is_drafted:
        drafted(hall)

    page = read(client, hall)

    assert said(page) == OWING
    assert "15,00 € kassieren" in page
    assert "Trotzdem setzen" in page
    assert ("Ohne 9 bekannt geben" in page) is is_drafted


def test_people_without_a_seat_are_named_between_serien(client: Client, hall: Tournament):
    paid = list(hall.registrations.filter(status="paid").order_by("number"))
    make_seated_serie(hall, [paid[:4], paid[4:]])

    assert said(read(client, hall, 2)) == OWING


def test_publishing_a_draw_without_all_players_needs_a_confirmation(
    client: Client, hall: Tournament
):
    drafted(hall)

    refused = client.post(url(hall, "publish"), {"without": ""})
    assert refused.status_code == 409
    assert f"Da, aber ohne Platz: {ninth(hall)}." in refused.content.decode()
    assert not hall.serien.get(number=1).seats.exists()
    client.post(url(hall, "publish"), {"without": f"{ninth(hall).pk} "})

    assert hall.serien.get(number=1).seats.count() == 8
    assert JournalEntry.objects.get(action="draw_published").after["without"] == [9]


@pytest.mark.parametrize(("way", "taken"), [("pay", 1500), ("later", 0)])
def test_both_buttons_give_a_seat_at_once(client: Client, hall: Tournament, way: str, taken: int):
    give_seat(client, hall, way)

    assert ninth(hall) in entrants(hall)
    assert said(read(client, hall)) == "da 9 · gesetzt 9"
    assert balances.till_cents(hall) == taken


def test_a_sum_no_longer_due_is_not_taken(client: Client, hall: Tournament):
    registrations.pay(COMMAND, ninth(hall).pk, payment=Payment(amount_cents=500))

    answer = give_seat(client, hall, "pay")

    assert answer.status_code == 409
    assert "inzwischen 10,00 € offen" in " ".join(answer.content.decode().split())
    assert CashEntry.objects.count() == 1


def test_people_paying_after_the_draw_are_named_with_a_remedy(client: Client, hall: Tournament):
    drafted(hall)

    give_seat(client, hall, "pay")

    page = read(client, hall)
    assert said(page) == "da 9 · gesetzt 8 · ohne Platz: 9"
    assert "bitte neu auslosen, oder nach dem Bekanntgeben als Nachzügler setzen." in page
    client.post(url(hall, "publish"), {"without": f"{ninth(hall).pk}"})
    assert "hat bezahlt und noch keinen Platz." in read(client, hall)
