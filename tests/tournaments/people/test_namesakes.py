"""Namesakes have their start number wherever two of them look alike."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import make_person, make_registration, make_tournament
from tests.factories_lists import make_seated_serie
from tournaments.draw.queries.seating import seated_tables
from tournaments.models import Registration, Tournament
from tournaments.people.queries.naming import INTERNET, STAFF, distinguish_names

pytestmark = pytest.mark.django_db


def registered(tournament: Tournament, first: str, last: str, **fields: Any) -> Registration:
    person = make_person(first_name=first, last_name=last, **fields)
    return make_registration(tournament, person=person)


def field() -> list[Registration]:
    """Four people; two share surname and initial, none the whole name."""
    tournament = make_tournament()
    people = (("Petra", "Vogt"), ("Paul", "Vogt"), ("Anna", "Schmidt"), ("Uwe", "Kurz"))
    return [registered(tournament, first, last) for first, last in people]


def test_namesakes_are_shown_with_a_number():
    tournament = make_tournament()
    first, two, three = (
        registered(tournament, "Anna", last) for last in ("Schmidt", "Schmidt", "Kurz")
    )

    names = distinguish_names((STAFF.name(each), each) for each in (first, two, three))

    assert names == [
        f"Anna Schmidt (Nr. {first.number})",
        f"Anna Schmidt (Nr. {two.number})",
        "Anna Kurz",
    ]


def test_a_person_listed_twice_is_not_a_namesake():
    registration = registered(make_tournament(), "Anna", "Schmidt")

    assert (
        distinguish_names([("Schmidt, A.", registration), ("Schmidt, A.", registration)])
        == ["Schmidt, A."] * 2
    )


def test_equal_initials_are_shown_with_a_number():
    tournament = make_tournament()
    first, two = (registered(tournament, "Anna", last) for last in ("Kurz", "Klein"))

    names = distinguish_names((INTERNET.name(each), each) for each in (first, two))

    assert names == [f"A. K. (Nr. {first.number})", f"A. K. (Nr. {two.number})"]


def test_the_floor_plan_distinguishes_namesakes():
    people = field()
    serie = make_seated_serie(people[0].tournament, [people])

    (table,) = seated_tables(serie)

    assert [place.short_name for place in table.places] == [
        f"Vogt, P. (Nr. {people[0].number})",
        f"Vogt, P. (Nr. {people[1].number})",
        "Schmidt, A.",
        "Kurz, U.",
    ]
