"""The draw asks about paid people who are not ticked off."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_players, make_registration, make_tournament
from tests.factories_lists import make_seated_serie
from tests.worlds import world
from tournaments.desk.services.absentees import AbsenteeAnswers, NotTicked
from tournaments.draw.services import draws
from tournaments.models import Draw, JournalEntry, Registration, Serie, Tournament

pytestmark = pytest.mark.django_db


@world
def hall() -> Tournament:
    """Nine have paid, numbers 8 and 9 were not seen yet."""
    tournament = make_tournament()
    for number in range(1, 10):
        seen = {} if number < 8 else {"present_at": None}
        make_registration(tournament, number=number, **seen)
    return tournament


def begin(tournament: Tournament, answer: AbsenteeAnswers | None = None, **more) -> Draw:
    asked = tournament.registrations.filter(present_at__isnull=True).values_list("pk", flat=True)
    return draws.begin(
        COMMAND,
        tournament.serien.get(number=1).pk,
        method=Serie.Seating.ELECTRONIC,
        **{"unticked": answer, "asked": list(asked), **more},
    )


def players(draw: Draw) -> list[int]:
    return [player["id"] for player in draw.task["players"]]


def absent(tournament: Tournament) -> list[int | None]:
    registrations = tournament.registrations.filter(status=Registration.Status.NO_SHOW)
    return list(registrations.values_list("number", flat=True))


def test_drawing_people_not_ticked_off_needs_an_answer(hall):
    with pytest.raises(NotTicked, match=r"nicht abgehakt: 8 · .*; 9 · "):
        begin(hall)

    assert not Draw.objects.exists()


def test_an_unused_presence_list_is_one_question(hall):
    hall.registrations.update(present_at=None)
    make_players(hall, 20, present_at=None)

    with pytest.raises(NotTicked, match=r"8 · [^;]+ und \d\d weitere\. Bitte sagen"):
        begin(hall)


def test_an_answer_about_presence_covers_the_named_people_only(hall):
    registration = hall.registrations.get(number=8)

    with pytest.raises(NotTicked):
        begin(hall, AbsenteeAnswers.LEAVE_OUT, asked=[registration.pk])

    assert absent(hall) == []


@pytest.mark.parametrize(
    ("answer", "drawn", "left_out"),
    [
        pytest.param(AbsenteeAnswers.DRAW, 9, [], id="with them"),
        pytest.param(AbsenteeAnswers.TICK, 9, [], id="all ticked off"),
        pytest.param(AbsenteeAnswers.LEAVE_OUT, 7, [8, 9], id="without them"),
    ],
)
def test_the_answer_selects_the_drawn_people(hall, answer, drawn, left_out):
    draw = begin(hall, answer)

    assert players(draw) == list(range(1, drawn + 1))
    assert absent(hall) == left_out
    still_unseen = hall.registrations.filter(present_at__isnull=True, status="paid").count()
    assert still_unseen == (2 if answer == AbsenteeAnswers.DRAW else 0)
    said = JournalEntry.objects.get(action="draw_begun").after.get("unticked")
    assert said == ([8, 9] if answer == AbsenteeAnswers.DRAW else None)


def test_people_already_seated_are_no_question():
    tournament = make_tournament(serien=2)
    people = make_players(tournament, 8, present_at=None)
    make_seated_serie(tournament, [people[:4], people[4:]])

    draw = draws.begin(COMMAND, tournament.serien.get(number=2).pk, method=Serie.Seating.ELECTRONIC)

    assert len(players(draw)) == 8
