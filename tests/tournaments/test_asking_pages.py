"""Polling of open pages: an unchanged state is cheap and reveals nothing without access."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.access_matrix import ADDRESSES
from tests.worlds import world
from tournaments.common.access_keys import player_token
from tournaments.hall.services import handing_in
from tournaments.models import Role, Spielliste, Tournament, User
from tournaments.notices.services import words
from tournaments.results.services import player_access
from tournaments.web.polling import VIEW_ATTRIBUTE

# The content of pages, and their queries, are the same on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
HTMX = {"HX-Request": "true"}
TEMPLATES = Path(__file__).parents[2] / "templates"

CONTROL = ("hall:hand_in_since", "hall:since", "hall:table_since")
OF_STAFF = (*CONTROL, "desk:since", "results:ranking", "setup:tournament")
WALLS = ("screen:keyed", "screen:numbered", "screen:screen")
OF_ALL = (*WALLS, "results_public:overall", "results_public:ranking", "seating:serie")
BY_SECRET = ("player:page",)
OF_TRIAL_RUNS = ("trial:panel",)  # trial/test_trial.py has one


def running() -> Tournament:
    """A tournament of two tables in its first Serie, and a registration without a seat."""
    created = make_tournament(
        status=Tournament.Status.RUNNING,
        venue="Bürgerhaus",
        organiser="SC Altenburg",
        contact_phone="03447 1234",
    )
    write_games(list_of(make_seated_serie(created, tables=2)), status=Spielliste.Status.HANDED_IN)
    make_registration(created, number=None, status="registered")
    player_access.store_tokens(created)
    created.serien.update(time_limit_minutes=60)
    created.refresh_from_db()
    return created


tournament = world(running)


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
    keys = next(address.keys for address in ADDRESSES if address.name == name)
    return reverse(name, kwargs={key: given[key] for key in keys})


def ask(client: Client, name: str, tournament: Tournament, at: str = "") -> Any:
    """Poll like a page that shows the given revision of *tournament*."""
    shown = str(tournament.revision)
    if name in CONTROL:
        shown += f"-{int(timezone.now().timestamp()) // 60}"
    return client.get(at or address(name, tournament), {"since": shown}, headers=HTMX)


def logged_in(tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Client:
    client = Client()
    client.force_login(make_member(tournament, role))
    return client


def test_every_polling_page_declares_its_cheap_check():
    known = {*OF_STAFF, *OF_ALL, *BY_SECRET, *OF_TRIAL_RUNS, "table:state"}
    pages = [file.read_text() for file in TEMPLATES.rglob("*.html")]
    asking = sum(bool(re.search(r"hx-get=\"[^\"]*since=", page)) for page in pages)

    assert {address.name for address in ADDRESSES if hasattr(address.view, VIEW_ATTRIBUTE)} == known
    # One page of a wall, one of a ranking; a table's asks by a script.
    assert asking == len(known - {*WALLS[1:], "results_public:overall", "table:state"})


@pytest.mark.parametrize("name", [*OF_STAFF, *OF_ALL, *BY_SECRET])
def test_an_unchanged_poll_costs_one_query_and_one_for_a_session(
    tournament, name, django_assert_num_queries
):
    client = logged_in(tournament) if name in OF_STAFF else Client()
    at = address(name, tournament)

    with django_assert_num_queries(2 if name in OF_STAFF else 1):
        answer = ask(client, name, tournament, at)

    assert (answer.status_code, answer.content) == (204, b"")
    assert (answer["Cache-Control"], answer["X-Frame-Options"]) == ("no-store", "DENY")


@pytest.mark.parametrize("name", OF_STAFF)
def test_polling_without_a_session_redirects_to_the_log_in(tournament, name):
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
def test_polling_without_a_session_does_not_reveal_a_draft(tournament, name, hidden):
    Tournament.objects.filter(pk=tournament.pk).update(**hidden)

    assert ask(Client(), name, tournament).status_code == 404
    assert ask(logged_in(tournament), name, tournament).status_code == 204


@pytest.mark.parametrize("name", [*OF_STAFF, *OF_ALL, *BY_SECRET])
def test_announcements_are_news_for_every_page(tournament, name):
    client = logged_in(tournament)

    words.say(COMMAND, tournament.pk, words="Kuchen im Foyer")

    expected = 404 if name == "screen:keyed" else 200  # its key is none
    assert ask(client, name, tournament).status_code == expected


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((name, 2) for name in ("results_public:overall", "seating:serie")),
        ("results:ranking", 5),  # and session, account, role
        ("hall:hand_in_since", 6),  # and the Serie
        ("hall:since", 6),
        ("desk:since", 6),
        ("hall:table_since", 8),
        ("screen:screen", 7),  # and its fixed content
        ("player:page", 1),
    ],
)
def test_a_second_poll_needs_few_queries(tournament, name, most, django_assert_max_num_queries):
    client, at = logged_in(tournament), address(name, tournament)
    client.get(at, {"since": "old"}, headers=HTMX)

    with django_assert_max_num_queries(most):
        assert client.get(at, {"since": "old"}, headers=HTMX).status_code == 200


def test_polled_answers_are_shared_by_language(tournament):
    at = address("results_public:overall", tournament)

    def asked(client: Client, language: str) -> Any:
        return client.get(
            at, {"since": "old"}, headers={**HTMX, "Accept-Language": language, "Host": "localhost"}
        )

    first, second = asked(logged_in(tournament), "de"), asked(Client(), "de")
    english = asked(Client(), "en")

    assert first.content == second.content != english.content
    assert {**first.headers, "X-Request-ID": ""} == {**second.headers, "X-Request-ID": ""}
    assert (second["Content-Language"], english["Content-Language"]) == ("de", "en")
    whole_page = Client().get(at, {"since": "old"})
    assert "</html>" in whole_page.content.decode()


def test_answers_about_a_draft_are_not_cached(tournament):
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.DRAFT)
    at, mine = address("results_public:overall", tournament), logged_in(tournament)
    stranger = logged_in(make_tournament())

    assert mine.get(at, {"since": "old"}, headers=HTMX).status_code == 200
    assert stranger.get(at, {"since": "old"}, headers=HTMX).status_code == 404


def test_forms_of_a_kept_part_have_keys_of_their_own(tournament):
    at = address("hall:since", tournament)

    def fields(client: Client) -> list[str]:
        page = client.get(at, {"since": "old"}, headers=HTMX).content.decode()
        return re.findall(r'name="(?:csrfmiddlewaretoken|form_key)" value="([^"]*)"', page)

    first, second = fields(logged_in(tournament)), fields(logged_in(tournament))

    assert len(first) == len(second) > 0
    assert len(first[0]) == 64  # a token of Django's
    assert not set(first) & set(second)


def test_cached_answers_are_separate_by_role(tournament):
    roles = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER, Role.KASSE)
    leading, judge, cashier = (logged_in(tournament, role) for role in roles)
    first = list_of(tournament.serien.get(number=1))
    handing_in.take_all(COMMAND, first.pk, expected_cents=0, signatures=True)

    def asked(client: Client, name: str) -> str:
        at = address(name, tournament)
        return str(client.get(at, {"since": "old"}, headers=HTMX).content.decode())

    room = [asked(client, "hall:since") for client in (leading, judge)]
    lists = [asked(client, "hall:hand_in_since") for client in (leading, judge, cashier)]

    begin, check = 'id="start"', 'id="check-serie"'
    assert [begin in room for room in room] == [True, False]
    assert [check in spielliste for spielliste in lists] == [True, True, False]


def ask_for_anything(client: Client, tournament: Tournament) -> Any:
    at = reverse("hall:since", args=[tournament.slug, 1])
    return client.get(at, {"since": "old"}, headers=HTMX)


@pytest.mark.parametrize(
    ("act", "status"),
    [
        (lambda user: User.objects.filter(pk=user.pk).update(is_active=False), 302),
        (lambda user: User.objects.filter(pk=user.pk).update(password="another"), 302),
        (lambda user: user.memberships.all().delete(), 403),
        (lambda user: user.memberships.update(role=Role.KASSE), 403),
    ],
    ids=["account closed", "another password", "role taken", "another role"],
)
def test_an_account_without_access_is_refused(tournament, act, status):
    client = logged_in(tournament)
    assert ask_for_anything(client, tournament).status_code == 200

    act(User.objects.get(memberships__tournament=tournament))

    assert ask_for_anything(client, tournament).status_code == status


def test_a_browser_without_a_csrf_cookie_gets_one(tournament):
    client = logged_in(tournament)
    ask_for_anything(client, tournament)

    del client.cookies["csrftoken"]

    assert "csrftoken" in ask_for_anything(client, tournament).cookies


def test_the_own_page_of_a_replaced_tournament_polls_in_vain(tournament):
    Tournament.objects.filter(pk=tournament.pk).update(replaced_at=timezone.now())

    assert ask(Client(), "player:page", tournament).status_code == 404


def test_polling_with_an_unknown_host_is_refused(tournament, settings):
    settings.ALLOWED_HOSTS = ["turnier.example"]

    assert ask(Client(), "screen:screen", tournament).status_code == 400
