"""The steps above every page: their links and their completion."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.factories import COMMAND, make_players, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.models import Registration, Role, Serie, Tournament
from tournaments.web.steps import steps

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def states(tournament: Tournament) -> list[str]:
    return [step.state for step in steps(tournament, {Role.SPIELLEITUNG}, "people")]


def test_a_draft_has_nothing_done():
    assert states(make_tournament(status="draft")) == ["now", *["open"] * 6]


def test_an_announced_tournament_has_its_ausschreibung_done():
    assert states(make_tournament()) == ["done", "now", *["open"] * 5]


def test_a_called_off_tournament_has_no_next_step():
    called_off = make_tournament(status="called_off", called_off_reason="Hochwasser")

    assert states(called_off) == ["done", *["open"] * 6]


DAY = {
    "nobody drawn": ((), ["now", "open", "open", "open"], ""),
    "first one played": (("open",), ["half", "now", "open", "open"], "1 von 3"),
    "first one to be checked": (("handed_in",), ["half", "half", "now", "open"], "1 von 3"),
    "second one to be drawn": (("verified",), ["now", "half", "half", "open"], ""),
    "second one played": (("verified", "complete"), ["half", "now", "half", "open"], "2 von 3"),
    "all over": (("verified", "invalid", "verified"), ["done", "done", "done", "now"], ""),
}


@pytest.mark.parametrize(("played", "wanted", "note"), DAY.values(), ids=DAY)
def test_the_steps_show_the_progress_of_the_day(
    played: tuple[str, ...],
    wanted: list[str],
    note: str,
    django_assert_num_queries: DjangoAssertNumQueries,
):
    tournament = make_tournament(status="running")
    for number, status in enumerate(played, start=1):
        write_games(list_of(make_seated_serie(tournament, number=number)), status=status)

    with django_assert_num_queries(2):
        shown = steps(tournament, {Role.SPIELLEITUNG}, "draw")

    assert [shown[at].state for at in (2, 3, 4, 6)] == wanted
    assert shown[2].note == note
    assert [step.is_here for step in shown] == [False, False, True, *[False] * 4]


def test_registrations_are_done_when_the_tournament_runs_and_all_have_paid():
    tournament = make_tournament(status="running")
    registration = make_registration(tournament, status=Registration.Status.REGISTERED)
    assert states(tournament)[1] == "open"

    registration.status = Registration.Status.PAID
    registration.save()

    assert states(tournament)[1] == "done"


def test_draw_is_done_when_every_serie_is_seated():
    tournament = make_tournament(status="running", serien=1)
    make_players(tournament, 4)
    assert states(tournament)[2] == "now"

    draw = draws.begin(COMMAND, tournament.serien.get().pk, method=Serie.Seating.CARDS)
    draw_cards.fill_up(COMMAND, draw.pk)
    draws.publish(COMMAND, draw.pk)

    assert states(tournament)[2] == "done"


@pytest.mark.parametrize(
    ("statuses", "done"),
    [
        pytest.param(("complete", "handed_in"), ["now", "open"], id="one still plays"),
        pytest.param(("handed_in", "verified"), ["done", "now"], id="one to be checked"),
        pytest.param(("invalid", "verified"), ["done", "done"], id="all settled"),
    ],
)
def test_lists_are_done_when_handed_in_and_checking_when_settled(
    statuses: tuple[str, str], done: list[str]
):
    tournament = make_tournament(status="running", serien=1)
    rows = [make_players(tournament, 4) for _table in statuses]
    serie = make_seated_serie(tournament, rows)
    for table, status in enumerate(statuses, start=1):
        write_games(list_of(serie, table), status=status)

    assert states(tournament)[3:5] == done


def test_a_closed_tournament_has_everything_done():
    assert set(states(make_tournament(status="closed"))) == {"done"}


@pytest.mark.parametrize(
    ("role", "end"),
    [
        pytest.param(Role.KASSE, "/meldungen/", id="desk"),
        pytest.param(Role.SCHIEDSRICHTER, "/meldungen/liste/", id="only reads"),
    ],
)
def test_each_role_is_linked_to_an_accessible_page(role: Role, end: str):
    shown = steps(make_tournament(), {role}, "setup")

    assert shown[1].url.endswith(end)
