"""Creating and changing persons: effects and journal entries."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from tests.clients import logged_in
from tests.factories import (
    COMMAND,
    START,
    make_club,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.tournaments.notices.helpers import make_checked_list, tournament_of
from tournaments.common.errors import Conflict, WrongStatus
from tournaments.common.organisers import first_organiser
from tournaments.journal import services as journal
from tournaments.models import Club, JournalEntry, Person, Tournament
from tournaments.people.services import people

pytestmark = pytest.mark.django_db


def change(person: Person, seen: str | None = None, **fields: Any) -> Person:
    return people.update_person(person_id=person.pk, actor=COMMAND, fields=fields, seen=seen)


def test_a_changed_name_is_found_and_sorted_at_once():
    person = make_person("Anna", "Kühn")

    change(person, last_name="  von   Öl ", first_name="Änne")

    person.refresh_from_db()
    assert person.list_name == "von Öl, Änne"
    assert person.sort_key == "von oel\x01aenne"
    assert person.search_key == " von oel ol aenne anne"


def test_consent_has_the_date_on_which_it_was_given(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timezone, "now", lambda: START)
    person = people.create_person(
        actor=COMMAND, within=first_organiser(), last_name="Kühn", publish_consent=True
    )

    assert person.publish_consent_at == START


def test_consent_keeps_its_date_until_it_is_revoked(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(timezone, "now", lambda: START)
    given_at = START - timedelta(days=9)
    person = make_person(publish_consent=True, publish_consent_at=given_at)

    assert change(person, publish_consent=True, phone="0341 1").publish_consent_at == given_at
    assert change(person, publish_consent=False).publish_consent_at is None
    assert change(person, publish_consent=True).publish_consent_at == START


def test_changed_fields_are_journalled_without_values():
    person = people.create_person(
        actor=COMMAND, within=first_organiser(), last_name="Kühn", phone="0341 99"
    )
    club = make_club("SC Altenburg")

    change(
        person,
        first_name="Anna",
        last_name="Kuhnert",
        email="anna@example.org",
        phone="0341 88",
        club=club,
    )

    created, changed = JournalEntry.objects.filter(subject_type="person")
    assert (created.action, changed.action) == ("person_created", "person_changed")
    facts = {"publish_consent": False, "hall_objection": False}
    assert changed.before == {"club": None, **facts}
    assert changed.after == {
        "club": club.pk,
        **facts,
        "changed": ["first_name", "last_name", "club", "email", "phone"],
    }
    kept = json.dumps([[entry.before, entry.after, entry.reason] for entry in (created, changed)])
    assert not [word for word in ("Kühn", "Kuhnert", "Anna", "0341", "@") if word in kept]
    assert list(journal.first_breaks()) == []


def test_storing_without_a_change_writes_no_entry():
    person = make_person("Anna", "Kühn")

    change(person, first_name="Anna", last_name="Kühn")

    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        pytest.param({"last_name": " "}, "last_name", None, id="no last name"),
        pytest.param(
            {"last_name": "?!"},
            "last_name",
            "mindestens einen Buchstaben",
            id="a name without letters",
        ),
        pytest.param({"birth_year": 1850}, None, "zwischen 1900 und 2100", id="born too early"),
        pytest.param({"email": "anna"}, "email", None, id="no e-mail address"),
    ],
)
def test_invalid_person_data_are_not_stored(
    fields: dict[str, Any], field: str | None, sentence: str | None
):
    person = make_person("Anna", "Kühn")

    with pytest.raises(ValidationError) as refused:
        change(person, **fields)

    if field:
        assert field in refused.value.message_dict
    if sentence:
        assert sentence in str(refused.value)
    person.refresh_from_db()
    assert person.full_name == "Anna Kühn"


def test_merged_and_anonymised_persons_cannot_be_changed():
    kept = make_person("Anna", "Kühn")
    merged = make_person("Anna", "Kuehn", merged_into=kept)
    gone = make_person(anonymised_at=timezone.now())

    with pytest.raises(WrongStatus, match="mit Anna Kühn zusammengeführt"):
        change(merged, phone="1")
    with pytest.raises(WrongStatus, match="anonymisiert"):
        change(gone, phone="1")


def test_a_new_club_reaches_registrations_of_open_tournaments_only():
    old, new, guest = make_club("Alt"), make_club("Neu"), make_club("Gast")
    person = make_person("Anna", "Kühn", club=old)
    running = make_registration(make_tournament(status=Tournament.Status.RUNNING), person)
    closed = make_registration(make_tournament(status=Tournament.Status.CLOSED), person)
    on_purpose = make_registration(make_tournament(), person, club=guest)

    change(person, club=new)

    for registration, club in [(running, new), (closed, old), (on_purpose, guest)]:
        registration.refresh_from_db()
        assert registration.club == club
    entry = JournalEntry.objects.get(chain__tournament=running.tournament)
    assert (entry.action, entry.before, entry.after) == (
        "registration_club_changed",
        {"club": old.pk},
        {"club": new.pk},
    )


def test_open_pages_of_a_tournament_notice_a_new_name():
    person = make_person("Anna", "Kühn")
    registration = make_registration(make_tournament(), person)

    change(person, last_name="Kuhnert")

    registration.tournament.refresh_from_db()
    assert registration.tournament.revision == 1


def test_revoked_consent_hides_the_name_in_closed_tournaments():
    tournament = tournament_of(make_checked_list())
    Tournament.objects.filter(pk=tournament.pk).update(
        status=Tournament.Status.CLOSED, public_ranking=Tournament.PublicRanking.LIVE
    )
    person = tournament.registrations.get(number=1).person
    change(person, first_name="Anna", last_name="Ködel", publish_consent=True)
    reader = logged_in(make_user())  # no whole page is cached for them, but its lines are

    def names_her() -> bool:
        page = reader.get(reverse("results_public:overall", args=[tournament.slug]))
        return "Ködel" in page.content.decode()

    assert names_her()
    change(person, publish_consent=False)
    assert not names_her()


def test_a_concurrent_registration_retries_the_change(
    monkeypatch: pytest.MonkeyPatch,
):
    person = make_person("Anna", "Kühn")
    tournament = make_tournament()
    lock_rows = Tournament.objects.select_for_update

    def register_meanwhile() -> Any:
        make_registration(tournament, person)
        return lock_rows()

    monkeypatch.setattr(Tournament.objects, "select_for_update", register_meanwhile)
    with pytest.raises(Conflict, match="gerade in einem Turnier gemeldet"):
        change(person, phone="1")
    monkeypatch.undo()

    assert change(person, phone="1").phone == "1"


def test_a_closed_tournament_creates_no_persons():
    tournament = make_tournament(status=Tournament.Status.CLOSED)

    with pytest.raises(WrongStatus, match="abgeschlossen"):
        people.create_person(actor=COMMAND, within=tournament, last_name="Kühn")

    assert not Person.objects.exists()


def test_a_club_is_found_however_it_is_spelt():
    club = people.find_or_create_club("Rommé-Club  Köln", within=first_organiser(), actor=COMMAND)

    assert club is not None
    assert club.name == "Rommé-Club Köln"
    assert (
        people.find_or_create_club("romme club koeln", within=first_organiser(), actor=COMMAND)
        == club
    )
    assert people.find_or_create_club(" ", within=first_organiser(), actor=COMMAND) is None
    with pytest.raises(ValidationError):
        people.find_or_create_club("x" * 121, within=first_organiser(), actor=COMMAND)
    assert Club.objects.count() == 1
    assert JournalEntry.objects.get().action == "club_created"
