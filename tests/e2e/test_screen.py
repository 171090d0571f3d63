"""The walls in a browser: large, whole, page by page; and how control sets them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.models import Person, Role, Screen, Serie, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.screen import services as screens
from tournaments.web.cached_answers import clear

pytestmark = pytest.mark.django_db(transaction=True)
HD = {"width": 1920, "height": 1080}
WALLS = (
    {"width": 1280, "height": 720},
    {"width": 1280, "height": 800},
    HD,
    {"width": 2560, "height": 1440},
    {"width": 3840, "height": 2160},
)
# Text sizes too small for fifteen metres, in units of the screen, and the content of each page.
SMALLEST: dict[str, dict[str, float]] = {
    "welcome": {".wall-message h1": 7},
    "tables": {".screen-seats": 2.2, ".screen-table-number strong": 4.8},
    "names": {".screen-name": 2.6},
    "ranking": {".screen-name": 2.6},
    "schedule": {".screen-name": 2.6},
    "countdown": {".wall-clock time": 28},
    "message": {".wall-message": 7},
}
MEASURE = """() => {
  const wall = document.querySelector("#wall");
  const main = document.querySelector("main").getBoundingClientRect();
  const unit = parseFloat(getComputedStyle(document.querySelector("main")).fontSize) / 2.2;
  const shown = [...wall.querySelectorAll("*")].filter((e) => e.checkVisibility());
  const over = shown.filter((e) => {
    const box = e.getBoundingClientRect();
    return box.right > main.right + 1 || box.bottom > main.bottom + 1;
  });
  return {
    unit,
    over: over.map((e) => e.outerHTML.slice(0, 90)),
    filled: main.bottom - wall.getBoundingClientRect().bottom < 2 * unit,
    foot: Math.round(document.querySelector("footer").getBoundingClientRect().bottom),
  };
}"""


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament with twelve tables of the second Serie and no online consents."""
    made = make_tournament(
        serien=2,
        status=Tournament.Status.RUNNING,
        name="Herbstturnier",
        schedule=[{"day": 0, "time": "14:00", "serie": 1}, {"day": 1, "time": "10:00", "serie": 2}],
    )
    players = [
        make_registration(made, make_person("Anna-Luise", f"Kühn-Groß{number}"))
        for number in range(47)
    ]
    rows = [players[at : at + 4] for at in range(0, 47, 4)]
    first = make_seated_serie(made, rows, number=1)
    for table in (1, 2, 3):
        write_games(list_of(first, table), status=Spielliste.Status.VERIFIED)
    make_seated_serie(made, rows[::-1], number=2)
    return made


def show(tournament: Tournament, *shows: str, **more: Any) -> None:
    screens.show(COMMAND, tournament.pk, shows=shows, seconds=5, **more)


def start(tournament: Tournament, minutes: int) -> Serie:
    """Have the second Serie last an hour, of which *minutes* are over."""
    serie = tournament.serien.get(number=2)
    serie.started_at = timezone.now() - timedelta(minutes=minutes)
    serie.time_limit_minutes = 60
    serie.save()
    return serie


def wall(live_server: LiveServer, tournament: Tournament) -> str:
    return live_server.url + reverse("screen:screen", args=[tournament.slug])


def settled(page: Page) -> Any:
    """Measure the wall once its pages are cut with the letters they are shown in."""
    page.wait_for_function("document.fonts.status === 'loaded'")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return page.evaluate(MEASURE)


