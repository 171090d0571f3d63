"""Dues, open and spare amounts agree on registration, list and report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tournaments.cash.queries.report import by_person
from tournaments.desk.queries import registrations
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import Registration, Role

pytestmark = pytest.mark.django_db
Status = Registration.Status

# Due, open and spare amount of a registration with dues of 18.00 and payments of 20.00.
SUMS = {
    Status.WAITING: (0, 0, 2_000),
    Status.REGISTERED: (1_800, 0, 200),
    Status.PAID: (1_800, 0, 200),
    Status.WITHDRAWN: (0, 0, 2_000),  # in time: all of it goes back
    Status.NO_SHOW: (0, 0, 200),  # the Startgeld is lost
    Status.EXCLUDED: (0, 0, 200),  # § 1.4
}


@pytest.mark.parametrize("status", Status)
def test_all_pages_agree_on_the_dues_of_a_person(client: Client, status):
    tournament = make_tournament(refund_until=timezone.now() + timedelta(days=1))
    registration = make_registration(tournament, due_cents=1_800, status=Status.REGISTERED)
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=2_000))
    fields = {"waiting_since": timezone.now()} if status == Status.WAITING else {}
    Registration.objects.filter(pk=registration.pk).update(status=status, present_at=None, **fields)
    registration.refresh_from_db()

    page = registrations.registration_facts(registration, with_needs=True)
    (line,) = by_person(tournament)["persons"]
    listed: Any = registrations.listing(tournament).get()

    assert (registration.owed_cents, page["open_cents"], page["credit_cents"]) == SUMS[status]
    assert (line.due_cents, line.open_cents, line.credit_cents) == SUMS[status]
    assert listed.open_cents == SUMS[status][1]
    client.force_login(make_member(tournament, Role.KASSE))
    shown = client.get(reverse("desk:registration", args=[tournament.slug, registration.pk]))
    due = f"{SUMS[status][0] // 100},00"
    assert f"Zu zahlen {due}\N{NO-BREAK SPACE}€" in shown.content.decode()


@pytest.mark.parametrize("status", [Status.NO_SHOW, Status.EXCLUDED, Status.WITHDRAWN])
def test_persons_not_taking_part_have_no_open_dues(status):
    tournament = make_tournament()
    make_registration(tournament, due_cents=1_800, status=status, present_at=None)

    (line,) = by_person(tournament)["persons"]
    listed: Any = registrations.listing(tournament).get()

    assert (line.due_cents, line.open_cents, listed.open_cents) == (0, 0, 0)


def test_a_withdrawal_after_playing_has_no_credit_anywhere():
    tournament = make_tournament(refund_until=timezone.now() + timedelta(days=1))
    write_games(list_of(make_seated_serie(tournament)), FOUR[:1])
    registration = tournament.registrations.get(number=1)
    Registration.objects.filter(pk=registration.pk).update(
        due_cents=1_500, status=Status.REGISTERED
    )
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=1_500))
    Registration.objects.filter(pk=registration.pk).update(status=Status.WITHDRAWN, present_at=None)
    registration.refresh_from_db()

    assert registrations.registration_facts(registration, with_needs=False)["credit_cents"] == 0
    assert by_person(tournament)["persons"][0].credit_cents == 0
