"""A world is built once for its tests, and they are isolated from each other."""

from __future__ import annotations

import pytest

from tests.factories import make_tournament
from tests.worlds import world
from tournaments.models import Tournament

BUILT: list[int] = []


@world
def tournament() -> Tournament:
    BUILT.append(1)
    return make_tournament(name="Herbst")


@pytest.mark.django_db
@pytest.mark.parametrize("test", ["first", "second"])
def test_each_test_finds_the_world_as_it_was_built(test: str, tournament: Tournament):
    assert len(BUILT) == 1
    assert [row.name for row in Tournament.objects.all()] == [tournament.name] == ["Herbst"]

    tournament.name = test
    tournament.save()
    make_tournament()


@pytest.mark.django_db
def test_a_test_without_a_world_finds_no_rows():
    assert not Tournament.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_transactional_tests_have_a_world_of_their_own(tournament: Tournament):
    assert [row.name for row in Tournament.objects.all()] == [tournament.name]