def test_every_page_is_large_and_fills_the_screen(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    serie = start(tournament, 20)
    serie.tables.get(number=2).calls.create(kind="counting")
    # One name of two lines in each row of tables, and beside it one that just fits on a line.
    long = Person.objects.filter(last_name__in=("Kühn-Groß40", "Kühn-Groß28"))
    assert long.update(last_name="Freiin von Schönberg") == 2
    assert Person.objects.filter(last_name="Kühn-Groß41").update(last_name="Iwanowa-Krüger") == 1

    # Only that of the tables has pages that must be cut alike on each wall.
    sizes = dict.fromkeys(SMALLEST, (WALLS[0], WALLS[-1])) | {"tables": WALLS}
    # Choosers are styled like a message, winners like the Zeitplan.
    assert set(Screen.Shows.values) - set(sizes) == {"choosing", "lottery"}
    for mode, size in ((mode, size) for mode, of_mode in sizes.items() for size in of_mode):
        show(tournament, mode, message="In zehn Minuten geht es weiter.")
        page.set_viewport_size(size)
        page.goto(wall(live_server, tournament))
        expect(page.get_by_text("Schiedsrichter bitte zu Tisch 2")).to_be_visible()
        expect(page.locator("body.screen-long")).to_have_count(0)
        shown = settled(page)
        assert shown["over"] == [], (mode, size)
        assert shown["filled"], (mode, size)
        assert shown["foot"] == size["height"], (mode, size)
        for selector, units in SMALLEST[mode].items():
            text = page.locator(selector).first
            expect(text).to_be_visible()
            px = text.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
            assert px >= units * shown["unit"] * 0.99, (mode, size, selector)
        if mode == "tables":
            expect(page.locator(".screen-which")).to_have_text("Tische 1 bis 8")
            expect(page.locator(".screen-who").first).to_have_text("Kühn-Groß44, A.")


# The text of the heading at each measurement of the entries that fit below it.
WHILE_CUT = """() => {
  window.saidWhileCut = new Set();
  const measure = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () {
    const label = this.matches("[data-wall-page]") && this.querySelector("[data-which]");
    if (label) window.saidWhileCut.add(label.textContent);
    return measure.call(this);
  };
}"""


def test_entries_are_cut_below_the_heading_and_signs_fill_the_screen(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    show(tournament, "ranking")
    page.add_init_script(f"({WHILE_CUT})()")
    page.set_viewport_size(HD)
    page.goto(wall(live_server, tournament))
    # Below the whole heading, so that the last are seen.
    expect(page.locator(".screen-which")).to_contain_text("Rang 1 bis")
    assert "" not in page.evaluate("[...window.saidWhileCut]")
    assert page.evaluate("window.saidWhileCut.size") > 0

    page.set_viewport_size(WALLS[0])
    page.emulate_media(reduced_motion="reduce")
    start(tournament, 52).tables.get(number=2).calls.create(kind="counting")
    clear()
    page.reload()
    expect(page.get_by_role("heading", name="Die letzten Minuten")).to_be_visible()
    assert settled(page)["over"] == []
    # It does not move with prefers-reduced-motion.
    still = page.locator(".wall-sign").evaluate("(e) => getComputedStyle(e).animationName")
    assert still == "none"

    words.say(COMMAND, tournament.pk, words="Der Parkplatz muss frei sein. " * 6)
    page.reload()
    expect(page.locator(".wall-words h1")).to_contain_text("Der Parkplatz")
    assert settled(page)["over"] == []


def test_two_pages_alternate_until_all_entries_were_shown(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    show(tournament, "names", "welcome")
    page.set_viewport_size(WALLS[0])
    page.clock.install()
    page.goto(wall(live_server, tournament))
    shown = page.locator(".screen-name:visible")
    expect(page.locator(".screen-which")).to_have_text("Küh")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)  # no page turns while it is read
    seen: list[str] = []

    while shown.count():
        names = shown.locator(".screen-who").all_inner_texts()
        assert not set(names) & set(seen)
        seen += names
        page.clock.fast_forward("00:05")
        expect(page.get_by_text(names[0], exact=True)).to_be_hidden()

    assert sorted(seen) == sorted(f"Kühn-Groß{number}, Anna-Luise" for number in range(47))
    expect(page.get_by_role("heading", name="Herbstturnier")).to_be_visible()


def test_the_screen_shows_every_table_without_javascript(
    browser: Browser, live_server: LiveServer, tournament: Tournament
) -> None:
    show(tournament, "tables", "ranking")
    context = browser.new_context(java_script_enabled=False, viewport=WALLS[0])
    page = context.new_page()
    page.goto(wall(live_server, tournament))

    expect(page.locator(".screen-table:visible")).to_have_count(12)
    page.locator(".screen-name").last.scroll_into_view_if_needed()
    expect(page.locator(".screen-name").last).to_be_in_viewport()
    context.close()


def test_one_click_on_a_picture_sets_a_beamer(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    log_in(page.context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(live_server.url + reverse("screen:control", args=[tournament.slug]))
    check_look(page)
    page.get_by_label("Weitere Leinwand").fill("Foyer")
    page.get_by_role("button", name="Dazunehmen").click()
    expect(page.get_by_role("heading", name="Foyer soll zeigen")).to_be_visible()

    page.get_by_role("button", name="Rangliste").click()

    expect(page.get_by_text("Die Leinwand zeigt es in wenigen Sekunden.")).to_be_visible()
    now = page.frame_locator("iframe[title=Foyer]")
    expect(now.locator(".screen-which")).to_contain_text("Rang")
    assert Screen.objects.get(number=2).shows == Screen.Shows.RANKING
