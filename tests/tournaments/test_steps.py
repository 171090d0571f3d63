"""The steps above every page: where they lead, and what counts as done."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_registration, make_tournament
from tournaments.models import Registration, Role, Serie, Tournament
from tournaments.services import draw_cards, draws
from tournaments.steps import steps

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
    for _player in range(4):
        make_registration(tournament)
    assert states(tournament)[2] == "open"

    draw = draws.begin(
        serie_id=tournament.serien.get().pk, method=Serie.Seating.CARDS, actor=COMMAND
    )
    draw_cards.fill_up(draw_id=draw.pk, actor=COMMAND)
    draws.publish(draw_id=draw.pk, actor=COMMAND)

    assert states(tournament)[2] == "done"


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
