"""Mails about a calling off and about its undoing."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.worlds import world
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.machine import jobs
from tournaments.models import Job, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]


def registered() -> Tournament:
    """Register two by one entry, one of them paid, one at the desk by mail, a leaver, one without
    mail.
    """
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst")
    both = [wanted("Anna", "Kühn"), wanted("Bernd", "Voß")]
    send_one(tournament, *both, email="anna@verein.example")
    paid = tournament.registrations.get(person__last_name="Kühn")
    pay(COMMAND, paid.pk, payment=Payment(amount_cents=1500))
    clara = make_person("Clara", "Sommer", email="clara@verein.example")
    register(COMMAND, tournament.pk, person_id=clara.pk)
    send_one(tournament, wanted("Dora", "Fort"), form_key="2", email="dora@verein.example")
    withdraw(COMMAND, tournament.registrations.get(person__last_name="Fort").pk)
    register(COMMAND, tournament.pk, person_id=make_person("Emil", "Ohne").pk)
    return tournament


tournament = world(registered)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "spawn", jobs.run)


@pytest.fixture
def leading(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def act(client: Client, name: str, capture: Any) -> None:
    with capture(execute=True):
        client.post(at(f"setup:{name}", "herbst"), {"reason": "Sturm"})


def body(number: int) -> str:
    return str(mail.outbox[number].body).replace("\N{NO-BREAK SPACE}", " ")


def test_each_address_gets_one_mail_with_reason_and_refund(
    leading: Client, django_capture_on_commit_callbacks: Any
):
    act(leading, "call_off", django_capture_on_commit_callbacks)

    to = {message.to[0]: number for number, message in enumerate(mail.outbox)}
    assert to.keys() == {"anna@verein.example", "clara@verein.example"}
    assert mail.outbox[0].subject == "Abgesagt: Herbstturnier"
    said = body(to["anna@verein.example"])
    assert "findet nicht statt.\n\nGrund: Sturm\n\nDas betrifft:" in said
    assert "* Anna Kühn: 15,00 € bekommen Sie zurück\n* Bernd Voß\n" in said
    assert Job.objects.get().result == {"sent": 2}


def test_undoing_a_calling_off_mails_everyone_again(
    leading: Client, django_capture_on_commit_callbacks: Any
):
    act(leading, "call_off", django_capture_on_commit_callbacks)
    mail.outbox.clear()

    act(leading, "undo_calling_off", django_capture_on_commit_callbacks)

    assert len(mail.outbox) == 2
    assert mail.outbox[0].subject == "Findet doch statt: Herbstturnier"
    assert "findet doch statt." in body(0)
    assert "zurück\n" not in body(0)


def test_no_job_is_started_without_mail(
    leading: Client, settings: Any, django_capture_on_commit_callbacks: Any
):
    settings.HAS_EMAIL = False

    act(leading, "call_off", django_capture_on_commit_callbacks)

    assert not Job.objects.exists()
    assert mail.outbox == []


def test_a_restarted_mail_job_mails_no_one_twice(
    leading: Client, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    act(leading, "call_off", django_capture_on_commit_callbacks)
    Job.objects.update(done=1)  # of two

    jobs.run(Job.objects.get().pk)

    assert [message.to for message in mail.outbox] == [["clara@verein.example"]]
