"""The parts of the look where no browser is needed; ``tests/e2e/test_look.py`` measures them."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

if TYPE_CHECKING:
    from django.test import Client

CSS = Path(settings.BASE_DIR) / "static" / "css"


@pytest.mark.django_db
def test_components_are_shown_in_development_only(client: Client) -> None:
    assert client.get("/bausteine/").status_code == HTTPStatus.NOT_FOUND


def test_only_the_tokens_name_colours() -> None:
    own = {"tokens.css", "print.css"}
    places = [
        f"{path.name}: {colour}"
        for path in sorted(CSS.glob("*.css"))
        if path.name not in own
        for colour in re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])", path.read_text("utf-8"))
    ]

    assert places == []
