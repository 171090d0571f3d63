"""The steps above every page: where they lead, and what counts as done."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_players, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.models import Registration, Role, Serie, Tournament
from tournaments.web.steps import steps

pytestmark = pytest.mark.django_db


def states(tournament: Tournament) -> list[str]:
    return [step.state for step in steps(tournament, {Role.SPIELLEITUNG}, "people")]


def test_a_draft_has_nothing_done():
    assert set(states(make_tournament(status="draft"))) == {"open"}


def test_an_announced_tournament_has_its_ausschreibung_done():
    assert states(make_tournament())[:3] == ["done", "open", "open"]


def test_registrations_are_done_when_the_tournament_runs_and_all_have_paid():
    tournament = make_tournament(status="running")
    one = make_registration(tournament, status=Registration.Status.REGISTERED)
    assert states(tournament)[1] == "open"

    one.status = Registration.Status.PAID
    one.save()

    assert states(tournament)[1] == "done"


def test_draw_is_done_when_every_serie_is_seated():
    tournament = make_tournament(status="running", serien=1)
    make_players(tournament, 4)
    assert states(tournament)[2] == "open"

    draw = draws.begin(COMMAND, tournament.serien.get().pk, method=Serie.Seating.CARDS)
    draw_cards.fill_up(COMMAND, draw.pk)
    draws.publish(COMMAND, draw.pk)

    assert states(tournament)[2] == "done"


@pytest.mark.parametrize(
    ("statuses", "done"),
    [
        pytest.param(("complete", "handed_in"), ["open", "open"], id="one still plays"),
        pytest.param(("handed_in", "verified"), ["done", "open"], id="one to be checked"),
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


def test_the_page_at_hand_is_the_current_step():
    found = steps(make_tournament(), {Role.KASSE}, "cash")

    assert [step.state for step in found][1] == "current"


@pytest.mark.parametrize(
    ("role", "end"),
    [
        pytest.param(Role.KASSE, "/meldungen/", id="desk"),
        pytest.param(Role.SCHIEDSRICHTER, "/meldungen/liste/", id="only reads"),
    ],
)
def test_each_role_is_led_to_a_page_that_it_may_see(role: Role, end: str):
    found = steps(make_tournament(), {role}, "setup")

    assert found[1].url.endswith(end)
