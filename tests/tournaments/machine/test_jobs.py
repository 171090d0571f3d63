"""Long work: started once, watched, cancelled, and never lost silently."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tournaments.common.errors import TournamentError
from tournaments.machine import jobs
from tournaments.models import Job

pytestmark = pytest.mark.django_db
Status = Job.Status


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Kinds of work for the tests, and a list of the jobs whose process was started."""
    monkeypatch.setattr(jobs, "_works", {})
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_BEATS", 0)
    spawned: list[int] = []
    monkeypatch.setattr(jobs, "spawn", spawned.append)

    @jobs.work_of_kind("count")
    def count(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        for number in range(job.params["to"]):
            report(number, job.params["to"])
        return {"counted": job.params["to"]}

    @jobs.work_of_kind("refuse")
    def refuse(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        raise TournamentError("5 Personen lassen sich nicht setzen.")

    @jobs.work_of_kind("break")
    def fail(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        raise ZeroDivisionError

    @jobs.work_of_kind("cancelled")
    def cancelled(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
        report(1, 2)
        jobs.cancel(job_id=job.pk)
        report(2, 2)
        raise AssertionError("went on after it was cancelled")

    return spawned


def start(kind: str, **params: Any) -> Job:
    return jobs.start(kind=kind, actor=COMMAND, tournament=make_tournament(), **params)


def test_process_starts_when_the_job_is_stored(
    kinds: list[int], django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = start("count", to=3)
        assert kinds == []

    assert kinds == [job.pk]


def test_result_stands_in_the_job():
    job = start("count", to=3)

    call_command("run_job", str(job.pk))

    job.refresh_from_db()
    assert (job.status, job.result) == (Status.DONE, {"counted": 3})
    assert job.finished_at is not None


def test_a_job_is_done_once():
    job = start("count", to=3)
    first = jobs.run(job.pk)

    second = jobs.run(job.pk)

    assert first.finished_at == second.finished_at


def test_a_refusal_is_told_in_its_own_words():
    job = jobs.run(start("refuse").pk)

    assert (job.status, job.message) == (Status.FAILED, "5 Personen lassen sich nicht setzen.")


def test_a_bug_is_raised_and_noted():
    job = start("break")

    with pytest.raises(ZeroDivisionError):
        jobs.run(job.pk)

    job.refresh_from_db()
    assert job.status == Status.FAILED
    assert "Log" in job.message


def test_cancelling_stops_at_the_next_report():
    job = jobs.run(start("cancelled").pk)

    assert job.status == Status.CANCELLED


def test_a_job_that_is_over_cannot_be_cancelled():
    job = jobs.run(start("count", to=1).pk)

    assert jobs.cancel(job_id=job.pk).status == Status.DONE


@pytest.mark.parametrize(
    ("seconds", "status"),
    [
        pytest.param(59, Status.RUNNING, id="still alive"),
        pytest.param(60, Status.FAILED, id="silent for too long"),
    ],
)
def test_a_job_that_fell_silent_has_failed(seconds: int, status: Status):
    job = start("count", to=1)
    now = timezone.now()
    job.status, job.heartbeat_at = Status.RUNNING, now - timedelta(seconds=seconds)
    job.save()

    assert jobs.look_after(job, now).status == status


def test_work_that_nobody_knows_is_a_bug():
    with pytest.raises(ValueError, match="no work"):
        start("unknown")
