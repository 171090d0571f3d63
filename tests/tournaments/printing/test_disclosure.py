"""The Auskunft: all stored data about one person, and none of others."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import COMMAND, make_person, make_registration, make_tournament, make_user
from tests.factories_lists import list_of
from tests.tournaments.printing.helpers import BASE_URL, pay, unpaid, words
from tournaments.common.errors import TournamentError
from tournaments.desk.services import changes
from tournaments.models import Ban, Case, Entry, EntryLine, Penalty, Person, RankingChoice

pytestmark = pytest.mark.django_db


def test_a_disclosure_contains_all_own_data_and_none_of_others():
    tournament = unpaid(2)
    pay(tournament, 1)
    pay(tournament, 2)
    registration = tournament.registrations.get(number=1)
    Person.objects.filter(pk=registration.person_id).update(
        email="anna@example.org",
        note="kommt später",
        member_number="P-7",
        member_until=date(2026, 12, 31),
    )
    registration.late_reason = "Zug verpasst"
    registration.save()
    Ban.objects.create(person=registration.person, reason="Streit", created_by=make_user())

    said = words(tournament, "auskunft", number=1).replace("\xa0", " ")

    for kept in (
        *("Auskunft: Anna Kühn", "anna@example.org", "kommt später", "Zug verpasst", "Streit"),
        *("Pass- oder Mitgliedsnummer P-7", "Pass gültig bis 31. Dezember 2026"),
        *("Beleg 1, Startgeld, 15,00 €", "Verein SC Altenburg Stand bezahlt", "Tisch 1"),
        f"{BASE_URL}/datenschutz/",
    ):
        assert kept in said
    assert "Voß" not in said
    assert "Beleg 2" not in said
    with pytest.raises(TournamentError, match="Startnummer"):
        words(tournament, "auskunft")


def test_a_disclosure_contains_penalties_and_own_objections():
    tournament = unpaid(4)
    registration = tournament.registrations.get(number=1)
    Penalty.objects.create(
        spielliste=list_of(tournament.serien.get(number=1)),
        registration=registration,
        points=100,
        reason="Nicht offen ausgelegt",
    )
    Case.objects.create(
        tournament=tournament, kind="objection", text="Es lag offen.", registration=registration
    )

    women = tournament.rankings.create(kind="women")
    RankingChoice.objects.create(
        registration=registration, ranking=women, takes_part=True, reason="abgesprochen"
    )

    said = words(tournament, "auskunft", number=1)

    assert "Damen ja: abgesprochen" in said
    assert "Strafpunkte 100, vorgeschlagen: Nicht offen ausgelegt" in said
    assert "Einspruch Es lag offen." in said
    assert "Es lag offen." not in words(tournament, "auskunft", number=2)


def test_a_disclosure_of_a_shared_number_contains_the_own_part():
    tournament = unpaid(2)
    registration = tournament.registrations.get(number=1)
    left = registration.person
    registration.late_reason = "Zug verpasst"
    registration.save()
    entry = Entry.objects.create(tournament=tournament, token_hash="1", email="anna@example.org")
    EntryLine.objects.create(
        entry=entry, position=1, status="registered", registration=registration, last_name="Kühn"
    )
    pay(tournament, 1)
    joined = make_person("Xaver", "Zahn")
    changes.substitute(COMMAND, registration.pk, person_id=joined.pk, reason="im Krankenhaus")
    other = make_tournament()
    make_registration(other, left, number=8)

    of_joined = words(tournament, "auskunft", number=1)
    of_left = words(other, "auskunft", number=8)

    assert "Auskunft: Xaver Zahn" in of_joined
    assert "15,00" in of_joined
    for others in ("Kühn", "anna@example.org", "im Krankenhaus", "Zug verpasst"):
        assert others not in of_joined
    for own in ("Auskunft: Anna Kühn", "anna@example.org", "im Krankenhaus", "15,00"):
        assert own in of_left
    assert "Zahn" not in of_left


def test_a_disclosure_omits_the_address_of_a_joint_entry():
    tournament = unpaid(2)
    entry = Entry.objects.create(tournament=tournament, token_hash="1", email="verein@example.org")
    for registration in tournament.registrations.all():
        EntryLine.objects.create(
            entry=entry,
            position=registration.number or 0,
            status="registered",
            registration=registration,
            last_name=registration.person.last_name,
        )

    said = words(tournament, "auskunft", number=1)

    assert "Meldungen über das Internet" in said
    assert "verein@example.org" not in said
