"""Forming teams in a browser: by keyboard, with and without scripts."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_club, make_person, make_registration
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    send_one,
    wanted,
)
from tournaments.desk.services import teams
from tournaments.models import Ranking, Registration, Team, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Tournament:
    """A tournament with teams and tandems: some complete, some not, and wishes."""
    tournament, club = make_open_tournament(name="Herbstturnier 2026"), make_club("SC Altenburg")
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=3, stake_cents=500)
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)
    people = [
        make_registration(tournament, make_person(first, last, club=club))
        for first, last in (
            ("Anna", "Kühn"),
            ("Bernd", "Voß"),
            ("Clara", "Lang"),
            ("Dieter", "Roth"),
        )
    ]
    teams.create_team(COMMAND, team.pk, registration_ids=[person.pk for person in people[:2]])
    teams.create_team(COMMAND, tandem.pk, registration_ids=[person.pk for person in people[:2]])
    Registration.objects.filter(pk=people[1].pk).update(status="withdrawn", present_at=None)
    send_one(
        tournament,
        wanted("Eva", "Sommer", rankings=[team], wishes={team.pk: "sc altenburg"}),
        wanted("Fritz", "Berger", rankings=[tandem], wishes={tandem.pk: "Clara Lang"}),
        wanted("Gerda", "Winkler", rankings=[tandem], wishes={tandem.pk: "Niemand"}),
    )
    return tournament


@pytest.fixture
def teams_page(
    page: Page, context: BrowserContext, live_server: LiveServer, tournament: Tournament
) -> Page:
    """Return the page of the teams, opened by a helper of the desk."""
    log_in(context, live_server, tournament)
    page.goto(live_server.url + reverse("teams:teams", args=[tournament.slug]))
    return page


def check(page: Page) -> None:
    check_look(page, strong=True, least=44)


def test_a_team_is_completed_by_number_and_another_is_dissolved(
    teams_page: Page,
) -> None:
    teams_page.locator(".more summary").first.click()
    check(teams_page)
    teams_page.reload()

    a_refusal_keeps_the_focus_in_the_field(teams_page)
    a_member_joins_by_number_and_enter(teams_page)
    a_team_is_dissolved_after_asking(teams_page)


def a_refusal_keeps_the_focus_in_the_field(page: Page) -> None:
    field = page.get_by_label("Startnummer oder Name für „SC Altenburg“")
    field.focus()

    page.keyboard.type("Niemand")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("„Niemand“ ist nicht gemeldet")
    expect(field).to_be_focused()
    expect(field).to_have_value("Niemand")
    check(page)
    field.fill("")


def a_member_joins_by_number_and_enter(page: Page) -> None:
    page.get_by_label("Startnummer oder Name für „SC Altenburg“").focus()

    page.keyboard.type("3")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Lang, Clara spielt in „SC Altenburg“.")).to_be_visible()
    assert Team.objects.get(name="SC Altenburg").members.count() == 3
    check(page)


def a_team_is_dissolved_after_asking(page: Page) -> None:
    card = page.get_by_role("article", name="Kühn / Voß")
    card.locator("summary").click()

    card.get_by_role("button", name="Auflösen").click()
    page.get_by_role("dialog").get_by_role("button", name="Auflösen").click()

    expect(page.get_by_text("„Kühn / Voß“ ist aufgelöst.")).to_be_visible()
    assert not Team.objects.filter(name="Kühn / Voß").exists()
