"""The database server stops and restarts while the program serves."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from threading import Event

import psycopg
import pytest
from django.db import connection

from tests.factories_lists import FOUR
from tests.first_start import make_ready
from tests.server import Client, Server, database_url
from tests.tournaments.table.test_crash import (
    GAMES,
    KILLED_AFTER,
    LONGEST_WAIT,
    TABLES,
    Counter,
    Sender,
    check_numbers,
    make_senders,
)
from tournaments.models import Game, Spielliste
from tournaments.table.views.table_access import COOKIE

GONE = (
    "Die Datenbank antwortet nicht. Bitte nachsehen, ob sie läuft und zu erreichen ist. Sobald "
    "sie wieder da ist, geht es ohne Neustart weiter."
)


@pytest.mark.django_db(transaction=True)
def test_pages_report_a_database_outage_and_recover(tmp_path):
    name = connection.settings_dict["NAME"]
    with (
        Server(make_ready(tmp_path), database=database_url()) as server,
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database,
    ):
        client = Client(server.port, {})
        before, _page = client.get("/")

        connection.close()
        database.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        gone, page = client.get("/")
        script, said = client.post("/tisch/x/senden/", "{}")

        database.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        after, _page = client.get("/")

    assert (before, gone, script, after) == (200, 503, 503, 200)
    assert "Die Datenbank antwortet nicht" in page.decode()
    assert said.decode().startswith('{"ok": false, "refused": "Die Datenbank antwortet nicht.')


def send_on(sender: Sender, port: int, stored: Counter, gone: Event) -> set[str]:
    """Send all games of a table with retries; return the refusals."""
    client, said = Client(port, {COOKIE: sender.secret}), set[str]()
    number = 1
    while number <= GAMES:
        body = {"key": f"spiel-{number}-am-tisch", "kind": "game", "version": number - 1}
        body |= {"number": number, "line": FOUR[number - 1]}
        status, answer = client.post(f"{sender.path}senden/", json.dumps(body))
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            said.add(json.loads(answer)["refused"])
            gone.set()
        else:
            assert status == HTTPStatus.OK, answer.decode()
            stored.add()
            number += 1
    return said


@pytest.mark.django_db(transaction=True)
def test_games_sent_during_a_database_outage_are_stored_exactly_once(tmp_path):
    senders = make_senders()
    stored, gone = Counter(KILLED_AFTER), Event()
    name = connection.settings_dict["NAME"]
    with (
        Server(make_ready(tmp_path), database=database_url()) as server,
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database,
        ThreadPoolExecutor(TABLES) as pool,
    ):
        sending = [pool.submit(send_on, sender, server.port, stored, gone) for sender in senders]
        assert stored.reached.wait(LONGEST_WAIT)
        connection.close()
        database.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        is_noticed = gone.wait(LONGEST_WAIT)
        database.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        said = set[str]().union(*(future.result() for future in sending))

    assert is_noticed
    assert said == {GONE}
    assert stored.number == Game.objects.count() == TABLES * GAMES
    assert set(Spielliste.objects.values_list("version", flat=True)) == {GAMES}
    check_numbers()
