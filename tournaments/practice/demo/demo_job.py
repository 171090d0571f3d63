"""Making the practice tournament from the start page, in a separate process."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.queries import may_use_demo
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.machine import jobs
from tournaments.machine.jobs import Progress, register_work
from tournaments.models import Job
from tournaments.practice.demo import removal

DEMO = "demo"


@transaction.atomic
def begin() -> None:
    """Start the job that makes the tournament, unless it is running.

    Raises:
        Conflict: if the tournament or a real account exists.
    """
    if not may_use_demo() or removal.tournaments().exists():
        raise Conflict(
            _(
                "Ein Übungsturnier wird hier nicht mehr angelegt: Es ist da, oder es gibt ein "
                "eigenes Konto. Bitte damit anmelden."
            )
        )
    job = latest()
    if job is None or job.is_over:
        jobs.start(kind=DEMO, actor=Actor.public())


def latest() -> Job | None:
    """Return the latest job, running or finished."""
    return Job.objects.filter(kind=DEMO).first()


@register_work(DEMO, silent_for=timedelta(minutes=10))
def make(_job: Job, _report: Progress) -> Mapping[str, Any]:
    """Make the whole day in one transaction."""
    from tournaments.practice.demo.day import PracticeDay  # noqa: PLC0415 - imports half of the program

    with transaction.atomic():
        if not removal.tournaments().exists():
            PracticeDay(lambda _said: None).run()
    return {}
