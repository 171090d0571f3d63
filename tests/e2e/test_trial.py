"""The Probelauf from the start page to the prizes, by the instructions in the margin alone.

The test knows none of its steps: it follows the link of the margin, types the text marked as input
and presses the text marked as a button, in this order. ``practice/trial/test_trial.py`` checks the
German words of the margin.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import LOST_CONNECTION, Guard, sideways_scroll
from tests.e2e.conftest import be_patient
from tests.e2e.table_device import TableDevice
from tests.journal_proof import proved_at_each_act
from tournaments.machine import jobs
from tournaments.models import PrizePayout, Tournament
from tournaments.practice.trial.steps import STEPS

pytestmark = pytest.mark.django_db(transaction=True)
GAME = {"finisher": 2, "minus": [23, 0, 45, 12]}
PARTS = """(says) => [...says.querySelectorAll("a, b, kbd")].map((part) => ({
  tag: part.tagName, text: part.innerText, ...part.dataset,
}))"""


class Walker:
    """A newcomer who follows the margin."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.margin = page.locator("#trial")

    def step(self) -> str:
        return self.margin.get_attribute("data-step") or ""

    def follow(self) -> None:
        """Follow the margin, and wait until its text changes."""
        self.page.wait_for_load_state()
        says = self.margin.locator(".trial-says")
        said = says.text_content()
        go = self.margin.locator("[data-do]")
        if go.count():
            with self.page.expect_navigation():
                go.click()
        parts = says.evaluate(PARTS) if self.step() and said == says.text_content() else []
        for part, following in zip(parts, [*parts[1:], None], strict=False):
            self._do(part, following)
        expect(self.page.locator(".trial-says")).not_to_have_text(str(said))

    def _do(self, part: dict[str, Any], following: dict[str, Any] | None) -> None:
        if part["tag"] == "A":
            self.at_the_table(part["text"], following)
        elif part["tag"] == "KBD":
            self._type(part, following)
        elif part.get("button") == "yes":
            self.page.get_by_role("dialog").get_by_role("button", name=part["text"]).click()
        elif part.get("button") != "keep":
            # „Alle auszahlen: …“ matches any sum.
            name = re.compile(re.escape(part["text"].split("…")[0].strip()))
            self.page.locator(".page").get_by_role("button", name=name).first.click()

    def _type(self, part: dict[str, Any], following: dict[str, Any] | None) -> None:
        expect(self._focused()).to_have_count(1)
        if "key" not in part:
            self.page.keyboard.type(part["text"])
        elif part["key"] == "Enter" and following:
            with self.page.expect_navigation():
                self.page.keyboard.press("Enter")
        else:
            self.page.keyboard.press(part["key"])
            if following:
                # Without the keyboard where the last answer is still to come: Enter counts anyway.
                expect(self.page.locator("#id_last_name")).to_be_visible()

    def _focused(self) -> Locator:
        return self.page.locator("input:focus, textarea:focus")

    def at_the_table(self, name: str, keep: dict[str, Any] | None) -> None:
        assert keep
        with self.page.expect_popup() as opened:
            self.margin.get_by_role("link", name=name).click()
        device = TableDevice(self.page.context)
        device.page = opened.value
        expect(device.page.locator("body")).to_contain_class("has-script")
        device.page.get_by_role("button", name=keep["text"]).tap()
        expect(device.page.locator(".is-asking")).to_be_visible()
        device.enter(GAME)
        device.expect_stored(1)
        device.page.close()


def test_the_margin_leads_from_the_start_page_to_the_prizes(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    context = browser.new_context(
        locale="en",
        timezone_id="Europe/Berlin",
        viewport={"width": 1360, "height": 900},
        has_touch=True,
    )
    be_patient(context)
    page = context.new_page()
    guard = Guard(page)
    guard.allow(LOST_CONNECTION)  # asks of a page that is left
    page.goto(live_server.url)
    page.locator("form[action='/probelauf/beginnen/'] button").click()
    walker = Walker(page)
    expect(walker.margin).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")

    done: list[str] = []
    with proved_at_each_act():
        while walker.step() != "close":
            done.append(walker.step())
            walker.follow()

    page.set_viewport_size({"width": 360, "height": 740})
    assert sideways_scroll(page) == 0
    wanted = [step.key for step in STEPS]
    assert list(dict.fromkeys(done)) == wanted[: wanted.index("close")]
    assert done.count("people") == done.count("hand_in") == done.count("verify") == 2
    assert PrizePayout.objects.count() == PrizePayout.objects.exclude(receipt=None).count() > 0
    assert Tournament.objects.get().results_released_at
    assert guard.complaints() == []
    context.close()
