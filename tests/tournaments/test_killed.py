"""A power failure during an act: the act is done whole or not at all.

A process of its own does the act as the program would, and is killed at one of its statements;
one after the other, until it comes through. Tables that send are killed with the whole server,
in ``table/test_crash.py``.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, connections
from django.urls import reverse
from django.utils import timezone

from scoring.payments.prizes import PrizeLine, PrizePlan
from tests.clients import Client
from tests.factories import (
    COMMAND,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_results import play_serie, take_startgeld
from tests.tournaments.archive.helpers import saved
from tests.tournaments.notices.helpers import make_checked_list, tournament_of
from tests.tournaments.printing.helpers import Threads, make_day
from tournaments.draw.services import draws
from tournaments.journal import proof
from tournaments.machine import jobs
from tournaments.models import Job, Role, Serie, Tournament
from tournaments.printing import print_job as printing_job
from tournaments.printing import rendering

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = 3  # statement at which the first process is killed, the next ones ever later
KILLED = -signal.SIGKILL

Act = Callable[[], None]


def pressed(tournament: Tournament, name: str, *keys: Any, **typed: Any) -> Act:
    """Sends a form as the head of the tournament."""
    client = Client()
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    url = reverse(name, args=[tournament.slug, *keys])

    def press() -> None:
        answer = client.post(url, typed)
        assert answer.status_code == 302, answer.content.decode()

    return press


def worked(kind: str, tournament: Tournament | None, params: Callable[[], dict[str, Any]]) -> Act:
    """Return an act that runs a job; leftovers of a killed run are found by its heartbeat."""

    def work() -> None:
        job = jobs.start(kind=kind, actor=COMMAND, tournament=tournament, **params())
        done = jobs.run(job.pk)
        assert done.status == Job.Status.DONE, done.message

    return work


def desk() -> Act:
    tomorrow = timezone.now() + timedelta(days=1)
    tournament = make_tournament(starts_at=tomorrow)
    return pressed(tournament, "desk:new", last_name="Kühn", first_name="Anna")


def payment() -> Act:
    registration = make_registration(make_tournament())
    typed = {"amount_cents": "5,00", "method_": "cash", "seen_open_cents": "1500"}
    return pressed(registration.tournament, "desk:payment", registration.pk, **typed)


def payouts() -> Act:
    tournament = make_tournament(serien=1)
    field = make_players(tournament, 4)
    play_serie(tournament, [field], [(100, 110, 120, 130)])
    take_startgeld(tournament)
    lines = (PrizeLine(place=1, share_permille=600), PrizeLine(place=2, share_permille=400))
    tournament.prize_plan = {"startgeld": PrizePlan(lines=lines).to_dict()}
    tournament.save()
    return pressed(tournament, "prizes:pay_all", expected_cents=6000, receipts=2, agreed=1)


def closing() -> Act:
    return pressed(tournament_of(make_checked_list()), "closing:close_serie", 1)


def draw() -> Act:
    tournament = make_tournament()
    for _player in range(8):
        make_registration(tournament, make_person())
    serie = tournament.serien.first()
    draft = draws.begin(COMMAND, serie.pk, method=Serie.Seating.ELECTRONIC)
    return worked("draw", tournament, lambda: {"draw": draft.pk})


def publishing() -> Act:
    work = draw()
    work()
    return pressed(Tournament.objects.get(), "draw:publish", 1)


def taking_in() -> Act:
    data = saved(tournament_of(make_checked_list())).encode()

    def params() -> dict[str, Any]:
        return {"file": default_storage.save("a.json", ContentFile(data)), "replace": True}

    return worked("archive_import", None, params)


def printing() -> Act:
    asked = {"serie": 1}
    more = {"document": "sitzplan-namen", "base_url": "http://localhost", "language": "de"}
    return worked("print", make_day(4), lambda: {"asked": asked, **more})


@pytest.fixture(autouse=True)
def folder(own_files: None, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path
    render = rendering.render
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    monkeypatch.setattr(rendering, "render", lambda _html, *more: render("<html lang=de>", *more))


def stored() -> dict[str, list[Any]]:
    """Return all that the program keeps, but for notes on the work itself."""
    rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("tournaments").get_models(include_auto_created=True):
            if model is not Job:
                table, key = model._meta.db_table, model._meta.pk.column
                cursor.execute(f'SELECT * FROM "{table}" ORDER BY "{key}"')  # noqa: S608 - our own
                rows[table] = cursor.fetchall()
    return rows


def killed_at(statement: int, act: Act) -> int:
    """Do an act in a process that is killed before this statement; return how it ended."""
    connections.close_all()  # a connection cannot be shared with the process
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        left = statement

        def count(execute: Any, *what: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return execute(*what)

        with connection.execute_wrapper(count):
            act()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - nothing may run on in the copy of the tests
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)


@pytest.mark.parametrize(
    "prepared",
    [desk, payment, payouts, closing, draw, publishing, taking_in, printing],
    ids=lambda function: function.__name__,
)
def test_a_killed_act_is_done_whole_or_not_at_all(prepared: Callable[[], Act]):
    act = prepared()
    for tournament in Tournament.objects.all():
        proof.baseline_proof(tournament)
    before = stored()

    kills, statement, now = 0, FIRST, before
    while now == before and (end := killed_at(statement, act)) == KILLED:
        kills, statement, now = kills + 1, statement * 3 // 2 + 1, stored()

    # Long work is done before it is noted that it is; only that may be missing.
    assert end == 0 or prepared in {draw, taking_in, printing}
    assert kills > 1
    assert stored() != before
    assert list(proof.of_installation()) == []
    Job.objects.update(created_at=timezone.now() - jobs.MAX_AGE)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    jobs.run_all()
    assert {job.is_over for job in Job.objects.all()} <= {True}
