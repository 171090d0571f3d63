"""Pages enlarged to twice their size, as a whole or their text alone: everything is reachable."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.browser import sideways_scroll
from tests.e2e.login import log_in
from tests.e2e.table_device import TableDevice, a_device, kept, make_table
from tests.e2e.test_table_sizes import UPRIGHT, six_lines
from tests.factories_lists import FOUR, write_games
from tournaments.common.access_keys import player_path
from tournaments.models import Role, Spielliste, Tournament
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db(transaction=True)

WIDE = {"width": 720, "height": 900}
SIZE = "(percent) => { document.documentElement.style.fontSize = percent; }"
# Elements beyond the window, except scrollable ones.
CUT_OFF = """() => {
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const isIn = (one) => one && (scrolls(one) || isIn(one.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, .skip-link"))
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !isIn(one.parentElement))
    .map((one) => one.outerHTML.slice(0, 100));
}"""


def check_enlarged(page: Page) -> None:
    """Fail if the current page does not fit with everything, or the text, at twice its size."""
    page.set_viewport_size({"width": WIDE["width"] // 2, "height": WIDE["height"] // 2})
    fits(page)
    page.set_viewport_size(WIDE)
    page.evaluate(SIZE, "200%")
    fits(page)
    page.evaluate(SIZE, "")


def fits(page: Page) -> None:
    assert page.evaluate(CUT_OFF) == []
    assert sideways_scroll(page) == 0


def text_size(page: Page) -> float:
    size: float = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    return size


def a_checked_table(**fields: Any) -> Spielliste:
    tournament = {"status": Tournament.Status.RUNNING, **fields}
    return write_games(make_table(**tournament), FOUR, status=Spielliste.Status.HANDED_IN)


def test_desk_checking_ranking_and_own_page_fit_when_enlarged(
    page: Page, context: BrowserContext, live_server
):
    spielliste = a_checked_table()
    tournament = spielliste.table.serie.tournament
    player_access.store_tokens(tournament)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    for path, heading in (
        (reverse("desk:desk", args=[tournament.slug]), "Meldungen & Kasse"),
        (reverse("checking:list", args=[tournament.slug, 1, 1]), "Tisch 1"),
        (reverse("results:ranking", args=[tournament.slug]), "Rangliste"),
        (reverse("results_public:overall", args=[tournament.slug]), "Rangliste"),
        (player_path(spielliste.table.seats.get(number=3).registration), "Clara Sommer-Wettengel"),
    ):
        page.goto(live_server.url + path)
        expect(page.locator("h1")).to_contain_text(heading)
        check_enlarged(page)


def test_the_table_page_fits_when_enlarged_and_offers_larger_sizes(browser: Browser, live_server):
    four = write_games(make_table(), FOUR[:5])
    six = write_games(make_table("hausregel", players=6), six_lines(5))

    with a_device(browser, WIDE) as device:
        kept(device, live_server, four)
        check_enlarged(device.page)
        device.choose(1)
        device.key("4")
        check_enlarged(device.page)

        device.page.set_viewport_size(UPRIGHT)
        kept(device, live_server, six)
        two_larger_sizes_are_kept_on_the_device(device)


def two_larger_sizes_are_kept_on_the_device(device: TableDevice) -> None:
    device.tap(device.button("Mehr"))
    usual = text_size(device.page)
    device.tap(device.page.get_by_label("größer"))
    larger = text_size(device.page)
    device.tap(device.page.get_by_label("sehr groß"))
    assert usual < larger < text_size(device.page)
    device.page.reload()
    expect(device.page.locator(".is-asking")).to_be_visible()
    assert text_size(device.page) > larger
    fits(device.page)
    device.choose(2)
    device.key("4")
    fits(device.page)
    device.tap(device.page.locator('[data-key="go"]'))  # below the fold, it can be reached
    expect(device.page.locator(".amount.is-current")).to_contain_text("Clara")
