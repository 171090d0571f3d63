"""Entering and changing games on the phone of a table: counting, slips, other rules."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.table_device import TableDevice, a_device, kept, make_table
from tests.factories_lists import FOUR, write_games
from tournaments.models import Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


def last_line(spielliste: Spielliste) -> Any:
    return spielliste.games.order_by("number").last().line


# --- Entering ---------------------------------------------------------------------------


def test_games_are_entered_despite_typing_errors_and_questions(browser: Browser, live_server):
    refused, spielliste, other = make_table(), make_table(), make_table("liverpool", players=3)

    with a_device(browser) as device:
        kept(device, live_server, refused)
        an_impossible_hand_is_refused_while_typing(device)
        more_cards_than_the_pack_has_are_refused_with_the_reason(device)
        assert not refused.games.exists()

        kept(device, live_server, spielliste)
        cards_left_in_hand_are_counted_by_tapping_them(device)
        device.expect_stored(1)
        assert last_line(spielliste)["minus"] == [0, 41, 45, 12]

        improbable_games_are_confirmed_once(device)
        device.expect_stored(2)
        assert last_line(spielliste)["minus"] == [0, 165, 20, 30]

        one_step_back_is_always_possible(device)
        device.expect_stored(3)
        line = {"finisher": 2, "handromme": False, "minus": [45, 0, 52, 60]}
        assert last_line(spielliste) == line

        half_a_game_survives_a_reload(device)
        device.expect_stored(4)
        assert last_line(spielliste)["minus"] == [45, 23, 0, 12]

        kept(device, live_server, other)
        a_game_without_finisher_has_an_exact_cut(device)
        device.expect_stored(1)

    assert last_line(other) == {
        "finisher": None,
        "handromme": False,
        "minus": [25, 35, 45],
        "adjustments": [{"seat": 3, "points": -50, "reason": "genau abgehoben"}],
    }


def an_impossible_hand_is_refused_while_typing(device: TableDevice) -> None:
    device.choose(1)
    for key in "198":
        device.key(key)
    expect(device.page.locator(".entry-message")).to_contain_text("198 kann nicht sein")
    # The keys stay in reach below the sentence.
    expect(device.page.locator('[data-key="go"]')).to_be_in_viewport()
    device.key("4")
    expect(device.page.locator(".entry-message")).to_contain_text("Mehr als drei Ziffern")
    field = device.page.get_by_label("Punkte von Bernd")
    expect(field).to_have_value("198")
    device.tap(field)  # touched, it is selected: the next digit replaces all of it
    device.key("4")
    expect(field).to_have_value("4")
    expect(device.page.locator(".entry-message")).to_be_empty()
    device.tap(device.button("Löschen"))


def more_cards_than_the_pack_has_are_refused_with_the_reason(device: TableDevice) -> None:
    # They cannot even be tapped.
    device.key("count")
    joker = device.page.locator('[data-rank="Joker"]')
    for _card in range(6):  # § 4.1: six in the pack
        device.tap(joker)
    expect(joker).to_be_disabled()
    for _card in range(7):
        device.tap(device.page.locator('[data-rank="A"]'))
    expect(device.page.get_by_role("alert")).to_have_text("Mehr als 13 Karten kann niemand halten.")
    expect(device.page.locator('[data-rank="2"]')).to_be_disabled()
    expect(device.page.get_by_label("Punkte von Bernd")).to_have_value("197")
    device.tap(device.button("Weiter"))
    # Two such hands do not come from one pack.
    for number in (197, 20):
        device.digits(number)
    expect(device.page.locator(".entry-message")).to_contain_text(
        "197 + 197 kann nicht sein: 2 Hände zählen zusammen höchstens 328."
    )


def cards_left_in_hand_are_counted_by_tapping_them(device: TableDevice) -> None:
    device.choose(1)
    device.key("count")
    for rank in ("Joker", "A", "K", "7"):
        device.tap(device.page.locator(f'[data-rank="{rank}"]'))
    field = device.page.get_by_label("Punkte von Bernd")
    expect(field).to_have_value("48")  # 20 + 11 + 10 + 7
    device.tap(device.button("Karte zurück"))
    expect(field).to_have_value("41")
    device.tap(device.button("Weiter"))
    device.digits(45)
    device.digits(12)


def improbable_games_are_confirmed_once(device: TableDevice) -> None:
    device.choose(1)
    for number in (165, 20, 30):
        device.digits(number)
    expect(device.page.get_by_role("dialog")).to_contain_text("Bernd: 165 Punkte")
    device.tap(device.button("Ändern"))
    device.tap(device.page.locator('[data-key="go"]'))
    device.tap(device.button("Ja, stimmt so"))


def one_step_back_is_always_possible(device: TableDevice) -> None:
    device.choose(1)
    device.tap(device.button("Handrommé"))
    device.digits(45)
    device.key("1")
    device.tap(device.button("Löschen"))
    expect(device.page.get_by_label("Punkte von Clara")).to_have_value("")
    device.tap(device.button("Zurück"))
    expect(device.page.get_by_label("Punkte von Bernd")).to_be_focused()
    for _digit in "45":
        device.tap(device.button("Löschen"))
    device.tap(device.button("Zurück"))
    expect(device.page.get_by_text("Wer hat beendet?")).to_be_visible()
    # Handrommé does not outlive the one it was said of.
    device.enter({"finisher": 2, "minus": [45, 0, 52, 60]})


# The page is left as soon as the last digit is touched: pending writes to IndexedDB are lost.
GONE_WITH_THE_TOUCH = """(key) => {
  IDBObjectStore.prototype.put = () => {};
  key.click();
  location.reload();
}"""


def half_a_game_survives_a_reload(device: TableDevice) -> None:
    device.choose(3)
    device.key("4")
    with device.page.expect_navigation():
        device.page.locator('[data-key="5"]').evaluate(GONE_WITH_THE_TOUCH)
    expect(device.page.get_by_label("Punkte von Anna")).to_have_value("45")
    device.digits(23)
    device.digits(12)


def a_game_without_finisher_has_an_exact_cut(device: TableDevice) -> None:
    expect(device.page.locator(".dealer-now")).to_contain_text("2 Sätze zu 3")
    device.choose(None)
    # Place 3 is right of the dealer at place 1.
    device.tap(device.button("Clara: genau abgehoben (−50)"))
    for number in (25, 35, 45):
        device.digits(number)


# --- Changing ---------------------------------------------------------------------------


def test_a_line_is_changed_or_taken_back_with_consent_of_those_concerned(
    browser: Browser, live_server
):
    spielliste = write_games(make_table(), FOUR[:3])

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        # A change is left by two touches.
        device.tap(device.row(1).get_by_role("button"))
        device.tap(device.button("Zurück"))
        expect(device.page.get_by_text("Wer hat Spiel 1 beendet?")).to_be_visible()
        device.tap(device.button("Abbrechen"))
        expect(device.page.locator(".dealer-now h2")).to_have_text("Dieter gibt")
        device.expect_stored(3)
        assert [game.line for game in spielliste.games.all()] == list(FOUR[:3])

        device.tap(device.row(2).get_by_role("button"))
        device.digits(32)  # 31 before
        dialog = device.page.get_by_role("dialog")
        expect(dialog.locator("[data-consent]")).to_have_count(1)
        paragraph = dialog.get_by_role("link", name="§ 2.2.3")
        expect(paragraph).to_have_attribute("href", re.compile("/regelwerk/#p-2-2-3$"))
        device.tap(device.button("Anna Kühn ist einverstanden"))
        device.tap(device.button("Zeile ändern"))
        expect(device.row(2)).to_contain_text("32")
        device.expect_stored(2)
        assert spielliste.games.get(number=2).line["minus"] == [32, 0, 18, 40]

        device.tap(device.button("Spiel 3 ändern").last)
        device.tap(device.button("Spiel 3 zurücknehmen"))
        for seat in (1, 2, 3, 4):
            device.tap(device.page.locator(f'[data-consent="{seat}"]'))
        device.tap(device.button("Zeile streichen"))
        expect(device.row(3)).to_have_count(0)
        expect(device.pill()).to_have_text("gespeichert")

    assert spielliste.games.count() == 2
