"""Two laptops in one process, of which the second asks the first."""

from __future__ import annotations

from http import HTTPStatus
from io import BytesIO
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request

from tests.clients import Client

URL = "http://laptop-1:8000"


class Answer(BytesIO):
    """The answer of a test client in the shape of ``urllib``."""

    def __init__(self, response) -> None:
        super().__init__(response.content)
        self.status, self.headers = response.status_code, response.headers


class Hall:
    """Two laptops in one process: each acts with a data folder of its own."""

    def __init__(self, settings, first, second) -> None:
        self.settings, self.first, self.second = settings, first, second
        self.is_on = True

    def open(self, question: str | Request, body: bytes | None = None, timeout: float = 0):
        """Ask the first laptop, as the second one does."""
        assert timeout > 0
        if not self.is_on:
            raise URLError("Connection refused")
        asked = question if isinstance(question, Request) else Request(question, body)  # noqa: S310
        self.settings.DATA_DIR = self.first
        try:
            path = urlsplit(asked.full_url)._replace(scheme="", netloc="").geturl()
            headers, client = dict(asked.headers), Client()
            if body:
                response = client.post(path, dict(parse_qsl(body.decode())))
            elif asked.data is not None:
                kind = headers["Content-type"]
                response = client.post(path, asked.data, content_type=kind, headers=headers)
            else:
                response = client.get(path, headers=headers)
        finally:
            self.settings.DATA_DIR = self.second
        if response.status_code >= HTTPStatus.MULTIPLE_CHOICES:
            content = BytesIO(response.content)
            raise HTTPError(asked.full_url, response.status_code, "", response.headers, content)
        return Answer(response)

    def at_first(self, act):
        """Do something on the first laptop."""
        self.settings.DATA_DIR = self.first
        try:
            return act()
        finally:
            self.settings.DATA_DIR = self.second
