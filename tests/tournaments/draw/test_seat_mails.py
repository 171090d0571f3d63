"""Mails about seats: of a published draw, and of later changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail

from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tests.tournaments.draw.helpers import begin, carry_out
from tournaments.desk.services.changes import mark_no_show
from tournaments.draw.services import changes, draws
from tournaments.draw.services.swaps import swap_seats
from tournaments.machine import jobs
from tournaments.models import Job, Seat, Serie, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def _at_once(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HAS_EMAIL = True
    settings.PUBLIC_URL = "https://romme.example"
    monkeypatch.setattr(jobs, "spawn", jobs.run)


@pytest.fixture
def done(django_capture_on_commit_callbacks: Any) -> Callable[[Callable[[], object]], list[str]]:
    """Perform an act with its jobs; return the recipients of mails."""

    def do(what: Callable[[], object]) -> list[str]:
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            what()
        return [message.to[0] for message in mail.outbox]

    return do


def drawn(players: int = 4, **fields: Any) -> Tournament:
    """A tournament with a draft of its first Serie; the last player has no address."""
    tournament = make_tournament(name="Herbstturnier", mails_seats=True, **fields)
    for number in range(1, players + 1):
        email = f"p{number}@verein.example" if number < players else ""
        make_registration(tournament, make_person("Anna", f"Kühn{number}", email=email))
    carry_out(begin(tournament, Serie.Seating.ELECTRONIC))
    return tournament


def publish(tournament: Tournament) -> None:
    draws.publish(COMMAND, tournament.serien.get(number=1).draws.get().pk)


def everybody(number: int) -> list[str]:
    return [f"p{at}@verein.example" for at in range(1, number + 1)]


def test_a_published_draw_mails_each_seat_once(done: Any):
    tournament = drawn()

    assert done(lambda: publish(tournament)) == everybody(3)
    seat = Seat.objects.get(registration__number=1)
    text = str(mail.outbox[0].body)
    assert mail.outbox[0].subject == "Ihr Platz: Herbstturnier"
    assert (
        f"Guten Tag, Anna Kühn1,\n\nIhr Platz mit der Startnummer 1:\n\nSerie 1: {seat.table}"
        in text
    )
    assert f"Platz {seat.number}" in text
    assert "Kühn2" not in text
    (job,) = Job.objects.filter(kind="seat_mails")
    assert job.result == {"sent": 3}


def test_the_link_opens_the_own_page(done: Any, client: Any):
    tournament = drawn()
    done(lambda: publish(tournament))

    link = next(line for line in str(mail.outbox[0].body).split() if "/s/" in line)

    assert "Anna Kühn1" in client.get(link.removeprefix("https://romme.example")).content.decode()


@pytest.mark.parametrize("where", ["not wanted", "no mails"])
def test_seat_mails_need_the_setting_and_a_mail_server(done: Any, settings: Any, where: str):
    tournament = drawn()
    if where == "not wanted":
        Tournament.objects.update(mails_seats=False)
    else:
        settings.HAS_EMAIL = False

    assert done(lambda: publish(tournament)) == []
    assert not Job.objects.exists()


@pytest.mark.both
def test_only_swapped_people_get_another_mail(done: Any):
    tournament = drawn(8)
    done(lambda: publish(tournament))
    first, two = tournament.registrations.filter(number__in=[1, 2]).order_by("number")
    serie = tournament.serien.get(number=1)

    def swap() -> None:
        swap_seats(COMMAND, serie.pk, first_id=first.pk, second_id=two.pk, reason="Rollstuhl")

    assert done(swap) == everybody(2)


def test_a_person_replacing_an_absentee_gets_a_mail(done: Any):
    tournament = drawn(8)
    done(lambda: publish(tournament))
    serie = tournament.serien.get(number=1)
    mark_no_show(COMMAND, tournament.registrations.get(number=1).pk)
    late = make_registration(tournament, make_person("Lea", "Spät", email="lea@verein.example"))
    key = f"replace-{late.pk}-{tournament.registrations.get(number=1).pk}"

    assert done(lambda: changes.carry_out(COMMAND, serie.pk, key=key)) == ["lea@verein.example"]


def test_a_repeated_mail_job_continues_after_the_last_mail(done: Any):
    tournament = drawn()
    done(lambda: publish(tournament))
    mail.outbox.clear()
    Job.objects.update(status=Job.Status.WAITING, done=2, finished_at=None)

    jobs.run(Job.objects.get().pk)

    assert [message.to[0] for message in mail.outbox] == everybody(3)[2:]


def test_a_mail_of_new_seats_voids_earlier_ones(done: Any):
    tournament = drawn()
    done(lambda: publish(tournament))
    assert "ersetzt" not in str(mail.outbox[0].body)

    begin(tournament, Serie.Seating.ELECTRONIC, reason="zwei fehlten")
    draft = carry_out(tournament.serien.get(number=1).draws.get(status="draft"))

    assert done(lambda: draws.publish(COMMAND, draft.pk)) == everybody(3)
    text = " ".join(str(mail.outbox[0].body).split())
    assert "Er ersetzt den vom" in text
    assert "frühere Mails und Pläne gelten nicht mehr" in text
