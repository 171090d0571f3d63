"""A row's checks are asked at once, and what breaks one is refused as Django refuses it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_registration, make_tournament
from tournaments.models import Penalty, Person, Registration, Spielliste, Tournament
from tournaments.models.checked import Checked

pytestmark = pytest.mark.django_db
Status = Registration.Status


def test_rows_with_several_checks_ask_at_once():
    assert {*Checked.__subclasses__()} == {Penalty, Person, Registration, Spielliste, Tournament}


def test_all_checks_that_hold_are_asked_in_one_statement():
    registration = make_registration(make_tournament())

    with CaptureQueriesContext(connection) as asked:
        registration.validate_constraints()

    assert sum("_check" in one["sql"] for one in asked) == 1


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ({"status": "gone"}, "registration_status_known"),
        ({"status": Status.PAID, "number": 0}, "registration_paid_has_number"),
        ({"status": Status.WAITING, "number": None}, "registration_waiting_has_time"),
    ],
)
def test_the_check_that_a_row_breaks_is_named_and_no_other(broken, name):
    registration = make_registration(make_tournament(), present_at=None)
    for field, value in broken.items():
        setattr(registration, field, value)

    with pytest.raises(ValidationError) as refused:
        registration.validate_constraints()

    assert [name in message for message in refused.value.messages] == [True]


def test_what_is_no_number_is_refused_before_any_check_reads_it():
    registration = make_registration(make_tournament())
    registration.number = "x"

    with pytest.raises(ValidationError) as refused:
        registration.full_clean()

    assert list(refused.value.error_dict) == ["number"]
