"""After every kind of correction, journal and stored rows agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from tests.factories import COMMAND, acting, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.corrections.signed_list import SLIP
from tournaments.checking.services import exclusions, penalties
from tournaments.common.actors import Actor
from tournaments.corrections.services import corrections, four_eyes, moves
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.journal.rows import all_hashes
from tournaments.models import Correction, Penalty, Serie, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = Correction.Kind


def seated(*, games: int = 12, **fields: Any) -> Serie:
    """Return two tables of four with this number of games, all rows journalled."""
    tournament = make_tournament(**fields)
    serie = make_seated_serie(tournament, tables=2)
    status = Spielliste.Status.HANDED_IN if games == 12 else ""
    for table in (1, 2):
        write_games(list_of(serie, table), FOUR[:games], status=status)
    with transaction.atomic():
        journal.record(tournament, COMMAND, "rows_taken", hashes=all_hashes(tournament))
    return serie


def correct(serie: Serie, kind: Correction.Kind, facts: dict[str, Any], by: Actor = COMMAND):
    spielliste = list_of(serie, 1)
    return corrections.correct_list(by, spielliste.pk, kind=kind, facts=facts, reason="x")


def places(serie: Serie, games: str) -> dict[str, Any]:
    return {"places": moves.places_of_rings(serie, [[1, 5]]), "games": games}


def line(serie: Serie) -> None:
    correct(serie, Kind.LINE, {"game": 1, "line": SLIP})


def bonus_size(serie: Serie) -> None:
    correct(serie, Kind.BONUS_SIZE, {"bonus_size": 3})


def invalid_and_valid_again(serie: Serie) -> None:
    correct(serie, Kind.INVALID, {})
    correct(serie, Kind.VALID, {})


def seats_of_signed_lists(serie: Serie) -> None:
    spielliste = list_of(serie, 1)
    give(spielliste)
    correct(serie, Kind.SEATS, places(serie, "place"))


def give(spielliste: Spielliste) -> None:
    first = spielliste.table.seats.get(number=1)
    penalties.give_at_once(
        COMMAND, spielliste.pk, registration_id=first.registration_id, points=100, reason="x"
    )


def penalty_and_back(serie: Serie) -> None:
    give(list_of(serie, 1))
    penalties.withdraw(COMMAND, Penalty.objects.get().pk, reason="x")


def exclusion_and_back(serie: Serie) -> None:
    registration = serie.tournament.registrations.get(number=1)
    exclusions.exclude(COMMAND, registration.pk, reason="x")
    exclusions.take_back(COMMAND, registration.pk, reason="x")


def proven(serie: Serie) -> bool:
    return not list(proof.of_tournament(serie.tournament))


@pytest.mark.parametrize(
    "do",
    [
        line,
        bonus_size,
        invalid_and_valid_again,
        seats_of_signed_lists,
        penalty_and_back,
        exclusion_and_back,
    ],
)
def test_a_correction_of_a_signed_list_is_proved(do: Callable[[Serie], None]):
    serie = seated()

    do(serie)

    assert proven(serie)


def ended_and_going_on(serie: Serie) -> None:
    correct(serie, Kind.ENDED, {"ended": {"games": 4, "left": [2]}})
    correct(serie, Kind.GOES_ON, {})


def moved_with_games(serie: Serie) -> None:
    versions = dict(Spielliste.objects.values_list("pk", "version"))
    moves.move_at_the_tables(
        COMMAND, serie.pk, facts=places(serie, "person"), reason="x", versions=versions
    )


@pytest.mark.parametrize("do", [ended_and_going_on, moved_with_games])
def test_acts_at_the_tables_are_proved(do: Callable[[Serie], None]):
    serie = seated(games=4)

    do(serie)

    assert proven(serie)


@pytest.mark.parametrize("is_approved", [True, False])
def test_proposal_and_decision_of_four_eyes_are_proved(*, is_approved: bool):
    serie = seated(four_eyes=True)
    first, second = (acting(serie.tournament) for _eyes in range(2))

    proposed = correct(serie, Kind.LINE, {"game": 1, "line": SLIP}, by=first)
    assert proven(serie)
    if is_approved:
        four_eyes.approve(second, proposed.pk)
    else:
        four_eyes.reject(second, proposed.pk, reason="steht richtig da")

    assert proven(serie)


def test_a_line_manipulated_after_its_correction_is_detected():
    serie = seated()
    line(serie)

    list_of(serie, 1).games.filter(number=1).update(line=FOUR[1])

    assert not proven(serie)
