"""After a takeover, and after any restore, printed codes and logged-in accounts work on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client as Browser

from tests.factories import make_tournament, make_user
from tests.factories_lists import list_of, make_seated_serie
from tests.first_start import make_ready
from tests.migrated_database import copy_migrated
from tests.server import ROOT, Client, Server
from tournaments.backup.packing import pack
from tournaments.common.access_keys import player_path, table_code, table_path
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

PROGRAM = (sys.executable, "-m", "romme_site")
OWN_KEYS = {"SECRET_KEY": "", "INSTALLATION_KEY": ""}


@dataclass
class Printed:
    """The codes and sessions of the first laptop, and its backup."""

    backup: Path
    cookies: dict[str, str]  # of a logged-in account
    code: str
    card: str
    table: str

    def answers(self, port: int) -> list[int]:
        """Type the short code, use the session, and scan both cards; return the answers."""
        client = Client(port, self.cookies)
        typed = {"table": "1", "code": self.code, "csrfmiddlewaretoken": Client.TOKEN}
        asked = [client.submit("/tisch/", urlencode(typed))]
        asked += [client.get(path) for path in ("/turniere/", self.card, self.table)]
        return [status for status, _body in asked]


WORKING = [302, 200, 200, 200]


@pytest.fixture
def printed(data) -> Printed:
    (data / "secret_key").write_text(settings.SECRET_KEY)
    (data / "installation_key").write_text(settings.INSTALLATION_KEY().hex())
    serie = make_seated_serie(make_tournament())
    player_access.store_tokens(serie.tournament)
    registration = serie.tournament.registrations.first()
    browser = Browser()
    browser.force_login(make_user())
    access = list_of(serie).table.access
    backup = data / "romme-2026-10-03-141500-ersatz.tar.gz"
    pack(backup, proven=False)
    return Printed(
        backup,
        {settings.SESSION_COOKIE_NAME: browser.cookies[settings.SESSION_COOKIE_NAME].value},
        table_code(access),
        player_path(registration),
        table_path(access),
    )


@pytest.fixture
def second(tmp_path) -> Path:
    """Return the data folder of a laptop that has keys of its own."""
    folder = tmp_path / "zweiter"
    folder.mkdir()
    (folder / "secret_key").write_text("of the second laptop" * 3)
    return make_ready(folder)


def server_in(folder: Path, *command: str) -> Server:
    database = f"sqlite:///{folder / 'romme.sqlite3'}"
    return Server(folder, database=database, program=(*PROGRAM, *command), **OWN_KEYS)


def test_codes_sessions_and_cards_keep_working_after_a_takeover(printed, second):
    shelf = second / "sicherungen" / "ersatz"
    shelf.mkdir(parents=True)
    shutil.copy(printed.backup, shelf)

    with server_in(second, "takeover") as server:
        assert printed.answers(server.port) == WORKING


def test_a_running_program_restarts_after_a_restore(printed, second):
    copy_migrated(second / "romme.sqlite3")
    with server_in(second, "run") as server:
        environment = {**server.environment, "PORT": ""}
        command = [*PROGRAM, "restore", str(printed.backup)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)

        server.wait_until_started(times=2)

        assert printed.answers(server.port) == WORKING
