"""The components, on their sample page and in samples.

They are readable, reachable and large enough in both colour schemes and on every device, and their
scripts work.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e import look_urls
from tests.e2e.axe import colour_violations, violations
from tests.e2e.browser import (
    LOST_CONNECTION,
    WIDTHS,
    check_look,
    check_looks,
    faint,
    sideways_scroll,
    small_targets,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

    from tests.e2e.browser import Guard

pytestmark = pytest.mark.urls("tests.e2e.look_urls")

PAGES = ("bausteine", "muster/musterseite_tisch")
SCREENS = ("muster/musterseite_leinwand", "muster/musterseite_zeit")
HD = (1280, 1920)


def test_the_checks_detect_violations(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})

    page.set_content(
        """<!doctype html><html lang="de"><title>Schlecht</title><main><h1>Schlecht</h1>
        <p style="color: #999; background: #fff">blass</p><p style="color: #999">ebenso blass</p>
        <p style="color: #999; background: #eee">auf Grau</p><p style="color: #999">wie oben</p>
        <img src="data:image/gif;base64,">
        <button style="height: 20px">klein</button><small style="font-size: 13px">fein</small>
        <input aria-label="Feld" style="border: 1px solid #ccc; background: #fff">
        <div style="width: 500px">breit</div>"""
    )

    assert "image-alt" in " ".join(violations(page, colours=False))
    assert len(colour_violations(page)) == 4
    both = violations(page, strong=True)
    assert {*violations(page, colours=False), *colour_violations(page, strong=True)} == {*both}
    assert len(small_targets(page)) == 2
    assert [fault.split(":")[0] for fault in faint(page)] == ["13.3333 px", "13 px", "edge 1.61"]
    assert sideways_scroll(page) == 500 + 8 - 360  # 8 px: the browser's margin


def test_the_guard_detects_violations(page: Page, live_server: LiveServer, guard: Guard) -> None:
    guard.allow(LOST_CONNECTION)
    page.goto(f"{live_server.url}/kaputt/")
    page.goto(f"{live_server.url}/fehlt/")  # a refusal, as each 4xx
    page.evaluate(
        """async () => {
          console.warn("Vorsicht");
          await fetch("/kaputt/?gefragt");
          const image = new Image();
          const failed = new Promise((resolve) => image.addEventListener("error", resolve));
          image.src = "/static/img/fehlt.svg";
          await failed;
          const thrown = new Promise((resolve) => addEventListener("error", resolve));
          setTimeout(() => { throw new Error("gescheitert"); });
          await thrown;
        }"""
    )
    page.goto("about:blank")
    page.set_content('<img src="http://example.org/1.png"><img src="http://192.0.2.1/2.png">')

    complaints = sorted(guard.complaints())
    guard.found.clear()

    status = "Failed to load resource: the server responded with a status of"
    nowhere = "loaded from elsewhere: Failed to load resource: net::ERR_NAME_NOT_RESOLVED"
    assert complaints == [
        f"{status} 404 (Not Found) {live_server.url}/static/img/fehlt.svg",
        f"{status} 500 (Internal Server Error) {live_server.url}/kaputt/",
        f"{status} 500 (Internal Server Error) {live_server.url}/kaputt/?gefragt",
        "console warning: Vorsicht",
        f"{nowhere} http://192.0.2.1/2.png",
        f"{nowhere} http://example.org/1.png",
        "script failed: gescheitert",
    ]


def test_every_part_is_accessible_and_fits_every_device(
    page: Page, live_server: LiveServer
) -> None:
    urls = [f"{live_server.url}/{name}/" for name in PAGES]
    check_looks(page, urls, widths=(320, *WIDTHS), strong=True, least=44)
    # So is and does the beamer.
    check_looks(page, [f"{live_server.url}/{name}/" for name in SCREENS], widths=HD, strong=True)


CANNOT_BE_SHOWN = {
    "/unsinn/": "Diese Anfrage ist nicht zu verstehen",  # 400
    "/verboten/": "Kein Zugang",
    "/fehlt/": "Diese Seite gibt es nicht",
    "/kaputt/": "Da ist im Programm etwas schiefgegangen",
}


def test_error_pages_state_the_reason_and_a_way_on(
    page: Page, live_server: LiveServer, guard: Guard
) -> None:
    guard.allow("500")

    def says_why(page: Page) -> None:
        heading = CANNOT_BE_SHOWN[urlsplit(page.url).path]
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(page.get_by_role("main").get_by_role("link")).to_be_visible()
        if page.url.endswith("/verboten/"):
            expect(page.get_by_text("Dafür ist die Rolle Kasse nötig.")).to_be_visible()

    urls = [live_server.url + path for path in CANNOT_BE_SHOWN]
    check_looks(page, urls, prepare=says_why, widths=(360,))

    # Neither can the part after a form without its token.
    page.goto(f"{live_server.url}/skripte/")
    page.context.clear_cookies()
    page.get_by_role("button", name="Ohne Frage").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bitte noch einmal senden")
    check_look(page, widths=(360,))


def test_clocks_follow_the_server_and_announce_the_last_minutes(
    page: Page, live_server: LiveServer
) -> None:
    page.clock.install(time="2031-01-01T12:00:00")  # a device with a clock years ahead
    page.goto(f"{live_server.url}/bausteine/")
    ago = page.locator("time[data-ago]").first
    countdown = page.locator(".clock-big time")
    short = page.locator(".card-number time").first
    expect(countdown).to_have_text(re.compile(r"^1:04:(0|1)\d$"))
    expect(ago).to_have_text("vor 2 min")
    expect(short).to_have_class(re.compile("is-soon"))

    page.clock.fast_forward("03:00")
    expect(ago).to_have_text("vor 5 min")
    page.clock.fast_forward("07:00")
    expect(countdown).to_have_text(re.compile(r"^0?54:(0|1)\d$|^53:5\d$"))
    page.clock.fast_forward("05:00")

    expect(short).to_have_text("Zeit ist um")
    expect(short).to_have_class(re.compile("is-over"))


def test_times_are_correct_and_dialogs_open_without_scripts(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(java_script_enabled=False, locale="de-DE")
    page = context.new_page()
    page.goto(f"{live_server.url}/bausteine/")
    expect(page.locator(".clock-big time")).to_have_text(re.compile(r"^bis \d\d:\d\d\sUhr$"))
    expect(page.get_by_role("button", name="Hell oder dunkel")).to_be_hidden()
    dialog = page.locator("dialog#zeit")
    expect(dialog).to_be_hidden()

    page.get_by_role("link", name="Zeit zugeben").click()
    expect(dialog.get_by_role("button", name="Zugeben")).to_be_visible()
    dialog.get_by_role("link", name="Abbrechen").click()

    expect(dialog).to_be_hidden()
    context.close()


def test_components_work_by_keyboard_on_paper_and_in_both_colour_schemes(
    page: Page, live_server: LiveServer
) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{live_server.url}/bausteine/")

    a_dialog_is_accessible_and_gives_the_focus_back(page)
    the_name_opens_roles_and_account_until_escape(page)
    page.emulate_media(color_scheme="dark")
    a_printed_page_shows_the_content_only(page)
    page.emulate_media(color_scheme="light", media="screen")

    page.get_by_role("button", name="Hell oder dunkel").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(f"{live_server.url}/skripte/", wait_until="commit")
    the_chosen_colours_apply_before_the_first_paint(page)


def a_dialog_is_accessible_and_gives_the_focus_back(page: Page) -> None:
    opener = page.get_by_role("link", name="Zeit zugeben")
    opener.focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Zeit zugeben")).to_be_visible()
    check_look(page, widths=(360,))
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(opener).to_be_focused()


def the_name_opens_roles_and_account_until_escape(page: Page) -> None:
    name = page.locator("summary", has_text="M. Brandt")
    name.focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Rollen")).to_be_visible()
    check_look(page, widths=(360,))
    page.keyboard.press("Escape")

    expect(page.get_by_role("link", name="Rollen")).to_be_hidden()
    expect(name).to_be_focused()


def a_printed_page_shows_the_content_only(page: Page) -> None:
    page.emulate_media(media="print")

    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.get_by_role("button", name="Annehmen").first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_css("color", "rgb(0, 0, 0)")
    expect(page.locator("body")).to_have_css("font-size", "14.6667px")  # 11 pt


def the_chosen_colours_apply_before_the_first_paint(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    switch = page.get_by_role("button", name="Hell oder dunkel")
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator("body")).to_have_css("color", "rgb(243, 239, 228)")


def test_forms_confirm_submit_once_and_show_refusals(
    page: Page, live_server: LiveServer, guard: Guard
) -> None:
    guard.allow("500")
    guard.allow(LOST_CONNECTION)
    page.goto(f"{live_server.url}/skripte/")

    arrows_choose_and_enter_takes(page)
    a_lost_connection_is_reported_until_restored(page)
    page.reload()  # a refused form comes back without its button
    for status in (409, 422):
        a_refusal_replaces_its_part_and_the_focus_stays_in_the_field(page, status)
    a_server_error_is_reported_and_replaces_nothing(page)
    a_question_is_asked_before_a_form_is_sent(page)
    page.goto(f"{live_server.url}/skripte/")
    two_clicks_send_a_form_once(page)


def arrows_choose_and_enter_takes(page: Page) -> None:
    page.get_by_label("Name").press_sequentially("kü")
    expect(page.locator(".result")).to_have_count(2)
    expect(page.locator(".result.is-selected")).to_have_text("Kühn, Anna")

    page.keyboard.press("ArrowDown")
    expect(page.locator(".result.is-selected")).to_have_text("Kühne, Altmut")
    expect(page.get_by_text("Kühne, Altmut, 2 von 2")).to_be_attached()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator("#chosen")).to_have_text("Kühne, Altmut")


def a_refusal_replaces_its_part_and_the_focus_stays_in_the_field(page: Page, status: int) -> None:
    field = page.get_by_label(f"Feld {status}")
    field.focus()

    page.keyboard.press("Enter")

    refusal = page.get_by_role("alert").filter(has_text=f"Abgelehnt mit {status}.")
    expect(refusal).to_have_text(f"Abgelehnt mit {status}.")
    expect(field).to_be_focused()


def a_server_error_is_reported_and_replaces_nothing(page: Page) -> None:
    page.get_by_role("button", name="Senden 500").click()

    said = page.get_by_role("alert").filter(has_text="Das hat nicht geklappt")
    expect(said).to_be_visible()
    expect(page.get_by_role("button", name="Senden 500")).to_be_visible()


def a_lost_connection_is_reported_until_restored(page: Page) -> None:
    note = page.get_by_text("Keine Verbindung zum Turnierrechner.")

    page.context.set_offline(True)
    page.get_by_role("button", name="Senden 409").click()
    expect(note).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Senden 409").click()

    expect(note).to_be_hidden()


def a_question_is_asked_before_a_form_is_sent(page: Page) -> None:
    look_urls.sent.clear()
    button = page.get_by_role("button", name="Mit Frage")
    dialog = page.get_by_role("dialog", name="Wirklich zählen?")

    button.click()
    dialog.get_by_role("button", name="Abbrechen").click()
    expect(dialog).to_be_hidden()
    assert look_urls.sent == []

    button.click()
    with page.expect_navigation():
        dialog.get_by_role("button", name="Zählen").click()
    assert look_urls.sent == ["/gezaehlt/"]


def two_clicks_send_a_form_once(page: Page) -> None:
    look_urls.sent.clear()

    with page.expect_navigation():
        page.get_by_role("button", name="Ohne Frage").dblclick(no_wait_after=True)

    assert look_urls.sent == ["/gezaehlt/"]
