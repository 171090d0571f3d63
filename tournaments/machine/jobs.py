"""Long work outside of requests: a queue in the database, and processes that work it off.

The server answers all pages from one or few threads; none of them may be busy for seconds. On
each machine one process at a time does the jobs of a kind, so that a draw does not wait for
prints and eight prints need no more memory than one. On PostgreSQL, workers on any host
(``romme-turnier worker``) take from the same table.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, time
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from tournaments.common.actors import Actor
from tournaments.common.errors import BUSY, TournamentError, failure_of
from tournaments.machine.operating_system import detached, locked
from tournaments.machine.program import check_files_unchanged
from tournaments.models import Job, Tournament

Status = Job.Status
Progress = Callable[[int, int], None]
Work = Callable[[Job, Progress], Mapping[str, Any]]
Tidier = Callable[[datetime], None]
ResultT = TypeVar("ResultT")

SECONDS_BETWEEN_BEATS = 0.5
MAX_SILENCE = timedelta(seconds=60)
START_TIMEOUT = timedelta(seconds=10)  # for the process of a job
MAX_AGE = timedelta(hours=6)  # of a job to be begun, for instance after restoring an old backup
KEPT_FOR = timedelta(days=30)
MOST_TRIES = 3  # of a job whose process ends
WRITE_TRIES = 5  # of which each waits for the database

logger = logging.getLogger(__name__)
_work_by_kind: dict[str, Work] = {}
_silence_by_kind: dict[str, timedelta] = {}
_tidiers: list[Tidier] = []


class JobCancelled(Exception):
    """The job was cancelled, or another process took it; raised by the progress report."""


def register_work(kind: str, *, silent_for: timedelta = MAX_SILENCE) -> Callable[[Work], Work]:
    """Register a function as the work of jobs of *kind*; ``apps`` imports its module on demand.

    The work must be idempotent: that of a process that died is begun again.
    On PostgreSQL a job without a heartbeat for longer than *silent_for* counts as abandoned.
    Work in one transaction has no heartbeat before its end, because its changes are not visible
    outside.
    """

    def remember(work: Work) -> Work:
        _work_by_kind[kind] = work
        _silence_by_kind[kind] = silent_for
        return work

    return remember


def when_tidied(tidier: Tidier) -> Tidier:
    """Register a function that removes the results of jobs before a moment."""
    _tidiers.append(tidier)
    return tidier


@transaction.atomic
def start(*, kind: str, actor: Actor, tournament: Tournament | None = None, **params: Any) -> Job:
    """Store a job and start a process for it when the transaction is committed.

    Raises:
        ReplacedProgramError: if that process would not run the program that the server runs.
    """
    check_files_unchanged()
    _work(kind)
    job = Job.objects.create(kind=kind, params=params, tournament=tournament, created_by=actor.user)
    transaction.on_commit(lambda: spawn(job.pk))
    return job


def _work(kind: str) -> Work:
    if kind not in _work_by_kind:
        _import_hooks()
    if kind not in _work_by_kind:
        raise ValueError(f"no work for jobs of kind {kind}")
    return _work_by_kind[kind]


def _import_hooks() -> None:
    rooms: Any = apps.get_app_config("tournaments")
    rooms.import_hook_modules()


# --- Processes -------------------------------------------------------------------------------


def spawn(job_id: int) -> None:
    """Start a process for jobs of this kind, unless one runs or this machine does no jobs.

    It outlives the request and the server's worker.
    """
    kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
    if not settings.WORKS_HERE:
        return
    with locked(_lock_file(kind), wait=False) as is_free:
        if not is_free:
            return  # its process looks for jobs once more after it has released the lock
    if not _note_start(kind):
        return
    subprocess.Popen(  # noqa: S603 - our own command and a word of ours
        [*settings.PROGRAM, "run_jobs", kind],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        **detached(),
    )


def _lock_file(kind: str) -> Path:
    return Path(settings.DATA_DIR, f".auftrag-{kind}")


def _start_file(kind: str) -> Path:
    return _lock_file(kind).with_suffix(".beginnt")


def _note_start(kind: str) -> bool:
    """Note that a process for *kind* is started; False if another one is about to start."""
    starting = _start_file(kind)
    try:
        starting.touch(exist_ok=False)
    except FileExistsError:
        with suppress(FileNotFoundError):
            if abs(time() - starting.stat().st_mtime) < START_TIMEOUT.total_seconds():
                return False
        starting.touch()
    return True


def run_queue(kind: str) -> None:
    """Do the jobs of *kind* until there are no more, unless a process of this machine does."""
    _start_file(kind).unlink(missing_ok=True)  # jobs stored from now on start another process
    _work(kind)
    while _runnable(kind).exists():
        with locked(_lock_file(kind), wait=False) as is_mine:
            if not is_mine:
                return
            run_all([kind])


def respawn() -> None:
    """Start processes for jobs that were abandoned or that no process has begun."""
    now = timezone.now()
    unfinished = Job.objects.filter(status__in=[Status.WAITING, Status.RUNNING])
    old = unfinished.exclude(created_at__range=(now - START_TIMEOUT, now))
    for kind in set(old.order_by().values_list("kind", flat=True)):
        waiting = _runnable(kind).first()
        if waiting is not None:
            spawn(waiting.pk)


def run_all(kinds: Collection[str] = ()) -> None:
    """Do all jobs of these kinds, or of all kinds, one after the other; log errors and go on."""
    has_done = False
    if not kinds:
        _import_hooks()
    while (job := _begin_next(kinds or _work_by_kind)) is not None:
        has_done = True
        try:
            _perform(job)
        except Exception:
            logger.exception("Job %s has failed", job.pk)
    if has_done:
        tidy()


def run(job_id: int) -> Job:
    """Do a job if it is waiting, and return it. An error of the program is raised."""
    job = _begin(Job.objects.filter(pk=job_id, status=Status.WAITING))
    return _perform(job) if job is not None else Job.objects.get(pk=job_id)


def _runnable(kind: str) -> QuerySet[Job]:
    """Return the jobs of a kind that are waiting, or were abandoned by their process."""
    abandoned = Q(status=Status.RUNNING)
    if connection.vendor != "sqlite":  # there, one machine only, and its lane is free
        now, silence = timezone.now(), _silence_by_kind.get(kind, MAX_SILENCE)
        # After the clock was set back, a heartbeat may be in the future: it counts as an old one.
        beats = Q(heartbeat_at__lt=now - silence) | Q(heartbeat_at__gt=now + silence)
        abandoned &= beats
    return Job.objects.filter(Q(status=Status.WAITING) | abandoned, kind=kind).order_by("pk")


def _begin_next(kinds: Collection[str]) -> Job | None:
    begun = (_begin(_runnable(kind)) for kind in kinds)
    return next(filter(None, begun), None)


def _begin(jobs: QuerySet[Job]) -> Job | None:
    """Mark the first of these jobs as running and return it; jobs that are too old fail."""

    @transaction.atomic
    def begin() -> Job | None:
        for job in iter(jobs.select_for_update(skip_locked=True).first, None):
            now = timezone.now()
            if job.tries < MOST_TRIES and now - job.created_at < MAX_AGE:
                job.status, job.heartbeat_at, job.tries = Status.RUNNING, now, job.tries + 1
                job.save(update_fields=["status", "heartbeat_at", "tries"])
                return job
            job.status, job.finished_at = Status.FAILED, now
            job.message = _("Der Vorgang ist stehen geblieben. Bitte noch einmal starten.")
            job.save(update_fields=["status", "finished_at", "message"])
        return None

    return retry_while_busy(begin)


def retry_while_busy(write: Callable[[], ResultT]) -> ResultT:
    """Write again if the database was busy for longer than a connection waits."""
    for _left in range(WRITE_TRIES - 1):
        try:
            return write()
        except OperationalError as problem:
            if failure_of(problem) is not BUSY:
                raise
    return write()


def _perform(job: Job) -> Job:
    """Do the work of a job that has begun.

    A refusal becomes the job's message. Any other exception is a bug: it is noted as such
    and raised, so that it is logged.
    """
    try:
        result = _work(job.kind)(job, _reporter(job))
    except JobCancelled:
        return _finish(job, Status.CANCELLED)
    except (TournamentError, ScoringError) as refusal:
        return _finish(job, Status.FAILED, message=str(refusal))
    except Exception as problem:
        mistake = _("Ein Fehler im Programm, er steht im Log. Bitte noch einmal versuchen.")
        _finish(job, Status.FAILED, message=str(failure_of(problem) or mistake))
        raise
    return _finish(job, Status.DONE, result=dict(result))


def _reporter(job: Job) -> Progress:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = monotonic()
        if now - last < SECONDS_BETWEEN_BEATS:
            return
        # With another number of tries another process has taken over the job.
        running = Job.objects.filter(pk=job.pk, status=Status.RUNNING, tries=job.tries)
        try:
            is_running = running.update(done=done, total=total, heartbeat_at=timezone.now())
        except OperationalError as problem:
            if failure_of(problem) is not BUSY:
                raise
            return  # the next report notes it
        last = now
        if not is_running:
            raise JobCancelled

    return report


def _finish(begun: Job, status: Job.Status, **facts: Any) -> Job:
    @transaction.atomic
    def finish() -> Job:
        job = Job.objects.select_for_update().get(pk=begun.pk)
        if job.is_over or job.tries != begun.tries:
            return job
        job.status, job.finished_at = status, timezone.now()
        if status == Status.DONE:
            job.done = job.total
        for name, value in facts.items():
            setattr(job, name, value)
        job.save()
        return job

    return retry_while_busy(finish)


@transaction.atomic
def cancel(*, job_id: int) -> Job:
    """Let a job stop at its next report; a job that has ended is not changed."""
    job = Job.objects.select_for_update().get(pk=job_id)
    if not job.is_over:
        job.status, job.finished_at = Status.CANCELLED, timezone.now()
        job.save(update_fields=["status", "finished_at"])
    return job


def tidy(now: datetime | None = None) -> None:
    """Remove jobs that ended a month ago, and their results."""
    _import_hooks()
    before = (now or timezone.now()) - KEPT_FOR
    for tidier in _tidiers:
        tidier(before)
    Job.objects.filter(finished_at__lt=before).delete()
