"""Documents for printing by the browser, without Pango for PDFs."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_member
from tests.tournaments.access_matrix import Row, check
from tests.tournaments.printing.helpers import Threads, make_day
from tournaments.machine import jobs
from tournaments.models import Job, PrintedDocument, Role, Tournament
from tournaments.printing import print_job as printing_job
from tournaments.printing import rendering

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pango(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up an own data folder, and hide WeasyPrint as on a system without Pango."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [NoWeasyPrint(), *sys.meta_path])


class NoWeasyPrint:
    def find_spec(self, name: str, *_where: object) -> None:
        if name.partition(".")[0] == "weasyprint":
            raise OSError("cannot load library 'libgobject-2.0-0': error 0x7e")


def run(tournament: Tournament, document: str, **asked: Any) -> Job:
    job = jobs.start(
        kind="print",
        actor=COMMAND,
        tournament=tournament,
        document=document,
        asked=asked,
        base_url="http://192.168.178.20:8000",
        language="de",
    )
    return jobs.run(job.pk)


def printed(tournament: Tournament, document: str, **asked: Any) -> PrintedDocument:
    done = run(tournament, document, **asked)
    assert done.status == Job.Status.DONE, done.message
    return PrintedDocument.objects.get(pk=done.result["printed"])


def one_empty_page() -> bytes:
    written = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(written)
    return written.getvalue()


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> None:
    client.force_login(make_member(tournament, role))


def page_of(document: PrintedDocument) -> str:
    return reverse("printing:page", args=[document.tournament.slug, document.pk])


def test_document_opens_as_a_page_with_all_its_sheets(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(printing_job, "SHEETS_PER_PIECE", 1)
    tournament = make_day(8, name='Cup "2026" </style>')
    log_in(client, tournament)
    job = run(tournament, "spiellisten", serie=1)

    answer = client.get(reverse("printing:progress", args=[tournament.slug, job.pk]), follow=True)

    text = answer.content.decode()
    document = PrintedDocument.objects.get(pk=job.result["printed"])
    assert answer.redirect_chain == [(page_of(document), 302)]
    assert (document.is_pdf, document.pdf()) == (False, None)
    assert "Dieser Rechner kann keine PDFs machen" in text
    assert len(re.findall(r'<article class="sheet', text)) == 2
    assert text.count("<body") == text.count("</body>") == text.count("</main>") == 1
    # The foot of each page, in words that a browser knows; no name leaves the style.
    assert r'content: "Cup \22 2026\22  \3c \2f style\3e  \B7  erstellt am ' in text
    assert '"Seite " counter(page) " von " counter(pages)' in text
    # All that the page loads is served, and nothing written into it may run.
    sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
    assert all(sheet.startswith("/static/css/") for sheet in sheets)
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"style-src 'self' 'unsafe-inline'", "script-src 'self'"} <= set(policy)


def test_a_browser_page_is_made_once_and_marked_as_not_a_pdf(client: Client):
    tournament = make_day(4)
    log_in(client, tournament)

    first = printed(tournament, "sitzplan-namen", serie=1)
    second = printed(tournament, "sitzplan-namen", serie=1)
    text = client.get(reverse("printing:documents", args=[tournament.slug])).content.decode()

    assert (second.pk, second.created_at) == (first.pk, first.created_at)
    assert page_of(first) in text
    assert "zum Drucken im Browser" in text


def test_a_pdf_replaces_the_page_when_pango_is_available(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    tournament = make_day(4)
    log_in(client, tournament)
    before = printed(tournament, "sitzplan-namen", serie=1)
    address, stored = page_of(before), before.stored_name
    monkeypatch.setattr(rendering, "render", lambda *_args: one_empty_page())

    after = printed(tournament, "sitzplan-namen", serie=1)

    assert (after.pk, after.is_pdf) == (before.pk, True)
    assert not storages["print"].exists(stored)
    assert client.get(address).status_code == 404


def test_a_browser_page_of_an_archivable_document_is_marked(client: Client):
    tournament = make_day(4)
    log_in(client, tournament)

    kept = client.get(page_of(printed(tournament, "kassenbericht"))).content.decode()
    hung_up = client.get(page_of(printed(tournament, "ausschreibung"))).content.decode()

    assert "aber kein PDF/A" in kept
    assert "aber kein PDF/A" not in hung_up


def test_bundle_names_the_documents_to_print_instead():
    done = run(make_day(4), "druckpaket", serie=1)

    assert done.status == Job.Status.FAILED
    assert done.message == (
        "„Druckpaket“ gibt es nur als PDF, und das kann dieser Rechner nicht machen. Bitte einzeln "
        "drucken: Sitzplan nach Namen, Sitzplan nach Tischen, Tischkarten, Spiellisten mit Namen."
    )
    assert not PrintedDocument.objects.exists()


def test_page_opens_to_the_roles_of_its_document_only():
    tournament = make_day(4)
    document = printed(tournament, "kassenbericht")

    check(Row("printing:page", (Role.SPIELLEITUNG, Role.KASSE)), tournament, pk=document.pk)
