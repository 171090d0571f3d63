"""Clients for the pages of persons and clubs."""

from __future__ import annotations

import pytest

from tests.clients import Client, logged_in
from tests.factories import make_member, make_tournament, make_user
from tournaments.models import Role, User


@pytest.fixture
def admin() -> User:
    return make_user(name="Frau Verwalterin", is_admin=True)


@pytest.fixture
def admin_client(admin: User) -> Client:
    return logged_in(admin)


@pytest.fixture
def till_client() -> Client:
    return logged_in(make_member(make_tournament(), Role.KASSE))
