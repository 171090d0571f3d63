"""Figures for monitoring in Prometheus' format, at /metrics, protected by ``METRICS_KEY``.

Without the key this module is never loaded. Each worker counts its own requests; one worker is the
preset. No figure names a person or the address of a request.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from http import HTTPStatus
from time import monotonic

from django import get_version
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from romme_site.client_checks import RECEIVED
from tournaments.backup import status_file
from tournaments.models import Job
from tournaments.operator.queries import organiser_sizes

PATH = "/metrics"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)


class Installation(Collector):
    """The figures that are read on request: versions, jobs, backup, disk and sizes."""

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; without those of the database if it does not answer."""
        versions = {"version": settings.VERSION, "django": get_version()}
        versions |= {"python": platform.python_version(), "database": connection.vendor}
        yield InfoMetricFamily("romme", "Versions", value=versions)
        free = shutil.disk_usage(settings.DATA_DIR).free
        yield GaugeMetricFamily("romme_disk_free_bytes", "Free space of the data folder", free)
        yield from _of_the_backup()
        try:
            stored = list(_of_the_database())
        except DatabaseError:
            stored = []
        yield GaugeMetricFamily(
            "romme_database_up", "Whether the database answers", len(stored) > 0
        )
        yield from stored


def _of_the_backup() -> Iterator[Metric]:
    last = status_file.status()
    failed = GaugeMetricFamily("romme_backup_failed", "Whether the last backup failed")
    failed.add_metric([], bool(last.failed))
    yield failed
    if last.at:
        age = (timezone.now() - datetime.fromisoformat(last.at)).total_seconds()
        yield GaugeMetricFamily("romme_backup_age_seconds", "Age of the last backup", age)


def _of_the_database() -> Iterator[Metric]:
    jobs = GaugeMetricFamily("romme_jobs", "Long work that is not over", labels=["status"])
    counted = dict(Job.objects.order_by().values_list("status").annotate(Count("pk")))
    for status in (Job.Status.WAITING, Job.Status.RUNNING):
        jobs.add_metric([status], counted.get(status, 0))
    yield jobs
    rows = GaugeMetricFamily("romme_rows", "Size of an organiser", labels=["organiser", "kind"])
    for size in organiser_sizes():
        organiser = str(size.pop("organiser"))
        for kind, number in size.items():
            rows.add_metric([organiser, kind], number)
    yield rows


class MetricsMiddleware:
    """Middleware that counts requests and answers /metrics; only in use with a key."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(Installation())
        self.durations = Histogram(
            "romme_request_seconds",
            "Duration of requests in their thread",
            ["method", "status"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.waits = Histogram(
            "romme_wait_seconds",
            "Time that requests waited for a thread",
            buckets=_SECONDS,
            registry=self.registry,
        )

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the figures if the request has the key; measure every other request."""
        if request.path == PATH:
            return self._figures(request)
        began = monotonic()
        self.waits.observe(began - request.META.get(RECEIVED, began))
        answer = self.get_response(request)
        labels = (request.method, f"{answer.status_code // 100}xx")
        self.durations.labels(*labels).observe(monotonic() - began)
        return answer

    def _figures(self, request: HttpRequest) -> HttpResponse:
        authorization = request.headers.get("Authorization", "")
        if not constant_time_compare(authorization, f"Bearer {settings.METRICS_KEY}"):
            headers = {"WWW-Authenticate": "Bearer"}
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED, headers=headers)
        return HttpResponse(generate_latest(self.registry), content_type=CONTENT_TYPE_LATEST)
