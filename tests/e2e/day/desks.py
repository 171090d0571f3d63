"""Two desks register 23 people who were never here before, and take the Startgeld.

The first two and the last two are typed, one of each at either desk; what the desks send for those
in between is the same.
"""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.e2e.day.hall import Hall, go
from tests.e2e.day.plan import CLUBS, NAMES, PLAYERS, TIED
from tournaments.cash.queries import balances
from tournaments.models import Registration

USERS = ("kurt", "petra")
TYPED = 2  # at the beginning, and as many at the end


def register_all(hall: Hall) -> None:
    """Both desks work at the same time, in turn."""
    desks = [hall.page_of(user) for user in USERS]
    for desk in desks:
        go(desk, "Meldungen & Kasse")
    for number, name in enumerate(NAMES, start=1):
        if TYPED < number <= PLAYERS - TYPED:
            _send(hall, USERS[number % 2], number, name)
        else:
            _register(desks[number % 2], number, name)

    # What one desk did, the other sees without being loaded again.
    for desk in desks:
        expect(desk.locator("#counters .card-number").first).to_have_text(str(PLAYERS))
        expect(desk.locator("#counters")).to_contain_text("345,00 €")
        expect(desk.locator("#recent")).to_contain_text("Voß, Anna")
    assert balances.till_cents(hall.tournament) == PLAYERS * 1500
    assert Registration.objects.filter(status="paid").count() == PLAYERS
    hall.leave(desks[1])  # one desk is enough from now on


def _register(desk: Page, number: int, name: str) -> None:
    typed = f"{name}, Anna, {CLUBS[number % 3]}".rstrip(", ")
    expect(desk.locator("#q")).to_be_focused()
    desk.keyboard.type(typed)
    expect(desk.locator("#found .new")).to_contain_text(f"„{typed}“")
    desk.keyboard.press("F2")
    expect(desk.locator("#id_last_name")).to_be_focused()
    # Who does not consent is shown with initials on public pages.
    if number != PLAYERS:
        desk.get_by_label("Name darf auch im Internet stehen").check()
    desk.locator("#id_last_name").press("Enter")
    expect(desk.locator(".desk-number")).to_contain_text(str(number))
    expect(desk.locator(".desk-done")).to_contain_text(f"{name}, Anna")


def _send(hall: Hall, user: str, number: int, name: str) -> None:
    sent = {"last_name": name, "first_name": "Anna", "club_name": CLUBS[number % 3]}
    url = reverse("desk:new", args=[hall.tournament.slug])
    answer = hall.without_a_screen(user).post(url, {**sent, "publish_consent": "on"})
    assert "?fertig=" in answer["Location"]


def keep_apart(hall: Hall) -> None:
    """The two who will be alike share a household and must not share a table."""
    page = hall.page_of("karla")
    go(page, "Meldungen & Kasse")
    first, second = (hall.registration(number) for number in TIED)
    page.locator("#q").fill(f"{first.number}")
    page.locator("#found").get_by_role("link", name="Engel, Anna").click()
    page.locator("summary", has_text="Nicht an einem Tisch").click()
    apart = page.locator("form[action$='/trennung/']")
    apart.get_by_label("Startnummer").fill(f"{second.number}")
    apart.locator("[name=reason]").fill("wohnen zusammen")
    apart.get_by_role("button", name="Trennen").click()
    expect(page.locator(".page-aside")).to_contain_text("Neumann, Anna")
