"""The same act arriving several times in one moment: done once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from tests.clients import at, logged_in
from tests.factories import make_member, make_tournament
from tournaments.common.submissions import new_form_key
from tournaments.models import Receipt, Role, Submission
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 4


@pytest.mark.parametrize(
    "is_one_form", [pytest.param(True, id="one form"), pytest.param(False, id="as many laptops")]
)
def test_concurrent_equal_bookings_count_once(is_one_form: bool):
    """The same form gets the same answer; the other laptops are asked."""
    tournament = make_tournament()
    url = at("cash:book_free", tournament)
    user = make_member(tournament, Role.KASSE)
    keys = [new_form_key()] * AT_ONCE if is_one_form else [new_form_key() for _ in range(AT_ONCE)]
    barrier = Barrier(AT_ONCE)

    def send(key: str) -> tuple[int, str | None]:
        client = logged_in(user if is_one_form else make_member(tournament, Role.KASSE))
        form = {"kind": "other", "amount_cents": "5", "text": "Kaffee", "method_": "cash"}
        try:
            barrier.wait()
            answer = client.post(url, {**form, FIELD: key})
            return answer.status_code, answer.get("Location")
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = set(pool.map(send, keys))

    booked = (302, at("cash:book", tournament))
    assert answers == ({booked} if is_one_form else {booked, (409, None)})
    assert Receipt.objects.count() == 1
    assert Submission.objects.count() == 1
