"""Queues for passwords: one place for each sender, and the selection of the queue."""

from __future__ import annotations

import asyncio
from io import BytesIO
from threading import Event
from typing import Any

import pytest
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessLog
from django.db import OperationalError
from django.test import RequestFactory
from django.urls import get_resolver

from romme_site import rsgi
from romme_site.client_checks import LoginStanding, address_of, login_standing
from romme_site.password_queue import Lane
from romme_site.request_bodies import RefusedError
from tests.factories import make_user

LONGEST_WAIT = 60
HERE = "192.0.2.7"


class Work:
    """Notes in which order it is done; the first waits until all are in the queue."""

    def __init__(self) -> None:
        self.all_there = Event()
        self.done: list[str] = []

    def __call__(self, what: str) -> None:
        assert self.all_there.wait(LONGEST_WAIT)
        self.done.append(what)


async def together(lane: Lane, work: Work, *asked: tuple[str, str]) -> list[Any]:
    tasks = [asyncio.create_task(lane.work(sender, work, what)) for sender, what in asked]
    await asyncio.sleep(0)  # each starts, and is in its place
    work.all_there.set()
    return await asyncio.gather(*tasks, return_exceptions=True)


def test_requests_of_one_sender_share_a_place_in_the_queue():
    work, many = Work(), [("a", f"a{number}") for number in range(5)]

    asyncio.run(together(Lane("test", most=8), work, *many, ("b", "b")))

    assert work.done == ["a0", "b", "a1", "a2", "a3", "a4"]


def test_only_a_sender_with_too_many_requests_is_refused():
    work, many = Work(), [("a", f"a{number}") for number in range(4)]

    *_done, refused, other = asyncio.run(together(Lane("test", most=3), work, *many, ("b", "b")))

    assert isinstance(refused, RefusedError)
    assert refused.status == 503
    assert other is None
    assert sorted(work.done) == ["a0", "a1", "a2", "b"]


@pytest.fixture
def known(db: None) -> str:
    make_user("anna")
    AccessLog.objects.create(username="anna", ip_address=HERE)
    return "anna"


def log_in(name: str, content_type: str = "application/x-www-form-urlencoded") -> dict[str, Any]:
    sent = f"username={name}&password=x".encode()
    request = RequestFactory().generic("POST", "/konto/anmelden/", sent, content_type)
    return {**request.environ, "REMOTE_ADDR": HERE, "wsgi.input": BytesIO(sent)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "standing", "sender"),
    [
        pytest.param("Anna", LoginStanding.KNOWN, f"{HERE} anna", id="who was here"),
        pytest.param("bernd", LoginStanding.STRANGER, HERE, id="who was not"),
        pytest.param("%00", LoginStanding.REFUSED, HERE, id="no name at all"),
    ],
)
def test_a_known_device_has_its_own_queue(
    known: str, name: str, standing: LoginStanding, sender: str
):
    environ = log_in(name)

    assert login_standing(environ) == (standing, sender)
    assert environ["wsgi.input"].tell() == 0  # to be read again


def test_reading_the_sender_does_not_change_the_request():
    path = "/konto/kennwort-setzen/٣/x/".encode().decode("latin-1")
    environ = {**log_in("anna"), "PATH_INFO": path}

    senders = address_of(environ), address_of(environ)

    assert senders == (HERE, HERE)
    assert environ["PATH_INFO"] == path


def test_a_locked_sender_is_refused_before_the_queue(known: str, client):
    for _try in range(5):
        client.post("/konto/anmelden/", {"username": known, "password": "falsch"}, REMOTE_ADDR=HERE)

    assert login_standing(log_in(known))[0] is LoginStanding.REFUSED


def test_a_log_in_without_a_database_is_left_to_its_page(monkeypatch: pytest.MonkeyPatch):
    def gone(_request: object) -> bool:
        raise OperationalError("gone")

    monkeypatch.setattr(AxesProxyHandler, "is_allowed", gone)

    assert login_standing(log_in("anna"))[0] is LoginStanding.REFUSED


def test_a_form_in_another_charset_is_not_a_log_in():
    latin = log_in("anna", "application/x-www-form-urlencoded; charset=latin-1")

    assert login_standing(latin)[0] is LoginStanding.REFUSED


def test_the_views_of_queues_and_files_exist():
    named = {
        f"{name}:{view}"
        for name, (_prefix, resolver) in get_resolver().namespace_dict.items()
        for view in resolver.reverse_dict
    }

    assert named >= rsgi.WITH_PASSWORD | rsgi.WITH_FILE
