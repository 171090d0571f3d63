"""News feeds, robots.txt and security.txt."""

from __future__ import annotations

from datetime import timedelta
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tests.clients import Client
from tests.factories import COMMAND, make_tournament
from tests.tournaments.announcement.helpers import BEFORE, make_complete
from tournaments.announcement.services.tournaments import announce
from tournaments.models import Tournament
from tournaments.web.cached_answers import clear

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def entries() -> list[Element]:
    """The entries of the feed as a reader of news has them."""
    answer = Client().get("/neues.atom")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    elements: list[Element] = fromstring(answer.content).findall(f"{ATOM}entry")
    return elements


def text_of(entry: Element, name: str) -> str:
    """The text of a part of an entry."""
    return entry.findtext(f"{ATOM}{name}") or ""


def test_news_list_events_of_public_tournaments_newest_first():
    old = make_tournament(name="Frühjahr", status=Tournament.Status.CLOSED)
    Tournament.objects.filter(pk=old.pk).update(
        created_at=timezone.now() - timedelta(days=99), public_ranking="live"
    )
    new = make_complete(name="Herbst")
    assert [text_of(entry, "title") for entry in entries()] == ["Frühjahr: abgeschlossen"]
    announce(COMMAND, new.pk, now=BEFORE)

    first, second = entries()

    assert text_of(first, "title") == "Herbst: ausgeschrieben"
    assert (updated := parse_datetime(text_of(first, "updated")))
    assert timezone.now() - updated < timedelta(hours=1)
    (link,) = second.findall(f"{ATOM}link")
    assert link.get("href") == f"http://testserver/t/{old.slug}/rangliste/"


def test_each_event_of_a_tournament_is_separate_news():
    tournament = make_tournament()
    (before,) = entries()
    Tournament.objects.update(status=Tournament.Status.RUNNING)
    clear()

    (after,) = entries()

    assert text_of(before, "id") != text_of(after, "id")
    assert text_of(after, "title") == f"{tournament.name}: läuft"


def test_a_ranking_that_is_not_public_is_not_linked():
    tournament = make_tournament(status=Tournament.Status.CLOSED, public_ranking="never")

    (entry,) = entries()

    (link,) = entry.findall(f"{ATOM}link")
    assert link.get("href") == f"http://testserver/t/{tournament.slug}/"


def test_robots_exclude_coded_pages_and_staff_pages():
    lines = Client().read("/robots.txt").splitlines()

    assert lines[0] == "User-agent: *"
    wanted = {
        f"Disallow: {path}" for path in ("/s/", "/tisch/", "/meldung/", "/karten/", "/turniere/")
    }
    assert wanted < set(lines)
    assert "Disallow: /t/" not in lines


def test_security_txt_names_the_contact_if_there_is_one(settings):
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:sicher@example.org"

    said = dict(
        line.split(": ", 1) for line in Client().read("/.well-known/security.txt").splitlines()
    )

    assert said["Contact"] == "mailto:sicher@example.org"
    assert (until := parse_datetime(said["Expires"]))
    assert timedelta(days=1) < until - timezone.now() < timedelta(days=366)
