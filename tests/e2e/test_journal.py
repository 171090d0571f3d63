"""The journal in a browser: read, narrowed and proved whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import COMMAND
from tests.tournaments.journal.helpers import brought
from tests.tournaments.notices.helpers import (
    leader_of,
    make_case,
    make_checked_list,
    make_notice,
    players_of,
    tournament_of,
)
from tournaments.cash.services import till
from tournaments.closing import services as closing
from tournaments.common.actors import Actor
from tournaments.desk.services import exclusions
from tournaments.models import Role, Spielliste, Tournament
from tournaments.notices.services import cases, notices

pytestmark = pytest.mark.django_db(transaction=True)


def played() -> tuple[Tournament, Spielliste]:
    """Return a tournament with a corrected list, notices, a case, a closing and receipts."""
    spielliste = make_checked_list(kaution_cents=500, name="Herbstturnier 2026")
    tournament = tournament_of(spielliste)
    leader = leader_of(tournament)
    notice, case = make_notice(spielliste), make_case(spielliste)
    for registration in players_of(spielliste):
        till.take_kaution(COMMAND, registration.pk)
    notices.tell(Actor.account(leader), notice.pk, how="oral")
    cases.decide(Actor.account(leader), case.pk, decision="Es bleibt bei 41.")
    cases.tell(Actor.account(leader), case.pk, how="oral")
    closing.close_serie(COMMAND, spielliste.table.serie_id)
    exclusions.exclude(
        COMMAND,
        players_of(spielliste)[3].pk,
        reason="Grober Verstoß nach zweimaliger Ermahnung am Tisch",
    )
    return tournament, spielliste


def test_the_journal_looks_right_everywhere(page: Page, context: BrowserContext, live_server):
    tournament, _spielliste = played()
    brought(tournament)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)

    page.goto(f"{live_server.url}/turniere/{tournament.slug}/protokoll/")
    page.locator(".history-facts summary").first.click()

    check_look(page, least=44)

    page.get_by_role("link", name="Mitgebrachtes Protokoll").click()
    expect(page.locator(".alert.success")).to_contain_text("Geprüft: 9 Einträge")
    check_look(page)

    # A payment links to its history, also for the till.
    log_in(context, live_server, tournament, Role.KASSE)
    page.goto(f"{live_server.url}/turniere/{tournament.slug}/kasse/beleg/1/")
    page.get_by_role("link", name="Verlauf").click()
    expect(page.locator(".history-row")).to_contain_text("Beleg 1 gebucht")
    check_look(page, least=44)
