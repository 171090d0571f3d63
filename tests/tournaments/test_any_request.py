"""No request causes a server error, for any sender, method and body.

``test_no_server_error.py`` tries the values of forms and devices field by field; this module sends
unusual methods, types, bodies, addresses and headers to all addresses in turn. Other encodings and
invalid lengths are refused before Django (``test_rsgi.py``). ``FUZZ=10000`` sends that many, other
ones each time; ``SEED`` repeats a run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from random import Random, randrange

import pytest
from django import forms
from django.db import transaction
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import resolve
from django.utils.http import urlencode

from tests.factories import COMMAND, make_member
from tests.strangers.halls import Hall
from tests.tournaments.access_matrix import ADDRESSES, SERVER_ERROR, Address
from tests.tournaments.fuzz_values import BEYOND, NASTY
from tests.tournaments.test_no_server_error import MORE
from tournaments.closing import services as closing
from tournaments.common.submissions import new_form_key
from tournaments.machine import jobs
from tournaments.models import Role
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
SECRET = "x" * 32  # of a browser, for its forms
METHODS = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")
KEYS = ("0", "1", "2", "3", "4", BEYOND, "%00", "%FF", "%ED%A0%80", "a b", "x" * 300, "..", "%0A")
QUERIES = (
    *("q=%00", "%00=1", "q=%FF", "page=-1", "since=1-1", "tisch=%C2%B2", "next=//x", "a=1&" * 1100),
    *("spiel=99999999999999999999", f"q={'x' * 5000}", "meldung=1", "serie=4", "form=x"),
)
KINDS = (
    *(JSON, MULTIPART_CONTENT, "multipart/form-data", "multipart/form-data; boundary=", "", "/"),
    *("multipart/form-data; boundary=\u00fc", "multipart/mixed; boundary=x", "text/plain"),
)
BODIES = (
    *(b"", b"\0", b"\xff\xfe", b"a=%00", b"%", b"=&=", b"a=%ED%A0%80", b"null", b"[]", b"{}"),
    *(b"[" * 3000, b'{"key":' * 3000, b'"\\ud800"', b"a=1&" * 1100, b"x" * 70_000, b"1" * 5000),
    f"--{BOUNDARY}".encode(),
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a\0"\r\n\r\n'.encode(),
    f"--{BOUNDARY}\r\nContent-Disposition: form-data; filename*=x''%FF\r\n\r\nx".encode(),
    f"--{BOUNDARY}\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--{BOUNDARY}--".encode(),
)
HEADERS: tuple[dict[str, str], ...] = (
    *({"HX-Request": "true"}, {"HX-Request": "true", "HX-Current-URL": "http://[x"}),
    *({"Accept": JSON}, {"Accept": "\u00fc;q=x"}, {"Accept-Language": "xx-\0,de;q=9"}),
    *({"Referer": "http://[x"}, {"Host": "a b"}, {"If-None-Match": "W/x"}, {"Origin": "null"}),
    *({"If-Modified-Since": "\u00fc"}, {"X-Forwarded-For": "x, \0"}, {"Range": "bytes=9-1"}),
    {"Cookie": 'sessionid="\\000"'},
)


@dataclass(frozen=True)
class RequestSent:
    """A request: its sender and all of its parts."""

    who: str
    checks_origin: bool  # whether forms need the token of their page
    method: str
    address: str
    kind: str
    body: bytes
    headers: dict[str, str]


def names_of(kind: type[forms.BaseForm]) -> set[str]:
    """The names of the fields of all forms of the program."""
    own = set(getattr(kind, "base_fields", ()))
    return own.union(*map(names_of, kind.__subclasses__()))


class Dice:
    """Chooses requests: valid ones, some with an odd part, or all odd."""

    def __init__(self, hall: Hall, people: list[str], seed: int) -> None:
        self.hall, self.people, self.random = hall, people, Random(seed)  # noqa: S311
        self.oddness = 0.0
        self.names = [*sorted(names_of(forms.BaseForm)), "act", "person", "kind", "cents", "back"]

    def is_odd(self) -> bool:
        return self.random.random() < self.oddness

    def request(self, address: Address) -> RequestSent:
        """A request to an address."""
        self.oddness = self.random.choice((0.02, 0.15, 0.7))
        usual = ("GET", "POST", "POST")
        method = self.random.choice((*usual, self.random.choice(METHODS)))
        kind, body = self._form()
        if self.is_odd():
            kind = self.random.choice((FORM, self.random.choice(KINDS)))
            body = self.random.choice(BODIES)
        return RequestSent(
            who=self.random.choice(self.people),
            checks_origin=self.random.random() < 0.5,
            method=method,
            address=self._address(address),
            kind=kind,
            body=b"" if method == "GET" else body,
            headers=self.random.choice(HEADERS) if self.is_odd() else {},
        )

    def _form(self) -> tuple[str, bytes]:
        plain = ("1", "2", "5", "on", "list", "overall", "2026-01-01", "Kaffee")
        names = self.random.sample(self.names, k=self.random.randrange(9))
        fields = {name: self.random.choice(NASTY if self.is_odd() else plain) for name in names}
        fields |= {FIELD: new_form_key(), "csrfmiddlewaretoken": SECRET}
        if self.is_odd():
            return MULTIPART_CONTENT, encode_multipart(BOUNDARY, fields)
        return FORM, urlencode(fields).encode()

    def _address(self, address: Address) -> str:
        known = resolve(self.hall.url(address)).kwargs
        path = f"/{address.route}"
        for key in address.keys:
            start, _bracket, rest = path.partition("<")
            chosen = self.random.choice(KEYS) if self.is_odd() else known[key]
            path = f"{start}{chosen}{rest.partition('>')[2]}"
        return f"{path}?{self.random.choice(QUERIES)}" if self.is_odd() else path


@pytest.fixture
def hall(own_files, settings, tmp_path, monkeypatch) -> Hall:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    return Hall()


def clients_of(hall: Hall, people: list[str]) -> dict[tuple[str, bool], Client]:
    """Return a client for each visitor, and one with CSRF checks."""
    clients = {}
    for checks in (False, True):
        for who in people:
            client = Client(enforce_csrf_checks=checks, raise_request_exception=False)
            if who in Role:
                client.force_login(make_member(hall.world.tournament, Role(who)))
            elif who != "stranger":
                from_there = hall.client if who == "admin" else hall.phone.client
                client.cookies.update(from_there.cookies)
            client.cookies["csrftoken"] = SECRET
            clients[who, checks] = client
    return clients


def test_no_request_causes_a_server_error(hall: Hall):
    last = hall.world.tournament.serien.last()
    assert last is not None
    closing.strike_out(COMMAND, last.pk, reason="Die Halle schließt")
    people = ["stranger", "admin", "device", *Role]
    clients = clients_of(hall, people)
    cookies = {
        who: {name: cookie.value for name, cookie in client.cookies.items()}
        for who, client in clients.items()
    }
    seed = int(os.environ.get("SEED", randrange(2**32) if MORE else 0))  # noqa: S311
    dice = Dice(hall, people, seed)

    failed = []
    for number in range(MORE or len(ADDRESSES)):
        sent = dice.request(ADDRESSES[number % len(ADDRESSES)])
        client = clients[sent.who, sent.checks_origin]
        client.cookies.load(cookies[sent.who, sent.checks_origin])
        before = transaction.savepoint()  # not atomic(): a request may need durable=True
        answer = client.generic(
            sent.method, sent.address, sent.body, sent.kind, headers=sent.headers
        )
        transaction.savepoint_rollback(before)
        if answer.status_code >= SERVER_ERROR:
            failed.append((answer.status_code, sent))

    assert failed == [], f"SEED={seed}"
