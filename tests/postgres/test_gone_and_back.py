"""The database server goes away while the program serves, and comes back."""

from __future__ import annotations

import os

import psycopg
import pytest
from django.db import connection

from tests.ready import make_ready
from tests.server import Client, Server, database_url


@pytest.mark.django_db(transaction=True)
def test_pages_say_that_the_database_is_gone_and_are_there_again_with_it(tmp_path):
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
