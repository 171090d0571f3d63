"""What stands in the log: no code that opens a list or a page."""

from __future__ import annotations

import logging

import pytest

from romme_site.logs import HideSecrets

TOKEN = "Zm9vYmFyYmF6cXV4cXV1eA"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"/tisch/{TOKEN}/senden/", "/tisch/…/senden/"),
        (f"/s/{TOKEN}/", "/s/…/"),
        (f"/karten/3/12/{TOKEN}/", "/karten/3/12/…/"),
        ("/turniere/herbst/tisch/", "/turniere/herbst/tisch/"),
        ("/tisch/sw.js", "/tisch/sw.js"),
    ],
)
def test_codes_in_addresses_are_hidden(path, expected):
    record = logging.LogRecord("django.request", 30, "", 0, "%s: %s", ("Fehler", path), None)

    assert HideSecrets().filter(record)

    assert record.getMessage() == f"Fehler: {expected}"


def test_other_arguments_stay_as_they_are():
    record = logging.LogRecord("django", 30, "", 0, "%d Listen", (3,), None)

    HideSecrets().filter(record)

    assert record.getMessage() == "3 Listen"
