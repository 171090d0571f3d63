"""Until when the internet takes registrations, and how many."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.worlds import world
from tournaments.common.code_throttling import hash_address
from tournaments.common.errors import TournamentError
from tournaments.desk.online.services import entry_limits
from tournaments.desk.online.services.entry import PUBLIC, submit_entry
from tournaments.desk.online.services.entry_limits import TooManyEntries
from tournaments.models import Entry, Registration, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


tournament = world(make_open_tournament)


def test_a_running_tournament_accepts_registrations_until_the_deadline():
    tournament = make_open_tournament(status=Tournament.Status.RUNNING)

    send_one(tournament)

    assert Registration.objects.count() == 1


@pytest.mark.parametrize("persons", [0, 21])
def test_an_entry_has_one_to_twenty_persons(persons: int, tournament: Tournament):
    everybody = [wanted(f"Anna{'a' * number}") for number in range(persons)]

    with pytest.raises(TournamentError, match=r"mindestens eine|Höchstens 20"):
        submit_entry(PUBLIC, tournament.pk, persons=everybody, form_key="key")


@pytest.mark.parametrize(
    ("limit", "same"),
    [
        ("MOST_PER_ADDRESS", {"address": "192.0.2.7"}),
        ("MOST_PER_EMAIL", {"email": "anna@verein.example"}),
        ("MOST_PER_TOURNAMENT", {}),
    ],
)
def test_a_flood_is_refused_for_an_hour(
    monkeypatch: pytest.MonkeyPatch, limit: str, same: dict[str, str]
):
    monkeypatch.setattr(entry_limits, limit, 2)
    tournament, now = make_open_tournament(), timezone.now()
    send_one(tournament, wanted("Anna"), wanted("Berta"), now=now, **same)

    with pytest.raises(TooManyEntries, match="in einer Stunde"):
        send_one(tournament, wanted("Clara"), now=now + timedelta(minutes=59), **same)
    send_one(tournament, wanted("Clara"), now=now + timedelta(minutes=61), **same)

    assert Registration.objects.count() == 3


def test_other_addresses_are_not_held_up_by_a_flood(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entry_limits, "MOST_PER_ADDRESS", 1)
    tournament = make_open_tournament()
    send_one(tournament, wanted("Anna"), address="192.0.2.7")

    send_one(tournament, wanted("Berta"), address="192.0.2.8")
    send_one(tournament, wanted("Clara"))

    assert Registration.objects.count() == 3


def test_network_addresses_are_hashed_and_kept_for_an_hour():
    tournament, now = make_open_tournament(), timezone.now()
    send_one(tournament, wanted("Anna"), address="192.0.2.7", now=now)
    first = Entry.objects.get()
    assert first.address_hash == hash_address("192.0.2.7")
    assert "192.0.2.7" not in first.address_hash

    send_one(tournament, wanted("Berta"), address="192.0.2.8", now=now + timedelta(hours=2))

    first.refresh_from_db()
    assert first.address_hash == ""
