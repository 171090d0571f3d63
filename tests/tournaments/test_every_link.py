"""No page links to a page that refuses its reader, in any role and state of a tournament.

Every link is followed from the start pages: in the half-played practice tournament, and in one that
is a draft, not drawn yet, or closed. A few links to each kind of page are opened; all of them are
checked against the access of that kind.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.core.management import call_command
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import make_member, make_players, make_tournament, make_user
from tests.factories_results import play_serie, take_startgeld
from tests.worlds import world
from tournaments.common.access_keys import player_path, table_path
from tournaments.models import Role, Serie, TableAccess, Tournament
from tournaments.results.services.player_access import store_tokens
from tournaments.web.access import VIEW_ATTRIBUTE, Access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
OPENED = 2  # pages of one kind, for each of the queries that links to it have
STRANGER, PLAYER, TABLE, NO_ROLE = "stranger", "own page", "table", "account without a role"
ROLES = [role.value for role in Role]
PRACTICE = "practice"
CASES = [
    *((PRACTICE, who) for who in [*ROLES, STRANGER, PLAYER, TABLE, NO_ROLE]),
    *((when, who) for when in ("draft", "not drawn", "closed") for who in ROLES),
]


class Links(HTMLParser):
    """The targets of the links of a page, and of its requests."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        target = given.get("href") if tag == "a" else given.get("hx-get")
        if target:
            self.found.append(target)


@world
def at_each_time() -> dict[str, Tournament]:
    """A tournament at each time, by its name."""
    call_command("demo", stdout=StringIO())
    practice = Tournament.objects.get()
    store_tokens(practice)
    draft = make_tournament(status=Tournament.Status.DRAFT)
    not_drawn, closed = make_tournament(), make_tournament(serien=1)
    make_players(not_drawn, 8)
    play_serie(closed, [make_players(closed, 4)], [(40, 50, 60, 70)])
    take_startgeld(closed)
    Serie.objects.filter(tournament=closed).update(closed_at=timezone.now())
    Tournament.objects.filter(pk=closed.pk).update(status=Tournament.Status.CLOSED)
    closed.refresh_from_db()
    return {PRACTICE: practice, "draft": draft, "not drawn": not_drawn, "closed": closed}


def beginning(who: str, tournament: Tournament) -> tuple[Client, list[str]]:
    """Return the client of a role, and its start addresses."""
    client = Client(raise_request_exception=False)
    if who in Role.values:
        client.force_login(make_member(tournament, Role(who)))
    elif who == NO_ROLE:
        client.force_login(make_user())
    pages = [reverse("public:start")]
    if who in Role.values:
        pages.append(reverse("setup:tournament", args=[tournament.slug]))
    if tournament.status in Tournament.PUBLIC:
        pages.append(reverse("public:tournament", args=[tournament.slug]))
    if who == PLAYER:
        players = tournament.registrations.filter(number__in=(1, 20, 47))
        pages = [player_path(registration) for registration in players]
    elif who == TABLE:
        tables = TableAccess.objects.filter(table__serie__number=2, table__number__in=(1, 2, 3, 5))
        pages = [table_path(access) for access in tables]
    return client, pages


def kind_of(address: str) -> tuple[str, Access | None]:
    """Return the kind of page of an address, and its permitted roles; the path without a page."""
    parts = urlsplit(address)
    try:
        match = resolve(parts.path)
    except Resolver404:
        return parts.path, None
    words = sorted({pair.partition("=")[0] for pair in parts.query.split("&")} - {""})
    return " ".join([match.view_name, *words]), getattr(match.func, VIEW_ATTRIBUTE, None)


def links_of(page: str, at: str) -> Iterator[str]:
    """Yield the addresses of this program that a page links to."""
    for target in Links(page).found:
        address = urldefrag(urljoin(f"http://testserver{at}", target)).url
        parts = urlsplit(address)
        if parts.netloc == "testserver" and not parts.path.startswith("/static/"):
            yield address.removeprefix("http://testserver")


def refused(who: str, tournament: Tournament) -> set[str]:
    """Return the refused links by kind, with the first page that contains each."""
    client, pages = beginning(who, tournament)
    seen, opened = set(pages), Counter[str]()
    wrong: dict[str, str] = {}
    waiting = deque((page, "") for page in pages)
    while waiting:
        address, on = waiting.popleft()
        kind, access = kind_of(address)
        is_refused = who in Role.values and access is not None and access.kind == "roles"
        if is_refused and access is not None and who not in access.roles:
            wrong.setdefault(kind, f"{kind} on {on}: its role")
        opened[kind] += 1
        if opened[kind] > OPENED or kind in wrong:
            continue
        answer = client.get(address, follow=False)
        if answer.status_code >= 400:
            wrong[kind] = f"{kind} on {on}: {answer.status_code}"
        target = answer.get("Location", "")
        if target.startswith(reverse("account:login")) and "account:login" not in kind:
            wrong[kind] = f"{kind} on {on}: asks for a log-in"
        if answer.streaming or not answer["Content-Type"].startswith("text/html"):
            continue
        further = [target] if target else []
        for link in [*further, *links_of(answer.content.decode(), address)]:
            if link not in seen:
                seen.add(link)
                waiting.append((link, kind))
    return set(wrong.values())


@pytest.mark.parametrize(("when", "who"), CASES)
def test_every_link_works_for_its_readers(
    when: str, who: str, at_each_time: dict[str, Tournament], settings, tmp_path
):
    settings.DATA_DIR = tmp_path

    assert refused(who, at_each_time[when]) == set()


@pytest.mark.parametrize("role", [Role.KASSE, Role.SCHIEDSRICHTER])
def test_a_forbidden_link_is_detected(
    role: Role, at_each_time: dict[str, Tournament], monkeypatch: pytest.MonkeyPatch
):
    tournament = at_each_time["not drawn"]
    target = reverse("draw:move_table", args=[tournament.slug])
    monkeypatch.setattr(f"{__name__}.links_of", lambda *_page: iter([target]))

    (link,) = refused(role.value, tournament)

    assert link.startswith("draw:move_table on ")
