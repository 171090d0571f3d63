"""The overview of a tournament in a browser: on every device, and current while it is open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.browser import check_look, unfold
from tests.e2e.login import log_in
from tests.e2e.test_hall import busy_hall, hall
from tests.factories import COMMAND, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.hall.helpers import played
from tournaments.models import Role, Spielliste, Tournament
from tournaments.table.services import calls

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


def announced() -> Tournament:
    """One for which people have been registering for three weeks."""
    tournament = make_tournament(name="Herbstturnier 2026", places=80)
    now = timezone.now()
    for days in (20, 19, 15, 9, 8, 3, 1):
        make_registration(tournament, created_at=now - timedelta(days=days))
    return tournament


def between() -> Tournament:
    """Return a tournament whose first Serie is over."""
    tournament = make_tournament(status="running", name="Herbstturnier 2026")
    played(make_seated_serie(tournament), status=Spielliste.Status.VERIFIED)
    tournament.serien.filter(number=1).update(closed_at=timezone.now())
    return tournament


@pytest.mark.parametrize(
    "make",
    [
        announced,
        pytest.param(lambda: make_tournament(status="running"), id="nobody seated"),
        pytest.param(lambda: busy_hall().tournament, id="busy"),
        pytest.param(lambda: hall(tables=60).tournament, id="large"),
        between,
    ],
)
def test_the_overview_is_accessible_and_fits_every_device(
    page: Page, live_server: LiveServer, make: Callable[[], Tournament]
):
    tournament = make()
    log_in(page.context, live_server, tournament, Role.VERANSTALTER)
    page.goto(f"{live_server.url}/turniere/{tournament.slug}/")
    unfold(page)

    expect(page.locator(".page .button:not(.outline, .quiet, .link)")).to_have_count(1)
    check_look(page, widths=(360, 820, 1440), strong=True, least=44)


def test_an_open_overview_shows_a_call_and_the_clock(page: Page, live_server: LiveServer):
    serie = hall()
    log_in(page.context, live_server, serie.tournament, Role.SPIELLEITUNG)
    page.goto(f"{live_server.url}/turniere/{serie.tournament.slug}/")
    expect(page.locator(".board-clock .countdown")).to_contain_text("1:0")
    expect(page.get_by_role("link", name="Zu den Tischen")).to_be_visible()

    calls.call(COMMAND, list_of(serie, 2).table_id, kind="counting")

    expect(page.get_by_role("heading", name="Tisch 2 ruft")).to_be_visible(timeout=20_000)
    page.get_by_role("link", name="Zum Ruf").click()
    expect(page.get_by_role("button", name="Übernehmen")).to_be_visible()


def test_all_steps_show_their_names_down_to_62_rem(page: Page, live_server: LiveServer):
    serie = hall()
    log_in(page.context, live_server, serie.tournament, Role.SPIELLEITUNG)
    page.goto(f"{live_server.url}/turniere/{serie.tournament.slug}/spiellisten/1/")
    for width in (992, 1360):
        page.set_viewport_size({"width": width, "height": 900})
        row = page.locator("nav.steps ol")
        assert row.evaluate("(row) => row.scrollWidth - row.clientWidth") == 0
        assert page.locator("nav.steps .step-label").evaluate_all(
            "all => all.every((one) => one.offsetWidth > 40)"
        )
    expect(page.locator("nav.steps .is-half")).to_contain_text("1 von 3")
    expect(page.locator("nav.steps .is-now")).to_contain_text("jetzt")
