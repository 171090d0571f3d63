"""The table codes during a draw by cards, and their pages on a phone."""

from __future__ import annotations

import io
from typing import Any

import pytest
import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tournaments.draw.services import draws
from tournaments.models import Role, Serie, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_phone_opens_the_code_and_enters_four_players(
    page: Page, live_server: LiveServer, settings: Any
) -> None:
    settings.PUBLIC_URL = live_server.url  # the browser here is on this machine itself
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    for number in range(1, 9):
        make_registration(tournament, make_person("Anna", f"Kühn{number}", publish_consent=True))
    serie = tournament.serien.get(number=1)
    draft = draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)
    log_in(page.context, live_server, tournament, Role.KASSE)
    page.goto(live_server.url + reverse("draw:table_codes", args=[tournament.slug, 1]))
    check_look(page)
    shot = page.get_by_role("img", name="Code von Tisch 2").screenshot(scale="device")
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)))

    page.context.clear_cookies()
    page.goto(code.text)
    check_look(page)
    for seat, number in enumerate((3, 8, 1, 5), start=1):
        page.get_by_label(f"Platz {seat}").fill(str(number))
    page.get_by_role("button", name="Eintragen").click()

    expect(page.get_by_label("Platz 1: Anna Kühn3")).to_have_value("3")
    draft.refresh_from_db()
    assert None not in draft.seats[1]
