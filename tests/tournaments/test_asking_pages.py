"""Open pages that ask: nothing new costs one query, and says nothing to whoever may not know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tests.factories_lists import make_seated_serie
from tests.tournaments.access_matrix import ADDRESSES
from tournaments.common.access_keys import player_token
from tournaments.common.views.asking import VIEW_ATTRIBUTE
from tournaments.models import Role, Tournament
from tournaments.notices.services import words
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
TEMPLATES = Path(__file__).parents[2] / "templates"

CONTROL = ("control:hand_in_since", "control:since", "control:table_since")
OF_STAFF = (*CONTROL, "desk:since", "results:ranking")
WALLS = ("screen:keyed", "screen:numbered", "screen:screen")
OF_ALL = (*WALLS, "results_public:overall", "results_public:ranking", "seating:serie")
BY_SECRET = ("player:page",)


@pytest.fixture
def tournament() -> Tournament:
    found = make_tournament(status=Tournament.Status.RUNNING)
    make_seated_serie(found, [[make_registration(found) for _seat in range(4)]])
    player_access.provide(found)
    found.refresh_from_db()
    return found


@pytest.fixture(autouse=True)
def _at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def address(name: str, tournament: Tournament) -> str:
    given = {
        "slug": tournament.slug,
        "number": 1,
        "table": 1,
        "which": "einzel",
        "key": "x" * 22,
        "token": player_token(tournament.registrations.get(number=1)),
    }
    keys = next(one.keys for one in ADDRESSES if one.name == name)
    return reverse(name, kwargs={key: given[key] for key in keys})


def ask(client: Client, name: str, tournament: Tournament, at: str = "") -> Any:
    """Ask like an open page that shows what *tournament* was when it was read."""
    shown = str(tournament.revision)
    if name in CONTROL:
        shown += f"-{int(timezone.now().timestamp()) // 60}"
    return client.get(at or address(name, tournament), {"since": shown}, headers=HTMX)


def logged_in(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def test_every_page_that_asks_says_how_nothing_new_is_found_out():
    known = {*OF_STAFF, *OF_ALL, *BY_SECRET, "table:state"}
    pages = [file.read_text() for file in TEMPLATES.rglob("*.html")]
    asking = sum(bool(re.search(r"hx-get=\"[^\"]*since=", page)) for page in pages)

    assert {one.name for one in ADDRESSES if hasattr(one.view, VIEW_ATTRIBUTE)} == known
    # One page of a wall, one of a ranking; a table's asks by a script.
    assert asking == len(known - {*WALLS[1:], "results_public:overall", "table:state"})


@pytest.mark.parametrize("name", [*OF_STAFF, *OF_ALL, *BY_SECRET])
def test_nothing_new_costs_one_query_and_looks_at_no_session(
    tournament, name, django_assert_num_queries
):
    client = logged_in(tournament) if name in OF_STAFF else Client()
    at = address(name, tournament)

    with django_assert_num_queries(1):
        answer = ask(client, name, tournament, at)

    assert (answer.status_code, answer.content) == (204, b"")
    assert (answer["Cache-Control"], answer["X-Frame-Options"]) == ("no-store", "DENY")


@pytest.mark.parametrize("name", OF_STAFF)
def test_whoever_has_logged_out_or_never_was_in_is_led_to_the_log_in(tournament, name):
    client = logged_in(tournament)
    assert ask(client, name, tournament).status_code == 204
    out = Client()
    out.cookies["sessionid"] = client.cookies["sessionid"].value
    client.logout()

    for strange in (out, Client()):
        answer = ask(strange, name, tournament)
        assert (answer.status_code, answer["Location"][:7]) == (302, "/konto/")


@pytest.mark.parametrize("name", OF_ALL)
@pytest.mark.parametrize(
    "hidden", [{"status": Tournament.Status.DRAFT}, {"replaced_at": timezone.now()}]
)
def test_that_there_is_a_draft_is_said_to_nobody_without_a_session(tournament, name, hidden):
    Tournament.objects.filter(pk=tournament.pk).update(**hidden)

    assert ask(Client(), name, tournament).status_code == 404
    assert ask(logged_in(tournament), name, tournament).status_code == 204


@pytest.mark.parametrize("name", [*OF_STAFF, *OF_ALL, *BY_SECRET])
def test_what_the_spielleitung_says_is_new_to_every_page(tournament, name):
    client = logged_in(tournament)

    words.say(tournament_id=tournament.pk, words="Kuchen im Foyer", actor=COMMAND)

    expected = 404 if name == "screen:keyed" else 200  # its key is none
    assert ask(client, name, tournament).status_code == expected


def test_the_page_of_a_player_who_was_replaced_by_an_archive_asks_in_vain(tournament):
    Tournament.objects.filter(pk=tournament.pk).update(replaced_at=timezone.now())

    assert ask(Client(), "player:page", tournament).status_code == 404


def test_what_is_asked_by_a_strange_name_is_refused(tournament, settings):
    settings.ALLOWED_HOSTS = ["turnier.example"]

    assert ask(Client(), "screen:screen", tournament).status_code == 400
