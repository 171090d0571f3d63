"""A small phone with text at twice its size: no working page scrolls sideways."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.browser import sideways_scroll
from tests.e2e.table_device import a_device, kept, make_table
from tests.e2e.test_desk import log_in
from tests.e2e.test_zoom import a_checked_table
from tests.factories_lists import FOUR, write_games
from tournaments.common.access_keys import player_path
from tournaments.models import Role
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = (320, 640)
TWICE = {"standard": 32, "fixed": 26}  # pixels; usual are 16 and 13


def with_large_text(page: Page) -> None:
    """Do what the settings of a browser do: widths in rem of media queries follow it too."""
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": TWICE})


def fits(page: Page) -> bool:
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    return sideways_scroll(page) == 0


def test_working_pages_do_not_scroll_sideways(page: Page, context: BrowserContext, live_server):
    spielliste = a_checked_table()
    tournament = spielliste.table.serie.tournament
    player_access.provide(tournament)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    with_large_text(page)
    paths = [
        reverse(name, args=[tournament.slug, *numbers])
        for name, numbers in (
            ("setup:tournament", ()),
            ("desk:desk", ()),
            ("cash:book", ()),
            ("cash:count", ()),
            ("draw:serien", ()),
            ("hall:room", (1,)),
            ("hall:hand_in", (1,)),
            ("hall:table", (1, 1)),
            ("hall:grid", (1, 1)),
            ("hall:cards", (1,)),
            ("checking:list", (1, 1)),
            ("results:ranking", ()),
            ("printing:documents", ()),
            ("public:tournament", ()),
            ("results_public:overall", ()),
        )
    ]
    own = player_path(spielliste.table.seats.get(number=3).registration)

    wide = []
    for path in (*paths, own):
        page.goto(live_server.url + path)
        if not fits(page):
            wide.append(path)

    assert wide == []


def test_the_page_at_the_table_does_not_scroll_sideways(browser: Browser, live_server):
    with a_device(browser, {"width": SMALL[0], "height": SMALL[1]}) as device:
        with_large_text(device.page)
        kept(device, live_server, write_games(make_table(), FOUR[:5]))
        assert fits(device.page)
        device.choose(1)
        device.key("4")
        assert fits(device.page)
