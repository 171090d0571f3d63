"""https in the hall: one name in addresses and codes, a redirect, and a warning in time."""

from __future__ import annotations

import http.client
import re
import socket
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from romme_site.command.https_redirect import redirect
from tests.certificates import NAME, make_certificate
from tests.clients import Client
from tests.factories import make_user
from tests.first_start import make_ready
from tests.migrated_database import copy_migrated
from tests.romme_site.test_settings import read_settings
from tests.server import HOST, Server, free_port
from tournaments.machine.certificate import certificate_warning

WITH_TLS = {"ROMME_MODE": "laptop", "PUBLIC_URL": f"https://{NAME}:8000"}


def test_with_a_certificate_the_program_serves_https_and_redirects_http(tmp_path: Path):
    files, http_port = make_certificate(tmp_path, days=10), free_port()
    given = {**files.environment, "HTTP_PORT": str(http_port), "LANGUAGE": "de"}
    file = tmp_path / "romme.sqlite3"
    copy_migrated(file)

    with Server(
        make_ready(tmp_path),
        database=f"sqlite:///{file}",
        authority=files.authority,
        **given,
        PUBLIC_URL=f"https://{NAME}:8000",
    ) as server:
        line = server.line()
        line.request("GET", "/tisch/")
        page = line.getresponse()
        body, cookies = page.read().decode(), page.headers["Set-Cookie"]
        typed = http.client.HTTPConnection(HOST, http_port, timeout=60)
        typed.request("GET", "/tisch/?x=1")
        sent_on = typed.getresponse()
        said = server.log.read_text()

    assert page.status == 200
    assert 'name="csrfmiddlewaretoken"' in body
    assert "; Secure" in cookies
    assert (sent_on.status, sent_on.headers["Location"]) == (
        307,
        f"https://{NAME}:8000/tisch/?x=1",
    )
    assert f"Adresse: https://{NAME}:8000/" in said
    assert re.search(rf"https://{NAME}:8000/konto/einrichten/\S+", said)
    assert f"kommt über Port {http_port} dorthin" in said
    assert "Das Zertifikat für https läuft ab am" in said
    assert "http://" not in said.replace("Wer http:// tippt", "")


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("GET /a?b=c HTTP/1.1\r\n\r\n", "https://name.example/a?b=c"),
        ("GET @elsewhere.example HTTP/1.1\r\n\r\n", "https://name.example/"),
        ("GET //elsewhere.example HTTP/1.1\r\n\r\n", "https://name.example//elsewhere.example"),
        ("\r\n\r\n", ""),
        ("x" * 100_000 + "\r\n\r\n", ""),
    ],
)
def test_every_http_request_redirects_to_the_name(asked: str, location: str):
    port = free_port()
    assert redirect(HOST, port, "https://name.example")

    with socket.create_connection((HOST, port), timeout=60) as line:
        line.sendall(asked.encode())
        try:
            said = line.makefile("rb").read().decode()
        except ConnectionResetError:
            said = ""

    assert re.findall(r"Location: (.*)\r", said) == ([location] if location else [])


def test_a_port_that_is_taken_is_left_alone():
    with socket.create_server((HOST, 0)) as other:
        assert not redirect(HOST, other.getsockname()[1], "https://name.example")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        pytest.param({"TLS_KEY": ""}, "Beide gehören zusammen", id="no key"),
        pytest.param({"PUBLIC_URL": ""}, "PUBLIC_URL mit dem Namen", id="no name"),
        pytest.param({"PUBLIC_URL": f"http://{NAME}"}, "PUBLIC_URL mit dem Namen", id="http"),
        pytest.param({"TLS_CERT": "/gibt/es/nicht.pem"}, "No such file", id="no file"),
        pytest.param(
            {"ROMME_MODE": "server", "ALLOWED_HOSTS": NAME}, "Webserver davor", id="server"
        ),
    ],
)
def test_unreadable_certificates_are_refused_with_the_reason(tmp_path: Path, given: Any, why: str):
    files = make_certificate(tmp_path)
    wanted = {"LANGUAGE": "de", "SECRET_KEY": "x", **WITH_TLS, **files.environment, **given}

    code, said = read_settings(tmp_path, **wanted)

    assert code != 0
    assert "TLS_CERT und TLS_KEY sind nicht zu gebrauchen" in said
    assert why in said


def test_a_key_of_another_certificate_is_refused(tmp_path: Path):
    (tmp_path / "other").mkdir()
    files, other = make_certificate(tmp_path), make_certificate(tmp_path / "other")
    given = {**WITH_TLS, **files.environment, "TLS_KEY": str(other.key)}

    code, said = read_settings(tmp_path, **given)

    assert code != 0
    assert "KEY_VALUES_MISMATCH" in said


def test_cookies_need_https_and_hsts_is_short(tmp_path: Path):
    files = make_certificate(tmp_path)
    printed = "settings.SESSION_COOKIE_SECURE, hasattr(settings, 'SECURE_HSTS_SECONDS')"

    assert read_settings(tmp_path, printed, **WITH_TLS, **files.environment) == (0, "True False")


@pytest.mark.parametrize(
    ("days", "said"),
    [(15, ""), (13.9, "läuft ab am"), (-1, "ist abgelaufen")],
)
def test_an_expiring_certificate_is_reported_two_weeks_before(
    settings: Any, days: float, said: str
):
    settings.CERTIFICATE_ENDS = timezone.now() + timedelta(days=days)

    assert said in certificate_warning()
    assert bool(certificate_warning()) == bool(said)


@pytest.mark.django_db
def test_the_operator_sees_the_expiry_on_two_pages(settings: Any):
    settings.CERTIFICATE_ENDS = timezone.now() + timedelta(days=3)
    pages = [reverse(name) for name in ("setup:tournaments", "operator:requests")]
    operator, helper = Client(), Client()
    operator.force_login(make_user(is_admin=True))
    helper.force_login(make_user())

    assert all("Das Zertifikat" in operator.get(page).content.decode() for page in pages)
    assert "Das Zertifikat" not in helper.get(pages[0]).content.decode()
