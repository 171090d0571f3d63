"""A place that became free, and a player's own results, in a browser at every size."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import make_person
from tests.tournaments.desk.online import test_offers as offers
from tests.tournaments.results import test_history as history
from tournaments.common.access_keys import player_token
from tournaments.desk.online.services.offers import offer_free_places

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_mailed_link_accepts_an_offered_place(
    page: Page, live_server: LiveServer, settings: Any
):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, live_server.url
    offers.leave(offers.full("Anna", venue="Gasthof Zur Linde", contact="Karla Otto"))
    offer_free_places()

    page.goto(live_server.url + offers.link())
    check_look(page)
    page.get_by_role("button", name="Ich komme", exact=True).click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Sie sind dabei")
    check_look(page)


def test_the_desk_shows_the_people_to_phone(page: Page, live_server: LiveServer):
    tournament = offers.full("Anna")  # no mail goes out here
    offers.leave(tournament)
    offer_free_places()
    log_in(page.context, live_server, tournament)
    of_anna = [tournament.slug, offers.of("Anna").pk]

    page.goto(live_server.url + reverse("desk:registration", args=of_anna))
    expect(page.get_by_text("telefonisch fragen")).to_be_visible()
    check_look(page)
    page.get_by_role("button", name="Nicht erreicht").click()

    expect(page.get_by_text("gefragt, ohne Antwort")).to_be_visible()


def test_own_results_are_shown_at_the_request_of_the_player(page: Page, live_server: LiveServer):
    anna = make_person("Anna", "Kühn", publish_consent=True)
    history.played(anna, "Frühlingsturnier", days=-100)
    now = history.played(anna, "Herbstturnier")

    page.goto(live_server.url + reverse("player:page", args=[player_token(now)]))
    page.get_by_role("link", name="Meine Ergebnisse").click()
    check_look(page)
    page.get_by_role("button", name="Meine Turniere zeigen").click()

    expect(page.get_by_role("link", name="Frühlingsturnier")).to_be_visible()
    check_look(page)
