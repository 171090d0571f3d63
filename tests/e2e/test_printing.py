"""Printing in a browser: the page of documents, and the way from the button to the PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.e2e.browser import check_look, check_looks, sideways_scroll
from tests.e2e.login import log_in, log_in_as
from tests.factories import make_user
from tests.tournaments.printing.helpers import Paper, Threads, make_day
from tournaments.machine import jobs
from tournaments.models import Job, PrintedDocument, Role, Tournament
from tournaments.printing import print_job as printing_job
from tournaments.printing import rendering

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own data folder, and work that is done where it is started."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    return tmp_path


def address(live_server, tournament: Tournament, name: str, *args: object) -> str:
    return f"{live_server.url}{reverse(f'printing:{name}', args=[tournament.slug, *args])}"


def is_pdf(answer: Response) -> bool:
    return answer.url.endswith(".pdf")


def make_printed(tournament: Tournament) -> None:
    PrintedDocument.objects.create(
        tournament=tournament,
        name="spiellisten",
        title="Spiellisten Serie 1",
        key="ab" * 32,
        pages=62,
        created_at=timezone.now(),
    )


def test_documents_are_linked_and_look_right_everywhere(
    page: Page, context: BrowserContext, live_server
):
    tame, nasty = make_day(8, slug="tame"), make_day(8, slug="nasty", nasty=True)
    head = make_user()
    for tournament in (tame, nasty):
        make_printed(tournament)
        tournament.memberships.create(user=head, role=Role.SPIELLEITUNG)
    log_in_as(head, context, live_server)
    check_looks(page, [address(live_server, day, "documents") for day in (tame, nasty)], least=44)

    page.goto(f"{live_server.url}/turniere/{tame.slug}/")
    page.get_by_role("link", name="Drucken").click()
    expect(page.get_by_role("heading", name="Drucken", level=1)).to_be_visible()


STATES: tuple[dict[str, Any], ...] = (
    {"status": "running", "done": 25, "total": 62},
    {"status": "waiting"},
    {"status": "failed", "message": "In Serie 1 ist noch kein Spiel eingetragen."},
    {"status": "cancelled"},
)


def test_the_progress_page_looks_right_and_opens_the_finished_pdf(
    page: Page, context: BrowserContext, live_server
):
    tournament = make_day(8)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    states = [
        Job.objects.create(
            kind="print",
            tournament=tournament,
            params={"document": "spiellisten"},
            heartbeat_at=timezone.now(),
            **state,
        )
        for state in STATES
    ]
    check_looks(page, [address(live_server, tournament, "progress", job.pk) for job in states])

    job = Job.objects.create(
        kind="print",
        tournament=tournament,
        params={"document": "sitzplan-namen", "asked": {"serie": 1}, "base_url": ""},
    )
    page.goto(address(live_server, tournament, "progress", job.pk))
    expect(page.get_by_role("heading", name="Das Dokument wird gemacht")).to_be_visible()
    with page.expect_event("response", is_pdf) as answer:
        jobs.run(job.pk)
    assert answer.value.status == 200


def test_a_document_opens_in_a_new_tab_and_a_wrong_number_marks_its_field(
    page: Page, context: BrowserContext, live_server
):
    tournament = make_day(4)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(address(live_server, tournament, "documents"))

    plan = page.locator("#sitzplan-namen")
    with context.expect_event("response", is_pdf) as answer:
        plan.get_by_role("button", name="Sitzplan nach Namen").click()
    assert answer.value.status == 200
    assert answer.value.headers["content-type"] == "application/pdf"
    printed = PrintedDocument.objects.get()
    assert "Kühn, Anna 1 1 1" in Paper("", printed.pdf()).text
    expect(page.get_by_role("heading", name="Drucken", level=1)).to_be_visible()

    page.get_by_role("heading", name="Meldungen & Kasse").click()
    cards = page.locator("#startkarten")
    cards.get_by_label("Nur Nr.").fill("0")
    cards.locator("form").evaluate("(form) => { form.noValidate = true; form.target = ''; }")
    cards.get_by_role("button", name="Startkarten").click()
    expect(cards.get_by_label("Nur Nr.")).to_have_attribute("aria-invalid", "true")
    check_look(page, widths=[360])


def test_without_pango_the_browser_prints_each_list_on_its_page(
    page: Page, context: BrowserContext, live_server, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_args: object) -> bytes:
        raise rendering.NoPangoError

    monkeypatch.setattr(rendering, "render", refuse)
    tournament = make_day(8)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(address(live_server, tournament, "documents"))

    page.get_by_role("heading", name="Spiellisten", exact=True).click()
    with page.expect_popup() as opened:
        page.locator("#spiellisten").get_by_role("button", name="Spiellisten mit Namen").click()
    lists = opened.value
    expect(lists.get_by_role("button", name="Drucken")).to_be_visible()
    lists.set_viewport_size({"width": 360, "height": 740})

    assert sideways_scroll(lists) == 0
    text = Paper("", lists.pdf(prefer_css_page_size=True)).pages
    assert ["Tisch 1" in text[0], "Tisch 2" in text[1], len(text)] == [True, True, 2]
    # Chromium leaves some spaces out of the text beside a PDF's letters.
    assert "Herbstturnier2026·erstelltam" in text[0].replace(" ", "")
    assert "Seite 1 von 2" in text[0]
    assert "Dieser Rechner kann" not in text[0]
