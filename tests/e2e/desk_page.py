"""The page of the desk in a browser: opened, searched and waited for."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.factories import make_tournament
from tournaments.models import Registration, Tournament


def soon(**fields) -> Tournament:
    return make_tournament(
        name="Herbstturnier 2026", starts_at=timezone.now() + timedelta(hours=2), **fields
    )


def desk_url(live_server, tournament: Tournament, path: str = "") -> str:
    return f"{live_server.url}/turniere/{tournament.slug}/meldungen/{path}"


def wait_for_the_answer(page: Page, text: str) -> None:
    """Wait until the results match all of *text*, not only its first letters."""
    expect(page.locator("#q")).to_have_attribute("data-asked", text)
    expect(page.locator("#q[data-pending], #q.htmx-request")).to_have_count(0)


def found(page: Page) -> Locator:
    """The name that Enter would take."""
    return page.locator("#found .is-selected .result-name")


def search(page: Page, letters: str, *, who: str) -> None:
    """Type letters until the expected person is the first match."""
    page.keyboard.type(letters)
    wait_for_the_answer(page, letters)
    expect(found(page)).to_have_text(who)


def expect_done(page: Page, *words: str) -> None:
    """Wait until a registration is done and the field is ready for the next."""
    for text in words:
        expect(page.locator(".desk-done")).to_contain_text(text)
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")


def answer_late(page: Page) -> None:
    """Let every answer take 300 ms, as where the server is far away."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    late = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", late)


def registered() -> list[str]:
    """The names of all, as they came."""
    return [str(registration.person) for registration in Registration.objects.order_by("number")]
