"""Selects the tests that also run on PostgreSQL: the rule, in one place.

Both databases must store, refuse, sort, lock and undo alike, so services, constraints, queries,
commands, archives and races run on both. All other tests have the marker ``once`` and run on SQLite
only; the PostgreSQL part of ``make test`` skips them.

Python computes the results, alike on both. A file whose statements all reach PostgreSQL in tests of
other files is marked ``once`` (``pytestmark``); its tests with other statements, or with commits,
are marked ``both``. A new test in such a file is marked ``both`` if it has a new statement.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from django.test import SimpleTestCase

FOR_POSTGRES = "not once or both"  # the markers that ``make test`` asks for
TESTS = Path(__file__).parent
ROOMS = TESTS / "tournaments"
BROWSER = TESTS / "e2e"
POSTGRES_ONLY = TESTS / "postgres"
PAGES = re.compile(r"_(views?|pages?|public)$")
# The layout of sheets. Their content, and that jobs print in their own transactions, runs on both.
PRINTING = ROOMS / "printing"
PRINTED = (PRINTING / "test_demo_day.py", PRINTING / "test_job.py")


def once(item: pytest.Item) -> bool:
    """Return whether SQLite is enough for a test.

    It is enough for tests that use no database, drive a browser, read sheets (except their
    content), or open pages: with Django's test client, or in a file named after pages. Tests of all
    rooms, such as whether every page answers, run on both, and so do tests with real transactions.
    Tests of these kinds that only check pages or their access have the marker in their file.
    """
    if is_asked_on_both(item.path):
        return False
    if all_once(item.path) or not _uses_database(item):
        return True
    if item.path.parent == ROOMS or needs_transactions(item):
        return False
    return "client" in _fixtures(item) or bool(PAGES.search(item.path.stem))


@cache
def is_asked_on_both(path: Path) -> bool:
    """Return whether all tests of a file run on PostgreSQL."""
    return POSTGRES_ONLY in path.parents or path in PRINTED


@cache
def all_once(path: Path) -> bool:
    """Return whether SQLite is enough for all tests of a file."""
    return bool({BROWSER, PRINTING} & set(path.parents)) and not is_asked_on_both(path)


def _fixtures(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))


def _uses_database(item: pytest.Item) -> bool:
    owner = getattr(item, "cls", None)
    is_case = owner is not None and issubclass(owner, SimpleTestCase)
    asks = {"db", "transactional_db", "live_server"} & _fixtures(item)
    return is_case or bool(asks) or item.get_closest_marker("django_db") is not None


def needs_transactions(item: pytest.Item) -> bool:
    """Return whether a test really commits."""
    marker = item.get_closest_marker("django_db")
    asks = {"transactional_db", "live_server"} & _fixtures(item)
    return bool(asks) or (marker is not None and bool(marker.kwargs.get("transaction")))
