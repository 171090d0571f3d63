"""A kept connection is not asked whether it serves, as long as there is no reason to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import monotonic

import psycopg
import pytest
from django.db import connection

from romme_site.postgresql import base

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def beside() -> Iterator[psycopg.Connection]:
    """Yield another connection to the same server."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
        yield other


def said_last(beside: psycopg.Connection) -> str:
    """Return the last statement of the connection that Django keeps."""
    pid = connection.connection.info.backend_pid
    asked = beside.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid])
    return str(asked.fetchall()[0][0])


def use(words: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(words)


def test_only_one_that_was_quiet_for_a_while_is_asked(beside, monkeypatch):
    use("SELECT 'davor'")
    assert connection.is_usable()
    use("SELECT 'danach'")

    assert connection.is_usable()
    assert said_last(beside) == "SELECT 'danach'"

    monkeypatch.setattr(base, "monotonic", lambda: monotonic() + base.ASKED_AFTER)
    assert connection.is_usable()
    assert said_last(beside) == "SELECT 1"


def test_one_that_the_server_ended_is_known_at_once(beside):
    use("SELECT 'davor'")
    assert connection.is_usable()
    pid = connection.connection.info.backend_pid
    beside.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])

    assert not connection.is_usable()
    connection.close()
    use("SELECT 'wieder da'")


def test_a_new_one_knows_that_few_rows_are_asked_for():
    connection.close()
    use("SHOW random_page_cost")  # the first statement of the new one

    asked = connection.connection.execute(
        "SELECT current_setting('random_page_cost'), current_setting('plan_cache_mode')"
    )
    assert asked.fetchone() == ("1.1", "force_generic_plan")
