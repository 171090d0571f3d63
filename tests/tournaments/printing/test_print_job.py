"""The job that prints: in processes of its own, once for the same content, to be cancelled."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor, wait
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tests.private_files import is_private
from tests.tournaments.printing.helpers import Paper, Threads, make_day
from tournaments.machine import jobs
from tournaments.models import Job, PrintedDocument, Tournament
from tournaments.printing import print_job as printing_job
from tournaments.printing import rendering, store

# The pool's processes belong to the job, so the data must not hang in a transaction.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own data folder; jobs are run by the tests."""
    settings.DATA_DIR = tmp_path
    on_disk = {"BACKEND": "romme_site.files.DiskStorage", "OPTIONS": {"folder": "print"}}
    settings.STORAGES = {**settings.STORAGES, "print": on_disk}
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_BEATS", 0)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    return tmp_path / "print"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace rendering for tests that do not depend on pages."""
    render = rendering.render
    monkeypatch.setattr(
        rendering, "render", lambda _html, *others: render("<html lang=de><p>Seite", *others)
    )


def start(tournament: Tournament, document: str, **asked: Any) -> Job:
    return jobs.start(
        kind="print",
        actor=COMMAND,
        tournament=tournament,
        document=document,
        asked=asked,
        base_url="http://192.168.178.20:8000",
        language="de",
    )


def run(tournament: Tournament, document: str, **asked: Any) -> PrintedDocument:
    done = jobs.run(start(tournament, document, **asked).pk)
    assert done.status == Job.Status.DONE, done.message
    return PrintedDocument.objects.get(pk=done.result["printed"])


def test_a_finished_document_is_stored_readable_by_its_owner_only(folder: Path):
    printed = run(make_day(4), "sitzplan-namen", serie=1)

    paper = Paper(printed.title, printed.pdf())
    (path,) = folder.iterdir()
    assert path.name == printed.stored_name
    assert is_private(path)
    assert (printed.title, printed.pages) == ("Sitzplan Serie 1 nach Namen", 1)
    assert printed.asked == "serie=1"
    assert re.search(r"Herbstturnier 2026 · erstellt am \d+\. \w+ \d{4}, \d\d:\d\d Uhr", paper.text)


@pytest.mark.once  # the processes are fresh, get a text, and have no connection
def test_parts_of_a_document_are_made_by_processes_that_clean_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", ProcessPoolExecutor)
    monkeypatch.setattr(printing_job, "SHEETS_PER_PIECE", 1)

    printed = run(make_day(8), "spiellisten", serie=1)

    text = Paper("", printed.pdf()).pages
    assert ["Tisch 1" in text[0], "Tisch 2" in text[1]] == [True, True]
    assert printed.pages == 2
    # No fonts that were unpacked, and no complaint that they could not be removed.
    assert list((tmp_path / "tmp").iterdir()) == []
    assert capfd.readouterr().err == ""


@pytest.mark.once
@pytest.mark.usefixtures("quick")
def test_same_content_is_not_made_twice(monkeypatch: pytest.MonkeyPatch):
    tournament = make_day(4)
    first = run(tournament, "sitzplan-namen", serie=1)

    monkeypatch.setattr(printing_job, "make", lambda *_args: pytest.fail("made again"))
    second = run(tournament, "sitzplan-namen", serie=1)

    assert (second.pk, second.created_at) == (first.pk, first.created_at)


@pytest.mark.once
def test_changed_content_replaces_the_old(folder: Path):
    tournament = make_day(4)
    first = run(tournament, "sitzplan-namen", serie=1)
    person = tournament.registrations.get(number=1).person
    person.last_name = "Kühn-Öztürk"
    person.tidy()
    person.save()

    second = run(tournament, "sitzplan-namen", serie=1)

    assert second.pk == first.pk
    assert "Kühn-Öztürk" in Paper("", second.pdf()).text
    assert first.pdf() is None
    assert [path.name for path in folder.iterdir()] == [second.stored_name]


@pytest.mark.once
@pytest.mark.usefixtures("quick")
def test_a_lost_pdf_is_made_again():
    tournament = make_day(4)
    storages["print"].delete(run(tournament, "sitzplan-namen", serie=1).stored_name)

    assert run(tournament, "sitzplan-namen", serie=1).pdf()


