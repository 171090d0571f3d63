"""Answers to the probes by which phones find out whether a WLAN has internet.

A phone leaves a WLAN that does not answer them, and then no longer reaches the hall. Probes arrive
here only if the names resolve to this machine, as configured by `deploy/raspberry-pi.sh`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase


class ProbeAnswer(NamedTuple):
    """The expected answer to a probe: status, type and body."""

    status: int
    kind: str
    body: str


_APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
ANSWERS = {
    "/generate_204": ProbeAnswer(204, "text/plain", ""),  # Android
    "/gen_204": ProbeAnswer(204, "text/plain", ""),
    "/hotspot-detect.html": ProbeAnswer(200, "text/html", _APPLE),
    "/library/test/success.html": ProbeAnswer(200, "text/html", _APPLE),
    "/connecttest.txt": ProbeAnswer(200, "text/plain", "Microsoft Connect Test"),
    "/ncsi.txt": ProbeAnswer(200, "text/plain", "Microsoft NCSI"),
    "/success.txt": ProbeAnswer(200, "text/plain", "success\n"),  # Firefox
}


class ProbeMiddleware:
    """Middleware that answers probes before the name of the host is checked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a probe; pass every other request on."""
        answer = ANSWERS.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        return HttpResponse(answer.body, status=answer.status, content_type=answer.kind)
