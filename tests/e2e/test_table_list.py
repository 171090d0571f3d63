"""Twelve games at a table on its phone: online, offline, and with two writers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.browser import check_look
from tests.e2e.table_device import (
    PHONE,
    TABLET,
    TableDevice,
    a_device,
    a_kept_device,
    kept,
    make_table,
    path_of,
)
from tests.factories import COMMAND
from tests.factories_lists import FOUR, write_games
from tournaments.lists.services import spiellisten
from tournaments.models import Signature, Spielliste
from tournaments.table.services import devices as table_devices

pytestmark = pytest.mark.django_db(transaction=True)
MOST_TAPS = 10
# 290 − 4 × 20 · 311 − 3 × 20 − 50 · 339 − 3 × 20 · 341 − 2 × 20
RESULTS = ["210", "201", "279", "301"]


def lines(spielliste: Spielliste) -> list[Mapping[str, object]]:
    return [game.line for game in spielliste.games.order_by("number")]


def wait_until_stored(device: TableDevice) -> None:
    expect(device.pill()).to_have_text("gespeichert")


def by_the_spielleitung(spielliste: Spielliste, line: Mapping[str, object]) -> None:
    """Write a game at control, while the table is not looking."""
    now = Spielliste.objects.get(pk=spielliste.pk)
    spiellisten.enter_game(
        COMMAND,
        now.pk,
        number=now.games.count() + 1,
        line=line,
        version=now.version,
        confirmed=True,
    )


@pytest.mark.parametrize(
    ("size", "written"),
    [pytest.param(PHONE, 0, id="phone"), pytest.param(TABLET, 11, id="tablet, the last one")],
)
def test_a_whole_list_is_entered_and_signed_by_touch(browser: Browser, live_server, size, written):
    spielliste = make_table()
    for line in FOUR[:written]:
        by_the_spielleitung(spielliste, line)

    with a_device(browser, size) as device:
        device.open(live_server.url + path_of(spielliste))
        device.keep_the_list()
        for number, line in enumerate(FOUR[written:], start=written + 1):
            dealer = ("Anna", "Bernd", "Clara", "Dieter")[(number - 1) % 4]
            expect(device.page.locator(".dealer-now h2")).to_have_text(f"{dealer} gibt")
            taps = device.enter(line)
            # The Handrommé is two touches more: its box, and a hand of 58 is asked about.
            most = MOST_TAPS + 2 * line["handromme"]
            assert taps <= most, f"{taps} taps for game {number}"
            expect(device.row(number)).to_be_visible()
        expect(device.page.get_by_role("heading", name="Die Liste ist vollständig")).to_be_visible()
        expect(device.page.locator(".sums tr.total td")).to_have_text(RESULTS)
        wait_until_stored(device)
        assert lines(spielliste) == list(FOUR)
        for seat in (1, 2, 3, 4):
            device.sign(seat)
        expect(
            device.page.get_by_role("heading", name="Die Liste ist unterschrieben")
        ).to_be_visible()
        wait_until_stored(device)

    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.SIGNED
    drawings = Signature.objects.filter(spielliste=spielliste).values_list("drawing", flat=True)
    assert len(drawings) == 4
    assert all(drawing.startswith("M") and "Q" in drawing for drawing in drawings)


def test_an_offline_device_counts_wertpunkte_like_the_server(browser: Browser, live_server):
    spielliste = make_table("wertpunkte")
    for line in FOUR[:11]:
        by_the_spielleitung(spielliste, line)
    # 4 × 5 + 10 · 2 × 5 + 8 + 13 · 3 × 5 + 11 · 2 × 5 + 14, and the hands beside them
    wertpunkte, augen = ["30", "31", "26", "24"], ["290", "311", "339", "341"]

    with a_device(browser, offline=True) as device:
        device.open(live_server.url + path_of(spielliste))
        device.keep_the_list()
        device.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        device.context.set_offline(True)
        device.enter(FOUR[11])
        total = device.page.locator(".sums tr.total td")
        expect(total).to_have_text(wertpunkte)
        hands = device.page.locator(".sums tr", has_text="A Augen").locator("td")
        expect(hands).to_have_text(augen)
        device.context.set_offline(False)
        wait_until_stored(device)
        expect(total).to_have_text(wertpunkte)


def test_a_list_survives_lost_network_and_a_closed_browser(
    browser: Browser, live_server, tmp_path: Path
):
    spielliste = write_games(make_table(), FOUR[:5])
    url = live_server.url + path_of(spielliste)

    with a_kept_device(browser, tmp_path) as device:
        device.open(url)
        device.keep_the_list()
        device.enter(FOUR[5])
        wait_until_stored(device)
        # Kept by the service worker, which the page asks to do so once it is ready.
        device.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        expect_kept(device, path_of(spielliste))

        device.context.set_offline(True)
        for line in FOUR[6:9]:
            device.enter(line)
        expect(device.pill()).to_have_text("3 warten auf Netz")
        expect(device.page.locator(".unsent")).to_contain_text("Spiele 7–9: noch nicht übertragen")
        assert len(lines(spielliste)) == 6

    with a_kept_device(browser, tmp_path, offline=True) as device:
        device.open(url)
        expect(device.row(9)).to_have_class("is-pending")
        expect(device.row(6)).not_to_have_class("is-pending")
        device.enter(FOUR[9])
        expect(device.pill()).to_have_text("4 warten auf Netz")
        running = [cell.split("\n")[-1] for cell in device.row(9).locator("td").all_inner_texts()]
        assert len(lines(spielliste)) == 6

        device.context.set_offline(False)
        wait_until_stored(device)
        assert lines(spielliste) == list(FOUR[:10])
        expect(device.row(9)).not_to_have_class("is-pending")
        # Reckoned on the device as on the server: 197, 225, 268, 266 after nine games.
        assert running == ["197", "225", "268", "266"]
        assert [
            cell.split("\n")[-1] for cell in device.row(9).locator("td").all_inner_texts()
        ] == running
        for line in FOUR[10:]:
            device.enter(line)
        expect(device.page.locator(".sums tr.total td")).to_have_text(RESULTS)
        wait_until_stored(device)

    assert lines(spielliste) == list(FOUR)
    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.COMPLETE


def expect_kept(device: TableDevice, path: str) -> None:
    """Wait until the service worker has put the page aside."""
    kept = """async (path) => {
      for (;;) {
        if (await caches.match(path)) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }"""
    assert device.page.evaluate(kept, path)


def two_write_at_once(
    device: TableDevice,
    spielliste: Spielliste,
    own: Mapping[str, object],
    theirs: Mapping[str, object],
) -> None:
    """Have a game wait on the device while the list gets another one at control."""
    device.context.set_offline(True)
    device.enter(own)
    expect(device.pill()).to_have_text("1 wartet auf Netz")
    by_the_spielleitung(spielliste, theirs)
    device.context.set_offline(False)
    expect(device.page.get_by_role("alert").get_by_role("heading")).to_have_text(
        "In der Liste steht inzwischen etwas anderes"
    )
    assert lines(spielliste)[-1] == theirs


def test_concurrent_lines_are_resolved_by_a_person(browser: Browser, live_server):
    decided, same, other = make_table(), make_table(), make_table()

    with a_device(browser, offline=True) as device:
        kept(device, live_server, decided)
        each_decision_leaves_the_line_it_names(device, decided)

        kept(device, live_server, same)
        three_wait_while_control_writes(device, same, FOUR[0])
        wait_until_stored(device)  # the same line twice needs no decision
        assert lines(same) == list(FOUR[:3])

        kept(device, live_server, other)
        three_wait_while_control_writes(device, other, FOUR[4])
        expect(device.page.locator(".trouble")).to_contain_text("Dahinter warten noch 2 Einträge.")
        device.tap(device.button("Den anderen Eintrag behalten"))
        wait_until_stored(device)  # later games follow the decision about the first
        assert lines(other) == [FOUR[4], FOUR[1], FOUR[2]]


def each_decision_leaves_the_line_it_names(device: TableDevice, spielliste: Spielliste) -> None:
    first, theirs, own, replaced, instead = FOUR[1], FOUR[2], FOUR[3], FOUR[4], FOUR[6]

    two_write_at_once(device, spielliste, FOUR[0], first)
    check_look(device.page)
    device.page.set_viewport_size(PHONE)
    device.tap(device.button("Den anderen Eintrag behalten"))
    wait_until_stored(device)
    expect(device.page.locator(".dealer-now h2")).to_have_text("Bernd gibt")
    assert lines(spielliste) == [first]

    two_write_at_once(device, spielliste, own, theirs)
    device.tap(device.button("Meinen als Spiel 3 eintragen"))
    expect(device.row(3)).to_be_visible()
    wait_until_stored(device)
    assert lines(spielliste) == [first, theirs, own]

    two_write_at_once(device, spielliste, instead, replaced)
    device.tap(device.button("Spiel 4 durch meinen ersetzen"))
    dialog = device.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Zeile ändern")).to_be_disabled()
    for seat in (1, 2, 3, 4):
        device.tap(dialog.locator(f'[data-consent="{seat}"]'))
    device.tap(dialog.get_by_role("button", name="Zeile ändern"))
    wait_until_stored(device)
    assert lines(spielliste) == [first, theirs, own, instead]


def three_wait_while_control_writes(
    device: TableDevice, spielliste: Spielliste, theirs: Mapping[str, object]
) -> None:
    """Queue three games offline, and store another one before them."""
    device.context.set_offline(True)
    for line in FOUR[:3]:
        device.enter(line)
    by_the_spielleitung(spielliste, theirs)
    device.context.set_offline(False)


def test_a_replaced_keeper_is_informed_and_may_drop_its_entry(browser: Browser, live_server):
    spielliste = make_table()
    url = live_server.url + path_of(spielliste)

    with a_device(browser, offline=True) as first, a_device(browser, TABLET) as second:
        first.open(url)
        first.keep_the_list()
        first.context.set_offline(True)
        first.enter(FOUR[0])
        table_devices.allow_take_over(COMMAND, spielliste.table_id)
        second.open(url)
        second.keep_the_list()
        second.enter(FOUR[1])
        wait_until_stored(second)
        first.context.set_offline(False)
        expect(first.page.locator(".trouble")).to_be_visible()
        assert lines(spielliste) == [FOUR[1]]
        first.tap(first.page.locator(".trouble").get_by_role("button").last)
        wait_until_stored(first)
        expect(first.page.locator(".watching")).to_be_visible()

    assert lines(spielliste) == [FOUR[1]]
