"""The table page with little space: six players, or a phone held sideways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.browser import sideways_scroll, small_targets
from tests.e2e.table_device import TableDevice, a_device, kept, make_table, opened
from tests.factories_lists import write_games

pytestmark = pytest.mark.django_db(transaction=True)

UPRIGHT = {"width": 360, "height": 740}
SIDEWAYS = [{"width": 740, "height": 360}, {"width": 844, "height": 390}]

# Controls not fully in the window, elements that scroll although they should not, and hidden names
# above the columns.
OUT_OF_SIGHT = """() => {
  const isSeen = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return inside && element.contains(over);
  };
  const page = document.documentElement;
  const sheet = document.querySelector(".entry");
  return [
    ...[...document.querySelectorAll(".entry :is(button, input), .score thead th + th")]
      .filter((element) => !isSeen(element))
      .map((element) => element.outerHTML.slice(0, 100)),
    ...[page, sheet]
      .filter((element) => element.scrollHeight > element.clientHeight)
      .map((element) => `${element.tagName} scrolls`),
  ];
}"""


def six_lines(games: int) -> list[dict[str, Any]]:
    """Return games of six in which the first one finishes, one of them out of the hand."""
    return [
        {"finisher": 1, "handromme": game == 2, "minus": [0, *range(25 + game, 75 + game, 10)]}
        for game in range(games)
    ]


def is_all_in_sight(device: TableDevice, selector: str) -> None:
    """Fail unless questions, buttons and column names are visible."""
    for size in (*SIDEWAYS, UPRIGHT):
        device.page.set_viewport_size(size)
        expect(device.page.locator(selector)).to_be_in_viewport()
        assert device.page.evaluate(OUT_OF_SIGHT) == [], size
        assert sideways_scroll(device.page) == 0, size
        assert small_targets(device.page) == [], size


def test_a_name_too_long_for_its_cell_is_shown_as_a_first_name(browser: Browser, live_server):
    spielliste = write_games(
        make_table(), [{"finisher": 1, "handromme": False, "minus": [0, 1, 2, 3]}]
    )

    with a_device(browser, UPRIGHT) as device:
        opened(device, live_server, spielliste)
        device.keep_the_list()
        expect(device.page.locator(".list-part thead")).to_contain_text("Clara")
        expect(device.page.locator(".list-part thead")).not_to_contain_text("Wettengel")

    with a_device(browser, {"width": 820, "height": 1100}) as device:
        opened(device, live_server, spielliste)
        expect(device.page.locator(".list-part thead")).to_contain_text("Clara Sommer-Wettengel")


def test_names_and_keys_of_six_players_fit_without_scrolling(browser: Browser, live_server):
    spielliste = write_games(make_table("hausregel", players=6), six_lines(7))

    with a_device(browser, UPRIGHT) as device:
        kept(device, live_server, spielliste)
        device.expect_stored(7)
        is_all_in_sight(device, ".is-asking")
        device.choose(2)
        device.key("0")
        expect(device.page.locator(".entry-message")).to_contain_text("0 hat nur")
        is_all_in_sight(device, ".keypad")
        device.key("count")
        is_all_in_sight(device, ".keypad.cards")
