"""A forgotten lock and a frozen host delay others by seconds only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from romme_site.env import limit
from tests.clients import Client as Browser
from tests.factories import make_tournament, make_user
from tests.factories_lists import list_of, make_seated_serie
from tests.first_start import make_ready
from tests.server import ROOT, Client, Server, database_url
from tests.tournaments.lists.helpers import game, keeper_of
from tournaments.common.errors import BUSY, PASSIVE, failure_of
from tournaments.models import Game, Tournament
from tournaments.table.views.table_access import COOKIE

pytestmark = pytest.mark.django_db(transaction=True)
LIMITS = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
LOCK = "SELECT 1 FROM tournaments_tournament WHERE id = %s FOR UPDATE"
LONGEST = 15_000  # milliseconds that one host may cost another
SHORT = "%20-c%20lock_timeout%3D"  # in an address, after other options


@contextmanager
def another(**limits: str) -> Iterator[BaseDatabaseWrapper]:
    """Another host's connection, with the limits of the program but for *limits*."""
    line = connections.create_connection(DEFAULT_DB_ALIAS)
    # Its own: Django gives each connection the same settings, and later ones of the tests too.
    options = dict(line.settings_dict["OPTIONS"])
    line.settings_dict = line.settings_dict | {"OPTIONS": options}
    limit(line.settings_dict, is_command=False)  # tests have those of commands
    for name, value in limits.items():
        options["options"] += f" -c {name}={value}"
    try:
        yield line
    finally:
        line.close()


def milliseconds_of(line: BaseDatabaseWrapper) -> dict[str, int]:
    with line.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(LIMITS)])
        return {name: int(setting) for name, setting in cursor.fetchall()}


def test_time_limits_of_requests_drop_a_frozen_host_first():
    with another() as line:
        limits = milliseconds_of(line)

    # A waiter gets the lock when the frozen holder has lost it.
    assert 0 < limits["idle_in_transaction_session_timeout"] < limits["lock_timeout"] <= LONGEST
    assert limits["lock_timeout"] < limits["statement_timeout"]


def test_commands_have_longer_time_limits(tmp_path: Path):
    printed = (
        "import json; from romme_site.command.django_setup import set_up_django; set_up_django();"
    )
    printed += "from tests.postgres.test_limits import connection, milliseconds_of;"
    printed += "print(json.dumps(milliseconds_of(connection)))"
    environment = {"DATABASE_URL": database_url(), "DATA_DIR": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", printed],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        check=True,
    )

    with another() as line:
        of_requests = milliseconds_of(line)
    for name, value in json.loads(said.stdout).items():
        assert value > of_requests[name]


def test_a_frozen_host_loses_its_transaction_and_others_continue():
    tournament = make_tournament()
    as_before = connections.settings[DEFAULT_DB_ALIAS]["OPTIONS"]["options"]
    with another(idle_in_transaction_session_timeout="300ms") as frozen:
        frozen.set_autocommit(False)
        frozen.cursor().execute(LOCK, [tournament.pk])

        Tournament.objects.filter(pk=tournament.pk).update(revision=7)

        with pytest.raises(DatabaseError) as awake:
            frozen.cursor().execute("SELECT 1")

    assert failure_of(awake.value) is not None
    assert Tournament.objects.get().revision == 7
    assert connections.settings[DEFAULT_DB_ALIAS]["OPTIONS"]["options"] == as_before


def test_a_forgotten_lock_delays_games_for_seconds_and_pages_never(tmp_path: Path):
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=3)
    devices = [keeper_of(list_of(serie, table)) for table in (1, 2, 3)]
    body = json.dumps({"key": "spiel-1-am-tisch", "kind": "game", **game()})
    url = database_url()
    url += f"{'&' if '?' in url else '?'}options={SHORT}3s"
    with (
        Server(make_ready(tmp_path), database=url) as server,
        psycopg.connect(**connection.get_connection_params() | {"options": ""}) as forgotten,
        ThreadPoolExecutor(3) as pool,
    ):
        forgotten.execute(LOCK, [tournament.pk])

        def send(device: Any) -> tuple[int, bytes]:
            cookies = {COOKIE: device.client.cookies[COOKIE].value}
            return Client(server.port, cookies).post(f"{device.path}senden/", body)

        sent = [pool.submit(send, device) for device in devices]
        reader = Client(server.port, {COOKIE: devices[0].client.cookies[COOKIE].value})
        paths = ("/healthz", "/readyz", "/", f"/t/{tournament.slug}/", f"{devices[0].path}stand/")
        read = [reader.get(path)[0] for path in paths]
        is_before = not any(sending.done() for sending in sent)
        answers = [sending.result() for sending in sent]
        forgotten.rollback()
        after = send(devices[0])[0]

    assert read == [200] * len(paths)
    assert is_before
    assert [status for status, _said in answers] == [HTTPStatus.SERVICE_UNAVAILABLE] * 3
    assert all(str(BUSY.title) in json.loads(said)["refused"] for _status, said in answers)
    assert (after, Game.objects.count()) == (200, 1)


def test_a_standby_database_reports_that_it_is_not_ready():
    admin = Browser(raise_request_exception=False)
    admin.force_login(make_user(is_admin=True))
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        ready = admin.get("/readyz")
        seen = admin.get("/personen/")
        refused = admin.post("/personen/neu/", {"last_name": "Kühn", "anyway": "1"})
        cursor.execute("RESET default_transaction_read_only")
        again = admin.get("/readyz")

    assert (ready.status_code, ready.content) == (503, b"read-only\n")
    assert (seen.status_code, refused.status_code) == (200, 503)
    assert str(PASSIVE.title) in refused.content.decode()
    assert again.status_code == 200
