"""Plain functions that each store one valid object; a test passes the values that matter to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tournaments.common.actors import Actor
from tournaments.common.organisers import add_account, first_organiser
from tournaments.models import (
    Ban,
    Category,
    Club,
    Membership,
    Organiser,
    Person,
    Ranking,
    Registration,
    Right,
    Role,
    Serie,
    Tournament,
    User,
)

_numbers = count(1)

COMMAND = Actor.command("tests")
START = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)  # 14:00 in Germany


def make_user(username: str = "", *, password: str = "ein langes Kennwort", **fields: Any) -> User:
    """An account that can log in."""
    username = username or f"konto{next(_numbers)}"
    user = User.objects.create_user(username, password, **{"name": username.title(), **fields})
    if user.is_admin:  # as the first account of an installation
        add_account(user, first_organiser(), Right.ALL)
    return user


def make_operator() -> User:
    """An account that runs the program and belongs to no organiser."""
    user = make_user(is_admin=True)
    user.organisers.all().delete()
    return user


def make_organiser(name: str = "", **fields: Any) -> Organiser:
    """Another organiser than the first one."""
    first_organiser()
    return Organiser.objects.create(name=name or f"Veranstalter {next(_numbers)}", **fields)


def make_head(organiser: Organiser, **fields: Any) -> User:
    """An account with the right to all at an organiser."""
    user = make_user(**fields)
    add_account(user, organiser, Right.ALL)
    return user


def practice() -> Organiser:
    """Return the organiser of fictional persons."""
    values = {"name": "Übungsturnier"}
    return Organiser.objects.get_or_create(is_practice=True, defaults=values)[0]


def _owned(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with an owner: that of the club, or the first; fictional if *is_demo*."""
    is_demo = fields.pop("is_demo", False)
    club = fields.get("club")
    owner = (
        practice()
        if is_demo
        else fields.get("owner") or (club.owner if club else first_organiser())
    )
    return {**fields, "owner": owner}


def make_tournament(**fields: Any) -> Tournament:
    """An announced tournament of three Serien with one Startgeld of 15 €."""
    serien = fields.pop("serien", 3)
    startgeld_cents = fields.pop("startgeld_cents", 1500)
    number = next(_numbers)
    fields = _owned(fields)
    starts_at = fields.pop("starts_at", START)
    values: dict[str, Any] = {
        "slug": f"turnier-{number}",
        "name": f"Turnier {number}",
        "status": Tournament.Status.ANNOUNCED,
        "starts_at": starts_at,
        "registration_deadline": starts_at - timedelta(minutes=15),
        "rule_set": ruleset_to_dict(ruleset("rommeordnung")),
        **fields,
    }
    tournament = Tournament.objects.create(**values)
    Serie.objects.bulk_create(
        Serie(tournament=tournament, number=number) for number in range(1, serien + 1)
    )
    Category.objects.create(
        tournament=tournament, name="Erwachsene", startgeld_cents=startgeld_cents
    )
    Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.SINGLE)
    return tournament


def make_member(tournament: Tournament, role: Role, **fields: Any) -> User:
    """An account with *role* in *tournament*."""
    user = make_user(**fields)
    Membership.objects.create(tournament=tournament, user=user, role=role)
    return user


def acting(tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Actor:
    """Return an account with *role* in *tournament* as an actor."""
    return Actor.account(make_member(tournament, role))


def make_club(name: str = "", **fields: Any) -> Club:
    """A club."""
    club = Club(name=name or f"Verein {next(_numbers)}", **_owned(fields))
    club.tidy()
    club.save()
    return club


def club_named(name: str) -> Club | None:
    """Return the club of that name, created if new; None without a name."""
    name = name.strip()
    return (Club.objects.filter(name=name).first() or make_club(name)) if name else None


def make_person(first_name: str = "", last_name: str = "", **fields: Any) -> Person:
    """A person with both keys."""
    person = _new_person(first_name, last_name, **fields)
    person.save()
    return person


def _new_person(first_name: str = "", last_name: str = "", **fields: Any) -> Person:
    number = next(_numbers)
    person = Person(
        first_name=first_name or "Anna", last_name=last_name or f"Muster{number}", **_owned(fields)
    )
    person.tidy()
    return person


def make_ban(person: Person, reason: str = "Karten gezinkt", **fields: Any) -> Ban:
    """A ban since the beginning of the year, for good."""
    values = {"starts_on": date(2026, 1, 1), **fields}
    created_by = values.pop("created_by", None) or make_user()
    return Ban.objects.create(person=person, reason=reason, created_by=created_by, **values)


def make_registration(
    tournament: Tournament, person: Person | None = None, **fields: Any
) -> Registration:
    """Make a paid registration with the next start number, ticked off; without a receipt."""
    return _register(tournament, [person or make_person(owner=tournament.owner)], **fields)[0]


def make_players(tournament: Tournament, number: int, **fields: Any) -> list[Registration]:
    """So many new people with such registrations, stored in a few statements."""
    people = Person.objects.bulk_create(
        _new_person(owner=tournament.owner) for _player in range(number)
    )
    return _register(tournament, people, **fields)


def _register(
    tournament: Tournament, people: Sequence[Person], **fields: Any
) -> list[Registration]:
    taken = Registration.objects.filter(tournament=tournament).count()
    values: dict[str, Any] = {
        "status": Registration.Status.PAID,
        "category": tournament.categories.get(position=0),
        "due_cents": 1500,
        **fields,
    }
    if values["status"] == Registration.Status.PAID:
        values.setdefault("present_at", timezone.now())
    return Registration.objects.bulk_create(
        Registration(
            tournament=tournament,
            person=person,
            **{"number": number, "club": person.club, **values},
        )
        for number, person in enumerate(people, start=taken + 1)
    )
