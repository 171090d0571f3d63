"""The desk in a browser: letters and keys typed before the answer is there."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import open_for_typing
from tests.e2e.desk_page import (
    answer_late,
    desk_url,
    expect_done,
    found,
    registered,
    search,
    soon,
    wait_for_the_answer,
)
from tests.e2e.login import log_in
from tests.factories import make_person, make_registration
from tournaments.cash.queries import balances
from tournaments.models import Person, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def test_typing_ahead_charges_the_right_person(page: Page, context: BrowserContext, live_server):
    tournament = soon()
    known = "Ulla Schäfer, Maxi Huber, Josef Maier, Anna Müller, Bernd Müller, Max Vogt, Anna Kühn"
    for name in known.split(", "):
        make_person(*name.split())
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    answer_late(page)

    names_are_read_whole(page, tournament)
    an_ambiguous_name_waits_for_a_selection(page)
    later_input_waits_behind_a_refusal(page, tournament)


def names_are_read_whole(page: Page, tournament: Tournament) -> None:
    for name in ("Schäfer, Ursula", "Huber, Max", "Berg, Eva"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    page.keyboard.type("maier")
    page.keyboard.press("Enter")
    page.keyboard.type("Kur")

    expect(page.locator(".desk-done")).to_contain_text("Maier, Josef")
    expect(page.locator("#q")).to_have_value("Kur")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#found .new")).to_have_text("+ Neu: „Kur“")
    assert registered() == ["Ursula Schäfer", "Max Huber", "Eva Berg", "Josef Maier"]
    assert balances.till_cents(tournament) == 4 * 1500


SHOWN = """() => new Promise((seen) => {
  const look = () => document.querySelector("[data-typed='müller'] .is-selected") && seen();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
})"""


def an_ambiguous_name_waits_for_a_selection(page: Page) -> None:
    page.locator("#q").fill("")
    held: list[Route] = []
    page.route("**/?q=*", lambda route: held.append(route))  # noqa: PLW0108
    with page.expect_request(f"**/?q={quote('müller')}"):
        page.keyboard.type("müller")
    page.keyboard.press("Enter")
    page.keyboard.type("vogt")
    page.keyboard.press("Enter")
    expect(page.locator("#ahead")).to_have_text("Der Reihe nach: müller · vogt")
    assert len(registered()) == 4

    # Keys pressed as soon as the names appear count, also on a slow laptop.
    processor = page.context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 20})
    for route in held:
        route.continue_()
    page.unroute("**/?q=*")
    page.evaluate(SHOWN)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    expect_done(page, "Vogt, Max")
    assert registered()[4:] == ["Bernd Müller", "Max Vogt"]


def is_sent(route: Route) -> bool:
    return route.request.method == "POST"


def later_input_waits_behind_a_refusal(page: Page, tournament: Tournament) -> None:
    search(page, "kühn", who="Kühn, Anna")
    # At another desk, a moment ago.
    make_registration(tournament, Person.objects.get(last_name="Kühn"), status="registered")
    held: list[Route] = []
    page.route("**/*", lambda route: held.append(route) if is_sent(route) else route.continue_())
    page.keyboard.press("Enter")
    page.keyboard.type("maxi")
    page.keyboard.press("Enter")
    expect(page.locator("#ahead")).to_contain_text("maxi")
    while not held:
        page.evaluate("0")
    held[0].continue_()
    page.unroute("**/*")

    expect(page.locator("#work [role=alert]")).to_contain_text("Anna Kühn ist schon mit Nr. 7")
    expect(page.locator("#ahead")).to_have_text("Der Reihe nach: maxi – Enter fährt fort")
    page.keyboard.press("Enter")

    expect_done(page, "Huber, Maxi")


def test_an_early_enter_counts_if_one_person_matches(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    for name in ("Vogt", "Kühn", "Kühne"):
        make_person("Anna", name)
    log_in(context, live_server, tournament)
    # As a fast hand does: the letters are there before any script has run.
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded',"
        " () => { document.getElementById('q').value = 'kue'; }, { capture: true, once: true })"
    )
    page.goto(desk_url(live_server, tournament))
    expect(found(page)).to_have_text("Kühn, Anna")
    page.locator("#q").fill("")
    wait_for_the_answer(page, "")

    enter_before_the_answer(page, "vogt")
    expect_done(page, "Vogt, Anna")
    expect(found(page)).to_have_count(0)

    enter_before_the_answer(page, "kühn")
    expect(found(page)).to_have_count(1)
    expect(page.locator(".desk-done", has_text="Kühn")).to_have_count(0)
    assert registered() == ["Anna Vogt"]

    the_form_of_a_new_person_survives_a_pending_search(page)


def enter_before_the_answer(page: Page, name: str) -> None:
    """Type a name and press Enter while the server has not answered yet."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/?q=*", hold)
    with page.expect_request(f"**/?q={quote(name)}"):
        page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_have_value("")
    for route in held:
        route.continue_()
    page.unroute("**/?q=*", hold)


def the_form_of_a_new_person_survives_a_pending_search(page: Page) -> None:
    """A pending search is aborted, because its answer would replace the form."""
    held: list[Route] = []
    page.route("**/?q=*", lambda route: held.append(route))  # noqa: PLW0108
    page.locator("#q").fill("")
    with page.expect_request(f"**/?q={quote('sommer')}") as asked:
        page.keyboard.type("sommer")
    with page.expect_event("requestfailed", lambda request: request == asked.value):
        page.keyboard.press("F2")

    expect(page.locator("#id_last_name")).to_have_value("Sommer")
