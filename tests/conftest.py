"""What all tests share."""

from __future__ import annotations

import pytest
from django.conf import settings


def pytest_configure(config: pytest.Config) -> None:
    """Serve static files as they lie in the tree: tests need no collected copy."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Let the emptying between transactional tests past the append-only triggers."""
    from tests.append_only import let_flush_pass  # noqa: PLC0415 - needs the apps

    let_flush_pass()
