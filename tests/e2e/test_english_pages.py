"""English pages on a phone and on the website of a club: nothing is cut off or German."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.e2e.browser import Guard, sideways_scroll
from tests.e2e.conftest import be_patient
from tests.e2e.login import log_in
from tests.e2e.table_device import make_table
from tests.factories import make_tournament
from tests.factories_lists import FOUR, write_games
from tests.tournaments.test_english import german_on
from tournaments.common.access_keys import table_path
from tournaments.models import Role, TableAccess
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = re.compile("Kühn|Voß")
PHONE = {"width": 360, "height": 740}
WHOLE = (
    "desk:desk",
    "draw:serien",
    "hall:current",
    "checking:lists",
    "results:press",
    "prizes:prizes",
    "closing:page",
    "screen:control",
    "printing:documents",
    "cash:count",
    "notices:page",
    "public:tournament",
    "public:rules",
    "entry:register",
)
SECTIONS = (Section.PROCEDURE, Section.PUBLIC, Section.RULE_SET)


def test_english_pages_fit_a_phone_and_contain_no_german(browser: Browser, live_server):
    tournament = make_table(status="announced", online_registration=True).table.serie.tournament
    table = table_path(TableAccess.objects.get())
    sections = [reverse("setup:section", args=[tournament.slug, section]) for section in SECTIONS]
    paths = ["/", *(reverse(name, args=[tournament.slug]) for name in WHOLE), *sections, table]
    context = browser.new_context(locale="en-GB", viewport=PHONE)
    be_patient(context)
    log_in(context, live_server, tournament, Role.VERANSTALTER)
    page = context.new_page()
    guard = Guard(page)

    wrong = {}
    for path in paths:
        page.goto(live_server.url + path)
        if path == table:
            expect(page.get_by_text("Only watch")).to_be_visible()  # the texts of its scripts
        german = german_on(NAMES.sub("", page.content()))
        if german or sideways_scroll(page):
            wrong[path] = (german, sideways_scroll(page))
    context.close()

    assert wrong == {}
    assert guard.complaints() == []


SAID = {
    "de-DE": ("Herbstturnier", "Ausschreibung · Jetzt melden", "Einzel · Zwischen"),
    "en-GB": ("Herbstturnier", "Announcement · Register now", "Individual · Interim"),
}


def test_the_website_of_a_club_embeds_the_next_tournament_and_the_ranking(
    browser: Browser, live_server
):
    day = timezone.now() + timedelta(days=7)
    make_tournament(slug="herbst", name="Herbstturnier", online_registration=True, starts_at=day)
    played = write_games(make_table(status="running"), FOUR, status="handed_in")
    ranking = reverse("feed:overall", args=[played.table.serie.tournament.slug])
    parts = (
        f'<div id="next" data-romme="{live_server.url}/api/turniere/"></div>'
        f'<div id="ranking" data-romme="{live_server.url}{ranking}"></div>'
        f'<script src="{live_server.url}/api/einbetten.js" async></script>'
    )
    for locale, said in SAID.items():
        context = browser.new_context(locale=locale)
        be_patient(context)
        page = context.new_page()
        page.set_content(parts)
        for where, text in zip(("#next", "#next", "#ranking"), said, strict=True):
            expect(page.locator(where)).to_contain_text(text)
        expect(page.locator("#ranking tr")).to_have_count(4)
        register = page.get_by_role("link", name=said[1].partition(" · ")[2])
        form = re.compile(reverse("entry:register", args=["herbst"]))
        expect(register).to_have_attribute("href", form)
        context.close()
