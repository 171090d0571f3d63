"""A tournament may fix the language of its documents and mails for all readers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.factories import COMMAND, make_member, make_tournament
from tests.tournaments.archive.helpers import saved, unsealed
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one
from tests.tournaments.printing.helpers import make_day, make_played, words
from tests.tournaments.test_english import GERMAN
from tournaments.archive.importing import import_archive
from tournaments.desk.online.services import mails
from tournaments.machine import jobs
from tournaments.models import Job, Role, Tournament
from tournaments.models.tournament import Section

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NAMES = re.compile(r"Kühn|Voß|Öhler|Groß")
# Parameters of documents that need some.
ASKED: dict[str, dict[str, Any]] = {
    "ausschreibung": {},
    "teilnehmerliste": {},
    "auskunft": {"number": 1},
    "startkarten": {},
    "sitzplan-namen": {"serie": 1},
    "sitzplan-tische": {"serie": 1},
    "tischkarten": {"serie": 1},
    "spiellisten": {"serie": 1},
    "spiellisten-leer": {"size": 4, "copies": 1},
    "rangliste": {"ranking": "einzel"},
    "spiellisten-gespielt": {"serie": 1},
    "spielregeln": {},
    "kassenbericht": {},
    "turniertag": {},
}


@pytest.mark.parametrize(
    ("fixed", "reads", "printed"), [("", "de", "de"), ("", "en", "en"), ("en", "de", "en")]
)
def test_a_document_is_printed_in_the_language_of_its_tournament(
    client: Client, monkeypatch: pytest.MonkeyPatch, fixed: str, reads: str, printed: str
):
    monkeypatch.setattr(jobs, "spawn", lambda _job: None)
    tournament = make_day(4, language=fixed)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    url = reverse("printing:start", args=[tournament.slug, "kassenbericht"])
    client.post(url, headers={"accept-language": reads})

    assert Job.objects.get().params["language"] == printed


@pytest.mark.once  # the content of sheets
def test_no_english_document_contains_german():
    tournament, _played = make_played(venue="", name="Autumn", organiser="")

    with translation.override("en"):
        said = {name: words(tournament, name, **asked) for name, asked in ASKED.items()}

    german = {name: GERMAN.findall(NAMES.sub("", text)) for name, text in said.items()}
    assert {name: words for name, words in german.items() if words} == {}


@pytest.mark.parametrize(("fixed", "subject"), [("", "Meldung: "), ("en", "Registration: ")])
def test_a_mail_uses_the_language_of_its_tournament(settings: Any, fixed: str, subject: str):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://romme.example"
    sent = send_one(make_open_tournament(language=fixed, name="R"), email="anna@verein.example")

    mails.send_confirmation(sent.entry, sent.token)

    assert mail.outbox[0].subject == f"{subject}R"
    assert ("IBAN" in mail.outbox[0].body, translation.get_language()) == (False, "de")
    assert ("Startnummer 1" in mail.outbox[0].body) is (fixed == "")


@pytest.mark.parametrize("fixed", ["", "en"])
def test_an_archive_contains_the_language_only_if_it_is_set(fixed: str):
    tournament = make_tournament(language=fixed)
    text = saved(tournament)
    Tournament.objects.update(slug="fort")

    again = import_archive(text.encode(), actor=COMMAND)

    assert unsealed(text)["tournament_details"][0].get("language", "") == fixed
    assert ("language" in unsealed(text)["tournament_details"][0], again.language) == (
        fixed != "",
        fixed,
    )


def test_the_language_is_chosen_in_the_announcement(client: Client):
    tournament = make_tournament(status=Tournament.Status.DRAFT)
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    url = reverse("setup:section", args=[tournament.slug, Section.PROCEDURE])
    page = client.get(url)
    assert 'value="" selected' in page.content.decode()

    wish = {"ended_lists": "extrapolated", "protest_minutes": "15", "language": "en"}
    client.post(url, {**wish, "fingerprint": page.context["fingerprint"]})

    tournament.refresh_from_db()
    assert tournament.language == "en"
    told = client.get(reverse("setup:tournament", args=[tournament.slug])).content.decode()
    assert "<dt>Sprache der Drucke und Mails</dt>" in told
