"""The page for forming teams: its access and its forms."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    send_one,
    wanted,
)
from tests.worlds import world
from tournaments.desk.services import teams
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import Ranking, Role, Team, TeamMember, TeamWish, Tournament

pytestmark = pytest.mark.django_db
# Session, account, tournament, roles, rights to see persons; rankings, registrations with their
# rankings, payments, members, teams, wishes.
QUERIES = 12


@world
def tournament() -> Tournament:
    """A tournament with one team of two, one person without a team, and one wish."""
    tournament = make_open_tournament()
    ranking = make_ranking(tournament, Ranking.Kind.TEAM, size=3, stake_cents=500)
    members = [make_registration(tournament, make_person("A", name)) for name in ("Kühn", "Voß")]
    teams.create_team(
        COMMAND, ranking.pk, name="Altenburg", registration_ids=[member.pk for member in members]
    )
    send_one(tournament, wanted("Clara", "Lang", rankings=[ranking], wishes={ranking.pk: "Kahla"}))
    return tournament


def page_of(tournament: Tournament) -> str:
    return at("teams:teams", tournament)


def acts(tournament: Tournament) -> dict[str, str]:
    keys = {
        "create": tournament.rankings.get(kind="team").pk,
        "add": Team.objects.get().pk,
        "rename": Team.objects.get().pk,
        "remove": TeamMember.objects.earliest("pk").pk,
        "take_wish": TeamWish.objects.get().pk,
        "drop_wish": TeamWish.objects.get().pk,
        "dissolve": Team.objects.get().pk,
    }
    return {name: at(f"teams:{name}", tournament, key) for name, key in keys.items()}


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE))
    return client


def test_the_page_shows_missing_members_and_wishes(client: Client, tournament: Tournament):
    page = client.read(page_of(tournament))

    assert "1 fehlt" in page
    assert "möchte in „Kahla“ spielen" in page
    assert "1 unvollständig" in page


def test_htmx_gets_the_teams_only(client: Client, tournament: Tournament):
    answer = client.post(acts(tournament)["add"], {"person": "3"}, headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in page
    assert 'id="teams"' in page
    assert "Lang, Clara spielt in „Altenburg“." in page


def test_a_team_is_formed_in_one_line(client: Client, tournament: Tournament):
    ranking = tournament.rankings.get(kind="team")
    make_registration(tournament, make_person("D", "Otto"), number=9)

    client.post(
        acts(tournament)["create"],
        {
            f"new-{ranking.pk}-person_1": "Lang",
            f"new-{ranking.pk}-person_2": "",
            f"new-{ranking.pk}-person_3": "9",
            f"new-{ranking.pk}-name": "Kahla",
        },
    )

    team = Team.objects.get(name="Kahla")
    assert {member.registration.number for member in team.members.all()} == {3, 9}


def test_a_team_gets_another_name(client: Client, tournament: Tournament):
    answer = client.post(acts(tournament)["rename"], {"name_": "Kahla"}, follow=True)

    assert "Die Mannschaft heißt jetzt „Kahla“." in answer.content.decode()
    assert Team.objects.get().name == "Kahla"


def test_a_wish_becomes_a_team(client: Client, tournament: Tournament):
    answer = client.post(acts(tournament)["take_wish"], follow=True)

    assert "Übernommen: „Kahla“." in answer.content.decode()
    (member,) = Team.objects.get(name="Kahla").members.all()
    assert member.registration.person.first_name == "Clara"
    assert not TeamWish.objects.exists()


def test_a_refused_team_keeps_the_input(client: Client, tournament: Tournament):
    ranking = tournament.rankings.get(kind="team")

    answer = client.post(
        acts(tournament)["create"],
        {f"new-{ranking.pk}-person_1": "Kühn", f"new-{ranking.pk}-name": "Kahla"},
    )

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "A Kühn gehört schon zu „Altenburg“." in page
    assert 'value="Kahla"' in page
    assert Team.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("add", {"person": ""}, "Startnummer oder einen Namen"),
        ("rename", {"name_": ""}, "braucht einen Namen"),
        ("rename", {"name_": "x" * 81}, "höchstens 80 Zeichen"),
    ],
)
def test_an_empty_field_is_refused_with_a_message(
    client: Client, tournament: Tournament, name: str, data: dict[str, str], sentence: str
):
    answer = client.post(acts(tournament)[name], data)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_a_tournament_without_teams_links_to_the_setting(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.KASSE))

    page = client.read(page_of(tournament))

    assert "Keine Wertung für Mannschaften" in page


def test_the_page_needs_a_constant_number_of_queries_for_teams(
    client: Client, tournament: Tournament, django_assert_num_queries: Any
):
    ranking = tournament.rankings.get(kind="team")
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)

    with django_assert_num_queries(QUERIES):
        client.get(page_of(tournament))
    for number in range(20, 40):
        member = make_registration(tournament, number=number)
        for chosen in (ranking, tandem):
            teams.create_team(COMMAND, chosen.pk, registration_ids=[member.pk])
    with django_assert_num_queries(QUERIES):
        client.get(page_of(tournament))


def test_the_page_shows_current_dues(client: Client, tournament: Tournament):
    free = make_registration(tournament, make_person("Dora", "Otto"))
    pay(COMMAND, free.pk, payment=Payment(amount_cents=1500))

    sent = client.post(acts(tournament)["add"], {"person": f"{free.number}"}, follow=True)

    said = " ".join(sent.content.decode().split())
    assert f"Otto, Dora spielt in „Altenburg“. Jetzt zu zahlen: {free} 5,00 €." in said
    card = said.split("Otto, Dora</a>")[1].split("</li>")[0]
    assert "5,00 € offen" in card
