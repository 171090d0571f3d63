"""The installed wheel works without the checkout."""

from __future__ import annotations

import email
import email.policy
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import time
import zipfile
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.db import connection, transaction
from django.urls import reverse

from romme_site import __version__
from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.server import HOST, Server
from tests.tournaments.lists.helpers import Device
from tournaments.practice.demo.people import make_accounts

venv = pytest.importorskip("venv", reason="a Python that is packed with the program has none")
ROOT = Path(__file__).resolve().parents[2]
LOOK = """
import json, sys
import scoring, tournaments
from romme_site import paths
files = [scoring.__file__, tournaments.__file__, str(paths.BASE_DIR)]
print(json.dumps({"path": sys.path, "files": files, "home": str(paths.home())}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the commands in an environment with the wheel.

    Its dependencies come from the environment of the tests, so no network is needed.
    """
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    ours, others = (
        Path(sysconfig.get_path("purelib", vars={"base": str(base)}))
        for base in (folder / "venv", sys.prefix)
    )
    (ours / "others.pth").write_text(f"{others}\n", encoding="utf-8")
    uv = shutil.which("uv", path=Path(sys.executable).parent)
    tool = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip", "install"]
    alone = ["--no-index", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run([*tool, *alone], cwd=folder, check=True, capture_output=True)
    return python.parent


class Browser:
    """Keeps cookies, follows redirects and sends forms with the token of the last page."""

    def __init__(self, port: int) -> None:
        self.site = f"http://{HOST}:{port}"
        self.opener = build_opener(HTTPCookieProcessor())
        self.token = ""

    def page(self, path: str, **sent: object) -> tuple[str, bytes]:
        """Return the content type and content of a page, or of the answer to a form."""
        form = urlencode({"csrfmiddlewaretoken": self.token, **sent}).encode() if sent else None
        with self.opener.open(f"{self.site}{path}", form) as answer:
            content = answer.read()
            self.url = answer.url
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', content)
        self.token = token.group(1).decode() if token else ""
        return answer.headers.get_content_type(), content


def _check_places(installed: Path, environment: dict[str, str], folder: Path, data: Path) -> None:
    look = subprocess.run(
        [installed / "python", "-c", LOOK],
        env=environment,
        cwd=folder,
        capture_output=True,
        check=True,
    )
    program = json.loads(look.stdout)
    assert str(ROOT) not in {str(Path(path).resolve()) for path in program["path"] if path}
    assert all(Path(file).is_relative_to(installed.parent) for file in program["files"])
    assert program["home"] == str(data)


@pytest.mark.once
def test_the_wheel_names_itself_and_the_program_its_version(installed: Path, tmp_path: Path):
    (wheel,) = installed.parent.parent.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        about = email.message_from_bytes(packed.read(name), policy=email.policy.default)
    said = subprocess.run(
        [installed / "romme-turnier", "--version"],
        env={"HOME": str(tmp_path), "PYTHONPATH": ""},
        cwd=tmp_path,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    assert about["Version"].startswith(__version__)
    assert said.stdout == f"Rommé-Turnier {about['Version']}\n"
    assert about["Author"] == "The contributors to romme-turnier"
    assert about["License-Expression"] == "MIT AND OFL-1.1"
    assert about.get_all("License-File") == ["LICENSE", "static/fonts/LICENSE.txt"]
    assert len(about.get_all("Classifier")) > 5
    assert about["Project-URL"] is None
    assert "![" not in about.get_content()


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_the_wheel_serves_pages_and_prints_without_the_checkout(installed: Path, tmp_path: Path):
    empty, home = tmp_path / "empty", tmp_path / "home"
    empty.mkdir()
    environment = {"HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHONPATH": ""}
    tournament = make_tournament(is_demo=True)
    with transaction.atomic():
        make_accounts(tournament)
    spielliste = list_of(make_seated_serie(tournament))
    data = home / "romme-turnier"
    data.mkdir(parents=True)
    with closing(sqlite3.connect(data / "romme.sqlite3")) as copy:
        connection.ensure_connection()
        connection.connection.backup(copy)

    _check_places(installed, environment, empty, data)

    server = Server(
        tmp_path,
        database="",
        program=[str(installed / "romme-turnier")],
        folder=empty,
        DATA_DIR="",
        **environment,
    )
    with server:
        browser = Browser(server.port)
        browser.page("/")
        _kind, inside = browser.page(reverse("demo:look"), account="demo-leitung")
        assert tournament.name in inside.decode()
        _kind, at_the_table = browser.page(Device(spielliste).path)
        assert "Tisch 1" in at_the_table.decode()
        _kind, manual = browser.page(reverse("manual:chapter", args=["notfall"]))
        assert "Der Strom ist weg" in manual.decode()

        browser.page(reverse("printing:documents", args=[tournament.slug]))
        start = reverse("printing:start", args=[tournament.slug, "spiellisten"])
        kind, content = browser.page(start, serie=1, table=1)
        while kind != "application/pdf":
            assert b"<progress" in content, content.decode()
            time.sleep(0.1)
            kind, content = browser.page(browser.url.removeprefix(browser.site))
        assert content.startswith(b"%PDF")
    assert (data / "static" / "staticfiles.json").exists()
    assert list(empty.iterdir()) == []
