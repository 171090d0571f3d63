"""Two days in a browser: planned, shown on poster and screen, and chosen at the desk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in_as
from tests.factories import make_member, make_person, make_tournament
from tournaments.models import Role, Screen

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_days_are_planned_shown_and_registered_for(page: Page, live_server: LiveServer):
    starts = timezone.localtime() + timedelta(days=3)
    tournament = make_tournament(
        starts_at=starts.replace(hour=14, minute=0, second=0, microsecond=0),
        venue="Bürgerhaus",
        organiser="SC Altenburg",
        contact_email="turnier@verein.example",
        day_startgeld=True,
    )
    Screen.objects.create(tournament=tournament, shows="schedule")
    make_person("Nora", "Sonntag")
    log_in_as(make_member(tournament, Role.VERANSTALTER), page.context, live_server)
    sunday = starts.date() + timedelta(days=1)

    page.goto(live_server.url + reverse("setup:section", args=[tournament.slug, "serien"]))
    page.locator("#id_time_1").fill("14:00")
    page.locator("#id_day_3").fill(sunday.isoformat())
    page.locator("#id_time_3").fill("10:00")
    page.get_by_label("Tag, Zeile 1").fill(sunday.isoformat())
    page.get_by_label("Uhrzeit, Zeile 1").fill("13:00")
    page.get_by_label("Was, Zeile 1").fill("Siegerehrung")
    check_look(page)
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Gespeichert: Serien.")).to_be_visible()

    page.goto(live_server.url + reverse("public:tournament", args=[tournament.slug]))
    expect(page.get_by_text("13:00 Uhr Siegerehrung")).to_be_visible()
    check_look(page)
    page.goto(live_server.url + reverse("screen:screen", args=[tournament.slug]))
    expect(page.get_by_text("Siegerehrung")).to_be_visible()
    check_look(page)

    page.goto(live_server.url + reverse("desk:desk", args=[tournament.slug]) + "?q=sonntag")
    check_look(page)
    page.get_by_role("button", name="nur").last.click()
    expect(page.get_by_text("5,00\N{NO-BREAK SPACE}€ erhalten")).to_be_visible()
    page.get_by_role("link", name="Öffnen", exact=True).click()
    page.get_by_text("An welchen Tagen").click()
    expect(page.get_by_role("checkbox").nth(0)).not_to_be_checked()
    check_look(page)
