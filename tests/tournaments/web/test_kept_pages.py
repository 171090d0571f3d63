"""Public pages are cached whole, without data of one browser, account or revoked consent."""

from __future__ import annotations

import gzip
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings as program
from django.contrib.messages import INFO
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import get_language, override

from tests.clients import Client, at, logged_in
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.models import Person, Role, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.people.services import people
from tournaments.web.compression import CompressionMiddleware

# The content of pages, and their queries, are the same on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
PAGES = (
    "public:start",
    "public:tournament",
    "public:rules",
    "public:calendar",
    "public:calendar_of_all",
    "public:rule_set",
    "results_public:overall",
    "results_public:ranking",
    "results_public:statistics",
    "seating:serie",
    "manual:day",
    "manual:chapter",
    "feed:description",
    "feed:tournaments",
    "feed:tournament",
    "feed:overall",
    "feed:ranking",
    "feed:seats",
    "feed:seats_of",
    "feed:news",
)
WITH_NAMES = (
    "results_public:overall",
    "results_public:statistics",
    "seating:serie",
    "feed:overall",
)
LANG = {"en": 'lang="en"', "de": 'lang="de"'}
ANEW = {program.LANGUAGE_COOKIE_NAME: "de", "messages": "of nobody"}  # is passed by the cache


