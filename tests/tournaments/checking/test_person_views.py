"""Pages about persons of a list: Strafpunkte, exclusions and moves."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import make_member
from tests.tournaments.checking.pages import (
    Status,
    log_in,
    look_and_store,
    played,
    proposed_penalty,
    shown_in,
    the_list,
    url,
)
from tests.worlds import world
from tournaments.models import Correction, Game, Penalty, Registration, Role, Seat, Tournament

pytestmark = pytest.mark.django_db

tournament = world(played)


def penalty_of(tournament: Tournament, **more) -> dict[str, object]:
    first = the_list(tournament).table.seats.get(number=1).registration
    return {
        "registration": first.pk,
        "points": 150,
        "reason": "Karten zusammengeworfen",
        "paragraph": "8.3",
        **more,
    }


def test_a_schiedsrichter_proposes_and_the_spielleitung_decides(
    client: Client, tournament: Tournament
):
    log_in(client, tournament, Role.SCHIEDSRICHTER)
    client.post(url(tournament, "penalties"), penalty_of(tournament))
    penalty = Penalty.objects.get()
    assert penalty.status == Penalty.Status.PROPOSED

    log_in(client, tournament)
    assert "360" in client.get(url(tournament, "penalties")).content.decode()  # 210 + 150
    client.post(url(tournament, "give", penalty.pk))
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.GIVEN

    assert client.post(url(tournament, "withdraw", penalty.pk), {}).status_code == 422
    client.post(url(tournament, "withdraw", penalty.pk), {"reason": "Zeuge gehört"})
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.WITHDRAWN
    again = client.post(url(tournament, "withdraw", penalty.pk), {"reason": "noch einmal"})
    assert again.status_code == 409


def test_the_spielleitung_gives_strafpunkte_and_rejects_proposals(
    client: Client, tournament: Tournament
):
    penalty = proposed_penalty(tournament)
    log_in(client, tournament)

    typed = penalty_of(tournament, points=0, other_points=75)
    looked = client.post(url(tournament, "penalties"), typed).content.decode()
    assert not Penalty.objects.filter(points=75).exists()
    assert "285" in looked  # 210 + 75
    client.post(url(tournament, "penalties"), {**typed, "shown": shown_in(looked)})
    client.post(url(tournament, "reject_penalty", penalty.pk), {"reason": "kein Zeuge"})
    twice = look_and_store(client, url(tournament, "penalties"), typed)
    nothing = client.post(url(tournament, "penalties"), penalty_of(tournament, points=0))

    assert Penalty.objects.get(points=75).status == Penalty.Status.GIVEN
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.REJECTED
    assert (twice.status_code, nothing.status_code) == (409, 422)


@pytest.mark.parametrize(
    ("four_eyes", "button"),
    [
        pytest.param(False, "Erteilen", id="one decides"),
        pytest.param(True, "Der zweiten Person vorschlagen", id="two decide"),
    ],
)
def test_the_button_distinguishes_giving_and_proposing(
    client: Client, tournament: Tournament, four_eyes: bool, button: str
):
    Tournament.objects.filter(pk=tournament.pk).update(four_eyes=four_eyes)
    log_in(client, tournament)

    looked = client.post(url(tournament, "penalties"), penalty_of(tournament)).content.decode()

    assert (
        looked.split('<button class="button" autofocus>')[1].split("</button>")[0].strip() == button
    )


@pytest.mark.parametrize("is_own", [True, False])
def test_four_eyes_hold_the_own_proposal_for_a_second_person(
    client: Client, tournament: Tournament, is_own: bool
):
    Tournament.objects.filter(pk=tournament.pk).update(four_eyes=True)
    leader = make_member(tournament, Role.SPIELLEITUNG)
    other = make_member(tournament, Role.SCHIEDSRICHTER)
    penalty = proposed_penalty(tournament)
    Penalty.objects.update(proposed_by=leader if is_own else other)
    client.force_login(leader)

    page = client.get(url(tournament, "penalties")).content.decode()

    form = page.split(url(tournament, "give", penalty.pk))[1].split("</form>")[0]
    assert ("Der zweiten Person vorschlagen" in form) == is_own
    assert ("Erteilen" in form) != is_own


def test_an_exclusion_is_previewed_stored_and_undone(client: Client, tournament: Tournament):
    log_in(client, tournament)

    for status in (Registration.Status.EXCLUDED, Registration.Status.REGISTERED):
        page = client.get(url(tournament, "exclusion", 2)).content.decode()
        client.post(
            url(tournament, "exclusion", 2),
            {"version": 0, "reason": "Tätlichkeit", "shown": shown_in(page)},
        )
        assert tournament.registrations.get(number=2).status == status
    unseen = client.post(
        url(tournament, "exclusion", 3), {"version": 0, "reason": "x", "shown": "other"}
    )
    assert unseen.status_code == 409
    assert client.post(url(tournament, "exclusion", 3), {"version": 0}).status_code == 422


def test_people_are_moved_after_a_preview(client: Client):
    tournament = played(Status.OPEN, tables=2)
    Game.objects.filter(number__gt=4).delete()
    log_in(client, tournament)
    typed = {"numbers": "1 5", "games": "person", "reason": "falsch hingesetzt"}

    looked = client.post(url(tournament, "move", 1), typed).content.decode()
    assert Seat.objects.filter(table__number=1, registration__number=1).exists()
    client.post(url(tournament, "move", 1), {**typed, "shown": shown_in(looked)})

    assert Seat.objects.get(registration__number=1).table.number == 2
    assert not Correction.objects.exists()


def test_moving_people_of_signed_lists_is_a_correction(client: Client):
    tournament = played(tables=2)
    log_in(client, tournament)
    typed = {"numbers": "1 5", "games": "place", "reason": "Namen vertauscht"}

    look_and_store(client, url(tournament, "move", 1), typed)

    assert Correction.objects.get().kind == Correction.Kind.SEATS
    page = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Tisch 1, Platz 1" in page
    assert "Nr. 5" in page


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        pytest.param({"numbers": "1 99"}, 409, id="unknown number"),
        pytest.param({"numbers": "Anna"}, 422, id="no number"),
        pytest.param({"numbers": "1 5", "reason": ""}, 422, id="no reason"),
    ],
)
def test_an_impossible_move_is_refused(client: Client, typed, status: int):
    tournament = played(Status.OPEN, tables=2)
    log_in(client, tournament)

    answer = client.post(
        url(tournament, "move", 1), {"games": "place", "reason": "falsch", **typed}
    )

    assert answer.status_code == status
    assert Seat.objects.filter(table__number=1, registration__number=1).exists()
