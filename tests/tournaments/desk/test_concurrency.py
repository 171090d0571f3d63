"""Several desks at once: never a number, a person or a receipt twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.concurrency import at_once, entries
from tests.factories import COMMAND, START, make_person, make_tournament, make_user
from tournaments.cash.queries import balances
from tournaments.desk.services import files
from tournaments.desk.services.file_plan import COLUMNS, plan_of
from tournaments.desk.services.registrations import Payment, register
from tournaments.journal import services as journal
from tournaments.machine import sheets
from tournaments.models import Receipt, Registration
from tournaments.people.services.importing import store_rows

pytestmark = pytest.mark.django_db(transaction=True)


def entering(tournament_id: int, person_id: int) -> Callable[[], object]:
    return lambda: register(
        COMMAND,
        tournament_id,
        person_id=person_id,
        payment=Payment(),
        now=START - timedelta(hours=1),
    )


def test_two_desks_register_and_charge_one_person_once():
    tournament, person = make_tournament(), make_person("Anna", "Kühn")

    answers = at_once(*[entering(tournament.pk, person.pk)] * 2)

    assert sorted(type(answer).__name__ for answer in answers) == ["Registration", "str"]
    assert "Anna Kühn ist schon mit Nr. 1 bezahlt." in answers
    assert Registration.objects.count() == 1
    assert Receipt.objects.count() == 1
    assert balances.till_cents(tournament) == 1500


def test_eight_desks_give_eight_numbers_and_receipts_without_gaps():
    tournament = make_tournament()
    persons = [make_person() for _desk in range(8)]

    at_once(*[entering(tournament.pk, person.pk) for person in persons])

    numbers = Registration.objects.order_by("number").values_list("number", flat=True)
    receipts = Receipt.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 9))
    assert list(receipts) == list(range(1, 9))
    assert entries().count() == 24
    assert list(journal.first_breaks()) == []


def test_the_last_place_goes_to_one_of_two():
    tournament = make_tournament(places=3)
    for _place in range(2):
        entering(tournament.pk, make_person().pk)()

    at_once(*[entering(tournament.pk, make_person().pk) for _desk in range(2)])

    statuses = sorted(Registration.objects.values_list("status", flat=True))
    assert statuses == ["paid", "paid", "paid", "waiting"]


def test_a_desk_registers_between_the_parts_of_a_file(monkeypatch: pytest.MonkeyPatch):
    tournament, anna = make_tournament(starts_at=timezone.now() + timedelta(days=1)), make_person()
    rows = sheets.read("\n".join(["Nachname", *(f"N{at:03}" for at in range(60))]).encode())
    draft = store_rows(
        rows=rows, file_name="60.csv", user=make_user(), columns=COLUMNS, within=tournament
    )
    mark = plan_of(draft, tournament).fingerprint
    between = []
    desk = entering(tournament.pk, anna.pk)
    monkeypatch.setattr(files, "sleep", lambda _seconds: between.extend(at_once(desk)))

    files.register_from_file(COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark)

    assert [registration.number for registration in between] == [51]
    assert tournament.registrations.count() == 61
    assert list(journal.first_breaks()) == []
