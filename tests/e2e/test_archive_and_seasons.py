"""Archives and seasons in a browser: every page fits, reads and works."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.machine import jobs
from tournaments.models import Job, Role, Season, Spielliste, Tournament

ARCHIVE = Path(__file__).parent.parent / "tournaments" / "archive" / "data" / "archive-23x3.json"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament of one verified Serie, with a very long name among the players."""
    made = make_tournament(serien=1, status=Tournament.Status.RUNNING, name="Herbstturnier")
    players = [
        make_registration(
            made,
            make_person("Anna-Luise", f"von Kühn-Großmann-Wettengel{n}", publish_consent=n != 3),
        )
        for n in range(1, 5)
    ]
    spielliste = list_of(make_seated_serie(made, [players]))
    write_games(spielliste, status=Spielliste.Status.VERIFIED)
    return made


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave jobs to the test, which does them here."""
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)


@pytest.mark.usefixtures("no_process")
def test_an_archive_is_exported_and_imported_and_refusals_name_places(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    log_in(page.context, live_server, tournament, Role.VERANSTALTER)
    page.goto(live_server.url + reverse("archive:export", args=[tournament.slug]))
    check_look(page)

    page.get_by_role("button", name="Archiv schreiben").click()
    expect(page.get_by_role("heading", name="Das Archiv wird geschrieben")).to_be_visible()
    check_look(page)
    jobs.run(Job.objects.get().pk)
    expect(page.get_by_role("link", name="Herunterladen")).to_be_visible()
    check_look(page)

    page.goto(live_server.url + reverse("archive:import"))
    check_look(page)
    page.get_by_label("Archiv (JSON)").set_input_files(ARCHIVE)
    page.get_by_role("button", name="Einlesen").click()
    expect(page.get_by_role("heading", name="Das Archiv wird eingelesen")).to_be_visible()
    jobs.run(Job.objects.order_by("-pk")[0].pk)
    page.get_by_role("link", name="Zum Turnier").click()

    expect(page.get_by_role("banner")).to_contain_text("Beispielturnier")

    page.goto(live_server.url + reverse("archive:import"))
    wrong = {"name": "a.json", "mimeType": "application/json", "buffer": b'{"format": "x"}'}
    page.get_by_label("Archiv (JSON)").set_input_files(wrong)
    page.get_by_role("button", name="Einlesen").click()
    expect(page.get_by_role("heading", name="Das Archiv wird eingelesen")).to_be_visible()
    jobs.run(Job.objects.order_by("-pk")[0].pk)
    expect(page.get_by_role("alert")).to_contain_text("gespeichert ist nichts")
    check_look(page)


def test_a_new_season_names_the_tournaments_it_waits_for(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    log_in(page.context, live_server, tournament, Role.VERANSTALTER)
    page.goto(live_server.url + reverse("seasons:overview"))
    check_look(page)

    page.get_by_role("link", name="Neue Saison").click()
    expect(page.get_by_label("Name der Saison")).to_be_visible()
    check_look(page)
    page.get_by_label("Name der Saison").fill("Thüringer Rommé-Pokal 2026")
    page.get_by_label("Herbstturnier").check()
    page.get_by_label("Punkte zusammen, wie in den Turnieren gewertet").check()
    page.get_by_role("button", name="Speichern").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Thüringer Rommé-Pokal 2026")
    expect(page.get_by_role("table")).to_contain_text("201")
    check_look(page)
    page.goto(live_server.url + reverse("seasons:overview"))
    check_look(page)

    Spielliste.objects.update(status=Spielliste.Status.OPEN)
    page.context.clear_cookies()  # everybody may read it
    page.goto(live_server.url + reverse("seasons:season", args=[Season.objects.get().slug]))
    expect(page.get_by_text("Zählen noch nicht")).to_be_visible()
    check_look(page)
