"""Configuration of all tests: the database, and how Hypothesis searches.

``DATABASE_URL`` selects the database as it does for the program, so the same tests run on SQLite
and on PostgreSQL; ``make test`` does both, see ``both_databases.py``. ``pytest`` alone uses SQLite.

``tests/scoring`` uses no database. ``tests/postgres`` needs PostgreSQL and is skipped elsewhere.
``tests/e2e`` drives a browser; its fixtures are in its own ``conftest.py``.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pydantic  # noqa: F401 - the program loads it when it first reads: slow within a deadline
import pytest
from django import conf
from django.db import DEFAULT_DB_ALIAS, connections
from django.test import override_settings
from django.utils import translation
from hypothesis import is_hypothesis_test
from hypothesis import settings as hypothesis_settings

from romme_site.env import limit
from tests.both_databases import FOR_POSTGRES, POSTGRES_ONLY, all_once, needs_transactions, once
from tests.clients import Client
from tests.database_reset import NothingLeft, empty_all
from tests.migrated_database import copy_migrated, migrated_template
from tests.worlds import Worlds

LONGEST = {
    *("test_whole_day.py", "test_no_server_error.py", "test_killed.py", "test_walks.py"),
    *("test_crash.py", "test_demo_day.py", "test_other_tournament.py", "test_any_request.py"),
    *("test_matrix.py", "test_fuzz.py"),
}

# Commands use the language of the machine, and tests read their output.
os.environ["LANGUAGE"] = "de"

# A deadline measures the machine as much as the code. It helps authors notice a slow test, but must
# not fail on a busy machine: in CI, or where all tests run.
hypothesis_settings.register_profile("dev", deadline=2000)
hypothesis_settings.register_profile("ci", deadline=None, print_blob=True)
is_busy = os.environ.get("CI") or "PYTEST_XDIST_WORKER" in os.environ
hypothesis_settings.load_profile("ci" if is_busy else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Serve static files as they lie in the tree: tests need no collected copy."""
    config.addinivalue_line("markers", "once: SQLite is enough, see tests/both_databases.py")
    config.addinivalue_line("markers", "both: it is not, though it is for the rest of the file")
    # A test is one transaction, and on a busy machine waits for longer in it than a page may.
    limit(conf.settings.DATABASES["default"], is_command=True)
    as_they_lie = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    override_settings(
        STORAGES={**conf.settings.STORAGES, "staticfiles": as_they_lie},
        WHITENOISE_USE_FINDERS=True,
        WHITENOISE_AUTOREFRESH=True,
        # Argon2 is slow on purpose, and half of the tests log in.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        DATABASE_ROUTERS=[NothingLeft()],
    ).enable()
    config.pluginmanager.register(Worlds(_forget), Worlds.__name__)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a selected test."""
    is_left_out = config.option.markexpr == FOR_POSTGRES and all_once(collection_path)
    return True if is_left_out and collection_path.is_file() else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first; mark tests for SQLite only, and skip those it cannot run."""
    # Begun last, the longest test would keep one core busy while the other waits.
    items.sort(key=lambda item: item.path.name not in LONGEST)
    is_postgresql = connections[DEFAULT_DB_ALIAS].vendor == "postgresql"
    for item in items:
        # Coverage is slow. Examples worked out by hand reach every line of the rules; invariants
        # are tried for hundreds of lists with the same paths. Long searches and thousands of draws
        # have settings of their own.
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("no_cover")
        if once(item):
            item.add_marker("once")
        elif POSTGRES_ONLY in item.path.parents and not is_postgresql:
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL; make test runs it there"))


def pytest_collection_finish() -> None:
    """Freeze modules and tests, which the garbage collector need not visit."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty the database after a test that commits, before Django would."""
    NothingLeft.is_empty = False
    if needs_transactions(request.node):
        request.getfixturevalue("transactional_db")
        yield
        empty_all()
        NothingLeft.is_empty = True
    else:
        yield


@pytest.fixture
def client() -> Client:
    """Give a browser that sends keys of forms."""
    return Client()


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Clear caches keyed by versions of the database after each test."""
    yield
    _forget()


def _forget() -> None:
    """Clear caches keyed by versions of a discarded database."""
    if "tournaments.web.cached_answers" in sys.modules:
        sys.modules["tournaments.web.cached_answers"].clear()
    if "tournaments.lists.queries.list_revisions" in sys.modules:
        sys.modules["tournaments.lists.queries.list_revisions"].forget()


def pytest_runtest_teardown() -> None:
    """Reset the language of pages after each test."""
    translation.deactivate()


@pytest.fixture
def own_files(settings: Any, tmp_path: Path) -> None:
    """Give each test a data folder of its own."""
    storage = settings.STORAGES["default"]
    if "location" in storage["OPTIONS"]:
        storage = {**storage, "OPTIONS": {**storage["OPTIONS"], "location": tmp_path}}
        settings.STORAGES = {**settings.STORAGES, "default": storage}


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Use the copied SQLite file, and leave its deletion to pytest."""
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Put the SQLite database of the tests into a file.

    Django would keep it in memory, where two connections lock whole tables and no transaction
    begins IMMEDIATE, unlike the running program.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "sqlite":
        file = tmp_path_factory.mktemp("database") / "tests.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(file)
        # Data of a test need not survive a power failure; the killed server of test_crash.py has
        # settings of its own.
        options = connection.settings_dict["OPTIONS"]
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
        copy_migrated(file)
    else:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_template()
