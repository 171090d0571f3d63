"""§ 1.4: further participation may be refused, for a time or for good."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import COMMAND, START, make_person, make_tournament, make_user
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.desk.services import registrations
from tournaments.models import Ban, JournalEntry, Person
from tournaments.people.services import bans

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Actor:
    return Actor.account(make_user(is_admin=True))


def ban(
    person: Person,
    actor: Actor,
    reason: str = "Karten gezinkt",
    starts_on: date = date(2026, 10, 1),
    ends_on: date | None = None,
) -> Ban:
    return bans.ban_person(
        person_id=person.pk, reason=reason, starts_on=starts_on, ends_on=ends_on, actor=actor
    )


def test_a_banned_person_cannot_register_until_the_ban_is_lifted(admin: Actor):
    person, tournament = make_person("Anna", "Kühn"), make_tournament()
    placed = ban(person, admin)

    with pytest.raises(TournamentError, match=r"gesperrt \(§ 1.4\): Karten gezinkt\."):
        registrations.register(COMMAND, tournament.pk, person_id=person.pk, now=START)

    bans.lift_ban(ban_id=placed.pk, reason="Irrtum", actor=admin)
    placed.refresh_from_db()
    assert (placed.lifted_by, placed.lifted_reason) == (admin.user, "Irrtum")

    registrations.register(
        COMMAND, tournament.pk, person_id=person.pk, now=START, late_reason="Irrtum geklärt"
    )


@pytest.mark.parametrize(
    ("starts_on", "ends_on", "is_refused"),
    [
        pytest.param(date(2026, 9, 1), date(2026, 9, 30), False, id="before"),
        pytest.param(date(2026, 9, 1), date(2026, 10, 1), True, id="shares the first day"),
        pytest.param(date(2026, 10, 31), None, True, id="shares the last day"),
        pytest.param(date(2026, 11, 1), None, False, id="after"),
        pytest.param(date(2026, 1, 1), None, True, id="around it"),
    ],
)
def test_two_bans_do_not_share_a_day(
    admin: Actor, starts_on: date, ends_on: date | None, is_refused: bool
):
    person = make_person("Anna", "Kühn")
    ban(person, admin, starts_on=date(2026, 10, 1), ends_on=date(2026, 10, 31))

    if is_refused:
        with pytest.raises(Conflict, match="schon gesperrt: Karten gezinkt"):
            ban(person, admin, starts_on=starts_on, ends_on=ends_on)
    else:
        ban(person, admin, starts_on=starts_on, ends_on=ends_on)

    assert person.bans.count() == (1 if is_refused else 2)


def test_a_lifted_ban_permits_another(admin: Actor):
    person = make_person()
    bans.lift_ban(ban_id=ban(person, admin).pk, reason="Irrtum", actor=admin)

    ban(person, admin)

    assert person.bans.count() == 2


def test_a_ban_is_lifted_once_and_with_a_reason(admin: Actor):
    placed = ban(make_person("Anna", "Kühn"), admin)

    with pytest.raises(TournamentError, match="braucht einen Grund"):
        bans.lift_ban(ban_id=placed.pk, reason=" ", actor=admin)
    bans.lift_ban(ban_id=placed.pk, reason="Irrtum", actor=admin)
    with pytest.raises(Conflict, match="schon aufgehoben"):
        bans.lift_ban(ban_id=placed.pk, reason="Noch einmal", actor=admin)

    placed.refresh_from_db()
    assert placed.lifted_reason == "Irrtum"


def test_a_ban_is_journalled_without_its_reason(admin: Actor):
    person = make_person()
    placed = ban(person, admin, ends_on=date(2027, 9, 30))
    bans.lift_ban(ban_id=placed.pk, reason="Irrtum", actor=admin)

    banned, lifted = JournalEntry.objects.filter(subject_type="person", subject_id=person.pk)

    assert (banned.action, banned.after) == (
        "person_banned",
        {"ban": placed.pk, "starts_on": "2026-10-01", "ends_on": "2027-09-30"},
    )
    assert (lifted.action, lifted.after) == ("person_ban_lifted", {"ban": placed.pk})
    assert {banned.reason, lifted.reason} == {""}
