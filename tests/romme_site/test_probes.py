"""Connectivity checks of phones in the WLAN of a hall get the expected answer."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from romme_site.command.https_redirect import _answer
from romme_site.probes import ANSWERS, ProbeMiddleware


@pytest.mark.parametrize(
    ("host", "path", "status", "body"),
    [
        pytest.param("connectivitycheck.gstatic.com", "/generate_204", 204, "", id="Android"),
        pytest.param("captive.apple.com", "/hotspot-detect.html", 200, "Success", id="iOS"),
        pytest.param(
            "www.msftconnecttest.com",
            "/connecttest.txt",
            200,
            "Microsoft Connect Test",
            id="Windows",
        ),
        pytest.param("detectportal.firefox.com", "/success.txt", 200, "success\n", id="Firefox"),
    ],
)
def test_a_probe_is_answered_by_any_name_of_a_host(host, path, status, body):
    middleware = ProbeMiddleware(lambda _request: HttpResponse("a page"))

    answer = middleware(RequestFactory().get(path, headers={"host": host}))

    assert isinstance(answer, HttpResponse)
    assert answer.status_code == status
    assert body in answer.content.decode()


def test_other_urls_are_served_by_the_program():
    middleware = ProbeMiddleware(lambda _request: HttpResponse("a page"))

    answer = middleware(RequestFactory().get("/t/herbst/"))

    assert isinstance(answer, HttpResponse)
    assert answer.content == b"a page"


def test_beside_https_probes_are_answered_and_all_else_is_redirected():
    assert _answer("/generate_204", "https://saal").startswith("HTTP/1.1 204 ")
    assert _answer("/ncsi.txt", "https://saal").endswith("\r\n\r\nMicrosoft NCSI")
    assert "Location: https://saal/tisch/\r\n" in _answer("/tisch/", "https://saal")
    assert all(path.startswith("/") for path in ANSWERS)
