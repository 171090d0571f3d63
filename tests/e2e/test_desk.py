"""The desk in a browser: faster than a pencil, by keyboard alone."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, Request, Route, expect

from tests.clients import Client
from tests.e2e.browser import check_looks, open_for_typing
from tests.factories import make_club, make_member, make_person, make_registration, make_tournament
from tournaments.cash.queries import balances
from tournaments.models import Person, Registration, Role, Separation, Tournament, User

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
    """Wait until the results match all of *text*, not only its first letters."""
    expect(page.locator("#q")).to_have_attribute("data-asked", text)
    expect(page.locator("#q[data-pending], #q.htmx-request")).to_have_count(0)


def found(page: Page) -> Locator:
    """The name that Enter would take."""
    return page.locator("#found .is-selected .result-name")


def search(page: Page, letters: str, *, who: str) -> None:
    """Type letters until the expected person is the first match."""
    page.keyboard.type(letters)
    wait_for_the_answer(page, letters)
    expect(found(page)).to_have_text(who)


def expect_done(page: Page, *words: str) -> None:
    """Wait until a registration is done and the field is ready for the next."""
    for text in words:
        expect(page.locator(".desk-done")).to_contain_text(text)
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")


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


# --- Ahead of the answers -------------------------------------------------------------------


def answer_late(page: Page) -> None:
    """Let every answer take 300 ms, as where the server is far away."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    late = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", late)


def registered() -> list[str]:
    """The names of all, as they came."""
    return [str(registration.person) for registration in Registration.objects.order_by("number")]


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
