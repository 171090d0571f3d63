"""The log contains no code that opens a list or a page."""

from __future__ import annotations

import logging

import pytest

from romme_site.logs import SecretFilter
from tests.clients import Client

TOKEN = "Zm9vYmFyYmF6cXV4cXV1eA"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"/tisch/{TOKEN}/senden/", "/tisch/…/senden/"),
        (f"/s/{TOKEN}/", "/s/…/"),
        (f"/karten/3/12/{TOKEN}/", "/karten/3/12/…/"),
        (f"/meldung/{TOKEN}/1/aendern/", "/meldung/…/1/aendern/"),
        (f"/konto/einrichten/{TOKEN}/", "/konto/einrichten/…/"),
        (f"/konto/einladung/{TOKEN}/", "/konto/einladung/…/"),
        (f"/konto/kennwort-setzen/MQ/{TOKEN}/", "/konto/kennwort-setzen/MQ/…/"),
        ("/turniere/herbst/protokoll/meldung/12/", "/turniere/herbst/protokoll/meldung/12/"),
        ("/turniere/herbst/tisch/", "/turniere/herbst/tisch/"),
        ("/tisch/sw.js", "/tisch/sw.js"),
    ],
)
def test_codes_in_addresses_are_hidden(path, expected):
    record = logging.LogRecord("django.request", 30, "", 0, "%s: %s", ("Fehler", path), None)

    assert SecretFilter().filter(record)

    assert record.getMessage() == f"Fehler: {expected}"


@pytest.mark.django_db
def test_a_form_without_its_key_leaves_no_code_in_the_log(caplog):
    client = Client(enforce_csrf_checks=True)

    with caplog.at_level(logging.WARNING):
        client.post(f"/konto/einladung/{TOKEN}/", {})

    assert "Forbidden" in caplog.text
    assert TOKEN not in caplog.text


def test_other_arguments_stay_as_they_are():
    record = logging.LogRecord("django", 30, "", 0, "%d Listen", (3,), None)

    SecretFilter().filter(record)

    assert record.getMessage() == "3 Listen"
