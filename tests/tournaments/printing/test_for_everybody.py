"""The manual and the sheet of the day, printed without a tournament and without an account."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.printing.helpers import Threads, make_day
from tests.tournaments.printing.test_browser import one_empty_page
from tests.tournaments.printing.test_views import make_printed
from tournaments.machine import addresses, jobs
from tournaments.models import Job, PrintedDocument
from tournaments.printing import print_job as printing_job
from tournaments.printing import rendering
from tournaments.printing.documents import DOCUMENTS

pytestmark = pytest.mark.django_db
MANUAL = reverse("print_manual", args=["handbuch"])
OPEN = [document.name for document in DOCUMENTS.values() if document.for_everybody]
ENGLISH = {"accept-language": "en"}
Press = Callable[..., None]


@pytest.fixture(autouse=True)
def spawned(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Set up an own data folder, instant pages, and jobs that the tests run."""
    settings.DATA_DIR = tmp_path
    started: list[int] = []
    monkeypatch.setattr(jobs, "spawn", started.append)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    monkeypatch.setattr(rendering, "render", lambda *_args: one_empty_page())
    return started


@pytest.fixture
def press(client: Client, django_capture_on_commit_callbacks: Any) -> Press:
    """Press the button of the manual's page."""

    def once(url: str = MANUAL, **sent: Any) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            assert client.post(url, **sent)["Location"] == url

    return once


@pytest.mark.parametrize("name", OPEN)
def test_public_documents_are_printed_once(
    client: Client, press: Press, spawned: list[int], name: str
):
    url = reverse("print_manual", args=[name])

    press(url)
    press(url)
    waiting = client.get(url).content.decode()
    jobs.run(*spawned)
    pdf = client.get(url, follow=True)
    press(url)

    assert "Das Dokument wird gemacht" in waiting
    assert (pdf["Content-Type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")
    assert pdf["Content-Disposition"].startswith('inline; filename="')
    assert "Content-Security-Policy" not in pdf.headers
    assert len(spawned) == 1


def test_public_documents_are_cached_by_language_and_content(
    press: Press, spawned: list[int], monkeypatch: pytest.MonkeyPatch
):
    press()
    press(headers=ENGLISH)
    first, second = [jobs.run(key) for key in spawned]
    monkeypatch.setattr(printing_job, "PRINTED_AT_PLACEHOLDER", "{otherwise}")
    press()

    titles = PrintedDocument.objects.order_by("asked").values_list("asked", "title", "tournament")
    assert list(titles) == [
        ("language=de", "Handbuch", None),
        ("language=en", "Manual", None),
    ]
    assert first.result != second.result
    assert len(spawned) == 3
    assert jobs.run(spawned[2]).result == first.result


def test_public_documents_are_browser_pages_without_pango(
    client: Client, press: Press, spawned: list[int], monkeypatch: pytest.MonkeyPatch
):
    def none(*_args: object) -> bytes:
        raise rendering.NoPangoError

    monkeypatch.setattr(rendering, "render", none)
    press()
    jobs.run(*spawned)

    page = client.get(MANUAL, follow=True)

    assert "Dieser Rechner kann keine PDFs machen" in page.content.decode()
    assert f'href="{reverse("manual:contents")}#paper"' in page.content.decode()
    assert "style-src 'self' 'unsafe-inline'" in page.headers["Content-Security-Policy"]


def test_a_failed_public_print_names_the_reason_and_a_way_back(
    client: Client, press: Press, spawned: list[int]
):
    press()
    Job.objects.filter(pk__in=spawned).update(status=Job.Status.FAILED, message="Kein Platz.")

    page = client.get(MANUAL).content.decode()
    press()

    assert "Kein Platz." in page
    assert f'href="{reverse("manual:contents")}#paper"' in page
    assert len(spawned) == 2


def test_a_forged_host_starts_no_other_print(
    client: Client, press: Press, spawned: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(addresses, "lan_address", lambda: "192.168.1.7")
    url = reverse("print_manual", args=["turniertag"])
    press(url)
    jobs.run(*spawned)

    for host in ("localhost", "erfunden.example", "192.168.1.7:9999"):
        press(url, headers={"host": host})

    assert len(spawned) == 1
    assert Job.objects.get().params["base_url"] == "http://192.168.1.7:8000"


def test_public_printing_offers_no_tournament_documents(client: Client):
    printed = make_printed(make_day(4))
    places = [
        reverse("print_manual", args=["teilnehmerliste"]),
        reverse("print_manual_pdf", args=[printed.pk, printed.file_name]),
        reverse("print_manual_page", args=[printed.pk]),
    ]

    assert [client.get(url).status_code for url in places] == [404, 404, 404]
    assert client.get(MANUAL)["Location"] == f"{reverse('manual:contents')}#paper"
