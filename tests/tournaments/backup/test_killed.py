"""The first laptop is killed during bookings; the second one has the earlier bookings."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

import pytest
from django.conf import settings as configured
from django.db import connections
from django.test import Client as Browser
from django.urls import reverse

from tests.factories import make_member
from tests.first_start import make_ready
from tests.server import Client
from tests.tournaments.backup.test_afresh import server_in
from tournaments.backup import replication, saving, standby, status_file
from tournaments.backup.database_copy import copy_out
from tournaments.backup.packing import unpack
from tournaments.common.submissions import new_form_key
from tournaments.models import Role

pytestmark = pytest.mark.django_db(transaction=True)
TILLS = 4
LOAD_SECONDS = standby.TOLERATED_SECONDS + 2  # of booking, then the laptop is killed
LONGEST_WAIT = 240


def book(port: int, path: str, session: str, till: int, enough: Event) -> dict[str, float]:
    """Book until the laptop is gone, and say when it is enough; return when it was confirmed."""
    client, confirmed = Client(port, {"sessionid": session}), dict[str, float]()
    begun = time.monotonic()
    while True:
        text = f"Kaffee {till}-{len(confirmed)}"
        form = {"kind": "other", "amount_cents": "2", "text": text, "method_": "cash"}
        form |= {"form_key": new_form_key(), "csrfmiddlewaretoken": Client.TOKEN}
        try:
            status, _page = client.submit(path, urlencode(form))
        except (OSError, HTTPException):
            return confirmed
        assert status == 302
        confirmed[text] = time.monotonic()
        if confirmed[text] - begun > LOAD_SECONDS:
            enough.set()


def test_a_standby_of_a_killed_laptop_lacks_only_seconds(data, tournament, settings, tmp_path):
    (make_ready(data) / "secret_key").write_text(configured.SECRET_KEY)
    (data / "installation_key").write_text(configured.INSTALLATION_KEY().hex())
    browser, path = Browser(), reverse("cash:book_free", args=[tournament.slug])
    browser.force_login(make_member(tournament, Role.SPIELLEITUNG))
    session = browser.cookies["sessionid"].value
    copy_out(data / "romme.sqlite3")
    connections.close_all()
    second, began, enough = tmp_path / "zweiter", Event(), Event()

    with server_in(data, "run") as first, ThreadPoolExecutor(TILLS) as pool:
        code = standby.new_code()
        settings.DATA_DIR = second
        connection = replication.connect(f"http://127.0.0.1:{first.port}", code, 8001)
        follower = Thread(
            target=replication.replicate, args=(connection, lambda _line: began.set())
        )
        follower.start()
        try:
            assert began.wait(LONGEST_WAIT)
            given = (first.port, path, session)
            tills = [pool.submit(book, *given, till, enough) for till in range(TILLS)]
            settings.DATA_DIR = data
            saving.request_backup()  # which keeps nothing waiting
            settings.DATA_DIR = second
            assert enough.wait(LONGEST_WAIT)
        finally:  # or tills and follower would go on for ever
            killed = time.monotonic()
            first.kill()
            status_file.write_json(second / "sicherungen" / "ersatz" / "uebernommen", {"at": ""})
            follower.join()
        confirmed = {text: at for till in tills for text, at in till.result().items()}

    there = receipts_in(max((second / "sicherungen" / "ersatz").glob("*-ersatz.tar")), tmp_path)
    assert confirmed.keys() & there
    lost = [killed - at for text, at in confirmed.items() if text not in there]
    assert max(lost, default=0) < standby.TOLERATED_SECONDS


def receipts_in(state: Path, where: Path) -> set[str]:
    with closing(sqlite3.connect(unpack(state, where))) as reading:
        return {text for (text,) in reading.execute("SELECT text FROM tournaments_receipt")}
