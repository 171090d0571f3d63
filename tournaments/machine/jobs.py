"""Long work outside the request: a process for each piece, told by the database.

The server answers all pages from one or few threads; none of them may search for seconds.
Nothing but the database connects page and process, so no queue has to be installed, and a
process that dies is noticed by its heartbeat. Where the start of a process is most of the work,
a server keeps one that does one job after the other.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from queue import SimpleQueue
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections, transaction
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
SECONDS_TO_STAY = 300

_log = logging.getLogger("tournaments.jobs")
_works: dict[str, Work] = {}
_silences: dict[str, timedelta] = {}
_staying: set[str] = set()  # kinds whose process stays for the next one
_kept: KeptProcess | None = None
_is_kept = Event()


class Cancelled(Exception):
    """Somebody no longer wants the result; raised out of the progress report."""


def work_of_kind(
    kind: str, *, silent_for: timedelta = SILENT_FOR_TOO_LONG, stays: bool = False
) -> Callable[[Work], Work]:
    """Make a function the work of jobs of *kind*; ``apps`` imports its module when it is asked for.

    A job that gives no sign for longer than *silent_for* has failed. Work that is one
    transaction gives none before its end: nobody outside sees what happens in it. The process
    of a kind that *stays* waits for the next one, where a server keeps it.
    """

    def remember(work: Work) -> Work:
        _works[kind] = work
        _silences[kind] = silent_for
        if stays:
            _staying.add(kind)
        return work

    return remember


@transaction.atomic
def start(*, kind: str, actor: Actor, tournament: Tournament | None = None, **params: Any) -> Job:
    """Store a job and have a process do it as soon as the transaction is stored."""
    _work(kind)
    job = Job.objects.create(kind=kind, params=params, tournament=tournament, created_by=actor.user)
    transaction.on_commit(lambda: _begin(job))
    return job


def _work(kind: str) -> Work:
    if kind not in _works:
        rooms: Any = apps.get_app_config("tournaments")
        rooms.let_them_enter()
    if kind not in _works:
        raise ValueError(f"no work for jobs of kind {kind}")
    return _works[kind]


def _begin(job: Job) -> None:
    if _kept is not None and job.kind in _staying:
        _kept.take(job.pk)
    else:
        spawn(job.pk)


def spawn(job_id: int) -> None:
    """Start the process of a job; it outlives the request and the server's worker."""
    _process(str(job_id), stdin=subprocess.DEVNULL)


def _process(*words: str, stdin: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own command and a number
        [*settings.PROGRAM, "run_job", *words],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        **apart(),
    )


def keep_a_process() -> None:
    """Let this process, a server, keep one for the kinds of work that stay."""
    global _kept  # noqa: PLW0603 - of the process, as what it stands for
    _kept = KeptProcess()


class KeptProcess:
    """A process that does jobs one after the other, begun with the first.

    It reads their numbers from a pipe. When that ends it ends, after the job it is at: some
    minutes after the last one, or with this process, however that ends.
    """

    def __init__(self, seconds: float = SECONDS_TO_STAY) -> None:
        self.seconds = seconds
        self.process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._end = Timer(0, self.let_go)

    def take(self, job_id: int) -> None:
        """Have it do a job."""
        with self._lock:
            self._end.cancel()
            if not self._hear(job_id):
                self.process = _process(stdin=subprocess.PIPE)
                self._hear(job_id)
            self._end = Timer(self.seconds, self.let_go)
            self._end.daemon = True
            self._end.start()

    def _hear(self, job_id: int) -> bool:
        """Say whether there is a process that was told."""
        if self.process is None or self.process.stdin is None or self.process.poll() is not None:
            return False
        try:
            self.process.stdin.write(f"{job_id}\n".encode())
            self.process.stdin.flush()
        except OSError:  # it ended this moment
            return False
        return True

    def let_go(self) -> None:
        """Have it end as soon as it has nothing to do."""
        with self._lock:
            self._end.cancel()
            if self.process is not None and self.process.stdin is not None:
                self.process.stdin.close()
            self.process = None


def is_kept() -> bool:
    """Whether this process waits for more jobs, so that what takes long to begin may stay."""
    return _is_kept.is_set()


def stay(numbers: Iterable[str]) -> None:
    """Do the jobs with these numbers until there are no more.

    One that comes while another is under way gets a process of its own: nobody waits for what
    somebody else prints.
    """
    _is_kept.set()
    waiting = SimpleQueue[int | None]()
    is_busy = Event()

    def read() -> None:
        for number in map(int, numbers):
            if is_busy.is_set():
                spawn(number)
            else:
                is_busy.set()
                waiting.put(number)
        waiting.put(None)

    Thread(target=read, daemon=True).start()
    while (job_id := waiting.get()) is not None:
        try:
            run(job_id)
        except Exception:  # noqa: BLE001 - noted in the job too; the next one may go well
            _log.exception("job %s", job_id)
        finally:
            connections.close_all()  # the database may be another one by then
            is_busy.clear()


def run(job_id: int) -> Job:
    """Do the work of a job; called in its own process, once.

    A refusal becomes the job's message. Anything else is a bug: it is noted as such and
    raised, so that it stands in the log.
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
    """Have a job stop at its next report; one that is over stays as it is."""
    job = Job.objects.select_for_update().get(pk=job_id)
    if not job.is_over:
        job.status, job.finished_at = Status.CANCELLED, timezone.now()
        job.save(update_fields=["status", "finished_at"])
    return job


def look_after(job: Job, now: datetime | None = None) -> Job:
    """Return the job as it is; one whose process fell silent has failed."""
    now = now or timezone.now()
    last_sign = job.heartbeat_at or job.created_at
    # A clock that was set back leaves signs in the future: those say as little as old ones.
    if job.is_over or abs(now - last_sign) < _silences.get(job.kind, SILENT_FOR_TOO_LONG):
        return job
    return _finish(
        job.pk,
        Status.FAILED,
        message=_("Der Vorgang ist stehen geblieben. Bitte noch einmal starten."),
    )
