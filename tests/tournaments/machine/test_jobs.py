"""Long work: started once, watched, cancelled, and never lost silently."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_member, make_tournament
from tournaments.common.errors import TournamentError
from tournaments.machine import jobs, program
from tournaments.machine.operating_system import locked
from tournaments.models import Job, Role

pytestmark = pytest.mark.django_db
Status = Job.Status
SPAWN = jobs.spawn  # the tests replace it


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Register kinds of work for the tests, and return the jobs with a started process."""
    rooms: Any = apps.get_app_config("tournaments")
    rooms.import_hook_modules()  # or they would enter themselves among the tests' kinds
    monkeypatch.setattr(jobs, "_work_by_kind", {})
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_BEATS", 0)
    spawned: list[int] = []
    monkeypatch.setattr(jobs, "spawn", spawned.append)

    @jobs.register_work("count")
    def count(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        for number in range(job.params["to"]):
            report(number, job.params["to"])
        return {"counted": job.params["to"]}

    @jobs.register_work("refuse")
    def refuse(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        raise TournamentError("5 Personen lassen sich nicht setzen.")

    @jobs.register_work("break")
    def fail(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        raise ZeroDivisionError

    @jobs.register_work("cancelled")
    def cancelled(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        report(1, 2)
        jobs.cancel(job_id=job.pk)
        report(2, 2)
        raise AssertionError("went on after it was cancelled")

    return spawned


@pytest.fixture
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds that processes were started for."""
    started: list[str] = []
    monkeypatch.setattr(subprocess, "Popen", lambda words, **_more: started.append(words[-1]))
    return started


def statuses() -> list[str]:
    return list(Job.objects.order_by("pk").values_list("status", flat=True))


def start(kind: str, **params: Any) -> Job:
    return jobs.start(kind=kind, actor=COMMAND, tournament=make_tournament(), **params)


def test_process_starts_when_the_job_is_stored(
    kinds: list[int], django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = start("count", to=3)
        assert kinds == []

    assert kinds == [job.pk]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of a program that a server was started with."""
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "SERVER", program.Server())
    module = tmp_path / "tournaments" / "urls.py"
    module.parent.mkdir()
    module.write_text("urls = []")
    program.remember_files()
    return module


@pytest.mark.parametrize("change", [lambda file: file.write_text("urls = [1]"), Path.unlink])
def test_an_updated_program_refuses_to_print_until_it_is_restarted(
    change: Callable[[Path], object], module: Path, client: Client, kinds: list[int]
):
    jobs.register_work("print")(lambda _job, _report: {})
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    client.raise_request_exception = False
    page = reverse("printing:start", args=[tournament.slug, "ausschreibung"])
    assert client.post(page).status_code == 302

    change(module)
    refused = client.post(page)

    said = " ".join(refused.content.decode().split())
    assert refused.status_code == 503
    assert "Das Programm wurde aktualisiert" in said
    assert "Bitte das Programm beenden und neu starten" in said
    assert Job.objects.count() == 1


@pytest.mark.usefixtures("module")
def test_an_unchanged_program_may_start_jobs():
    assert start("count", to=1).status == Status.WAITING


def test_a_tournament_is_not_called_off_without_its_mails(
    module: Path, client: Client, settings: Any
):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://turnier.example"
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    client.raise_request_exception = False
    module.write_text("urls = [1]")

    refused = client.post(
        reverse("setup:call_off", args=[tournament.slug]), {"reason": "kein Saal"}
    )

    tournament.refresh_from_db()
    assert refused.status_code == 503
    assert tournament.status == "announced"


def test_the_result_is_stored_in_the_job(data: Path):
    job = start("count", to=3)

    call_command("run_jobs", "count")

    job.refresh_from_db()
    assert (job.status, job.result) == (Status.DONE, {"counted": 3})
    assert job.finished_at is not None


def test_a_job_is_done_once():
    job = start("count", to=3)
    first = jobs.run(job.pk)

    second = jobs.run(job.pk)

    assert first.finished_at == second.finished_at


def test_a_refusal_is_stored_with_its_message():
    job = jobs.run(start("refuse").pk)

    assert (job.status, job.message) == (Status.FAILED, "5 Personen lassen sich nicht setzen.")


def test_a_bug_is_raised_and_recorded():
    job = start("break")

    with pytest.raises(ZeroDivisionError):
        jobs.run(job.pk)

    job.refresh_from_db()
    assert job.status == Status.FAILED
    assert "Log" in job.message


def test_cancelling_stops_at_the_next_report():
    job = jobs.run(start("cancelled").pk)

    assert job.status == Status.CANCELLED


def test_a_finished_job_cannot_be_cancelled():
    job = jobs.run(start("count", to=1).pk)

    assert jobs.cancel(job_id=job.pk).status == Status.DONE


def test_jobs_of_a_kind_run_in_order_in_one_process(data: Path):
    first, second, other = start("count", to=1), start("count", to=2), start("refuse")
    assert [job.ahead for job in (first, second, other)] == [0, 1, 0]

    call_command("run_jobs", "count")

    assert statuses() == [Status.DONE, Status.DONE, Status.WAITING]


def test_a_second_process_of_a_machine_leaves_its_jobs_to_the_first(data: Path):
    start("count", to=1)

    with locked(data / ".auftrag-count"):
        jobs.run_queue("count")

    assert statuses() == [Status.WAITING]


@pytest.mark.parametrize("has_one", [True, False], ids=["there is a process", "there is none"])
def test_a_process_is_started_only_if_none_runs(data: Path, processes: list[str], *, has_one: bool):
    job = start("count", to=1)

    with locked(data / (".auftrag-count" if has_one else ".auftrag-refuse")):
        SPAWN(job.pk)

    assert processes == ([] if has_one else ["count"])


def test_eight_jobs_at_once_share_a_process_and_a_later_job_starts_one(
    data: Path, processes: list[str]
):
    for job in [start("count", to=1) for _number in range(8)]:
        SPAWN(job.pk)
    at_once = list(processes)
    jobs.run_queue("count")
    SPAWN(start("count", to=1).pk)

    assert at_once == ["count"]
    assert processes == ["count", "count"]


def test_a_dead_process_does_not_prevent_others_from_starting(data: Path, processes: list[str]):
    SPAWN(start("count", to=1).pk)
    (started,) = data.glob("*.beginnt")
    long_ago = started.stat().st_mtime - 11
    os.utime(started, (long_ago, long_ago))

    SPAWN(start("count", to=1).pk)

    assert processes == ["count", "count"]


def test_a_host_leaving_jobs_to_others_starts_no_process(
    data: Path, processes: list[str], settings: Any
):
    settings.WORKS_HERE = False

    SPAWN(start("count", to=1).pk)

    assert processes == []


def test_a_bug_does_not_prevent_the_next_job(data: Path, caplog: pytest.LogCaptureFixture):
    start("break")
    jobs.run_queue("break")
    start("count", to=1)

    jobs.run_all()

    assert statuses() == [Status.FAILED, Status.DONE]
    assert "ZeroDivisionError" in caplog.text


def abandoned(job: Job, tries: int = 1, silent_for: timedelta = timedelta(seconds=61)) -> Job:
    job.status, job.tries = Status.RUNNING, tries
    job.heartbeat_at = timezone.now() - silent_for
    job.save()
    return job


@pytest.mark.parametrize("silent_for", [61, -3600], ids=["silent", "clock was set back"])
def test_a_job_of_a_dead_process_is_restarted(data: Path, silent_for: int):
    job = abandoned(start("count", to=1), silent_for=timedelta(seconds=silent_for))

    jobs.run_queue("count")

    job.refresh_from_db()
    assert (job.status, job.tries) == (Status.DONE, 2)


def test_a_job_killing_its_processes_fails(data: Path):
    job = abandoned(start("count", to=1), tries=jobs.MOST_TRIES)

    jobs.run_queue("count")

    job.refresh_from_db()
    assert (job.status, job.result) == (Status.FAILED, {})
    assert "stehen geblieben" in job.message


def test_jobs_of_an_old_backup_are_not_started(data: Path):
    job = start("count", to=1)
    Job.objects.update(created_at=timezone.now() - jobs.MAX_AGE)

    jobs.run_queue("count")

    job.refresh_from_db()
    assert job.status == Status.FAILED


def test_jobs_without_a_process_get_one(kinds: list[int]):
    old, fresh = abandoned(start("count", to=1)), start("refuse")
    jobs.respawn()
    assert kinds == []
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))

    jobs.respawn()

    assert sorted(kinds) == [old.pk, fresh.pk]


def test_a_process_declared_dead_changes_nothing(data: Path):
    def wait(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        Job.objects.filter(pk=job.pk).update(tries=job.tries + 1)
        report(1, 2)
        raise AssertionError("went on beside another process")

    jobs.register_work("wait")(wait)

    job = jobs.run(start("wait").pk)

    assert (job.status, job.done) == (Status.RUNNING, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["count", "refuse"])
def test_a_progress_note_is_retried_on_a_busy_database(data: Path, kind: str):
    """The first note of progress, and the first two of the end, find it busy."""
    job = start(kind, to=3)
    refusals = iter([1, 2, 3])

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        is_note = '"heartbeat_at"' in sql and '"tries" = ' in sql.partition("WHERE")[2]
        is_end = "UPDATE" in sql and '"finished_at"' in sql
        if (is_note or is_end) and next(refusals, None):
            cause = sqlite3.OperationalError("database is locked")
            cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise OperationalError(str(cause)) from cause
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        done = jobs.run(job.pk)

    assert next(refusals, None) is None
    assert done.status == (Status.DONE if kind == "count" else Status.FAILED)


def test_jobs_are_removed_after_a_month(data: Path):
    ended = [jobs.run(start("count", to=1).pk) for _number in range(2)]
    waiting = start("count", to=1)
    old = timezone.now() - jobs.KEPT_FOR - timedelta(days=1)
    Job.objects.filter(pk=ended[0].pk).update(finished_at=old)

    jobs.tidy()

    assert {job.pk for job in Job.objects.all()} == {ended[1].pk, waiting.pk}


def test_a_job_of_unknown_kind_is_a_bug():
    with pytest.raises(ValueError, match="no work"):
        start("unknown")
