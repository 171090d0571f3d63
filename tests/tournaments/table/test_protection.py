"""Requests of the table scripts have the same protection as pages."""

from __future__ import annotations

from collections import deque

import pytest
from django.urls import reverse

from romme_site import request_log
from tests.factories import make_tournament, make_user
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.lists.helpers import Device, game, keeper_of
from tournaments.models import NotedRequest

pytestmark = pytest.mark.django_db

PROTECTING = (
    "Content-Security-Policy",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
)


@pytest.fixture
def keeper() -> Device:
    return keeper_of(list_of(make_seated_serie(make_tournament())))


@pytest.mark.parametrize(
    "ask", [lambda device: device.state(), lambda device: device.send("game", **game())]
)
def test_api_answers_have_the_security_headers_of_pages(keeper, client, ask):
    answer, page = ask(keeper), client.get(reverse("public:start"))

    assert [answer[name] for name in PROTECTING] == [page[name] for name in PROTECTING]
    assert len(answer["X-Request-ID"]) >= 8
    assert answer["Content-Length"] == str(len(answer.content))
    assert "no-store" in answer["Cache-Control"]


def test_the_api_needs_https_and_the_own_host(keeper, settings):
    path = f"{keeper.path}stand/"
    settings.ALLOWED_HOSTS = ["turnier.example"]
    strange = keeper.client.get(path, headers={"Host": "anderswo.example"})
    ours = keeper.client.get(path, headers={"Host": "turnier.example"})

    assert (strange.status_code, ours.status_code) == (400, 200)
    assert strange["Content-Security-Policy"] == ours["Content-Security-Policy"]


def test_malformed_requests_are_refused(keeper):
    assert keeper.client.get(f"{keeper.path}stand/", {"since": "\0"}).status_code == 400
    assert keeper.client.post("/tisch/a%00b/senden/").status_code == 400


def test_the_api_does_not_query_the_session(keeper, django_assert_num_queries):
    since = keeper.state().json()["since"]
    keeper.client.force_login(make_user())

    with django_assert_num_queries(1):
        assert keeper.state(since).status_code == 204


def test_failures_of_the_api_are_logged_and_answered_in_json(
    keeper, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_args, **_more):
        raise ZeroDivisionError

    monkeypatch.setattr(request_log, "_waiting", deque(maxlen=3))
    keeper.client.raise_request_exception = False
    with monkeypatch.context() as during:
        during.setattr("tournaments.table.views.api.carry_out", broken)
        failed = keeper.send("game", **game())
    keeper.state()  # went well and quickly

    assert failed.status_code == 500
    assert "schiefgegangen" in failed.json()["refused"]
    noted = NotedRequest.objects.get()
    assert (noted.route, noted.problem) == ("tisch/<str:token>/senden/", "ZeroDivisionError")
    assert noted.request_id == failed["X-Request-ID"]
