"""The addresses in QR codes are reachable for phones in the hall."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from tournaments.machine import addresses

HALL = "192.168.178.20"


@pytest.mark.parametrize(
    ("host", "in_the_hall", "expected"),
    [
        pytest.param("192.168.1.5:8000", HALL, "http://192.168.1.5:8000", id="by its address"),
        pytest.param("localhost:8000", HALL, "http://192.168.178.20:8000", id="on the laptop"),
        pytest.param("127.0.0.1", HALL, "http://192.168.178.20", id="without a port"),
        pytest.param("[::1]:8000", HALL, "http://192.168.178.20:8000", id="version 6"),
        pytest.param("localhost:8000", None, "http://localhost:8000", id="without a network"),
    ],
)
def test_phones_are_led_to_an_address_they_can_reach(
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    in_the_hall: str | None,
    expected: str,
):
    settings.ALLOWED_HOSTS = ["*"]
    settings.PUBLIC_URL = ""
    monkeypatch.setattr(addresses, "lan_address", lambda: in_the_hall)

    request = RequestFactory().get("/", headers={"host": host})

    assert addresses.site_address(request) == expected


def test_a_server_names_its_public_address(settings: Any):
    settings.PUBLIC_URL = "https://turnier.example.org/"

    request = RequestFactory().get("/", headers={"host": "localhost"})

    assert addresses.site_address(request) == "https://turnier.example.org"
