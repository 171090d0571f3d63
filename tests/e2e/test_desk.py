"""The desk in a browser: faster than a pencil, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.e2e.browser import check_looks, open_for_typing
from tests.e2e.desk_page import desk_url, expect_done, search, soon, wait_for_the_answer
from tests.e2e.login import log_in
from tests.factories import make_club, make_person, make_registration
from tournaments.models import Registration, Role, Separation, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


# --- By keyboard alone ----------------------------------------------------------------------


def test_people_are_selected_created_matched_and_undone(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    for first_name, last_name in (
        ("Anna", "Kühn"),
        ("Ida", "Kühne"),
        ("Bert", "Be"),
        ("Karl", "Zahn"),
    ):
        make_person(first_name, last_name)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    open_for_typing(page, desk_url(live_server, tournament))

    arrows_select_and_equal_letters_search_once(page)
    a_new_person_is_one_line(page)
    escape_leaves_a_form_and_names_are_swapped(page)
    a_similar_name_has_its_own_key(page)
    a_card_payment_has_its_own_key(page)

    make_registration(tournament, make_person("Ulla", "Lang"))
    page.reload()
    page.get_by_role("button", name=re.compile("Zurücknehmen.*Lang, Ulla")).click()
    expect(page.locator("#confirm-dialog")).to_contain_text("Bezahlt ist nichts")
    page.get_by_role("button", name="Zurücknehmen", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("Lang, Ulla")
    lang = Registration.objects.get(person__last_name="Lang")
    assert lang.status == Registration.Status.WITHDRAWN


def arrows_select_and_equal_letters_search_once(page: Page) -> None:
    search(page, "kühn", who="Kühn, Anna")
    page.keyboard.press("ArrowDown")
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.locator("#q").dispatch_event("late")
    page.keyboard.press("Enter")

    expect_done(page, "Kühne, Ida")
    assert not [url for url in asked if "q=k" in url]
    page.remove_listener("request", note)


def a_new_person_is_one_line(page: Page) -> None:
    page.keyboard.type("sommer, clara, SC Gera")
    expect(page.locator("#found .new")).to_contain_text("sommer, clara, SC Gera")
    page.keyboard.press("F2")
    expect(page.locator("#id_last_name")).to_be_focused()
    page.keyboard.press("Enter")

    expect_done(page, "Sommer, Clara", "SC Gera")


def escape_leaves_a_form_and_names_are_swapped(page: Page) -> None:
    page.keyboard.type("Müller Hannelore")
    page.keyboard.press("F2")
    expect(page.locator("#id_last_name")).to_have_value("Hannelore")
    expect(page.locator("#id_last_name")).to_be_focused()
    expect(page.locator("#clubs option")).to_have_count(1)

    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("Müller Hannelore")
    expect(page.locator("#found form")).to_have_count(0)
    page.keyboard.press("F2")
    expect(page.locator("#id_last_name")).to_be_focused()
    page.keyboard.press("F8")
    expect(page.locator("#id_last_name")).to_have_value("Müller")
    page.keyboard.press("Enter")

    expect_done(page, "Müller, Hannelore")


def a_similar_name_has_its_own_key(page: Page) -> None:
    search(page, "Berg, Bert", who="+ Neu: „Berg, Bert“")
    expect(page.locator("#found .meant .result-name")).to_have_text("Be, Bert")

    page.keyboard.press("F4")

    expect_done(page, "Be, Bert")


def a_card_payment_has_its_own_key(page: Page) -> None:
    search(page, "zahn", who="Zahn, Karl")

    page.keyboard.press("Shift+Enter")

    expect_done(page, "Zahn, Karl")
    expect(page.locator("#recent")).to_contain_text("15,00\N{NO-BREAK SPACE}€ Karte")


# --- Beside other desks ---------------------------------------------------------------------


def test_other_desks_see_new_acts_without_waiting(page: Page, context: BrowserContext, live_server):
    tournament = soon()
    for name in ("Kühn", "Vogt"):
        make_person("Anna", name)
    log_in(context, live_server, tournament)
    page.goto(desk_url(live_server, tournament))
    counter = page.locator("#counters .card-number").first
    expect(counter).to_have_text("0")
    other = context.new_page()
    open_for_typing(other, desk_url(live_server, tournament))
    search(other, "kühn", who="Kühn, Anna")
    other.keyboard.press("Enter")
    expect(counter).to_have_text("1")
    expect(page.locator("#recent")).to_contain_text("1 · Kühn, Anna")
    other.close()

    page.clock.install()
    open_for_typing(page, desk_url(live_server, tournament))
    held: list[Route] = []
    page.route("**/meldungen/stand/**", lambda route: held.append(route))  # noqa: PLW0108
    page.keyboard.type("vogt")
    page.clock.run_for(500)
    wait_for_the_answer(page, "vogt")
    with page.expect_request("**/meldungen/stand/**") as asked:
        page.clock.run_for(4000)
    with page.expect_event("requestfailed", lambda request: request == asked.value):
        page.keyboard.press("Enter")
    expect(counter).to_have_text("2")
    # The new counters poll again with their current revision.
    with page.expect_request("**/meldungen/stand/**") as again:
        page.clock.run_for(4000)
    assert again.value.url != asked.value.url


# --- Without scripts, and on every device ---------------------------------------------------


def test_desk_works_without_javascript(browser, live_server):
    tournament = soon()
    make_person("Anna", "Kühn")
    context = browser.new_context(java_script_enabled=False, locale="de-DE")
    log_in(context, live_server, tournament)
    page = context.new_page()
    page.goto(desk_url(live_server, tournament))

    page.fill("#q", "kue")
    page.press("#q", "Enter")
    page.get_by_role("button", name="Kühn, Anna", exact=True).click()

    expect(page.locator(".desk-done")).to_contain_text("Kühn, Anna")
    a_family_pays_by_buttons(page, tournament)
    context.close()


def a_family_pays_by_buttons(page: Page, tournament: Tournament) -> None:
    for name in ("Lang", "Vogt"):
        make_person("Ida", name)
        page.fill("#q", name)
        page.press("#q", "Enter")
        page.get_by_role("button", name=f"mit anderen Ida {name}").click()
    page.fill("#q", "Sommer, Clara")
    page.press("#q", "Enter")
    page.get_by_role("link", name="Neu: „Sommer, Clara“").click()
    page.get_by_role("button", name="Mit anderen zahlen").click()
    page.get_by_role("button", name="Zusammen kassieren").click()

    expect(page.locator(".desk-done")).to_contain_text("45,00 € erhalten")
    assert tournament.receipts.last().payer == "Ida Lang, Ida Vogt, Clara Sommer"


PAGES = (
    "",
    "?q=muster",  # found
    "?q=Erster Verien Anna",  # nearly
    "neu/?q=neu",
    "liste/",
    "{pk}/",
    "?fertig={pk}",
)


def test_pages_of_the_desk_look_right_everywhere(page: Page, context: BrowserContext, live_server):
    tournament = soon(places=40)
    registration = make_registration(tournament, fixed_table=3)
    two = make_registration(
        tournament,
        make_person("Hans-Joachim", "von und zu Hohenstein-Müllerburg"),
        status="registered",
    )
    Separation.objects.create(tournament=tournament, first=registration, second=two)
    make_person(club=make_club("Erster Rommé- und Skatverein der Bergstadt Altenburg 1887 e. V."))
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)

    check_looks(
        page, [desk_url(live_server, tournament, path.format(pk=registration.pk)) for path in PAGES]
    )
