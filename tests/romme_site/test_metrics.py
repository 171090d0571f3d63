"""Metrics for monitoring: they need the key and cost other requests nothing."""

from __future__ import annotations

import json
import logging
import re
from time import monotonic

import pytest
from django.db import DatabaseError
from django.http import HttpResponse
from django.test import RequestFactory

from romme_site.client_checks import RECEIVED
from romme_site.logs import JsonFormatter
from romme_site.metrics import MetricsMiddleware
from tests.clients import Client
from tests.factories import make_tournament
from tournaments.backup import status_file
from tournaments.models import Job

KEY = "only-for-this-test"


@pytest.fixture
def measure(settings):
    settings.METRICS_KEY = KEY
    return MetricsMiddleware(lambda _request: HttpResponse(status=503))


def figures_of(measure, key=f"Bearer {KEY}"):
    answer = measure(RequestFactory().get("/metrics", headers={"Authorization": key}))
    return answer.status_code, answer.content.decode()


@pytest.mark.django_db
def test_metrics_cover_requests_jobs_backup_disk_and_versions(measure, settings):
    make_tournament()
    Job.objects.create(kind="print")
    status_file.note_failure(OSError(28, "No space left on device"))
    for waited in (0, 3):
        request = RequestFactory().get("/x/")
        request.META[RECEIVED] = monotonic() - waited
        measure(request)

    status, told = figures_of(measure)

    assert status == 200
    for line in (
        'romme_request_seconds_count{method="GET",status="5xx"} 2.0',
        'romme_wait_seconds_bucket{le="2.5"} 1.0',
        'romme_wait_seconds_bucket{le="5.0"} 2.0',
        'romme_jobs{status="waiting"} 1.0',
        "romme_backup_failed 1.0",
        "romme_database_up 1.0",
    ):
        assert line in told.splitlines()
    assert f'version="{settings.VERSION}"' in told
    assert re.search(r'^romme_rows\{kind="tournaments",organiser=".+"\} 1\.0$', told, re.M)
    assert float(re.search(r"^romme_disk_free_bytes (\S+)$", told, re.M)[1]) > 0


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "Bearer ", f"Basic {KEY}", KEY, "Bearer other", "Bearer ü"])
def test_metrics_need_the_key(measure, key):
    assert figures_of(measure, key) == (401, "")


@pytest.mark.django_db
def test_metrics_do_not_exist_without_a_key_in_the_settings():
    assert Client().get("/metrics").status_code == 404


@pytest.mark.django_db
def test_metrics_without_a_database_cover_the_process(measure, monkeypatch):
    def gone():
        raise DatabaseError

    monkeypatch.setattr("romme_site.metrics.organiser_sizes", gone)

    told = figures_of(measure)[1]

    assert "romme_database_up 0.0" in told
    assert "romme_disk_free_bytes" in told
    assert "romme_jobs" not in told


def test_a_line_of_json_has_the_traceback_without_values_and_the_id():
    problem = ValueError("refused\nDETAIL:  Key (name)=(Geheim)")
    info = (ValueError, problem, None)
    record = logging.LogRecord("tournaments", logging.ERROR, "", 0, "Spiel %s", ("ü",), info)

    line = JsonFormatter().format(record)

    said = json.loads(line)
    assert "\n" not in line
    assert (said["level"], said["message"], said["request_id"]) == ("ERROR", "Spiel ü", "-")
    assert said["traceback"] == "ValueError: refused"


@pytest.mark.django_db
def test_an_access_log_has_addresses_without_their_values(caplog):
    with caplog.at_level(logging.INFO, "tournaments.access"):
        Client().get("/t/herbst-geheim/")

    assert re.fullmatch(r"GET t/<slug:slug>/: 404, \d+ ms", caplog.messages[-1])
    assert "geheim" not in caplog.text
