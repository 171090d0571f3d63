"""Registering through the internet in a browser: every page fits, reads and works."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import zxingcpp
from django.urls import reverse
from django.utils import timezone
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import THEMES, check_look
from tests.e2e.login import log_in
from tests.factories import make_club, make_person, make_user
from tests.tournaments.desk.online.helpers import (
    IBAN,
    make_open_tournament,
    make_ranking,
    send_one,
    wanted,
)
from tournaments.desk.online.forms import entry as forms
from tournaments.models import Ban, Category, Ranking, Registration, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament with all fields in its form."""
    tournament = make_open_tournament(
        name="Herbstturnier 2026",
        venue="Gasthof Zur Linde",
        contact="Karla Otto",
        contact_phone="03447 123456",
        iban=IBAN,
        account_holder="SC Altenburg",
        kartengeld_cents=200,
        places=5,
    )
    Category.objects.create(
        tournament=tournament, name="Jugend", startgeld_cents=750, born_from=2008, position=1
    )
    make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)
    make_ranking(tournament, Ranking.Kind.TANDEM, stake_cents=300)
    make_ranking(tournament, Ranking.Kind.WOMEN, stake_cents=300)
    make_person(club=make_club("SC Altenburg"))
    return tournament


@pytest.fixture
def at(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """Open a page by the name of its address."""

    def go(name: str, *args: object) -> Page:
        page.goto(live_server.url + reverse(name, args=args))
        return page

    return go


def spoken(label: str, of_whom: str) -> re.Pattern[str]:
    """Return a button's name as a screen reader says it: the second half is not to be seen."""
    return re.compile(rf"{label}\s*: {of_whom}")


def check(page: Page) -> None:
    check_look(page, strong=True, least=44)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a browser that types faster than people pass."""
    monkeypatch.setattr(forms, "SECONDS_NEEDED", 0)


@pytest.mark.usefixtures("unhurried")
def test_a_club_registers_two_people_by_keyboard_after_a_mistake(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    page = at("entry:register", tournament.slug)
    check(page)
    the_honeypot_is_hidden_from_keyboard_and_screen_reader(page)
    a_mistake_is_shown_at_its_field_and_keeps_the_input(page)
    at("entry:register", tournament.slug)

    page.get_by_label("Nachname").press_sequentially("Kühn")
    page.keyboard.press("Tab")
    page.keyboard.type("Anna")
    page.keyboard.press("Tab")
    page.keyboard.type("SC Altenburg")
    page.keyboard.press("Tab")
    page.keyboard.type("1960")
    page.get_by_role("button", name="Weitere Person").press("Enter")

    second = page.get_by_role("group", name="Person 2")
    expect(second.get_by_label("Nachname")).to_be_focused()
    expect(second.get_by_label("Verein")).to_have_value("SC Altenburg")
    page.keyboard.type("Neu")
    second.get_by_label("Vorname").fill("Ida")
    second.get_by_label("Jahrgang").fill("2012")
    second.locator("summary", has_text="Weitere Wertungen").click()
    second.get_by_label("Tandem mit").fill("Anna Kühn")
    check(page)
    page.get_by_role("button", name="Senden").press("Enter")

    expect(page.get_by_text("2 Meldungen sind eingegangen.")).to_be_visible()
    facts = page.locator("dl.facts dd")
    expect(facts).to_have_text(
        ["Startnummer 1 · zu zahlen 17,00 €", "Startnummer 2 · zu zahlen 12,50 €", "29,50 €"]
    )
    check(page)
    page.get_by_role("link", name="Zur Meldung").click()
    expect(page.get_by_role("heading", name="Neu, Ida")).to_be_visible()
    assert list(Registration.objects.values_list("due_cents", flat=True)) == [1700, 1250]


def test_the_form_of_one_person_fits_two_screens_of_a_phone(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    page = at("entry:register", tournament.slug)
    page.set_viewport_size({"width": 360, "height": 800})
    form = page.locator("#form").bounding_box()
    assert form["y"] + form["height"] <= 2 * 800

    rankings = page.locator("details", has_text="Weitere Wertungen")
    expect(rankings).not_to_have_attribute("open", "")
    rankings.locator("summary").click()
    page.get_by_label("Damen").check()
    page.get_by_role("button", name="Weitere Person").click()
    expect(rankings).to_have_count(2)
    expect(rankings.first).to_have_attribute("open", "")  # the selection stays visible
    expect(rankings.last).not_to_have_attribute("open", "")


# Pressed as fast as a page can: each press before the answer to the one before.
PRESS_THRICE = "(press) => { press.click(); press.click(); press.click(); }"


@pytest.mark.usefixtures("unhurried")
def test_a_family_adds_and_removes_people_at_any_pace(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    page = at("entry:register", tournament.slug)
    people = page.locator("fieldset[id^=person-]")
    another = page.get_by_role("button", name="Weitere Person")
    page.get_by_label("Nachname").fill("Kühn")
    page.get_by_label("Vorname").fill("Anna")

    for number, first_name in enumerate(("Bernd", "Clara"), start=2):
        another.click()
        expect(people).to_have_count(number)
        people.last.get_by_label("Vorname").fill(first_name)
    another.evaluate(PRESS_THRICE)
    expect(people).to_have_count(4)
    expect(another).to_be_enabled()
    page.get_by_role("button", name=spoken("Diese Person entfernen", "Person 2")).click()
    expect(people).to_have_count(3)

    assert page.locator("form#form").count() == 1
    expect(page.get_by_label("Vorname")).to_have_count(3)
    expect(page.locator("[name=persons]")).to_have_value("3")
    assert [field.input_value() for field in page.get_by_label("Vorname").all()] == [
        "Anna",
        "Clara",
        "",
    ]


@pytest.mark.usefixtures("unhurried")
def test_a_form_about_to_be_replaced_accepts_no_input(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    page = at("entry:register", tournament.slug)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/meldung/", hold)
    page.get_by_label("Nachname").fill("Kühn")
    page.get_by_role("button", name="Weitere Person").click()
    expect(page.get_by_label("Vorname")).to_be_disabled()
    expect(page.get_by_role("button", name="Senden")).to_be_disabled()

    while not held:  # the browser has said that it asks
        page.evaluate("0")
    held[0].continue_()

    expect(page.get_by_label("Vorname")).to_have_count(2)
    expect(page.get_by_label("Vorname").first).to_be_enabled()
    expect(page.get_by_label("Nachname").first).to_have_value("Kühn")


def a_mistake_is_shown_at_its_field_and_keeps_the_input(page: Page) -> None:
    page.get_by_label("Nachname").fill("Kühn")
    page.get_by_label("Vorname").fill("Anna")
    page.locator("summary", has_text="Weitere Wertungen").click()
    page.get_by_label("Damen").check()
    page.get_by_label("Jahrgang").fill("1960")
    page.get_by_label("E-Mail").fill("anna@verein.example")

    page.get_by_role("button", name="Senden").click()

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Für „Damen“ fehlt eine Angabe: Geschlecht.")
    expect(page.get_by_label("Nachname")).to_have_value("Kühn")
    check(page)


def the_honeypot_is_hidden_from_keyboard_and_screen_reader(page: Page) -> None:
    trap = page.locator("[name=subject]")

    expect(trap).to_have_attribute("tabindex", "-1")
    assert "Betreff" not in page.locator("main").aria_snapshot()


def test_closed_and_full_forms_and_invalid_links_are_explained(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    Tournament.objects.update(online_registration=False)
    check(at("entry:register", tournament.slug))

    too_late = timezone.now() - timedelta(hours=1)
    deadline = tournament.registration_deadline
    Tournament.objects.update(online_registration=True, registration_deadline=too_late)
    check(at("entry:register", tournament.slug))

    Tournament.objects.update(registration_deadline=deadline)
    send_one(tournament, *[wanted("Anna" + "a" * row) for row in range(6)])
    page = at("entry:register", tournament.slug)
    expect(page.get_by_text("kommt auf die Warteliste")).to_be_visible()
    check(page)

    at("entry:registration", "falsch")
    expect(page.get_by_role("heading", name="Dieser Link gilt nicht")).to_be_visible()
    check(page)


def test_an_entry_page_shows_its_girocode_and_permits_changes(
    at: Callable[..., Page], tournament: Tournament
) -> None:
    alone = send_one(tournament, wanted("Olga"), form_key="alone")
    the_girocode_is_read_from_the_screen(at("entry:registration", alone.token))
    sent = send_one(
        tournament, wanted(), wanted("Ida", birth_year=2012), email="verein@altenburg.example"
    )
    page = at("entry:registration", sent.token)
    page.locator("summary").first.click()
    check(page)

    with page.expect_navigation():
        page.get_by_role("link", name=spoken("Ändern", "Kühn, Anna")).click()
    check(page)
    page.get_by_label("Mannschaft (4 Personen").check()
    page.get_by_label("Name der Mannschaft").fill("Altenburg I")
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Altenburg I", exact=True)).to_be_visible()

    with page.expect_navigation():
        page.get_by_role("link", name=spoken("Abmelden", "Kühn, Ida")).click()
    check(page)
    page.get_by_role("button", name="Abmelden").click()
    expect(page.get_by_text("Ida Kühn ist abgemeldet.")).to_be_visible()
    expect(page.get_by_text("22,00").first).to_be_visible()


def the_girocode_is_read_from_the_screen(page: Page) -> None:
    for scheme in THEMES:
        page.emulate_media(color_scheme=scheme)
        picture = page.get_by_role("img", name="Girocode").screenshot()
        (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
        assert code.text.split("\n")[5:8] == ["SC Altenburg", IBAN, "EUR17"], scheme
        assert code.text.endswith("Herbstturnier 2026 Nr. 1 Kühn Olga"), scheme


@pytest.fixture
def helper(context: BrowserContext, live_server: LiveServer, tournament: Tournament) -> None:
    """Return a page logged in as a helper of the desk."""
    log_in(context, live_server, tournament)


@pytest.mark.usefixtures("helper")
def test_the_inbox_settles_lines_put_aside(at: Callable[..., Page], tournament: Tournament) -> None:
    banned = make_person("Bernd", "Voß", club=make_club("1. Kahlaer SC"), birth_year=1955)
    Ban.objects.create(person=banned, reason="Tätlichkeit im Mai", created_by=make_user())
    send_one(tournament, wanted(publish_consent=True), email="verein@altenburg.example")
    send_one(tournament, form_key="again", email="anna@verein.example")
    send_one(
        tournament,
        wanted("Bernd", "Voß", club_name="1. Kahlaer SC", birth_year=1955),
        form_key="banned",
    )
    page = at("entry:inbox", tournament.slug)
    check(page)

    page.get_by_role("button", name=spoken("Dieselbe Person", "Kühn, Anna")).click()
    expect(page.get_by_text("Zugeordnet.")).to_be_visible()
    page.get_by_role("button", name=spoken("Nicht annehmen", "Voß, Bernd")).click()
    expect(page.get_by_role("heading", name="Zu klären")).to_have_count(0)

    page.get_by_role("button", name="Link verloren").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Neuer Link").click()
    expect(page.get_by_role("textbox", name="Neuer Link")).to_be_visible()
    check(page)
