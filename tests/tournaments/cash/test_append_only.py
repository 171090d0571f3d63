"""The database itself refuses changes of the cash book."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model

from tests.factories import make_tournament, make_user
from tests.worlds import world
from tournaments.cash.services import counts as till_counts
from tournaments.common.actors import Actor
from tournaments.models import CashCount, CashEntry, Receipt, Role

pytestmark = pytest.mark.django_db

CHANGES = [
    pytest.param(Receipt, "payer", "jemand anders", id="receipt"),
    pytest.param(CashEntry, "amount_cents", 1, id="entry"),
    pytest.param(CashCount, "counted_cents", 1, id="count"),
]


@world
def book() -> Receipt:
    """A book of one receipt with one entry, and one count."""
    tournament = make_tournament()
    helper = Actor.account(make_user(), frozenset({Role.KASSE}))
    till_counts.open_till(helper, tournament.pk, pieces={1000: 1})
    return Receipt.objects.get()


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(("model", "field", "value"), CHANGES)
def test_a_row_is_not_changed(model: type[Model], field: str, value: object):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model._default_manager.update(**{field: value})

    assert not model._default_manager.filter(**{field: value}).exists()


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("model", [Receipt, CashEntry, CashCount])
def test_a_row_is_not_deleted(model: type[Model]):
    # Without Django, which protects referenced rows and would refuse before the database.
    sql = f"DELETE FROM {model._meta.db_table}"  # noqa: S608

    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)

    assert model._default_manager.count() == 1


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(
            lambda book: Receipt.objects.create(
                tournament=book.tournament, number=1, method=Receipt.Method.CASH
            ),
            id="a number twice",
        ),
        pytest.param(
            lambda book: Receipt.objects.create(
                tournament=book.tournament, number=0, method=Receipt.Method.CASH
            ),
            id="a number below one",
        ),
        pytest.param(
            lambda book: CashEntry.objects.create(
                receipt=book, kind=CashEntry.Kind.OTHER, amount_cents=0
            ),
            id="an entry of nothing",
        ),
        pytest.param(
            lambda book: [
                Receipt.objects.create(
                    tournament=book.tournament,
                    number=number,
                    method=Receipt.Method.CASH,
                    reverses=book,
                )
                for number in (2, 3)
            ],
            id="two cancellations of one receipt",
        ),
    ],
)
def test_the_database_refuses_invalid_rows(book: Receipt, act: Callable[[Receipt], object]):
    with pytest.raises(IntegrityError), transaction.atomic():
        act(book)
