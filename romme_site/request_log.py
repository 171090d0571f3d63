"""Middleware around every request: its id, health checks, and notes of failed or slow requests.

Notes wait in the process until a request succeeds quickly, because a missing or locked database
is the usual cause of failures and must not get more work.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from time import monotonic

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from romme_site.logs import request_id, route_of
from tournaments.backup.status_file import failures
from tournaments.common.errors import BUSY, failure_of
from tournaments.machine.optional_writes import write_if_possible
from tournaments.models import NotedRequest

HEADER = "X-Request-ID"
_SENT = "HTTP_X_REQUEST_ID"  # the same in a request, read without building Django's mapping
MOST_WAITING = 50  # in a process

_GIVEN = re.compile(r"[\w-]{8,64}", re.ASCII)
_log = logging.getLogger("tournaments.requests")
_access = logging.getLogger("tournaments.access")
_waiting: deque[NotedRequest] = deque(maxlen=MOST_WAITING)


class RequestLogMiddleware:
    """The outermost middleware, so that it observes all others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer health checks, or pass the request on and observe it."""
        sent_id = request.META.get(_SENT, "")
        its_id = sent_id if _GIVEN.fullmatch(sent_id) else secrets.token_hex(8)
        token = request_id.set(its_id)
        began = monotonic()
        try:
            probe = PROBES.get(request.path)
            answer = probe() if probe else self.get_response(request)
            if not probe:
                _observe(request, answer, monotonic() - began)
        finally:
            request_id.reset(token)
        answer[HEADER] = its_id
        return answer

    def process_exception(self, request: HttpRequest, problem: Exception) -> None:
        """Keep the kind of exception of a view, for the note of the request."""
        request.META["romme.problem"] = type(problem).__name__


def _observe(request: HttpRequest, answer: HttpResponseBase, seconds: float) -> None:
    if _access.isEnabledFor(logging.INFO):
        facts = (request.method, route_of(request), answer.status_code, round(seconds * 1000))
        _access.info("%s %s: %s, %s ms", *facts)
    failed = answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if not failed and seconds < NotedRequest.SLOW_SECONDS:
        if _waiting:
            _store()
        return
    noted = NotedRequest(
        request_id=request_id.get(),
        at=timezone.now(),
        method=(request.method or "")[:10],
        route=route_of(request)[:200],
        status=answer.status_code,
        milliseconds=round(seconds * 1000),
        problem=request.META.get("romme.problem", "")[:80],
    )
    _waiting.append(noted)
    _log.warning("%s, %s ms, %s", noted, noted.milliseconds, noted.problem or "-")


def _store() -> None:
    """Store the waiting notes in the database, where only the newest are kept."""
    noted = [_waiting.popleft() for _each in range(len(_waiting))]

    def write() -> bool:
        NotedRequest.objects.bulk_create(noted)
        newest = NotedRequest.objects.values_list("pk", flat=True)[NotedRequest.MOST :]
        NotedRequest.objects.filter(pk__in=list(newest)).delete()
        return True

    is_stored = None
    with suppress(DatabaseError):
        is_stored = write_if_possible(write)
    if not is_stored:
        _waiting.extend(noted)


def _liveness() -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def _readiness() -> HttpResponse:
    """Answer whether the database can be reached, is up to date, and takes changes."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        text = "migrations\n" if missing else "" if _may_write() else "read-only\n"
    except DatabaseError as problem:
        text = "busy\n" if failure_of(problem) is BUSY else "database\n"
    status = HTTPStatus.SERVICE_UNAVAILABLE if text else HTTPStatus.OK
    return HttpResponse(text or "ok\n", content_type="text/plain", status=status)


def _backup_health() -> HttpResponse:
    """Answer whether backups succeed."""
    if failures():
        return HttpResponse(
            "backup\n", content_type="text/plain", status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    return _liveness()


def _may_write() -> bool:
    if connection.vendor == "sqlite":
        return os.access(connection.settings_dict["NAME"], os.W_OK)
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")  # also „on“ on a standby server
        return bool(cursor.fetchone() == ("off",))


PROBES: dict[str, Callable[[], HttpResponse]] = {
    "/healthz": _liveness,
    "/readyz": _readiness,
    "/backupz": _backup_health,
}
