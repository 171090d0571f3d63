"""Duplicate persons are found, and father and son are not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import make_club, make_person
from tournaments.common.organisers import first_organiser
from tournaments.people.queries.duplicates import duplicate_pairs, look_alikes, pairs_with_persons

pytestmark = pytest.mark.django_db

SAME = {"birth_year": 1950}


@pytest.mark.parametrize(
    ("stored", "other", "why"),
    [
        pytest.param(("Anna", "Kühn", {}), ("Anna", "Kuehn", {}), "gleicher Name", id="ü as ue"),
        pytest.param(("Anna", "Kühn", {}), ("anna", "KÜHN", {}), "gleicher Name", id="capitals"),
        pytest.param(
            ("Hans-Peter", "Berg", {}), ("Hans Peter", "Berg", {}), "gleicher Name", id="hyphen"
        ),
        pytest.param(
            ("Anna", "Kühn", {}),
            ("Kühn", "Anna", {}),
            "Vor- und Nachname vertauscht",
            id="swapped",
        ),
        pytest.param(
            ("Anna", "Meier", {"club": True}),
            ("Anna", "Meyer", {"club": True}),
            "ein Buchstabe anders, gleicher Verein",
            id="a wrong letter, same club",
        ),
        pytest.param(
            ("Anna", "Kuhn", SAME),
            ("Anna", "Kühn", SAME),
            "ein Buchstabe anders, gleiches Geburtsjahr",
            id="dots left out, same year",
        ),
        pytest.param(
            ("Anna", "Brandt", SAME),
            ("Anan", "Brandt", SAME),
            "ein Buchstabe anders, gleiches Geburtsjahr",
            id="changed places in the first name",
        ),
        pytest.param(("Anna", "Meier", {}), ("Anna", "Meyer", {}), None, id="only a letter apart"),
        pytest.param(
            ("Anna", "Meier", SAME), ("Anna", "Mayer", SAME), None, id="two letters apart"
        ),
        pytest.param(
            ("Karl", "Berg", {"birth_year": 1940}),
            ("Karl", "Berg", {"birth_year": 1970}),
            None,
            id="father and son",
        ),
        pytest.param(
            ("Anna", "Kühn", {}),
            ("Anna", "Kühn", {"anonymised_at": timezone.now()}),
            None,
            id="one is anonymised",
        ),
    ],
)
def test_two_records_are_compared(
    stored: tuple[str, str, dict[str, Any]],
    other: tuple[str, str, dict[str, Any]],
    why: str | None,
):
    club = make_club()
    first, second = (
        make_person(
            first_name, last_name, **{**fields, "club": club if fields.get("club") else None}
        )
        for first_name, last_name, fields in (stored, other)
    )

    pairs = pairs_with_persons(duplicate_pairs(first_organiser()))

    assert pairs == ([(first, second, why)] if why else [])


def test_three_namesakes_make_three_pairs():
    keys = [make_person("Anna", "Kühn").pk for _number in range(3)]

    pairs = [(pair.first, pair.second) for pair in duplicate_pairs(first_organiser())]

    assert sorted(pairs) == [(keys[0], keys[1]), (keys[0], keys[2]), (keys[1], keys[2])]


def test_the_likeliest_pairs_come_first():
    club = make_club()
    for last_name in ("Aaler", "Aaber", "Zorn", "Zorn"):
        make_person("Anna", last_name, club=club)

    assert [str(pair.reason) for pair in duplicate_pairs(first_organiser())] == [
        "gleicher Name",
        "ein Buchstabe anders, gleicher Verein",
    ]


def test_a_new_person_is_compared_with_stored_ones(django_assert_num_queries):
    club = make_club()
    known = make_person("Anna", "Kühn", club=club, birth_year=1950)
    make_person("Berta", "Kühn", club=club)

    owner = known.owner
    with django_assert_num_queries(2):
        assert look_alikes("Kuehn", "Anna", club_id=None, birth_year=None, owner=owner) == [known]
    assert look_alikes("Anna", "Kühn", club_id=None, birth_year=None, owner=first_organiser()) == [
        known
    ]
    assert look_alikes(
        "Kühne", "Anna", club_id=club.pk, birth_year=None, owner=first_organiser()
    ) == [known]
    assert (
        look_alikes("Kühne", "Anna", club_id=None, birth_year=None, owner=first_organiser()) == []
    )
    assert (
        look_alikes("Kühn", "Anna", club_id=club.pk, birth_year=1980, owner=first_organiser()) == []
    )


def test_a_similar_person_before_storing_is_a_pair_afterwards():
    first_names = ("Anna", "Ana", "Kühn", "Anna Ida", "Kühn Anna")
    last_names = ("Kühn", "Kuhn", "Anna", "Ida", "Ida Kuehn")
    club, years = make_club(), (1950, 1951, None)
    pairs_in_all = 0
    for facts in product(first_names, last_names, (club, None), years):
        first_name, last_name, of_club, birth_year = facts
        before = look_alikes(
            last_name,
            first_name,
            club_id=of_club and of_club.pk,
            birth_year=birth_year,
            owner=first_organiser(),
        )
        new = make_person(first_name, last_name, club=of_club, birth_year=birth_year)

        pairs = [pair for pair in duplicate_pairs(first_organiser()) if pair.second == new.pk]

        assert {person.pk for person in before} == {pair.first for pair in pairs}
        pairs_in_all += len(pairs)
    assert pairs_in_all > 300


def test_for_a_new_name_only_persons_near_it_are_read():
    owner = make_person("Anna", "Kühn", club=make_club(), birth_year=1950).owner

    with CaptureQueriesContext(connection) as asked:
        assert look_alikes("Zorn", "Berta", club_id=None, birth_year=None, owner=owner) == []

    (read,) = [query["sql"] for query in asked.captured_queries]
    assert '"sort_key" IN' in read


def test_all_pairs_among_many_take_one_query(django_assert_num_queries):
    for number in range(30):
        owner = make_person("Anna", f"Kühn{number % 10}").owner

    with django_assert_num_queries(1):
        assert len(duplicate_pairs(owner)) == 30
