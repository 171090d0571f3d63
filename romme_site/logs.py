"""Filters of the log, which remove persons, addresses of requests and secret codes."""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from tournaments.common.errors import failure_of

# Words in an address that are followed by a secret.
_SECRET = re.compile(
    r"(/(?:tisch|s|karten/\d+/\d+|leinwand/\d+|meldung|nachruecken"
    r"|konto/(?:einrichten|einladung|kennwort-setzen/[\w-]+))/)[\w-]{20,}"
)


def without_secrets(text: str) -> str:
    """Return *text* with the codes in addresses replaced by dots.

    >>> without_secrets("Conflict: /tisch/Zm9vYmFyYmF6cXV4cXV1eA==/senden/")
    'Conflict: /tisch/…==/senden/'
    """
    return _SECRET.sub(r"\1…", text)


request_id: ContextVar[str] = ContextVar("request_id", default="-")


def route_of(request: HttpRequest) -> str:
    """Return the pattern of a request's address, without values: „personen/<int:pk>/“."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return _("(unbekannte Adresse)")
    return match.route


class SecretFilter(logging.Filter):
    """Removes codes and addresses from a record, and adds the id of its request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove the secrets of a record; return True, so that every record is logged."""
        record.request_id = request_id.get()
        record.msg = _hidden(record.msg)
        request = getattr(record, "request", None)
        if isinstance(record.args, tuple):
            args = record.args
            if isinstance(request, HttpRequest):
                paths = {request.path, request.get_full_path()}
                args = tuple(route_of(request) if value in paths else value for value in args)
            record.args = tuple(_hidden(value) for value in args)
        return True


class ValueFreeFormatter(logging.Formatter):
    """Formats a traceback without the values of the row that PostgreSQL adds."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name it has in logging
        """Return the traceback, without lines that quote values to be stored.

        A failure of the environment, such as a full disk, is one line, because it is no bug.
        """
        if failure := failure_of(ei[1]):
            return f"{failure.title} ({ei[0].__name__})"
        lines = super().formatException(ei).splitlines()
        return "\n".join(line for line in lines if not line.startswith("DETAIL:"))


class JsonFormatter(ValueFreeFormatter):
    """Formats a record as one line of JSON, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is one of its texts."""
        at = datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds")
        fields = {"at": at, "level": record.levelname, "logger": record.name}
        fields |= {"request_id": request_id.get(), "message": record.getMessage()}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


def _hidden(value: Any) -> Any:
    return without_secrets(value) if isinstance(value, str) else value
