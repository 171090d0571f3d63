"""Setting up a tournament in a browser: with and without scripts, on every device, on paper."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pikepdf
import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from scoring.payments.bussgeld import PerGame
from scoring.payments.prizes import suggest_plan
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.e2e.browser import check_look, check_looks
from tests.e2e.login import log_in_as
from tests.factories import make_tournament, make_user
from tournaments.models import Category, Ranking, Role, Tournament, User
from tournaments.models.tournament import Section

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def head() -> User:
    """Return an account of an operator."""
    return make_user("karla", name="Karla Otto", is_admin=True)


@pytest.fixture
def tournament(head: User) -> Tournament:
    """A draft that says everything, of which *head* is the Veranstalter."""
    created = make_tournament(
        slug="herbst",
        name="Herbstturnier",
        status=Tournament.Status.DRAFT,
        starts_at=timezone.now() + timedelta(days=40),
        rule_set=ruleset_to_dict(ruleset("hausregel")),
        venue="Bürgerhaus Altenburg, großer Saal",
        venue_address="Markt 1, 04600 Altenburg",
        organiser="SC Altenburg",
        contact="Karla Otto",
        contact_email="turnier@verein.example",
        contact_phone="03447 1234",
        text="Einlass ist ab 12 Uhr.\n\nFür Kaffee und Kuchen ist gesorgt.",
        places=80,
        kartengeld_cents=100,
        bussgeld=PerGame(cents=50, first_games=3, first_cents=20).to_dict(),
        prize_plan={"startgeld": suggest_plan(60).to_dict()},
        account_holder="SC Altenburg",
        iban="DE02120300000000202051",
    )
    Category.objects.create(
        tournament=created, name="Junioren", startgeld_cents=800, born_from=2008, position=1
    )
    Ranking.objects.create(tournament=created, kind=Ranking.Kind.TEAM, size=4, stake_cents=200)
    created.memberships.create(user=head, role=Role.VERANSTALTER)
    return created


def log_in(page: Page, live_server: LiveServer) -> None:
    """Give the browser the session of *head*, as after logging in."""
    log_in_as(User.objects.get(username="karla"), page.context, live_server)
    page.goto(live_server.url + reverse("setup:tournaments"))


def check(page: Page) -> None:
    check_look(page, strong=True, least=44)


PAGES = (
    "/",
    "/turniere/",
    "/turniere/neu/",
    "/turniere/neu/hausregel/",
    "/turniere/neu/kopie/herbst/",
    "/turniere/herbst/",
    *(f"/turniere/herbst/ausschreibung/{name}/" for name in Section.values),
    "/turniere/herbst/ausschreibung/regelwerk/anpassen/",
    "/turniere/herbst/ausschreibung/bussgeld/?art=per_place",
    "/turniere/herbst/ausschreibung/preisplan/?topf=team",
    "/t/herbst/",
    "/t/herbst/regelwerk/",
    "/t/herbst/regelwerk/?q=§ 8",
    "/regelwerk/progressiv/",
    "/handbuch/",
    "/handbuch/?q=kasse",
    "/handbuch/tisch/",
    "/handbuch/turniertag/",
)


def test_every_page_is_accessible_and_fits_every_device(
    page: Page, live_server: LiveServer, tournament: Tournament
):
    log_in(page, live_server)

    check_looks(page, [live_server.url + path for path in PAGES], strong=True, least=44)


def test_a_form_links_to_its_errors_and_previews_a_contract(
    page: Page, live_server: LiveServer, tournament: Tournament
):
    tournament.rule_set = ruleset_to_dict(ruleset("progressiv"))
    tournament.save()
    log_in(page, live_server)
    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/preisplan/")
    page.get_by_label("Platz, Zeile 2", exact=True).fill("1")
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_role("alert")).to_contain_text("Bitte die Zeilen des Preisplans prüfen.")
    expect(page.get_by_text("Platz 1 (Gesamtwertung) steht schon im Preisplan.")).to_be_visible()
    check(page)

    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/regelwerk/anpassen/")
    check(page)
    page.get_by_label("Spiele je Liste").fill("16")
    page.get_by_label("Name des Regelwerks").fill("Sechzehn Spiele")
    page.get_by_role("button", name="Beispiel rechnen").click()
    expect(page.get_by_label("Kontrakt in Spiel 16")).to_have_value("2 Sätze zu 3, 1 Folge zu 5")
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Gespeichert: Regelwerk.")).to_be_visible()
    tournament.refresh_from_db()
    assert tournament.rule_set["games"] == 16

    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING)
    a_running_tournament_has_fixed_parts_and_asks_for_reasons(page, live_server)


def a_running_tournament_has_fixed_parts_and_asks_for_reasons(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/regelwerk/")
    expect(page.get_by_role("button", name="Speichern")).to_have_count(0)
    check(page)
    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/ablauf/")
    expect(page.get_by_label("Grund")).to_be_visible()
    check(page)
    page.goto(f"{live_server.url}/turniere/herbst/")
    check(page)


def test_rows_are_added_and_removed_and_an_example_is_computed_unsaved(
    page: Page, live_server: LiveServer, tournament: Tournament
):
    log_in(page, live_server)
    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/startgeld/")

    page.get_by_label("Gruppe, Zeile 3").fill("Mitglieder")
    page.get_by_label("Startgeld in Euro, Zeile 3").fill("12,50 €")
    page.get_by_role("button", name="Weitere Zeile").click()
    expect(page.get_by_label("Gruppe, Zeile 4")).to_be_visible()
    expect(page.get_by_label("Gruppe, Zeile 3")).to_have_value("Mitglieder")
    page.get_by_label("entfernen, Zeile 2").check()
    page.get_by_role("button", name="Speichern").click()
    expect(page).to_have_url(re.compile(r"/turniere/herbst/#startgeld$"))

    rows = tournament.categories.values_list("name", "startgeld_cents")
    assert list(rows) == [("Erwachsene", 1500), ("Mitglieder", 1250)]

    page.goto(f"{live_server.url}/turniere/herbst/ausschreibung/bussgeld/?art=per_list")
    page.get_by_label("Betrag je Person und Liste in Euro").fill("2,50")
    page.get_by_role("button", name="Beispiel rechnen").click()

    expect(page.locator("#example td", has_text="2,50")).to_have_count(4)
    tournament.refresh_from_db()
    assert tournament.bussgeld["kind"] == "per_game"


def test_an_announcement_is_printed_exported_and_explained(
    page: Page, live_server: LiveServer, tournament: Tournament, tmp_path: Path
):
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.ANNOUNCED)
    page.goto(f"{live_server.url}/t/herbst/")
    with page.expect_download() as download:
        page.get_by_role("link", name="In den Kalender").click()
    assert download.value.suggested_filename == "herbst.ics"

    expect(page.get_by_role("button", name="Drucken")).to_be_visible()
    page.pdf(path=tmp_path / "poster.pdf", prefer_css_page_size=True)
    with pikepdf.open(tmp_path / "poster.pdf") as document:
        assert len(document.pages) == 1

    page.goto(f"{live_server.url}/t/herbst/regelwerk/")
    search = page.get_by_role("searchbox")
    search.fill("§ 8.3")  # a rule is found while it is typed
    expect(page.locator(".rule")).to_have_count(1)
    expect(page.get_by_text("1 Regel passt zu")).to_be_visible()
    expect(search).to_be_focused()
    expect(page).to_have_url(re.compile("q="))
