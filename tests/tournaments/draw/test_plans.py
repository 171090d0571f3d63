"""Tasks that anyone repeats, and plans for all Serien at once (§ 2.1)."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from tests.factories import COMMAND, make_club
from tests.tournaments.draw.helpers import begin, carry_out, field, numbers
from tournaments.draw.queries.task import task_file
from tournaments.draw.services import draws
from tournaments.draw.services import swaps as seat_swaps
from tournaments.machine import jobs
from tournaments.machine.jobs import start
from tournaments.models import Registration, Seat, Separation, Serie

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Method = Serie.Seating


@pytest.mark.both
def test_an_interrupted_search_is_repeated_exactly(capsys: pytest.CaptureFixture[str], tmp_path):
    tournament = field(8)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.ELECTRONIC)).pk)
    draw = begin(tournament, Method.ELECTRONIC, serie=2)
    job = start(kind="draw", actor=COMMAND, tournament=tournament, draw=draw.pk)
    draws.end_search(job_id=job.pk)

    jobs.run(job.pk)

    draw.refresh_from_db()
    assert draw.task["starts"] == 1
    assert draw.metrics["repeat_meetings"] == 4  # of two tables, two pairs each meet again
    draws.end_search(job_id=job.pk)  # too late, and does nothing
    file = tmp_path / "task.json"
    file.write_text(json.dumps(task_file(draw.task, draw.seed)), encoding="utf-8")
    call_command("plan_seating", str(file))
    assert json.loads(capsys.readouterr().out)["series"][0]["tables"] == numbers(draw)


def test_an_older_task_is_repeated_with_one_start():
    draw = carry_out(begin(field(8), Method.ELECTRONIC))
    del draw.task["starts"]

    assert task_file(draw.task, draw.seed)["starts"] == 1


def test_a_task_names_no_person_and_no_club():
    tournament = field(4, (make_club("SC Altenburg"),))

    draw = begin(tournament, Method.ELECTRONIC)

    assert "Altenburg" not in json.dumps(draw.task)
    assert "Muster" not in json.dumps(draw.task)


def test_a_plan_for_all_serien_is_reused_for_the_same_players():
    tournament = field(16)
    first = carry_out(begin(tournament, Method.PLANNED))
    draws.publish(COMMAND, first.pk)

    second = begin(tournament, Method.PLANNED, serie=2)

    assert numbers(second) == first.task["plan"][1]
    assert second.metrics["repeat_meetings"] == 0


def test_changed_players_require_a_new_plan():
    tournament = field(16)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.PLANNED)).pk)
    gone = tournament.registrations.get(number=16)
    gone.status, gone.present_at = Registration.Status.NO_SHOW, None
    gone.save()

    second = begin(tournament, Method.PLANNED, serie=2)
    assert second.seats == []

    assert [len(row) for row in carry_out(second).seats] == [4, 4, 4, 3]


def test_a_swap_requires_a_new_plan():
    tournament = field(16)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.PLANNED)).pk)
    serie = tournament.serien.get(number=1)
    first, other = (Seat.objects.get(serie=serie, table__number=t, number=1) for t in (1, 2))
    seat_swaps.swap_seats(
        COMMAND,
        serie.pk,
        first_id=first.registration_id,
        second_id=other.registration_id,
        reason="saßen falsch",
    )

    second = begin(tournament, Method.PLANNED, serie=2)

    assert second.seats == []
    assert carry_out(second).metrics["repeat_meetings"] == 0


def test_a_new_separation_requires_a_new_plan():
    tournament = field(16)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.PLANNED)).pk)
    first, other = tournament.registrations.order_by("pk")[:2]
    Separation.objects.create(tournament=tournament, first=first, second=other)

    assert begin(tournament, Method.PLANNED, serie=2).seats == []


def test_a_serie_added_after_the_plan_gets_a_plan_of_its_own():
    tournament = field(16, serien=1)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.PLANNED)).pk)
    Serie.objects.create(tournament=tournament, number=2)

    second = carry_out(begin(tournament, Method.PLANNED, serie=2))

    assert second.metrics["repeat_meetings"] == 0
