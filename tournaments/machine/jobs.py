"""Long work outside the request: a process for each job, connected by the database.

The server answers all pages from one or few threads; none of them may be busy for seconds.
Page and process are connected by the database only, so no queue has to be installed, and a
process that dies is noticed by its heartbeat.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, failure_of
from tournaments.machine.systems import apart
from tournaments.models import Job, Tournament

Status = Job.Status
Progress = Callable[[int, int], None]
Work = Callable[[Job, Progress], Mapping[str, Any]]

SECONDS_BETWEEN_BEATS = 0.5
SILENT_FOR_TOO_LONG = timedelta(seconds=60)

_works: dict[str, Work] = {}
_silences: dict[str, timedelta] = {}


class Cancelled(Exception):
    """The job was cancelled; raised by the progress report."""


def work_of_kind(
    kind: str, *, silent_for: timedelta = SILENT_FOR_TOO_LONG
) -> Callable[[Work], Work]:
    """Register a function as the work of jobs of *kind*; ``apps`` imports its module on demand.

    A job without a heartbeat for longer than *silent_for* has failed. Work in one transaction
    has no heartbeat before its end, because its changes are not visible outside.
    """

    def remember(work: Work) -> Work:
        _works[kind] = work
        _silences[kind] = silent_for
        return work

    return remember


@transaction.atomic
def start(*, kind: str, actor: Actor, tournament: Tournament | None = None, **params: Any) -> Job:
    """Store a job and start its process when the transaction is committed."""
    _work(kind)
    job = Job.objects.create(kind=kind, params=params, tournament=tournament, created_by=actor.user)
    transaction.on_commit(lambda: spawn(job.pk))
    return job


def _work(kind: str) -> Work:
    if kind not in _works:
        rooms: Any = apps.get_app_config("tournaments")
        rooms.import_entering_modules()
    if kind not in _works:
        raise ValueError(f"no work for jobs of kind {kind}")
    return _works[kind]


def spawn(job_id: int) -> None:
    """Start the process of a job; it outlives the request and the server's worker."""
    subprocess.Popen(  # noqa: S603 - our own command and a number
        [*settings.PROGRAM, "run_job", str(job_id)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        **apart(),
    )


def run(job_id: int) -> Job:
    """Do the work of a job; called in its own process, once.

    A refusal becomes the job's message. Any other exception is a bug: it is noted as such
    and raised, so that it is logged.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job_id)
        if job.status != Status.WAITING:
            return job
        job.status, job.heartbeat_at = Status.RUNNING, timezone.now()
        job.save(update_fields=["status", "heartbeat_at"])
    try:
        result = _work(job.kind)(job, _reporter(job.pk))
    except Cancelled:
        return _finish(job.pk, Status.CANCELLED)
    except (TournamentError, ScoringError) as refusal:
        return _finish(job.pk, Status.FAILED, message=str(refusal))
    except Exception as problem:
        mistake = _("Ein Fehler im Programm, er steht im Log. Bitte noch einmal versuchen.")
        _finish(job.pk, Status.FAILED, message=str(failure_of(problem) or mistake))
        raise
    return _finish(job.pk, Status.DONE, result=dict(result))


def _reporter(job_id: int) -> Progress:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = monotonic()
        if now - last < SECONDS_BETWEEN_BEATS:
            return
        last = now
        running = Job.objects.filter(pk=job_id, status=Status.RUNNING)
        if not running.update(done=done, total=total, heartbeat_at=timezone.now()):
            raise Cancelled

    return report


@transaction.atomic
def _finish(job_id: int, status: Job.Status, **facts: Any) -> Job:
    job = Job.objects.select_for_update().get(pk=job_id)
    if job.is_over:
        return job
    job.status, job.finished_at = status, timezone.now()
    if status == Status.DONE:
        job.done = job.total
    for name, value in facts.items():
        setattr(job, name, value)
    job.save()
    return job


@transaction.atomic
def cancel(*, job_id: int) -> Job:
    """Let a job stop at its next report; a job that has ended is not changed."""
    job = Job.objects.select_for_update().get(pk=job_id)
    if not job.is_over:
        job.status, job.finished_at = Status.CANCELLED, timezone.now()
        job.save(update_fields=["status", "finished_at"])
    return job


def look_after(job: Job, now: datetime | None = None) -> Job:
    """Return the current job; mark it as failed if its process has no heartbeat."""
    now = now or timezone.now()
    last_sign = job.heartbeat_at or job.created_at
    # After the clock was set back, a heartbeat may be in the future: it counts as an old one.
    if job.is_over or abs(now - last_sign) < _silences.get(job.kind, SILENT_FOR_TOO_LONG):
        return job
    return _finish(
        job.pk,
        Status.FAILED,
        message=_("Der Vorgang ist stehen geblieben. Bitte noch einmal starten."),
    )
