"""Reading needs no write: pages work on a full disk and beside a writer."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from romme_site import request_log
from tests.clients import Client
from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.strangers.halls import Hall
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.lists.helpers import keeper_of
from tests.tournaments.test_no_server_error import hall  # noqa: F401 - a fixture
from tournaments.machine.optional_writes import write_if_possible
from tournaments.models import NotedRequest, TableDevice

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite can be made read-only"),
]

PATIENCE = 3000  # milliseconds, after which a page that waits has failed


@contextmanager
def nothing_written() -> Iterator[None]:
    """Let SQLite refuse every write."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            yield
        finally:
            connection.connection.execute("PRAGMA query_only = 0")


def make_unseen() -> None:
    """Move the last contact of all devices back, so that it is stored again."""
    TableDevice.objects.update(last_seen_at=F("last_seen_at") - timedelta(hours=1))


@pytest.mark.django_db
def test_no_get_request_writes(hall: Hall):  # noqa: F811
    make_unseen()
    urls = [hall.url(address) for address in ADDRESSES]
    seen_at = TableDevice.objects.get().last_seen_at

    with nothing_written():
        for url in urls:
            hall.ask("get", url)
        new = Client().get(hall.phone.path)

    assert new.status_code == 200
    assert TableDevice.objects.get().last_seen_at == seen_at


@pytest.mark.django_db(transaction=True)
def test_reading_does_not_wait_for_writers(monkeypatch: pytest.MonkeyPatch):
    device = keeper_of(list_of(make_seated_serie(make_tournament())))
    make_unseen()
    seen_at = TableDevice.objects.get().last_seen_at
    noted = deque([NotedRequest(request_id="x", at=seen_at, status=500, milliseconds=1)])
    monkeypatch.setattr(request_log, "_waiting", noted)
    device.client.raise_request_exception = False

    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            pages = [device.client.get(device.path), device.state(), device.client.get("/")]
            patience = cursor.execute("PRAGMA busy_timeout").fetchone()
        left = len(noted)
    device.client.get(device.path)

    assert [page.status_code for page in pages] == [200, 200, 200]
    assert patience == (PATIENCE,)
    assert (left, len(noted)) == (1, 0)
    assert TableDevice.objects.get().last_seen_at > seen_at


@pytest.mark.django_db(transaction=True)
def test_a_bug_in_a_write_is_not_a_full_disk():
    with pytest.raises(ValueError, match="mistake"):
        write_if_possible(lambda: (_ for _ in ()).throw(ValueError("mistake")))
