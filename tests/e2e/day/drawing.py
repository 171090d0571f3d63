"""The seats: drawn by cards, electronically, and set by the ranking."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.day.hall import Hall, confirm, go, states
from tests.e2e.day.plan import CARDS, NAMES, PLAYERS, TIED


def by_cards(hall: Hall) -> None:
    """The Spielleitung begins, the desk reads the cards off: one by one, then by table."""
    leading, desk = hall.page_of("sina"), hall.page_of("kurt")
    _begin(leading, 1, "gezogene Startkarten")
    go(desk, "Auslosung")
    desk.locator("#main").get_by_role("link", name="Serie 1").click()
    for seat, number in enumerate(CARDS[0], start=1):
        _card(desk, f"{number} 1-{seat}", [number])
    for table, row in enumerate(CARDS[1:], start=2):
        _card(desk, f"{table}: {' '.join(map(str, row))}", row)
    expect(desk.get_by_text("Karte fehlt")).to_have_count(0)
    leading.reload()
    publish(leading)
    assert hall.rows(1) == [list(row) for row in CARDS]


def _begin(page: Page, serie: int, method: str) -> None:
    go(page, "Auslosung")
    page.locator("#main").get_by_role("link", name=f"Serie {serie}").click()
    page.get_by_label(method).check()
    # Shortly before midnight the tournament starts tomorrow, and no one is ticked off yet.
    page.get_by_role("button", name=re.compile("Auslosung beginnen|Mit allen auslosen")).click()


def _card(desk: Page, typed: str, numbers: list[int] | tuple[int, ...]) -> None:
    expect(desk.locator("#id_entry")).to_be_focused()
    expect(desk.locator("#id_entry")).to_have_value("")
    desk.keyboard.type(typed)
    desk.keyboard.press("Enter")
    for number in numbers:
        expect(desk.locator(".round-seat", has_text=NAMES[number - 1])).to_have_count(1)


def publish(page: Page) -> None:
    """Make the draft known, and see that the steps of the day know it."""
    expect(page.get_by_role("heading", name="Was herausgekommen ist")).to_be_visible()
    page.get_by_role("button", name="Bekannt geben").click()
    confirm(page, "Bekannt geben")
    expect(page.get_by_text("bekannt gegeben", exact=True)).to_be_visible()


def electronically(hall: Hall) -> None:
    """Draw the second Serie electronically and check the separation."""
    page = hall.page_of("sina")
    _begin(page, 2, "elektronische Auslosung")
    page.get_by_role("button", name="Jetzt auslosen").click()
    publish(page)
    rows = hall.rows(2)
    assert [len(row) for row in rows] == [4] * 6
    assert sum(map(len, rows)) == PLAYERS[1]
    assert not any(set(TIED) <= set(row) for row in rows)


def by_ranking(hall: Hall) -> None:
    """Seat the third Serie by the ranking, with equals."""
    page = hall.page_of("sina")
    _begin(page, 3, "gesetzt nach Rangliste")
    publish(page)
    assert sum(map(len, hall.rows(3))) == PLAYERS[2]
    go(page, "Spiellisten")
    assert states(page)["Auslosung"] == "done"


def look_up_a_seat(hall: Hall, serie: int, number: int) -> None:
    """Find the own seat on the public page, from the first page on and without an account."""
    page = hall.new_context().new_page()
    page.goto(hall.url)
    page.get_by_role("link", name="Herbstturnier 2026").first.click()
    page.get_by_role("link", name="Wo sitze ich?").click()
    page.fill("#nr", f"{number}")
    page.keyboard.press("Enter")
    rows = hall.rows(serie)
    table = next(at for at, row in enumerate(rows, start=1) if number in row)
    seat = rows[table - 1].index(number) + 1
    expect(page.locator(".own-seat")).to_contain_text(f"Tisch {table}, Platz {seat}")
    hall.leave(page)
