"""A browser that is logged in."""

from __future__ import annotations

from playwright.sync_api import BrowserContext

from tests.clients import Client
from tests.factories import make_member
from tournaments.models import Role, Tournament, User


def log_in(
    context: BrowserContext, live_server, tournament: Tournament, role: Role = Role.KASSE
) -> None:
    log_in_as(make_member(tournament, role), context, live_server)


def log_in_as(user: User, context: BrowserContext, live_server) -> None:
    """Give the browser a session without the form, which has tests of its own."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
