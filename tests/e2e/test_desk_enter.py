"""The desk on the slowest laptop: keys pressed as soon as the names are seen, and namesakes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import check_look, open_for_typing
from tests.e2e.desk_page import (
    answer_late,
    desk_url,
    expect_done,
    registered,
    search,
    soon,
    wait_for_the_answer,
)
from tests.e2e.login import log_in
from tests.factories import make_club, make_person
from tournaments.models import Receipt, Registration

pytestmark = pytest.mark.django_db(transaction=True)

# Resolved in the moment in which the names are put on the page, before any script hears of it.
NAMES_ARE_THERE = """() => new Promise((seen) => {
  const look = () => document.querySelector("#found")?.textContent.includes("Müller,") && seen();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
})"""


@contextmanager
def slowed(page: Page) -> Iterator[None]:
    """Slow the processor 20 times."""
    processor = page.context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 20})
    try:
        yield
    finally:
        processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})


@pytest.fixture
def desk(page: Page, context: BrowserContext, live_server) -> Page:
    tournament = soon()
    for name in ("Anna Müller", "Bernd Müller", "Max Vogt"):
        make_person(*name.split())
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    return page


def press_keys_as_names_arrive(page: Page, *before: str) -> None:
    """Type „müller“ and further keys before the answer; press ArrowDown and Enter as it arrives."""
    held: list[Route] = []
    page.route("**/?q=*", lambda route: held.append(route))  # noqa: PLW0108
    with page.expect_request(f"**/?q={quote('müller')}"):
        page.keyboard.type("müller")
    for typed in before:
        if typed == "Enter":
            page.keyboard.press(typed)
        else:
            page.keyboard.type(typed)
    with slowed(page):
        for route in held:
            route.continue_()
        page.unroute("**/?q=*")
        page.evaluate(NAMES_ARE_THERE)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param((), id="the answer is waited for"),
        pytest.param(("Enter",), id="Enter came before the answer"),
    ],
)
def test_arrow_and_enter_work_as_soon_as_names_appear(desk: Page, before: tuple[str, ...]):
    press_keys_as_names_arrive(desk, *before)

    expect_done(desk, "Müller, Bernd")
    assert registered() == ["Bernd Müller"]


def test_an_early_enter_does_not_submit_a_new_person(desk: Page):
    press_keys_as_names_arrive(desk, "Enter", "Sommer, Clara, SC Gera", "Enter")

    expect(desk.locator("#id_last_name")).to_have_value("Sommer")
    expect(desk.locator(".desk-done")).to_contain_text("Müller, Bernd")
    expect(desk.locator("#found > form")).to_be_visible()
    assert registered() == ["Bernd Müller"]


def test_letters_typed_during_an_older_answer_are_searched(desk: Page):
    desk.evaluate(
        """() => document.addEventListener("htmx:beforeSwap", () => {
          document.execCommand("insertText", false, "er");
        }, { once: true })"""
    )
    desk.keyboard.insert_text("müll")

    wait_for_the_answer(desk, "müller")
    expect(desk.locator("#found")).to_have_attribute("data-typed", "müller")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    expect_done(desk, "Müller, Bernd")


def test_the_form_of_a_new_person_has_the_focus_even_if_it_opens_late(desk: Page):
    answer_late(desk)
    desk.keyboard.type("vogt")
    desk.keyboard.press("Enter")
    desk.keyboard.type("Ibis")
    desk.keyboard.press("F2")

    expect(desk.locator("#id_last_name")).to_have_value("Ibis")
    expect(desk.locator("#id_last_name")).to_be_focused()


def test_a_family_typed_ahead_pays_together(desk: Page):
    answer_late(desk)
    for key in ("Sommer, Clara, SC Gera", "F9", "F9", "müller", "F9", "vogt", "F9"):
        if key == "F9":
            desk.keyboard.press(key)
        else:
            desk.keyboard.type(key)
    # Two namesakes: the chosen one pays with the others, and the last is next.
    expect(desk.locator("#found .result-name", has_text="Müller, Anna")).to_be_visible()
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-together")).to_contain_text("Vogt, Max")
    expect(desk.locator("#ahead")).to_be_hidden()
    desk.keyboard.press("Enter")

    expect_done(desk, "Vogt, Max", "Sommer, Clara", "45,00 € erhalten")
    assert registered() == ["Clara Sommer", "Anna Müller", "Max Vogt"]
    assert Receipt.objects.get().payer == "Clara Sommer, Anna Müller, Max Vogt"
    expect(desk.locator("#pay-together")).to_have_count(0)


# --- A scanner ------------------------------------------------------------------------------


def test_passes_scanned_in_a_row_are_processed_in_order(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon(is_open=False, closed_circle="Mitglieder", admission="members")
    make_person("Anna", "Kühn", member_number="1001", member_until=date(2099, 12, 31))
    make_person("Karl", "Berg", member_number="1002", member_until=date(2025, 12, 31))
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    answer_late(page)

    for number in ("1002", "1001"):
        page.keyboard.type(f"https://verband.example/pass/{number}")
        page.keyboard.press("Enter")

    expect_done(page, "Kühn, Anna", "15,00 € erhalten")
    statuses = Registration.objects.order_by("pk").values_list("person__last_name", "status")
    assert list(statuses) == [("Berg", "waiting"), ("Kühn", "paid")]
    check_look(page)


# --- Two of one name ------------------------------------------------------------------------


def test_enter_selects_no_namesake_before_an_arrow_key(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    for club in ("SC Gera", "SC Jena"):
        make_person("Anna", "Schmidt", club=make_club(club))
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))

    page.keyboard.type("schmidt")
    wait_for_the_answer(page, "schmidt")
    expect(page.locator("#found .shared")).to_have_count(2)
    expect(page.locator("#found .is-selected")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_have_value("schmidt")
    expect(page.locator("#ahead")).to_be_hidden()
    assert not Registration.objects.exists()
    check_look(page)
    page.locator("#q").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect_done(page, "Schmidt, Anna")
    assert Registration.objects.get().club.name == "SC Jena"

    a_typed_club_selects_one_namesake(page)


def a_typed_club_selects_one_namesake(page: Page) -> None:
    search(page, "schmidt, anna, tv kahla", who="+ Neu: „schmidt, anna, tv kahla“")
    expect(page.locator("#found .meant .result-part", has_text="SC")).to_have_count(2)
    check_look(page)
    page.locator("#q").focus()
    page.keyboard.press("F4")

    expect(page.locator(".desk-number")).to_contain_text("2")
    expect_done(page, "Schmidt, Anna")
    registrations = Registration.objects.all()
    assert sorted(registration.club.name for registration in registrations) == [
        "SC Gera",
        "SC Jena",
    ]
