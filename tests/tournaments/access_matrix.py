"""All addresses of the site with their access: the same checks for every view.

A row names the address, the method, the permitted roles and the place of its link: the helper
requests it as a stranger, with every role, and as the head of another tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from unittest.mock import patch

from django.http import HttpResponseForbidden, HttpResponseNotFound
from django.urls import URLResolver, get_resolver, reverse

from tests.clients import Client
from tests.factories import make_member, make_tournament
from tournaments.models import Role, Tournament
from tournaments.web.access import VIEW_ATTRIBUTE, Access

DESK = (Role.SPIELLEITUNG, Role.KASSE)
SERVER_ERROR = 500


class Address(NamedTuple):
    """One pattern of the URL resolver."""

    name: str  # „cash:receipt“
    route: str
    keys: tuple[str, ...]  # that it takes, in their order
    access: Access | None  # the access declared by its view
    view: Any


def _addresses(
    resolver: URLResolver, room: str = "", route: str = "", keys: tuple[str, ...] = ()
) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        its_route = f"{route}{pattern.pattern}"
        its_keys = (*keys, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern, pattern.namespace, its_route, its_keys)
        else:
            access = getattr(pattern.callback, VIEW_ATTRIBUTE, None)
            name = f"{room}:{pattern.name}"
            yield Address(name, its_route, its_keys, access, pattern.callback)


ADDRESSES = list(_addresses(get_resolver()))


def address_in(tournament: Tournament, address: Address) -> str:
    """Return a valid address; the objects it names need not exist."""
    samples = {"slug": tournament.slug, "what": "line", "name": "bank", "ending": "csv"}
    sample = {key: samples.get(key, "1") for key in address.keys}
    return reverse(address.name.removeprefix(":"), kwargs=sample)


@dataclass(frozen=True)
class Row:
    """A view and the roles that may open it, besides the Veranstalter."""

    name: str
    roles: Iterable[Role]
    method: str = "get"
    kwargs: dict[str, Any] = field(default_factory=dict)


@contextmanager
def refusals_not_drawn() -> Iterator[None]:
    """Answer refusals and missing objects without rendering a page."""
    with (
        patch("django.conf.urls.handler403", lambda *_args, **_more: HttpResponseForbidden()),
        patch("romme_site.errors.page_not_found", lambda *_args: HttpResponseNotFound()),
    ):
        yield


def check(row: Row, tournament: Tournament, **kwargs: Any) -> None:
    """Assert that exactly the right people get past the door of a view."""
    url = reverse(row.name, kwargs={"slug": tournament.slug, **row.kwargs, **kwargs})
    client = Client()

    stranger = getattr(client, row.method)(url)
    assert stranger.status_code == 302, f"{url}: a stranger got {stranger.status_code}"
    assert "/konto/anmelden/" in stranger["Location"]

    account = make_member(make_tournament(), Role.VERANSTALTER)
    client.force_login(account)
    allowed = {*row.roles, Role.VERANSTALTER}
    with refusals_not_drawn():
        assert getattr(client, row.method)(url).status_code == 403, f"{url}: another head got in"
        for role in Role:
            account.memberships.update(tournament=tournament, role=role)
            status = getattr(client, row.method)(url).status_code
            assert (status != 403) == (role in allowed), f"{url}: {role} got {status}"
            assert status < SERVER_ERROR, f"{url}: {role} got {status}"
