"""Days made once and read by many tests; they do not stay in the database."""

from __future__ import annotations

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.printing.demo_day import DemoDay, write_demo
from tests.tournaments.printing.extreme_day import NastyDay, print_everything
from tournaments.printing.documents import DOCUMENTS


@pytest.fixture(scope="session")
def nasty_day(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> NastyDay:
    """The nasty day with every document printed."""
    with django_db_blocker.unblock(), transaction.atomic():
        day = print_everything(DOCUMENTS)
        transaction.set_rollback(True)
    return day


@pytest.fixture(scope="session")
def demo_day(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> DemoDay:
    """The tournament to look at with every document written."""
    with django_db_blocker.unblock(), transaction.atomic():
        day = write_demo(DOCUMENTS)
        transaction.set_rollback(True)
    return day
