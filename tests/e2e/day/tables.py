"""The tables play: by touch, on paper, and all the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django.urls import reverse
from playwright.sync_api import expect

from tests.clients import Client
from tests.e2e.day.hall import Hall, confirm, go
from tests.e2e.day.plan import games_of
from tests.e2e.table_device import AS_PHONE, PHONE, TableDevice
from tests.factories_lists import list_of
from tournaments.common.access_keys import table_path
from tournaments.models import Spielliste

Games = Sequence[Mapping[str, Any]]
SIGNATURE = "M40 120Q120 20 180 180Q260 80 320 120"

# Requests after a touch, sent by the page as its scripts do.
PLAY = """async (acts) => {
  let {version} = await (await fetch("stand/")).json();
  for (const act of acts) {
    const answer = await fetch("senden/", {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({key: crypto.randomUUID(), version, ...act}),
    });
    const said = await answer.json();
    if (!said.ok) throw new Error(JSON.stringify(said));
    version = said.state.version;
  }
}"""


def begin(hall: Hall, serie: int) -> None:
    """Start the clock in the control room, where every table is seen."""
    page = hall.page_of("sina")
    go(page, "Spiellisten")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Serie {serie}")
    page.get_by_role("button", name=f"Serie {serie} beginnen").click()
    if serie == 1:  # that is planned for two hours later
        confirm(page, "Jetzt beginnen")
    expect(page.get_by_role("button", name="Beginn zurücknehmen")).to_be_visible()
    expect(page.locator(".hall-table")).to_have_count(6)


def by_touch(hall: Hall, serie: int, table: int, *, handromme: int | None = None) -> None:
    """A list on a phone, which came by typing the code that control shows.

    Two games are entered by touch, and one signs; ``test_table_list.py`` has twelve and all.
    """
    row = hall.rows(serie)[table - 1]
    games = games_of(row, serie, handromme=handromme)
    control = hall.page_of("sina")
    control.locator(f"#table-{table}").click()
    control.get_by_role("link", name="Code zeigen").click()
    code = control.locator(".access-code").inner_text()
    touched = {key: AS_PHONE[key] for key in ("has_touch", "is_mobile")}
    context = hall.new_context(viewport=PHONE, **touched)
    device = TableDevice(context)
    device.page.goto(f"{hall.url}/tisch/")
    device.page.get_by_label("Tisch", exact=True).fill(str(table))
    device.page.get_by_label("Code", exact=True).fill(code)
    device.page.keyboard.press("Enter")
    expect(device.page.locator("body")).to_contain_class("has-script")
    device.keep_the_list()
    for game in games[:2]:
        device.enter(game)
    expect(device.pill()).to_have_text("gespeichert")
    _play_on(device, row, games, following=3)
    _sign(device)
    hall.leave(device.page)


def _play_on(device: TableDevice, row: Sequence[int], games: Games, *, following: int) -> None:
    """Play the following games, let all but the first player sign, and reload the page."""
    rest = list(enumerate(games, start=1))[following - 1 :]
    played = [{"kind": "game", "number": number, "line": line} for number, line in rest]
    signed = [
        {"kind": "sign", "seat": seat, "drawing": SIGNATURE} for seat in range(2, len(row) + 1)
    ]
    device.page.evaluate(PLAY, [*played, *signed])
    device.page.reload()


def _sign(device: TableDevice) -> None:
    expect(device.page.get_by_role("heading", name="Die Liste ist vollständig")).to_be_visible()
    device.sign(1)
    expect(device.page.get_by_role("heading", name="Die Liste ist unterschrieben")).to_be_visible()


def on_paper(hall: Hall, serie: int, table: int) -> None:
    """A list that was written on paper, copied at control by the keyboard alone."""
    row = hall.rows(serie)[table - 1]
    page = hall.page_of("rita")
    go(page, "Spiellisten")
    page.locator(f"#table-{table}").click()
    page.get_by_text("Mehr", exact=True).click()
    page.get_by_role("button", name="auf Papier weiterführen").click()
    page.get_by_role("link", name="Papierliste eingeben").click()
    expect(page.locator("[name=c1_1]")).to_be_focused()
    games = games_of(row, serie)
    for game in games:
        for seat, points in enumerate(game["minus"], start=1):
            page.keyboard.type("0" if seat == game["finisher"] else f"{points}")
            if seat != game["finisher"] and points < 20:
                page.keyboard.press("Enter")
    for seat in range(1, len(row) + 1):
        expect(page.locator(f"[name=sum_{seat}]")).to_be_focused()
        page.keyboard.type(f"{sum(game['minus'][seat - 1] for game in games)}")
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Tisch {table}: Die Liste ist vollständig.")).to_be_visible()


def on_paper_again(hall: Hall, serie: int, table: int) -> None:
    """Copy another paper list by sending the request of the first one."""
    games = games_of(hall.rows(serie)[table - 1], serie)
    at_table = [hall.tournament.slug, serie, table]
    client = hall.without_a_screen("rita")
    client.post(reverse("hall:on_paper", args=at_table))
    cells = {
        f"c{number}_{seat}": f"{points}"
        for number, game in enumerate(games, start=1)
        for seat, points in enumerate(game["minus"], start=1)
    }
    sums = {
        f"sum_{seat}": f"{sum(points)}"
        for seat, points in enumerate(zip(*(game["minus"] for game in games), strict=True), start=1)
    }
    answer = client.post(
        reverse("hall:grid", args=at_table), {"version": "0", **cells, **sums}, follow=True
    )
    assert f"Tisch {table}: Die Liste ist vollständig." in answer.content.decode()


def the_others(
    hall: Hall, serie: int, tables: Sequence[int], *, as_written: Mapping[int, Games] | None = None
) -> None:
    """Send the requests of the devices of the other tables; *as_written* are changed entries."""
    serie_row = hall.tournament.serien.get(number=serie)
    for table in tables:
        row = hall.rows(serie)[table - 1]
        games = (as_written or {}).get(table) or games_of(row, serie)
        page = table_path(list_of(serie_row, table).table.access)
        device = Client()
        assert device.get(page).status_code == HTTPStatus.OK
        version = _send(device, page, kind="take_over")["version"]
        for number, line in enumerate(games, start=1):
            sent = {"kind": "game", "number": number, "line": line, "version": version}
            version = _send(device, page, **sent)["version"]
        for seat in range(1, len(row) + 1):
            sent = {"kind": "sign", "seat": seat, "version": version, "drawing": SIGNATURE}
            state = _send(device, page, **sent)
            version = state["version"]
        assert state["status"] == Spielliste.Status.SIGNED


def _send(device: Client, page: str, **body: Any) -> dict[str, Any]:
    sent = {"key": str(uuid4()), **body}
    said = device.post(f"{page}senden/", sent, content_type="application/json").json()
    assert said["ok"], said
    state: dict[str, Any] = said["state"]
    return state
