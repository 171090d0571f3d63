"""Workers of several hosts take from one queue, and one host of all makes the backups."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from tests.concurrency import at_once
from tests.factories import COMMAND, make_tournament
from tests.server import ROOT, database_url
from tournaments.backup import saving, scheduler, status_file
from tournaments.backup.scheduler import HostLock
from tournaments.machine import jobs
from tournaments.models import Job

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 60


@pytest.fixture(autouse=True)
def _no_own_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)


@pytest.fixture
def done() -> list[int]:
    """The jobs that were done, as often as they were."""
    pids: list[int] = []

    @jobs.register_work("note")
    def note(job: Job, _report: jobs.Progress) -> Mapping[str, Any]:
        pids.append(job.pk)
        return {}

    return pids


def test_two_workers_run_each_job_once(done: list[int]):
    waiting = {jobs.start(kind="note", actor=COMMAND).pk for _number in range(20)}

    at_once(lambda: jobs.run_all(["note"]), lambda: jobs.run_all(["note"]))

    assert sorted(done) == sorted(waiting)


def test_a_worker_skips_a_job_locked_by_another(done: list[int]):
    first, second = [jobs.start(kind="note", actor=COMMAND) for _number in range(2)]

    def elsewhere() -> None:
        jobs.run_all(["note"])
        connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        Job.objects.select_for_update().get(pk=first.pk)
        pool.submit(elsewhere).result(timeout=30)

    assert done == [second.pk]


def test_a_running_job_is_restarted_only_if_its_host_is_silent(done: list[int]):
    now = timezone.now()
    alive, dead = [jobs.start(kind="note", actor=COMMAND) for _number in range(2)]
    Job.objects.update(status=Job.Status.RUNNING, tries=1, heartbeat_at=now)
    Job.objects.filter(pk=dead.pk).update(heartbeat_at=now - timedelta(seconds=61))

    jobs.run_all(["note"])

    assert done == [dead.pk]
    alive.refresh_from_db()
    assert alive.status == Job.Status.RUNNING


def test_the_command_runs_jobs_of_other_hosts(tmp_path: Path):
    job = jobs.start(kind="archive_export", actor=COMMAND, tournament=make_tournament())
    environment = {
        **os.environ,
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": database_url(),
        "SECRET_KEY": settings.SECRET_KEY,
        "INSTALLATION_KEY": settings.INSTALLATION_KEY().hex(),
    }
    command = [sys.executable, "-m", "romme_site", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as worker:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and not job.is_over:
            time.sleep(0.1)
            job.refresh_from_db()
        worker.terminate()

    assert job.status == Job.Status.DONE


# --- Backups -----------------------------------------------------------------------------------


@pytest.fixture
def other() -> Iterator[HostLock]:
    """Another host."""
    host = HostLock()
    yield host
    host.release()


@pytest.fixture
def this() -> Iterator[HostLock]:
    host = HostLock()
    yield host
    host.release()


def test_another_host_takes_over_the_backups_of_a_lost_one(
    this: HostLock, other: HostLock, monkeypatch: pytest.MonkeyPatch
):
    saved: list[str] = []
    monkeypatch.setattr(saving, "save_if_due", lambda: saved.append("saved"))
    assert other.is_this_one()
    assert other.is_this_one()

    scheduler.run_due(this)
    assert saved == []
    assert status_file.problems() == []

    other.release()
    scheduler.run_due(this)
    assert saved == ["saved"]


def test_a_host_takes_its_lock_again_after_a_closed_connection(this: HostLock):
    assert this.is_this_one()
    with connection.cursor() as cursor:
        # Of this database only: another process of the tests has one of its own.
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON database = oid"
            " WHERE locktype = 'advisory' AND datname = current_database()"
        )

    assert this.is_this_one()
