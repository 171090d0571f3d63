"""The desk in a browser: faster than a pencil, by keyboard alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import check_looks, open_for_typing
from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tournaments.cash.queries import balances
from tournaments.models import Registration, Role, Separation, Tournament, User

pytestmark = pytest.mark.django_db(transaction=True)


def soon(**fields) -> Tournament:
    return make_tournament(
        name="Herbstturnier 2026", starts_at=timezone.now() + timedelta(hours=2), **fields
    )


def log_in(
    context: BrowserContext, live_server, tournament: Tournament, role: Role = Role.KASSE
) -> None:
    log_in_as(make_member(tournament, role), context, live_server)


def log_in_as(user: User, context: BrowserContext, live_server) -> None:
    """Give the browser a session without the form, which has tests of its own."""
    client = Client()
    client.force_login(user)
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


def answer_late(page: Page) -> None:
    """Let every answer take 300 ms, as where the server is far away."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    late = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", late)


def test_names_typed_ahead_come_out_whole_and_nobody_else_is_charged(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    for first_name, last_name in (("Ulla", "Schäfer"), ("Maxi", "Huber"), ("Josef", "Maier")):
        make_person(first_name, last_name)
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    answer_late(page)

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
    who = [str(one.person) for one in Registration.objects.order_by("number")]
    assert who == ["Ursula Schäfer", "Max Huber", "Eva Berg", "Josef Maier"]
    assert balances.till_cents(tournament) == 4 * 1500


def test_a_name_typed_ahead_that_can_mean_two_waits_for_somebody_to_look(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    for first_name, last_name in (("Anna", "Müller"), ("Bernd", "Müller"), ("Max", "Huber")):
        make_person(first_name, last_name)
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    answer_late(page)

    for name in ("müller", "huber"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    expect(page.locator("#ahead")).to_have_text("Der Reihe nach: müller · huber")
    expect(page.locator("#found .is-selected .result-name")).to_have_text("Müller, Anna")
    assert not Registration.objects.exists()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Huber, Max")
    who = [str(one.person) for one in Registration.objects.order_by("number")]
    assert who == ["Bernd Müller", "Max Huber"]


def test_what_was_typed_ahead_waits_behind_a_refusal(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    banned = make_person("Anna", "Kühn")
    make_person("Max", "Huber")
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    page.keyboard.type("kühn")
    wait_for_the_answer(page, "kühn")
    make_registration(tournament, banned, status="registered")  # at another desk, a moment ago
    answer_late(page)
    page.keyboard.press("Enter")
    page.keyboard.type("huber")
    page.keyboard.press("Enter")

    expect(page.locator("#work [role=alert]")).to_contain_text("Anna Kühn ist schon mit Nr. 1")
    expect(page.locator("#ahead")).to_have_text("Der Reihe nach: huber – Enter fährt fort")
    page.keyboard.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Huber, Max")


def test_a_form_is_left_by_escape_and_names_are_changed_over(
    page: Page, context: BrowserContext, live_server
):
    tournament = soon()
    make_club("SC Gera")
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
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

    expect(page.locator(".desk-done")).to_contain_text("Müller, Hannelore")


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
    expect(page.locator("#q")).to_have_value("")
    for route in held:
        route.continue_()

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
    one = make_registration(tournament, fixed_table=3)
    two = make_registration(
        tournament,
        make_person("Hans-Joachim", "von und zu Hohenstein-Müllerburg"),
        status="registered",
    )
    Separation.objects.create(tournament=tournament, first=one, second=two)
    make_person(club=make_club("Erster Rommé- und Skatverein der Bergstadt Altenburg 1887 e. V."))
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)

    check_looks(page, [desk_url(live_server, tournament, path.format(pk=one.pk)) for path in PAGES])