@world
def tournament() -> Tournament:
    running = make_tournament(status=Tournament.Status.RUNNING, public_ranking="live")
    players = [
        make_registration(running, make_person("Anna", f"Kühn{n}", publish_consent=n == 1))
        for n in (1, 2, 3, 4)
    ]
    write_games(list_of(make_seated_serie(running, [players])), status=Spielliste.Status.VERIFIED)
    return running


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Freeze the clock; the returned function moves it."""
    began = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: began)
    return lambda by: monkeypatch.setattr(timezone, "now", lambda: began + by)


def address(name: str, tournament: Tournament) -> str:
    keys: dict[str, list[Any]] = {
        "public:start": [],
        "public:calendar_of_all": [],
        "public:rule_set": ["liverpool"],
        "results_public:ranking": [tournament, "einzel"],
        "seating:serie": [tournament, 1],
        "manual:day": [],
        "manual:chapter": ["tisch"],
        "feed:description": [],
        "feed:tournaments": [],
        "feed:news": [],
        "feed:ranking": [tournament, "einzel"],
        "feed:seats_of": [tournament, 1],
    }
    return at(name, *keys.get(name, [tournament]))


def with_cookies(cookies: dict[str, str]) -> Client:
    browser = Client()
    browser.cookies.load(cookies)
    return browser


def headers_of(answer: Any) -> dict[str, str]:
    cached = ("Cache-Control", "Content-Length", "ETag", "Vary", "X-Request-ID")
    return {name: said for name, said in answer.headers.items() if name not in cached}


@pytest.mark.parametrize("name", PAGES)
def test_a_cached_page_equals_a_rendered_one(tournament: Tournament, name: str):
    make_member(tournament, Role.SPIELLEITUNG)  # with an account there are no forms of the demo
    url = address(name, tournament)
    made = with_cookies(ANEW).get(url)
    first = Client().get(url, headers={"Accept-Encoding": "gzip"})

    with CaptureQueriesContext(
        connection,
    ) as queries:
        again = Client().get(url)

    assert made.status_code == again.status_code == 200
    assert "ETag" not in made.headers
    assert len(queries) <= 2
    assert made.content == again.content == gzip.decompress(first.content)
    assert headers_of(made) == headers_of(again)
    assert set(made["Vary"].split(", ")) <= set(again["Vary"].split(", "))
    assert "Accept-Encoding" in again["Vary"]


@pytest.mark.parametrize("name", ["results_public:overall", "seating:serie", "feed:overall"])
def test_an_unchanged_page_is_answered_with_304(tournament: Tournament, name: str):
    url = address(name, tournament)
    tag = Client().get(url)["ETag"]
    same = Client().get(url, headers={"If-None-Match": tag, "Accept-Encoding": "gzip"})
    people.update_person(
        person_id=Person.objects.get(last_name="Kühn1").pk,
        actor=COMMAND,
        fields={"first_name": "Berta"},
    )

    new = Client().get(url, headers={"If-None-Match": tag})

    assert (same.status_code, same.content, same["ETag"]) == (304, b"", tag)
    assert new.status_code == 200
    assert "Berta" in new.content.decode()
    assert new["ETag"] != tag


@pytest.mark.parametrize("name", WITH_NAMES)
def test_cached_pages_contain_no_account_or_revoked_consent(tournament: Tournament, name: str):
    url = address(name, tournament)
    lead = make_member(tournament, Role.SPIELLEITUNG, name="Frau Leiterin")
    desk = make_member(tournament, Role.KASSE, name="Herr Helfer")
    leading, helping = logged_in(lead), logged_in(desk)
    for browser in (leading, Client(), helping, Client(), leading):
        said = browser.read(url)
        own = {leading: "Frau Leiterin", helping: "Herr Helfer"}.get(browser)
        is_page = not name.startswith("feed")
        for account in ("Frau Leiterin", "Herr Helfer"):
            assert (account in said) == (account == own and is_page)
        assert ("csrfmiddlewaretoken" in said) == (own is not None and is_page)
        assert "Kühn1" in said

    people.update_person(
        person_id=Person.objects.get(last_name="Kühn1").pk,
        actor=COMMAND,
        fields={"publish_consent": False},
    )

    for browser in (Client(), leading, helping, Client()):
        assert "Kühn1" not in browser.read(url)


@pytest.mark.parametrize(
    "name", ["results_public:overall", "public:tournament", "manual:day", "feed:overall"]
)
def test_cached_pages_are_separate_by_language(tournament: Tournament, name: str):
    url = address(name, tournament)
    english, by_cookie = {"Accept-Language": "en"}, {program.LANGUAGE_COOKIE_NAME: "en"}
    with override("en"):  # as the thread was left by another request
        german = Client().get(url, headers={"Accept-Language": "de"})

    answers = [
        Client().get(url, headers=english),
        with_cookies(by_cookie).get(url, headers={"Accept-Language": "de"}),
        with_cookies({program.LANGUAGE_COOKIE_NAME: "de"}).get(url, headers=english),
    ]

    assert [answer.headers["Content-Language"] for answer in answers] == ["en", "en", "de"]
    assert answers[0].content == answers[1].content
    head = {"en": '"Individual"', "de": '"Einzel"'} if name.startswith("feed") else LANG
    assert head["en"] in answers[0].content.decode()[:200]
    assert answers[2].content == german.content
    assert head["de"] in german.content.decode()[:200]
    assert answers[0]["ETag"] != german["ETag"]


def test_a_cached_page_is_renewed_each_minute(moment: Any):
    tournament = make_tournament(status=Tournament.Status.ANNOUNCED, online_registration=True)
    tournament.starts_at = timezone.now() + timedelta(days=3)
    tournament.registration_deadline = timezone.now().replace(second=0) + timedelta(minutes=9)
    tournament.save()
    url = at("public:tournament", tournament)
    before = Client().read(url)

    moment(timedelta(minutes=10))

    assert "Jetzt melden" in before
    assert "Jetzt melden" not in Client().read(url)


def test_cached_pages_are_separate_by_host(tournament: Tournament, settings: Any):
    settings.ALLOWED_HOSTS = ["*"]
    url = at("feed:tournament", tournament)

    here, there = (Client().read(url, headers={"Host": host}) for host in ("a.de", "b.de"))

    assert "a.de/" in here
    assert "b.de/" not in here
    assert "b.de/" in there
    assert Client().get(url, headers={"Host": "a.de"}, secure=True).content != here.encode()


def test_cached_pages_are_separate_by_query(tournament: Tournament):
    url = at("seating:serie", tournament, 1)

    pages = [Client().read(url, {"nr": number}) for number in ("1", "2", "1")]

    assert "Startnummer 1, " in pages[0]
    assert "Startnummer 2, " in pages[1]
    assert pages[0] == pages[2]


def test_a_page_with_a_form_has_the_token_of_its_browser():
    first, second = Client(), Client()

    pages = [browser.get(at("public:start")) for browser in (first, second)]

    assert all("csrfmiddlewaretoken" in page.content.decode() for page in pages)
    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value
    assert pages[0].content != pages[1].content
    assert not any("ETag" in page.headers for page in pages)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Security-Policy": "script-src 'nonce-abc'"}, 200),
        ({"Cache-Control": "private, no-store"}, 200),
        ({}, 200),  # sets a cookie
        ({}, 404),
    ],
)
def test_pages_for_one_browser_are_not_cached(headers: dict[str, str], status: int):
    made: list[str] = []

    def page(_request: HttpRequest) -> HttpResponse:
        made.append(get_language() or "")
        if status != HTTPStatus.OK:
            return HttpResponse("not found", status=status)
        answer = HttpResponse(f"page {len(made)}", headers=headers)
        if not headers:
            answer.set_cookie("seen", "1")
        return answer

    def asked() -> HttpRequest:
        request = RequestFactory().get(at("manual:day"))
        request.session = Client().session
        request.resolver_match = None
        return request

    answers = [CompressionMiddleware(page)(asked()) for _time in range(2)]

    assert len(made) == 2
    assert not any("ETag" in answer.headers for answer in answers)


def test_a_message_is_shown_to_its_session_only(tournament: Tournament):
    url = at("public:tournament", tournament)
    told = Client()
    request = told.get(url).wsgi_request
    storage, answer = CookieStorage(request), HttpResponse()
    storage.add(INFO, "Nur für Sie")
    storage.update(answer)
    told.cookies["messages"] = answer.cookies["messages"].value

    pages = [browser.read(url) for browser in (told, Client(), told)]

    assert ["Nur für Sie" in page for page in pages] == [True, False, False]


def test_a_hidden_tournament_leaves_the_cache_at_once(tournament: Tournament):
    url = at("results_public:overall", tournament)
    assert Client().get(url).status_code == 200

    Tournament.objects.update(replaced_at=timezone.now())

    assert Client().get(url).status_code == 404


def test_an_act_renews_cached_pages(tournament: Tournament):
    url = at("screen:screen", tournament)
    before = Client().read(url)

    words.say(COMMAND, tournament.pk, words="Pause bis 15 Uhr")

    assert "Pause bis 15 Uhr" not in before
    assert "Pause bis 15 Uhr" in Client().read(url)
