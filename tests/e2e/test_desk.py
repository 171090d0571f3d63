"""The desk in a browser: faster than a pencil, by keyboard alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import check_look, open_for_typing
from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tournaments.models import Registration, Role, Separation, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def soon(**fields) -> Tournament:
    return make_tournament(
        name="Herbstturnier 2026", starts_at=timezone.now() + timedelta(hours=2), **fields
    )


def log_in(
    context: BrowserContext, live_server, tournament: Tournament, role: Role = Role.KASSE
) -> None:
    client = Client()
    client.force_login(make_member(tournament, role))
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])


def desk_url(live_server, tournament: Tournament, path: str = "") -> str:
    return f"{live_server.url}/turniere/{tournament.slug}/meldungen/{path}"


def wait_for_the_answer(page: Page, text: str) -> None:
    """Wait until what is shown was found for all of *text*, not only for its first letters."""
    expect(page.locator("#q")).to_have_attribute("data-asked", text)
    expect(page.locator("#q[data-pending], #q.htmx-request")).to_have_count(0)


def test_arrows_choose_and_a_new_person_is_one_line(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_person("Anna", "Kühn")
    make_person("Bernd", "Kühne")
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))

    page.keyboard.type("kühn")
    wait_for_the_answer(page, "kühn")
    expect(page.locator("#found .is-selected .result-name")).to_have_text("Kühn, Anna")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".desk-done")).to_contain_text("Kühne, Bernd")

    page.keyboard.type("sommer, clara, SC Gera")
    expect(page.locator("#found .new")).to_contain_text("sommer, clara, SC Gera")
    page.keyboard.press("F2")
    expect(page.locator("#id_last_name")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Sommer, Clara")
    expect(page.locator(".desk-done")).to_contain_text("SC Gera")


def test_who_is_nearly_called_so_is_taken_by_a_key_of_its_own(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_person("Bert", "Be")
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    page.keyboard.type("Berg, Bert")
    wait_for_the_answer(page, "Berg, Bert")
    expect(page.locator("#found .is-selected .result-name")).to_have_text("+ Neu: „Berg, Bert“")
    expect(page.locator("#found .meant .result-name")).to_have_text("Be, Bert")

    page.keyboard.press("F4")

    expect(page.locator(".desk-done")).to_contain_text("Be, Bert")


def test_a_late_answer_of_the_search_does_not_take_away_what_was_chosen(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    page.keyboard.type("sommer, clara")
    expect(page.locator("#found .new")).to_contain_text("sommer, clara")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/neu/**", hold)

    page.keyboard.press("F2")
    with page.expect_response("**/?q=sommer*x"):
        page.keyboard.type("x")
    held[0].continue_()

    expect(page.locator("#id_last_name")).to_have_value("Sommer")


def test_the_same_letters_are_asked_for_once_so_that_the_choice_stays(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_person("Anna", "Kühn")
    make_person("Bernd", "Kühne")
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    page.keyboard.type("kühn")
    wait_for_the_answer(page, "kühn")
    chosen = page.locator("#found .is-selected .result-name")
    expect(chosen).to_have_text("Kühn, Anna")
    page.keyboard.press("ArrowDown")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.locator("#q").dispatch_event("late")
    page.keyboard.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Kühne, Bernd")
    assert not [url for url in asked if "q=k" in url]


@pytest.mark.parametrize(
    ("others", "done"),
    [pytest.param((), 1, id="one is found"), pytest.param(("Kühne",), 0, id="two are found")],
)
def test_enter_before_the_answer_counts_if_it_can_mean_only_one(
    page: Page, context: BrowserContext, live_server, others: tuple[str, ...], done: int
):
    tournament = soon()
    for name in ("Kühn", *others):
        make_person("Anna", name)
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/?q=*", hold)
    with page.expect_request("**/?q=k*hn"):
        page.keyboard.type("kühn")

    page.keyboard.press("Enter")
    held[-1].continue_()

    expect(page.locator(".desk-done")).to_have_count(done)
    expect(page.locator("#found .is-selected")).to_have_count(1 - done)


def test_letters_typed_before_the_page_listens_are_searched_for(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_person("Anna", "Kühn")
    log_in(context, live_server, tournament)
    # As a fast hand does: the letters are there before any script has run.
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded',"
        " () => { document.getElementById('q').value = 'kue'; }, { capture: true, once: true })"
    )

    page.goto(desk_url(live_server, tournament))

    expect(page.locator("#found .is-selected .result-name")).to_have_text("Kühn, Anna")


def test_the_other_desks_see_what_happened_without_reloading(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    log_in(context, live_server, tournament)
    page.goto(desk_url(live_server, tournament))
    expect(page.locator("#counters .card-number").first).to_have_text("0")
    other = context.new_page()
    make_person("Anna", "Kühn")
    open_for_typing(other, desk_url(live_server, tournament))

    other.keyboard.type("kühn")
    expect(other.locator("#found .is-selected .result-name")).to_have_text("Kühn, Anna")
    other.keyboard.press("Enter")

    expect(page.locator("#counters .card-number").first).to_have_text("1")
    expect(page.locator("#recent")).to_contain_text("1 · Kühn, Anna")


def test_news_that_were_asked_for_before_somebody_was_registered_are_not_waited_for(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_person("Anna", "Kühn")
    log_in(context, live_server, tournament)
    page.clock.install()
    open_for_typing(page, desk_url(live_server, tournament))
    held: list[Route] = []
    page.route("**/meldungen/stand/**", lambda route: held.append(route))  # noqa: PLW0108
    page.keyboard.type("kühn")
    page.clock.run_for(500)
    wait_for_the_answer(page, "kühn")
    with page.expect_request("**/meldungen/stand/**") as asked:
        page.clock.run_for(4000)

    with page.expect_event("requestfailed", lambda request: request == asked.value):
        page.keyboard.press("Enter")

    expect(page.locator("#counters .card-number").first).to_have_text("1")
    # The new counters ask again, with what they know by now.
    with page.expect_request("**/meldungen/stand/**") as again:
        page.clock.run_for(4000)
    assert again.value.url != asked.value.url


def test_a_registration_is_taken_back_from_the_row_of_the_last_ones(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    one = make_registration(tournament, make_person("Anna", "Kühn"))
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(desk_url(live_server, tournament))

    page.get_by_role("button", name=re.compile("zurücknehmen.*Kühn, Anna")).click()
    expect(page.locator("#confirm-dialog")).to_contain_text("Bezahlt ist nichts")
    page.get_by_role("button", name="Zurücknehmen", exact=True).click()

    expect(page.locator("#messages")).to_contain_text("Kühn, Anna")
    one.refresh_from_db()
    assert one.status == Registration.Status.WITHDRAWN


def test_desk_works_without_javascript(browser, live_server):
    tournament = soon()
    make_person("Anna", "Kühn")
    context = browser.new_context(java_script_enabled=False)
    log_in(context, live_server, tournament)
    page = context.new_page()
    page.goto(desk_url(live_server, tournament))

    page.fill("#q", "kue")
    page.press("#q", "Enter")
    page.get_by_role("button", name="Kühn, Anna").click()

    expect(page.locator(".desk-done")).to_contain_text("Kühn, Anna")
    context.close()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("", id="empty field"),
        pytest.param("?q=muster", id="found"),
        pytest.param("?q=Erster Verien Anna", id="nearly"),
        pytest.param("neu/?q=neu", id="new person"),
        pytest.param("liste/", id="list"),
        pytest.param("{pk}/", id="registration"),
        pytest.param("?fertig={pk}", id="done"),
    ],
)
def test_pages_of_the_desk_look_right_everywhere(
    page: Page, context: BrowserContext, live_server, path: str
):
    tournament = soon(places=40)
    one = make_registration(tournament, fixed_table=3)
    two = make_registration(
        tournament,
        make_person("Hans-Joachim", "von und zu Hohenstein-Müllerburg"),
        status="registered",
    )
    Separation.objects.create(tournament=tournament, first=one, second=two)
    make_person(club=make_club("Erster Rommé- und Skatverein der Bergstadt Altenburg 1887 e. V."))
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)

    page.goto(desk_url(live_server, tournament, path.format(pk=one.pk)))

    check_look(page)
