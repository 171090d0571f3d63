"""The hall: the browsers of all places of work, and the way between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.clients import Client
from tests.e2e.browser import LOST_CONNECTION, Guard
from tests.e2e.conftest import be_patient
from tournaments.models import Registration, Seat, Tournament

PASSWORD = "Herz ist heute Trumpf"
LAPTOP = {"width": 1360, "height": 900}
STEPS = (
    "Ausschreibung",
    "Meldungen & Kasse",
    "Auslosung",
    "Spiellisten",
    "Prüfung",
    "Rangliste & Preise",
    "Abschluss",
)


class Hall:
    """All browsers of the day, each with a guard for complaints."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self._contexts: list[BrowserContext] = []
        self._guards: list[Guard] = []
        self._seen: dict[str, Page] = {}

    # --- Devices ---------------------------------------------------------------------------

    def new_context(
        self, *, viewport: Mapping[str, int] = LAPTOP, **options: Any
    ) -> BrowserContext:
        """A device that was never here before."""
        context = self.browser.new_context(
            viewport=dict(viewport), locale="de-DE", timezone_id="Europe/Berlin", **options
        )
        be_patient(context)
        context.on("page", self._watch)
        self._contexts.append(context)
        return context

    def _watch(self, page: Page) -> None:
        guard = Guard(page)
        guard.allow(LOST_CONNECTION)
        self._guards.append(guard)

    def page_of(self, username: str) -> Page:
        """Return the page of an account, logged in on first use."""
        if username not in self._seen:
            page = self._seen[username] = self.new_context().new_page()
            page.goto(f"{self.url}/konto/anmelden/")
            page.get_by_label("Anmeldename").fill(username)
            page.get_by_label("Kennwort").fill(PASSWORD)
            page.get_by_role("button", name="Anmelden").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Meine Turniere")
            open_tournament(page)
        return self._seen[username]

    def keep(self, username: str, page: Page) -> None:
        """Store the page of an account that is logged in already."""
        self._seen[username] = page

    def without_a_screen(self, username: str) -> Client:
        """Return a logged-in client that repeats acts done in the browser before."""
        client = Client()
        client.force_login(get_user_model().objects.get(username=username))
        return client

    def leave(self, page: Page) -> None:
        """Put a device away."""
        self._contexts.remove(page.context)
        page.context.close()

    def close(self) -> None:
        """Put everything away."""
        for context in self._contexts:
            context.close()

    def check(self) -> None:
        """Fail if any browser complained."""
        complaints = [text for guard in self._guards for text in guard.complaints()]
        assert not complaints, "\n".join(complaints)

    # --- Stored rows -------------------------------------------------------------------------

    @property
    def tournament(self) -> Tournament:
        """Return the tournament with its current values."""
        return Tournament.objects.get()

    def registration(self, number: int) -> Registration:
        """Return the registration of a start number."""
        return Registration.objects.get(number=number)

    def rows(self, serie: int) -> list[list[int]]:
        """Start numbers by table and seat."""
        rows: dict[int, list[int]] = {}
        for seat in (
            Seat.objects.filter(serie__number=serie)
            .select_related("table", "registration")
            .order_by("table__number", "number")
        ):
            assert seat.registration.number is not None
            rows.setdefault(seat.table.number, []).append(seat.registration.number)
        return list(rows.values())


def open_tournament(page: Page) -> None:
    """Go from the list of tournaments to the one there is."""
    page.locator("#main").get_by_role("link", name="Herbstturnier 2026").first.click()
    expect(page.locator("nav.steps")).to_be_visible()


def go(page: Page, step: str) -> None:
    """Go to a place of work by the steps in the head of the page."""
    with page.expect_navigation():
        page.locator("nav.steps").get_by_role("link", name=step).click()
    expect(page.locator("nav.steps [aria-current]")).to_contain_text(step)


def states(page: Page) -> dict[str, str]:
    """Return which steps the head of the page calls done, half done, due and open."""
    steps: list[list[str]] = page.locator("nav.steps .step").evaluate_all(
        "all => all.map((one) => [one.querySelector('.step-label').innerText, one.className])"
    )
    return {label.split(",")[0].strip(): re.findall(r"is-(\w+)", name)[0] for label, name in steps}


def confirm(page: Page, yes: str) -> None:
    """Answer the question of the page with its own words."""
    page.get_by_role("dialog").get_by_role("button", name=yes, exact=True).click()


def told(page: Page, text: str | re.Pattern[str]) -> Locator:
    """Wait until the page says something."""
    message = page.get_by_text(text).first
    expect(message).to_be_visible()
    return message


def ask_again(page: Page, part: str) -> None:
    """Make an open page poll now."""
    page.wait_for_load_state()  # with htmx, by which it asks: that comes after the page
    page.evaluate(
        """(part) => htmx.ajax("GET", document.querySelector(part).getAttribute("hx-get"),
            {target: part, swap: "outerHTML"})""",
        part,
    )
