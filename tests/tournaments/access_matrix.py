"""Who gets to see a page: the same three questions for every view.

A row names the address, the method, the roles that may, and where the page hangs: the
helper asks as a stranger, with every role, and as the head of another tournament.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.factories import make_member, make_tournament
from tournaments.models import Role, Tournament

DESK = (Role.SPIELLEITUNG, Role.KASSE)
SERVER_ERROR = 500


@dataclass(frozen=True)
class Row:
    """One view and the roles that may open it, beside the Veranstalter who always may."""

    name: str
    roles: Iterable[Role]
    method: str = "get"
    kwargs: dict[str, Any] = field(default_factory=dict)


def check(row: Row, tournament: Tournament, **kwargs: Any) -> None:
    """Assert that exactly the right people get past the door of a view."""
    url = reverse(row.name, kwargs={"slug": tournament.slug, **row.kwargs, **kwargs})
    client = Client()

    stranger = getattr(client, row.method)(url)
    assert stranger.status_code == 302, f"{url}: a stranger got {stranger.status_code}"
    assert "/konto/anmelden/" in stranger["Location"]

    client.force_login(make_member(make_tournament(), Role.VERANSTALTER))
    assert getattr(client, row.method)(url).status_code == 403, f"{url}: another head got in"

    allowed = {*row.roles, Role.VERANSTALTER}
    for role in Role:
        client.force_login(make_member(tournament, role))
        status = getattr(client, row.method)(url).status_code
        assert (status != 403) == (role in allowed), f"{url}: {role} got {status}"
        assert status < SERVER_ERROR, f"{url}: {role} got {status}"
