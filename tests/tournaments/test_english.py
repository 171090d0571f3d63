"""English pages contain no German except user input."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django import conf
from django.core.management import find_commands, load_command_class
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from tests.clients import Client
from tests.factories import make_member, make_registration, make_tournament
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.test_other_tournament import THINGS, World, make_world
from tournaments.machine import jobs
from tournaments.models import Role
from tournaments.models.tournament import Section

# Words come from the catalogue, whatever keeps the tournament.
pytestmark = pytest.mark.once
GERMAN = re.compile(
    r"[äöüßÄÖÜ„]|\b(?:aus|bei|bitte|das|der|die|ein|eine|einen|für|ist|kein|keine|mit|nach|nicht"
    r"|noch|oder|sind|und|von|werden|wird|zum|zur|Bitte|Der|Die|Das|Liste|Listen|Platz|Punkte"
    r"|Serie|Spiel|Spiele|Tisch|Uhr)\b"
)
# Names of rule sets and the input of people in these tournaments.
WRITTEN = re.compile(
    r"Zahlendreher, am Tisch nachgezählt|Platz 2 hatte 14, nicht 41\.|mit Anna|Verspätung|Deutsch\b"
    r"|Wertpunkte, der Geber setzt aus"
)
SPOKEN = ("title", "aria-label", "placeholder", "alt", "data-question", "data-yes")


class _Text(HTMLParser):
    """All texts of a page, including those for screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in {"script", "style"}
        self.said += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.said.append(" ".join(data.split()))


def german_on(page: str) -> list[str]:
    """Return the German texts of a page except user input."""
    text = _Text()
    text.feed(page)
    return [sentence for sentence in text.said if GERMAN.search(WRITTEN.sub("", sentence))]


@pytest.fixture
def world(db, own_files, settings, tmp_path, monkeypatch) -> World:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    return make_world(serien=4, tables=2, things=True)


def test_no_english_page_contains_german(world: World):
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_member(world.tournament, Role.VERANSTALTER, is_admin=True))
    whole = [address for address in ADDRESSES if address.keys == ("slug",)]
    urls = [
        reverse(address.name.removeprefix(":"), args=[world.tournament.slug]) for address in whole
    ]
    urls += [world.url(name, world) for name in THINGS]

    german_of = {}
    for url in ["/", "/turniere/", "/personen/", "/konto/", "/konto/alle/", *urls]:
        with transaction.atomic():
            answer = client.get(url)
            transaction.set_rollback(True)
        if answer.status_code == 200 and answer.get("Content-Type", "").startswith("text/html"):
            german = german_on(answer.content.decode())
            if german:
                german_of[url] = german

    assert german_of == {}


@pytest.mark.django_db
@pytest.mark.parametrize("section", Section.values)
def test_no_english_announcement_contains_german(section: str):
    tournament = make_tournament()
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_member(tournament, Role.VERANSTALTER))

    page = client.get(reverse("setup:section", args=[tournament.slug, section])).content.decode()

    assert german_on(page) == []


@pytest.mark.django_db
def test_withdrawing_is_not_translated_as_logging_out():
    tournament = make_tournament()
    registration = make_registration(tournament)
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_member(tournament, Role.KASSE))

    url = reverse("desk:registration", args=[tournament.slug, registration.pk])
    page = client.get(url).content.decode()

    assert (page.count("Withdraw"), page.count("Log out")) == (2, 1)


@pytest.mark.parametrize("app", ["scoring", "tournaments"])
def test_no_english_command_help_contains_german(app: str):
    folder = conf.settings.BASE_DIR / app / "management"
    names = find_commands(str(folder))
    assert names

    def helps(language: str) -> dict[str, str]:
        with translation.override(language):
            return {
                name: load_command_class(app, name).create_parser("", name).format_help()
                for name in names
            }

    assert {name for name, said in helps("en").items() if GERMAN.search(said)} == set()
    assert all(GERMAN.search(said) for said in helps("de").values())


@pytest.mark.django_db
def test_a_language_is_chosen_by_a_link_and_stored_in_a_cookie():
    client = Client(headers={"accept-language": "de"})
    page = client.get("/").content.decode()
    assert "Zum Inhalt" in page
    assert ">English</a>" in page

    answer = client.get(reverse("account:language", args=["en"]), {"next": "/t/"})

    assert answer["Location"] == "/t/"
    assert answer.cookies[conf.settings.LANGUAGE_COOKIE_NAME]["max-age"] > 300 * 24 * 3600
    assert "Skip to content" in client.get("/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", ""])
def test_choosing_a_language_does_not_redirect_to_another_site(elsewhere: str):
    answer = Client().get(reverse("account:language", args=["en"]), {"next": elsewhere})

    assert answer["Location"] == "/"


@pytest.mark.django_db
def test_an_unknown_language_is_not_found():
    assert Client().get(reverse("account:language", args=["fr"])).status_code == 404
