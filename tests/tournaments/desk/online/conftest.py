"""Where mails go out."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.HAS_EMAIL = True
    settings.PUBLIC_URL = "https://romme.example"