@pytest.mark.once
def test_styles_are_part_of_the_content(monkeypatch: pytest.MonkeyPatch):
    assert store.content_key(["a"], "pdf/ua-1") != store.content_key(["a"], "pdf/a-3a")
    assert store.content_key(["a"], "pdf/ua-1") == store.content_key(["a"], "pdf/ua-1")
    before = store.content_key(["a"], "pdf/ua-1")

    monkeypatch.setattr(store, "STYLES", "css/print/cards.css")

    assert store.content_key(["a"], "pdf/ua-1") != before


def test_a_refusal_is_stored_in_the_job():
    done = jobs.run(start(make_day(4), "sitzplan-namen", serie=2).pk)

    assert done.status == Job.Status.FAILED
    assert "noch nicht bekannt gegeben" in done.message


def test_cancelled_printing_stores_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch):
    tournament = make_day(8)
    monkeypatch.setattr(printing_job, "SHEETS_PER_PIECE", 1)
    waiting = start(tournament, "spiellisten", serie=1)

    def cancelled_meanwhile(*args: Any) -> Any:
        jobs.cancel(job_id=waiting.pk)
        return wait(*args)

    monkeypatch.setattr(printing_job, "wait", cancelled_meanwhile)

    done = jobs.run(waiting.pk)

    assert done.status == Job.Status.CANCELLED
    assert not PrintedDocument.objects.exists()
    assert not folder.exists()


@pytest.mark.once
@pytest.mark.usefixtures("quick")
def test_progress_counts_sheets(monkeypatch: pytest.MonkeyPatch):
    tournament = make_day(12)
    monkeypatch.setattr(printing_job, "SHEETS_PER_PIECE", 2)
    told: list[tuple[int, int]] = []
    started = start(tournament, "spiellisten", serie=1)

    printing_job.print_document(started, lambda done, total: told.append((done, total)))

    assert told[-1] == (3, 3)
    assert [done for done, _total in told] == sorted(done for done, _total in told)


@pytest.mark.usefixtures("quick")
def test_all_prints_of_a_tournament_can_be_deleted(
    folder: Path, django_capture_on_commit_callbacks: Any
):
    tournament, other = make_day(4), make_day(3, size=3)
    run(tournament, "sitzplan-namen", serie=1)
    run(tournament, "sitzplan-tische", serie=1)
    kept = run(other, "sitzplan-namen", serie=1)

    with django_capture_on_commit_callbacks(execute=True):
        store.delete_documents([tournament])

    assert list(PrintedDocument.objects.all()) == [kept]
    assert [path.name for path in folder.iterdir()] == [kept.stored_name]


def test_prints_and_archives_older_than_a_month_are_removed(
    folder: Path, own_files: None, django_capture_on_commit_callbacks: Any
):
    tournament = make_tournament()
    now = timezone.now()
    old = PrintedDocument(
        tournament=tournament, name="a", key="0" * 64, title="Alt", pages=1, created_at=now
    )
    new = PrintedDocument(
        tournament=tournament, name="b", key="1" * 64, title="Neu", pages=1, created_at=now
    )
    for document in (old, new):
        store.save(document, b"%PDF")
    upload = default_storage.save("archives/upload.json", ContentFile(b"{}"))
    export = default_storage.save("archives/export.json", ContentFile(b"{}"))
    a_month_ago = now - jobs.KEPT_FOR - timedelta(days=1)
    ended = {"status": "failed", "finished_at": a_month_ago}
    Job.objects.create(kind="archive_import", params={"file": upload}, **ended)
    Job.objects.create(kind="archive_export", result={"file": export}, **ended)
    PrintedDocument.objects.filter(name="a").update(created_at=a_month_ago)

    with django_capture_on_commit_callbacks(execute=True):
        jobs.tidy()

    assert [kept.name for kept in PrintedDocument.objects.all()] == ["b"]
    assert [path.stem for path in folder.iterdir()] == ["1" * 64]
    assert not default_storage.exists(upload)
    assert not default_storage.exists(export)
