"""The promise of the privacy page: addresses are deleted when no longer needed."""

from __future__ import annotations

import pytest
from django.core import mail

from tests.clients import Client, at
from tests.factories import COMMAND, make_member
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tournaments.closing import services as closing
from tournaments.desk.services import registrations
from tournaments.models import Entry, Registration, Role, Tournament

pytestmark = pytest.mark.django_db
SENDER = "anna@verein.example"


def sent(**fields) -> Tournament:
    tournament = make_open_tournament(**fields)
    send_one(tournament, wanted(), wanted("Bernd", "Voß"), email=SENDER)
    return tournament


def test_closing_deletes_mail_addresses_and_keeps_registrations():
    tournament = sent()
    for registration in tournament.registrations.all():
        registrations.pay(COMMAND, registration.pk, payment=registrations.Payment())
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING)

    closing.close(COMMAND, tournament.pk)

    assert not Entry.objects.exists()
    assert Registration.objects.count() == 2


def test_a_freed_place_is_announced_by_mail(client: Client, settings):
    settings.HAS_EMAIL = True
    settings.PUBLIC_URL = "https://turnier.example"
    tournament = sent(places=3)
    send_one(tournament, wanted("Clara", "Lang"), form_key="second", email="clara@verein.example")
    send_one(tournament, wanted("Dirk", "Otto"), form_key="third", email="dirk@verein.example")
    waiting = Registration.objects.get(status=Registration.Status.WAITING)
    Tournament.objects.filter(pk=tournament.pk).update(places=4)
    client.force_login(make_member(tournament, Role.KASSE))
    mail.outbox.clear()

    client.post(at("desk:admit", tournament, waiting.pk))

    assert [message.to for message in mail.outbox] == [["dirk@verein.example"]]
