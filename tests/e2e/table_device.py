"""A phone or tablet at a table, held by a finger that counts its taps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from scripts.system import find_chromium
from tests.e2e.browser import Guard
from tests.e2e.conftest import OPTIONS, be_patient
from tests.factories import club_named, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tournaments.common.access_keys import table_path
from tournaments.models import Spielliste

PHONE = {"width": 360, "height": 640}
TABLET = {"width": 820, "height": 1180}
PLAYERS = [
    ("Anna", "Kühn"),
    ("Bernd", "Voß"),
    ("Clara", "Sommer-Wettengel"),
    ("Dieter", "Lang"),
    ("Elfriede", "von Hohenstein"),
    ("Franz", "Zabel"),
]
# As in a hall: a phone of a German, held upright, touched.
AS_PHONE: dict[str, Any] = {
    "locale": "de-DE",
    "timezone_id": "Europe/Berlin",
    "has_touch": True,
    "is_mobile": True,
}


def make_table(rule_set: str = "rommeordnung", *, players: int = 4, **fields: Any) -> Spielliste:
    """The list of a table of so many in a tournament by a rule set."""
    tournament = make_tournament(
        name="Herbstturnier 2026", rule_set=ruleset_to_dict(ruleset(rule_set)), **fields
    )
    club = club_named("SC Altenburg")
    row = [
        make_registration(tournament, make_person(*name, club=club if seat % 2 else None))
        for seat, name in enumerate(PLAYERS[:players])
    ]
    return list_of(make_seated_serie(tournament, [row]))


def path_of(spielliste: Spielliste) -> str:
    """Where the QR code of the table leads to."""
    return table_path(spielliste.table.access)


class TableDevice:
    """One device with its page; ``taps`` counts every touch."""

    def __init__(self, context: BrowserContext) -> None:
        be_patient(context)
        self.context = context
        self.page: Page = context.pages[0] if context.pages else context.new_page()
        self.guard = Guard(self.page)
        self.guard.allow(r"ERR_INTERNET_DISCONNECTED|Failed to fetch")
        self.taps = 0

    def open(self, url: str) -> None:
        """Open the page and wait until its scripts have built it."""
        self.page.goto(url)
        expect(self.page.locator("body")).to_contain_class("has-script")

    def keep_the_list(self) -> None:
        """Take the list for this device, place 1 being preset."""
        self.tap(self.button("Die Liste auf diesem Gerät führen"))
        expect(self.page.locator(".is-asking")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def key(self, key: str) -> None:
        """Touch a key of the page's own keypad."""
        self.tap(self.page.locator(f'[data-key="{key}"]'))

    def choose(self, finisher: int | None) -> None:
        """Select the finisher."""
        self.tap(self.page.locator(f'[data-seat="{finisher or "none"}"].who-option'))

    def digits(self, number: int) -> None:
        """Type points, and go on unless the page has done so by itself."""
        field = self.page.locator(".amount.is-current input")
        seat = field.get_attribute("data-seat")
        for digit in str(number):
            self.key(digit)
        if self.page.locator(f'.amount.is-current input[data-seat="{seat}"]').count():
            self.key("go")

    def enter(self, line: Mapping[str, Any]) -> int:
        """Enter a game; return how many touches that took."""
        before = self.taps
        self.choose(line["finisher"])
        if line.get("handromme"):
            self.tap(self.button("Handrommé"))
        for seat, points in enumerate(line["minus"], start=1):
            if seat != line["finisher"]:
                self.digits(points)
        if self.page.get_by_role("dialog", name="Stimmt das?").count():
            self.tap(self.button("Ja, stimmt so"))
        # An entry is stored on the device before the next question appears.
        expect(self.page.locator(".is-asking, .signers")).to_be_visible()
        return self.taps - before

    def row(self, number: int) -> Locator:
        return self.page.locator(f'.list-part tr[data-game="{number}"]')

    def expect_stored(self, number: int) -> None:
        """Wait until a game is in the list and stored on the server."""
        expect(self.row(number)).to_be_visible()
        expect(self.row(number)).not_to_contain_class("is-pending")

    def pill(self) -> Locator:
        return self.page.locator("#connection")

    def sign(self, seat: int) -> None:
        """Read the list, draw a signature with the finger, and store it."""
        dialog = self.draw(seat)
        dialog.get_by_role("button", name="Unterschreiben", exact=True).tap()
        expect(dialog).to_have_count(0)

    def draw(self, seat: int) -> Locator:
        """Draw a signature, and return its dialog."""
        self.page.locator(f'[data-sign="{seat}"]').tap()
        dialog = self.page.get_by_role("dialog")
        field = dialog.locator("canvas")
        field.scroll_into_view_if_needed()
        box = field.bounding_box()
        mouse = self.page.mouse
        mouse.move(box["x"] + 30, box["y"] + 60)
        mouse.down()
        for step in range(1, 12):
            mouse.move(box["x"] + 30 + 15 * step, box["y"] + 60 + (step % 3) * 12)
        mouse.up()
        return dialog

    def check(self) -> None:
        """Fail if the browser complained."""
        complaints = self.guard.complaints()
        assert not complaints, "\n".join(complaints)


@contextmanager
def a_device(
    browser: Browser, size: Mapping[str, int] = PHONE, *, offline: bool = False, **options: Any
) -> Iterator[TableDevice]:
    """A device that was never here before.

    Its service worker would load the page a second time, to have it without a network: it does
    only where *offline* says that a test is about that.
    """
    workers: Literal["allow", "block"] = "allow" if offline else "block"
    context = browser.new_context(
        viewport=dict(size), service_workers=workers, **AS_PHONE, **options
    )
    device = TableDevice(context)
    if not offline:
        device.guard.allow("Service Worker registration blocked by Playwright")
    try:
        yield device
        device.check()
    finally:
        context.close()


@contextmanager
def a_kept_device(
    browser: Browser,
    folder: Path,
    size: Mapping[str, int] = PHONE,
    *,
    offline: bool = False,
    more: Sequence[str] = (),
) -> Iterator[TableDevice]:
    """Yield a device that reads its stored data in *folder*, as after a restart of its browser."""
    options: Sequence[str] = [*OPTIONS, "--no-sandbox", *more]
    context = browser.browser_type.launch_persistent_context(
        folder,
        executable_path=find_chromium(),
        args=list(options),
        viewport=dict(size),
        **AS_PHONE,
    )
    context.set_offline(offline)
    device = TableDevice(context)
    try:
        yield device
        device.check()
    finally:
        context.close()


def opened(device: TableDevice, live_server: Any, spielliste: Spielliste) -> TableDevice:
    """The device with the page of a list open."""
    device.open(live_server.url + path_of(spielliste))
    return device


def kept(device: TableDevice, live_server: Any, spielliste: Spielliste) -> TableDevice:
    """Make the device the keeper of a list."""
    opened(device, live_server, spielliste).keep_the_list()
    return device
