"""Two hosts share one PostgreSQL and no disk; each continues the work of the other."""

from __future__ import annotations

import re
import time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.urls import reverse

from tests.factories import make_member, make_tournament, make_user
from tests.factories_lists import make_seated_serie
from tests.first_start import make_ready
from tests.server import HOST, Server, database_url
from tournaments.models import Role, StoredFile, Tournament

ARCHIVE = Path(__file__).parents[1] / "tournaments" / "archive" / "data" / "archive-23x3.json"
PASSWORD = "ein langes Kennwort"
BORDER = "border-of-the-parts"
SECONDS = 120


class Browser:
    """A client that keeps its cookies for all hosts, as behind one proxy."""

    def __init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, host: Server, path: str) -> tuple[int, str, bytes]:
        """Return status, path in the end, and body."""
        return self._ask(host, Request(f"http://{HOST}:{host.port}{path}"))

    def post(
        self, host: Server, path: str, *, on: str, file: bytes = b"", **fields: str
    ) -> tuple[int, str, bytes]:
        """Send the form of the page *on*, which the same host has shown."""
        page = self.get(host, on)[2].decode()
        for name in ("csrfmiddlewaretoken", "form_key"):
            fields[name] = re.search(rf'name="{name}" value="([^"]+)"', page)[1]
        request = Request(f"http://{HOST}:{host.port}{path}", urlencode(fields).encode())
        if file:
            request.data = _parts(fields, file)
            request.add_header("Content-Type", f"multipart/form-data; boundary={BORDER}")
        return self._ask(host, request)

    def _ask(self, _host: Server, request: Request) -> tuple[int, str, bytes]:
        try:
            with self.opener.open(request, timeout=SECONDS) as answer:
                return answer.status, "/" + answer.url.split("/", 3)[3], answer.read()
        except HTTPError as refused:
            with refused:
                return refused.code, request.selector, refused.read()

    def log_in(self, host: Server, username: str, password: str = PASSWORD) -> int:
        """Return how the log-in was answered: 200 if it led on."""
        path = reverse("account:login")
        return self.post(host, path, on=path, username=username, password=password)[0]

    def wait_for(self, host: Server, path: str, what: str) -> bytes:
        """Ask again and again until it is there, and return the page."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            _status, _path, page = self.get(host, path)
            if what.encode() in page:
                return page
            time.sleep(0.2)
        raise AssertionError(f"{path} never said {what}: {page.decode(errors='replace')[-2000:]}")


def _parts(fields: dict[str, str], file: bytes) -> bytes:
    head = 'Content-Disposition: form-data; name="{}"'
    parts = [f"{head.format(name)}\r\n\r\n{value}".encode() for name, value in fields.items()]
    parts.append(f'{head.format("file")}; filename="a.json"\r\n\r\n'.encode() + file)
    border = f"--{BORDER}".encode()
    return b"".join(border + b"\r\n" + part + b"\r\n" for part in parts) + border + b"--\r\n"


@pytest.mark.django_db(transaction=True)
def test_one_host_continues_the_work_of_another(tmp_path: Path):
    tournament = make_tournament()
    make_seated_serie(tournament)
    stored = Argon2PasswordHasher().encode(PASSWORD, "only for this test")
    head = make_member(tournament, Role.VERANSTALTER, is_admin=True)
    other = make_user()
    for user in (head, other):
        user.password = stored
        user.save()
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        make_ready(folder)
    slug = [tournament.slug]
    with (
        Server(folders[0], database=database_url()) as first,
        Server(folders[1], database=database_url()) as two,
    ):
        browser = Browser()
        assert browser.log_in(first, head.username) == 200

        printing = reverse("printing:documents", args=slug)
        start = reverse("printing:start", args=[*slug, "sitzplan-namen"])
        _status, progress, _page = browser.post(first, start, on=printing, serie="1")
        assert browser.wait_for(two, progress, "%PDF").startswith(b"%PDF")

        export = reverse("archive:export", args=slug)
        _status, wait, _page = browser.post(first, export, on=export)
        browser.wait_for(two, wait, "Herunterladen")
        assert b'"romme-turnier"' in browser.get(two, f"{wait}datei/")[2]

        take_in = reverse("archive:import")
        _status, wait, _page = browser.post(two, take_in, on=take_in, file=ARCHIVE.read_bytes())
        browser.wait_for(first, wait, "Das Turnier ist eingelesen")

        guest = Browser()
        for host in (first, two, first, two, first):
            guest.log_in(host, other.username, "wrong")
        locked = guest.log_in(two, other.username)

    assert locked == 429
    assert Tournament.objects.count() == 2
    assert StoredFile.objects.filter(name__startswith="print/").count() == 1
    assert not any((folder / name).exists() for folder in folders for name in ("files", "print"))
