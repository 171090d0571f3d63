"""An archive written once and read by many tests; the database does not contain it."""

from __future__ import annotations

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.archive.full_tournament import everything, exported_from_elsewhere


@pytest.fixture(scope="session")
def elsewhere(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> str:
    """The archive of everything."""
    with django_db_blocker.unblock():
        return exported_from_elsewhere(everything)
