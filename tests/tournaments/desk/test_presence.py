"""Presence in the hall: ticked off at the desk or in the list, and checked before the draw."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tournaments.desk.queries.presence import absentees, present_counter
from tournaments.desk.services import changes, registrations
from tournaments.models import JournalEntry, Registration, Role, Tournament

pytestmark = pytest.mark.django_db


def prepaid(tournament: Tournament | None = None, **more) -> Registration:
    """Return a paid registration that is not present yet."""
    return make_registration(tournament or make_tournament(), present_at=None, **more)


def acts() -> list[str]:
    return list(JournalEntry.objects.order_by("number").values_list("action", flat=True))


def test_the_database_refuses_presence_of_non_participants():
    registration = make_registration(make_tournament())

    with pytest.raises(IntegrityError, match="registration_present_takes_part"):
        Registration.objects.filter(pk=registration.pk).update(status="no_show")


def test_registering_or_paying_on_the_day_marks_presence():
    tournament = make_tournament()
    payment = registrations.Payment()
    at_once, later, elsewhere = (
        registrations.register(
            COMMAND,
            tournament.pk,
            person_id=make_person().pk,
            payment=payment if is_here else None,
            is_here=is_here,
            late_reason="Stau",
        )
        for is_here in (True, False, False)
    )
    registrations.pay(COMMAND, later.pk, payment=payment, is_here=True)
    registrations.pay(COMMAND, elsewhere.pk, payment=payment)

    there = tournament.registrations.filter(present_at__isnull=False)

    assert set(there) == {at_once, later}
    assert list(absentees(tournament)) == [elsewhere]


@pytest.mark.parametrize(("method", "is_here"), [("cash", True), ("card", True), ("bank", False)])
def test_any_payment_on_the_day_but_a_transfer_marks_presence(
    client: Client, method: str, is_here: bool
):
    now = timezone.now()
    tournament = make_tournament(starts_at=now, registration_deadline=now)
    registration = make_registration(
        tournament, status=Registration.Status.REGISTERED, present_at=None
    )
    client.force_login(make_member(tournament, Role.KASSE))

    client.post(
        at("desk:payment", tournament, registration.pk),
        {"amount_cents": "15,00", "method_": method, "seen_open_cents": 1500},
    )

    registration.refresh_from_db()
    assert (registration.status, registration.present_at is not None) == (
        Registration.Status.PAID,
        is_here,
    )


def test_leaving_ends_presence_and_returning_restores_it():
    registration = make_registration(make_tournament())
    changes.mark_no_show(COMMAND, registration.pk)
    registration.refresh_from_db()
    assert registration.present_at is None

    changes.rejoin(COMMAND, registration.pk)

    registration.refresh_from_db()
    assert registration.present_at is not None


def test_the_counter_counts_participants_with_one_query(django_assert_num_queries):
    tournament = make_tournament()
    for status in ("registered", "withdrawn"):
        make_registration(tournament, status=status)
    make_registration(tournament)

    with django_assert_num_queries(1):
        counted = present_counter(tournament)

    assert (counted.present, counted.expected, counted.is_used) == (1, 2, True)


def test_the_day_of_a_tournament_is_local():
    begins = datetime.fromisoformat("2026-10-03T14:00+02:00")
    tournament = make_tournament(starts_at=begins)

    assert not tournament.has_come(begins - timedelta(hours=14, minutes=1))
    assert tournament.has_come(begins - timedelta(hours=14))
