"""A table's page in a hall with https: closed while the network is away, it opens again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.certificates import NAME, make_certificate
from tests.e2e.table_device import a_kept_device, make_table, path_of
from tests.e2e.test_table_list import expect_kept
from tests.factories_lists import FOUR, write_games
from tests.first_start import make_ready
from tests.server import Server, database_url

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True, slots=True)
class Hall:
    """The program with https under its name; options of a browser that trusts its certificate."""

    url: str
    server: Server
    trusting: list[str]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    files = make_certificate(tmp_path)
    data = make_ready(tmp_path / "data")
    server = Server(data, database=database_url(), authority=files.authority, **files.environment)
    url = f"https://{NAME}:{server.port}"
    server.environment |= {"PUBLIC_URL": url, "HTTP_PORT": str(server.port)}
    here = f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    trust = f"--ignore-certificate-errors-spki-list={files.fingerprint}"
    with server:
        yield Hall(url, server, [here, trust])


def test_a_page_closed_offline_opens_again(browser: Browser, hall: Hall, tmp_path: Path):
    spielliste = write_games(make_table(), FOUR[:5])
    url, folder = hall.url + path_of(spielliste), tmp_path / "device"

    with a_kept_device(browser, folder, more=hall.trusting) as device:
        device.open(url)
        device.keep_the_list()
        assert device.page.evaluate("isSecureContext")
        device.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        expect_kept(device, path_of(spielliste))
        device.context.set_offline(True)
        device.enter(FOUR[5])
        expect(device.pill()).to_have_text("1 wartet auf Netz")

    hall.server.kill()
    with a_kept_device(browser, folder, more=hall.trusting, offline=True) as device:
        device.open(url)
        expect(device.row(6)).to_have_class("is-pending")
        device.enter(FOUR[6])
        expect(device.pill()).to_have_text("2 warten auf Netz")
