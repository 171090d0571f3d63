"""The page at the table while the database of the browser fails: no game is lost or claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.table_device import TableDevice, a_device, kept, make_table, opened
from tests.factories_lists import FOUR, write_games
from tournaments.models import Signature, Spielliste

pytestmark = pytest.mark.django_db(transaction=True)

# Every connection of the page, so that a test can end one as a browser does.
CONNECTIONS = """
  window.connections = [];
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...parts) {
    const request = open.apply(this, parts);
    request.addEventListener("success", () => connections.push(request.result));
    return request;
  };
"""
END = "() => connections.splice(0).forEach((connection) => connection.close())"
# Ended by the very transaction that is to keep something, which then cannot begin.
END_WITH_THE_NEXT_USE = """() => {
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...parts) {
    IDBDatabase.prototype.transaction = transaction;
    this.close();
    return transaction.apply(this, parts);
  };
}"""
DELETE = """() => new Promise((resolve) => {
  indexedDB.deleteDatabase("tisch").onsuccess = resolve;
})"""
# As with an exceeded quota: writes are rolled back at the end of the transaction.
FULL = """() => {
  if (window.isFull) return;
  window.isFull = true;
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...parts) {
    const request = put.apply(this, parts);
    request.addEventListener("success", () => this.transaction.abort());
    return request;
  };
}"""
# Asked, and never answered: neither open nor a transaction of the old connection.
SILENCE = """() => {
  const silent = () => new EventTarget();
  const store = new Proxy({}, { get: () => silent });
  IDBFactory.prototype.open = silent;
  IDBDatabase.prototype.transaction = () => ({ objectStore: () => store });
}"""
SILENT_FROM_THE_START = f"({SILENCE})()"


def ends(device: TableDevice) -> None:
    device.page.evaluate(END)


def is_deleted_by_a_script(device: TableDevice) -> None:
    device.page.evaluate(DELETE)


def is_deleted_by_the_browser(device: TableDevice) -> None:
    devtools = device.context.new_cdp_session(device.page)
    origin = device.page.evaluate("origin")
    devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})


def is_full(device: TableDevice) -> None:
    device.page.evaluate(FULL)


def never_answers(device: TableDevice) -> None:
    device.page.evaluate(SILENCE)


FAULTS = [
    pytest.param(ends, id="connection ended"),
    pytest.param(is_deleted_by_a_script, id="deleted by a script"),
    pytest.param(is_deleted_by_the_browser, id="deleted by the browser"),
    pytest.param(is_full, id="full"),
    pytest.param(never_answers, id="never answers"),
]
KEEPS_NOTHING = [pytest.param(is_full, id="full"), pytest.param(never_answers, id="never answers")]
Fault = Callable[[TableDevice], None]


@pytest.fixture
def device(browser: Browser) -> Iterator[TableDevice]:
    with a_device(browser) as device:
        device.page.add_init_script(CONNECTIONS)
        yield device


def lines(spielliste: Spielliste) -> list[Mapping[str, Any]]:
    return [game.line for game in spielliste.games.order_by("number")]


def expect_stored(device: TableDevice) -> None:
    expect(device.pill()).to_have_text("gespeichert")


def type_game(device: TableDevice, line: Mapping[str, Any]) -> None:
    """Enter a game without waiting for the result."""
    device.choose(line["finisher"])
    for seat, points in enumerate(line["minus"], start=1):
        if seat != line["finisher"]:
            device.digits(points)


PLAIN = [line for line in FOUR if not line["handromme"]]


def test_fifty_broken_connections_lose_no_game(device: TableDevice, live_server):
    for table in range(5):
        spielliste = make_table()
        kept(device, live_server, spielliste)
        typed = []
        for game in range(10):
            line = PLAIN[game % len(PLAIN)]
            device.context.set_offline((table + game) % 3 == 0)
            if game % 4 == 0:
                ends(device)
            elif game % 4 == 1:
                device.page.evaluate(END_WITH_THE_NEXT_USE)
            type_game(device, line)
            ends(device)
            typed.append(line)
            expect(device.row(game + 1)).to_be_visible()
        device.context.set_offline(False)
        expect_stored(device)
        assert lines(spielliste) == typed


@pytest.mark.parametrize("fails", FAULTS)
def test_queued_games_and_the_next_one_survive(device: TableDevice, live_server, fails: Fault):
    spielliste = make_table()
    kept(device, live_server, spielliste)
    device.context.set_offline(True)
    for line in FOUR[:5]:
        device.enter(line)
    expect(device.pill()).to_have_text("5 warten auf Netz")

    fails(device)
    device.context.set_offline(False)
    device.enter(FOUR[5])

    device.expect_stored(6)
    expect_stored(device)
    assert lines(spielliste) == list(FOUR[:6])


@pytest.mark.parametrize("fails", KEEPS_NOTHING)
def test_an_unstored_game_is_not_reported_as_stored_and_not_lost(
    device: TableDevice, live_server, fails: Fault
):
    spielliste = make_table()
    kept(device, live_server, spielliste)
    device.enter(FOUR[0])
    expect_stored(device)
    fails(device)
    device.context.set_offline(True)

    type_game(device, FOUR[1])
    alert = device.page.locator(".entry-message")
    expect(alert).to_contain_text("Das Spiel ist noch nicht gespeichert")
    expect(device.pill()).to_have_text("nicht gespeichert")
    expect(device.row(2)).to_have_count(0)

    device.context.set_offline(False)
    # The page that is left has the same fields; a tap does not wait for the new one.
    with device.page.expect_navigation():
        device.tap(alert.get_by_role("button", name="Seite neu laden"))
    expect(device.page.locator(".amount input").first).to_be_visible()
    device.key("go")
    device.expect_stored(2)
    expect_stored(device)
    assert lines(spielliste) == list(FOUR[:2])


@pytest.mark.parametrize("fails", FAULTS)
def test_a_line_is_changed_and_a_list_signed_while_the_database_fails(
    device: TableDevice, live_server, fails: Fault
):
    spielliste = write_games(make_table(), FOUR, status=Spielliste.Status.COMPLETE)
    kept_for_signing(device, live_server, spielliste)
    fails(device)

    device.tap(device.row(2).get_by_role("button"))
    device.digits(32)  # 31 before
    device.tap(device.button("Anna Kühn ist einverstanden"))
    device.tap(device.button("Zeile ändern"))
    expect(device.row(2)).to_contain_text("32")
    fails(device)
    for seat in (1, 2, 3, 4):
        device.sign(seat)
    expect(device.page.get_by_role("heading", name="Die Liste ist unterschrieben")).to_be_visible()
    expect_stored(device)

    assert spielliste.games.get(number=2).line["minus"] == [32, 0, 18, 40]
    assert Signature.objects.filter(spielliste=spielliste).count() == 4


def kept_for_signing(device: TableDevice, live_server: Any, spielliste: Spielliste) -> None:
    opened(device, live_server, spielliste)
    device.tap(device.button("Die Liste auf diesem Gerät führen"))
    expect(device.page.locator("[data-sign]").first).to_be_visible()


@pytest.mark.parametrize("fails", KEEPS_NOTHING)
def test_an_unstored_signature_stays_on_the_page(device: TableDevice, live_server, fails: Fault):
    spielliste = write_games(make_table(), FOUR, status=Spielliste.Status.COMPLETE)
    kept_for_signing(device, live_server, spielliste)
    fails(device)
    device.context.set_offline(True)

    device.draw(1)
    device.tap(device.button("Unterschreiben"))
    refusal = device.page.get_by_role("dialog", name="Das geht gerade nicht")
    expect(refusal).to_contain_text("Das ist noch nicht gespeichert")
    expect(device.pill()).to_have_text("nicht gespeichert")
    device.tap(refusal.get_by_role("button", name="Schließen"))
    device.context.set_offline(False)
    device.tap(device.button("Unterschreiben"))

    expect(device.page.locator(".signer.is-done")).to_have_count(1)
    expect_stored(device)
    assert Signature.objects.filter(spielliste=spielliste).count() == 1


def test_a_page_without_a_browser_database_sends_at_once(device: TableDevice, live_server):
    spielliste = make_table()
    device.page.add_init_script(SILENT_FROM_THE_START)
    kept(device, live_server, spielliste)
    expect(device.pill()).to_have_text("Speicher gestört")

    for line in FOUR[:3]:
        device.enter(line)

    device.expect_stored(3)
    assert lines(spielliste) == list(FOUR[:3])


def another_window(device: TableDevice) -> TableDevice:
    second = TableDevice(device.context)
    second.page = device.context.new_page()
    return second


def test_two_windows_of_a_device_send_each_game_once(device: TableDevice, live_server):
    spielliste = make_table()
    kept(device, live_server, spielliste)
    second = another_window(device)
    second.page.add_init_script(CONNECTIONS)
    opened(second, live_server, spielliste)
    device.context.set_offline(True)
    for line in FOUR[:5]:
        device.enter(line)

    ends(device)
    is_deleted_by_the_browser(second)
    device.context.set_offline(False)

    device.expect_stored(5)
    second.expect_stored(5)
    expect_stored(device)
    assert lines(spielliste) == list(FOUR[:5])


IS_MADE_ANEW = "async () => (await indexedDB.databases()).length === 1"


def test_queued_games_survive_a_new_database_made_by_another_window(
    device: TableDevice, live_server
):
    spielliste = make_table()
    kept(device, live_server, spielliste)
    second = another_window(device)
    second.page.clock.install()
    opened(second, live_server, spielliste)
    second.page.clock.pause_at(second.page.evaluate("Date.now()") / 1000 + 1)  # it looks no more
    device.context.set_offline(True)
    for line in FOUR[:5]:
        device.enter(line)

    ends(device)
    is_deleted_by_the_browser(second)
    second.page.evaluate("dispatchEvent(new Event('online'))")
    device.page.wait_for_function(IS_MADE_ANEW)
    device.context.set_offline(False)

    expect_stored(device)
    assert lines(spielliste) == list(FOUR[:5])


def test_a_frozen_window_does_not_block_another_window(device: TableDevice, live_server):
    spielliste = make_table()
    device.page.clock.install()
    kept(device, live_server, spielliste)
    frozen = device.context.new_page()
    frozen.goto(f"{live_server.url}/tisch/")
    frozen.evaluate(
        "() => { navigator.locks.request('tisch-outbox', () => new Promise(() => {})) }"
    )

    device.enter(FOUR[0])
    expect(device.pill()).to_have_text("wird übertragen")
    device.page.clock.fast_forward(25_000)

    device.expect_stored(1)
    assert lines(spielliste) == [FOUR[0]]
