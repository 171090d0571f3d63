"""Probes and the log of failed and slow requests."""

from __future__ import annotations

import logging
from collections import deque

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from romme_site import request_log
from tests.clients import Client
from tests.factories import make_person, make_user
from tournaments.models import NotedRequest

PATH = "tournaments.people.views.people.queries.search_keys"


@pytest.fixture
def admin(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(request_log, "_waiting", deque(maxlen=3))
    client.raise_request_exception = False
    client.force_login(make_user(is_admin=True))
    return client


def test_the_liveness_probe_needs_no_database_and_no_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["turnier.example"]

    answer = Client().get("/healthz")  # the test has no database

    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_the_readiness_probe_needs_a_migrated_database(monkeypatch: pytest.MonkeyPatch):
    ready = Client().get("/readyz")
    MigrationRecorder.Migration.objects.filter(app="axes").delete()
    behind = Client().get("/readyz")

    def gone(_connection):
        raise OperationalError("gone")

    monkeypatch.setattr(request_log, "MigrationExecutor", gone)
    without = Client().get("/readyz")

    assert (ready.status_code, ready.content) == (200, b"ok\n")
    assert (behind.status_code, behind.content) == (503, b"migrations\n")
    assert (without.status_code, without.content) == (503, b"database\n")


@pytest.mark.parametrize(
    ("given", "taken"), [("from-the-proxy-17", True), ("short", False), ("a\nb" * 5, False)]
)
def test_a_request_has_an_id_that_the_proxy_may_give(given: str, taken: bool):
    answer = Client().get("/healthz", headers={"X-Request-ID": given})

    assert (answer["X-Request-ID"] == given) == taken
    assert len(answer["X-Request-ID"]) >= 8


@pytest.mark.django_db
def test_failures_are_listed_and_logged_without_personal_data(
    admin: Client, monkeypatch: pytest.MonkeyPatch, caplog
):
    def broken(*_args, **_more):
        raise ZeroDivisionError("Kühn")

    monkeypatch.setattr(PATH, broken)
    with caplog.at_level(logging.WARNING, logger="tournaments.requests"):
        failed = admin.get(reverse("people:persons"), {"q": "Kühn"})
    noted = [record for record in caplog.records if record.name == "tournaments.requests"]
    at_once = NotedRequest.objects.count()
    admin.get(reverse("people:person", args=[make_person().pk]))  # went well and quickly
    page = admin.get(reverse("operator:requests")).content.decode()

    assert failed.status_code == 500
    assert at_once == 0
    row = NotedRequest.objects.get()
    assert (row.route, row.status, row.problem) == ("personen/", 500, "ZeroDivisionError")
    assert row.request_id == failed["X-Request-ID"]
    assert row.request_id in page
    assert "Kühn" not in noted[0].getMessage()


@pytest.mark.django_db
def test_slow_requests_are_logged_and_the_newest_kept(
    admin: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(NotedRequest, "MOST", 2)
    monkeypatch.setattr(NotedRequest, "SLOW_SECONDS", 0)
    for _time in range(5):  # of which a process lets three wait
        admin.get(reverse("people:persons"))
    monkeypatch.setattr(NotedRequest, "SLOW_SECONDS", 60)

    admin.get(reverse("people:persons"))

    assert list(NotedRequest.objects.values_list("route", "status")) == [("personen/", 200)] * 2
