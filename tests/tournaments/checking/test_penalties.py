"""Strafpunkte and exclusion: proposed, given, withdrawn, and their effects on the ranking."""

from __future__ import annotations

import pytest

from tests.factories import acting, make_tournament
from tests.factories_lists import make_seated_serie
from tests.tournaments.corrections.signed_list import played
from tests.worlds import world
from tournaments.checking.services import exclusions, penalties
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.corrections.services import four_eyes
from tournaments.models import (
    Correction,
    JournalEntry,
    Notice,
    Penalty,
    Registration,
    Role,
    Spielliste,
)
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def actor(spielliste: Spielliste, role: Role = Role.SPIELLEITUNG) -> Actor:
    return acting(spielliste.table.serie.tournament, role)


def at_seat(spielliste: Spielliste, seat: int) -> Registration:
    return spielliste.table.seats.get(number=seat).registration


def facts(spielliste: Spielliste, **more):
    return {
        "pk": spielliste.pk,
        "registration_id": at_seat(spielliste, 2).pk,
        "points": penalties.LAID_OUT,
        "reason": "Karten zusammengeworfen",
        "by": actor(spielliste),
        **more,
    }


def ranks(spielliste: Spielliste) -> dict[int, int]:
    standings = Rankings(spielliste.table.serie.tournament).standings(OVERALL)
    return {line.number: line.rank for line in standings}


spielliste = world(played)


def test_a_proposed_penalty_counts_after_the_spielleitung_gives_it(
    spielliste: Spielliste,
):
    by = actor(spielliste, Role.SCHIEDSRICHTER)
    proposed = penalties.propose(**facts(spielliste, by=by))
    assert ranks(spielliste)[2] == 1

    correction = penalties.give(actor(spielliste), proposed.pk)

    proposed.refresh_from_db()
    assert proposed.status == Penalty.Status.GIVEN
    assert (proposed.proposed_by, proposed.paragraph) == (by.user, "8.3")
    # 201 + 100 is as much as seat 4 has; three games finished beat two (§ 1.5).
    assert ranks(spielliste) == {1: 1, 3: 2, 2: 3, 4: 4}
    assert correction.kind == Correction.Kind.PENALTY
    assert correction.effects["persons"][0]["points"] == [201, 301]
    assert Notice.objects.get().registration == at_seat(spielliste, 2)


def test_strafpunkte_are_given_at_once_and_withdrawn_again(spielliste: Spielliste):
    given = penalties.give_at_once(**facts(spielliste, points=penalties.NOT_LAID_OUT))
    assert given.effects["persons"][0]["points"] == [201, 351]

    penalty = Penalty.objects.get()
    back = penalties.withdraw(actor(spielliste), penalty.pk, reason="Zeuge gehört")

    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.WITHDRAWN
    assert back.kind == Correction.Kind.PENALTY_WITHDRAWN
    assert ranks(spielliste)[2] == 1
    spielliste.refresh_from_db()
    assert spielliste.version == 14


def test_strafpunkte_do_not_disturb_a_playing_table():
    spielliste = played(Status.OPEN, games=3)

    penalties.give_at_once(**facts(spielliste))

    spielliste.refresh_from_db()
    assert spielliste.version == 3


def test_strafpunkte_raise_the_version_of_the_list():
    spielliste = played(Status.COMPLETE)

    penalties.give_at_once(**facts(spielliste))

    spielliste.refresh_from_db()
    assert spielliste.version == 13


@pytest.mark.parametrize(
    ("more", "message"),
    [
        pytest.param({"points": 0}, "von 1 bis", id="no points"),
        pytest.param({"points": 10_000}, "von 1 bis", id="too many"),
        pytest.param({"reason": " "}, "brauchen einen Grund", id="§ 8.3 no reason"),
        pytest.param({"reason": "x" * 301}, "höchstens 300", id="endless reason"),
    ],
)
def test_incomplete_strafpunkte_are_refused(more, message: str, spielliste: Spielliste):
    with pytest.raises(TournamentError, match=message):
        penalties.propose(**facts(spielliste, **more))

    assert not Penalty.objects.exists()


def test_strafpunkte_are_for_people_on_the_list_only():
    spielliste, other = played(), played()

    with pytest.raises(TournamentError, match="auf der Liste"):
        penalties.propose(**facts(spielliste, registration_id=at_seat(other, 1).pk))


def test_equal_strafpunkte_of_two_people_are_given_once(spielliste: Spielliste):
    penalties.propose(**facts(spielliste))

    with pytest.raises(Conflict, match="schon da"):
        penalties.give_at_once(**facts(spielliste))


def test_an_invalid_list_refuses_strafpunkte():
    spielliste = played(Status.INVALID)

    with pytest.raises(WrongStatus, match="ungültig"):
        penalties.propose(**facts(spielliste))


@pytest.mark.both
def test_a_proposal_is_rejected_with_a_reason(spielliste: Spielliste):
    proposed = penalties.propose(**facts(spielliste))

    with pytest.raises(TournamentError, match="warum"):
        penalties.reject(actor(spielliste), proposed.pk, reason="")
    penalties.reject(actor(spielliste), proposed.pk, reason="kein Zeuge")

    proposed.refresh_from_db()
    assert proposed.status == Penalty.Status.REJECTED
    assert JournalEntry.objects.last().action == "penalty_rejected"


@pytest.mark.parametrize("status", ["given", "rejected", "withdrawn"])
def test_decided_strafpunkte_are_not_decided_again(status: str, spielliste: Spielliste):
    penalty = penalties.propose(**facts(spielliste))
    Penalty.objects.update(status=status, decided_at=spielliste.handed_in_at)
    by = actor(spielliste)

    with pytest.raises(WrongStatus, match="schon"):
        penalties.give(by, penalty.pk)
    with pytest.raises(WrongStatus, match="schon"):
        penalties.reject(by, penalty.pk, reason="x")
    if status != "given":
        with pytest.raises(WrongStatus, match="nur erteilte"):
            penalties.withdraw(by, penalty.pk, reason="x")


def test_a_proposal_of_another_person_counts_as_the_first_of_four_eyes():
    spielliste = played(four_eyes=True)
    proposed = penalties.propose(**facts(spielliste, by=actor(spielliste, Role.SCHIEDSRICHTER)))

    done = penalties.give(actor(spielliste), proposed.pk)

    assert done.status == Correction.Status.CARRIED_OUT


def test_four_eyes_hold_own_strafpunkte_for_a_second_person():
    spielliste = played(four_eyes=True)
    first, second = actor(spielliste), actor(spielliste)
    waiting = penalties.give_at_once(**facts(spielliste, by=first))
    assert waiting.status == Correction.Status.PROPOSED
    assert Penalty.objects.get().status == Penalty.Status.PROPOSED

    four_eyes.approve(second, waiting.pk)

    assert Penalty.objects.get().status == Penalty.Status.GIVEN


def test_rejecting_waiting_strafpunkte_ends_their_correction():
    spielliste = played(four_eyes=True)
    waiting = penalties.give_at_once(**facts(spielliste))

    penalties.reject(actor(spielliste), Penalty.objects.get().pk, reason="kein Zeuge")

    waiting.refresh_from_db()
    assert waiting.status == Correction.Status.REJECTED
    assert Penalty.objects.get().status == Penalty.Status.REJECTED


# --- Exclusion (§ 1.4) ---------------------------------------------------------------------------


def test_rejecting_a_proposal_keeps_other_strafpunkte_waiting():
    spielliste = played(four_eyes=True)
    proposed = penalties.propose(**facts(spielliste, registration_id=at_seat(spielliste, 3).pk))
    waiting = penalties.give_at_once(**facts(spielliste))

    rejected = penalties.reject(actor(spielliste), proposed.pk, reason="war jemand anderes")

    waiting.refresh_from_db()
    assert rejected.status == Penalty.Status.REJECTED
    assert waiting.status == Correction.Status.PROPOSED


def test_an_exclusion_removes_from_the_ranking_until_undone(spielliste: Spielliste):
    second = at_seat(spielliste, 2)

    correction = exclusions.exclude(actor(spielliste), second.pk, reason="Tätlichkeit")
    assert ranks(spielliste) == {1: 1, 3: 2, 4: 3}
    assert correction.paragraph == "1.4"
    assert correction.effects["persons"][0]["rank"] == [1, None]
    assert {effect["number"] for effect in correction.effects["others"]} == {1, 3, 4}
    assert Notice.objects.get().registration == second

    exclusions.take_back(actor(spielliste), second.pk, reason="Irrtum")
    assert ranks(spielliste) == {2: 1, 1: 2, 3: 3, 4: 4}


def test_the_preview_of_an_exclusion_changes_nothing(spielliste: Spielliste):
    second = at_seat(spielliste, 2)

    effects = exclusions.preview(second)

    assert effects.effects.persons[0].rank == (1, None)
    second.refresh_from_db()
    assert second.status == Registration.Status.PAID


def test_seats_of_an_excluded_person_in_future_serien_are_named(
    spielliste: Spielliste,
):
    first = spielliste.table.serie
    first.started_at = spielliste.handed_in_at
    first.save()
    seats = [seat.registration for seat in spielliste.table.seats.order_by("number")]
    make_seated_serie(first.tournament, [seats], number=2)

    rests = exclusions.preview(seats[1]).effects.rests

    assert rests == (
        "Nr. 2 hat in Serie 2 einen Platz an Tisch 1; was daraus wird, steht unter „Auslosung“.",
    )


def test_the_seat_of_a_person_excluded_before_the_first_game_is_named():
    serie = make_seated_serie(make_tournament())
    registration = serie.tournament.registrations.get(number=2)

    seen = exclusions.preview(registration)

    assert seen.effects.rests == (
        "Nr. 2 hat in Serie 1 einen Platz an Tisch 1; was daraus wird, steht unter „Auslosung“.",
    )


def test_repeated_exclusions_and_undos_are_refused(spielliste: Spielliste):
    second = at_seat(spielliste, 2)
    by = actor(spielliste)

    with pytest.raises(WrongStatus, match="nicht ausgeschlossen"):
        exclusions.take_back(by, second.pk, reason="x")
    exclusions.exclude(by, second.pk, reason="Tätlichkeit")
    with pytest.raises(WrongStatus, match="kann nicht ausgeschlossen werden"):
        exclusions.exclude(by, second.pk, reason="Tätlichkeit")


def test_an_exclusion_waits_for_a_second_person_once():
    spielliste = played(four_eyes=True)
    second = at_seat(spielliste, 2)
    waiting = exclusions.exclude(actor(spielliste), second.pk, reason="Tätlichkeit")
    second.refresh_from_db()
    assert second.status == Registration.Status.PAID

    with pytest.raises(Conflict, match="zweite Person"):
        exclusions.exclude(actor(spielliste), second.pk, reason="Noch eine")
    exclusions.exclude(actor(spielliste), at_seat(spielliste, 3).pk, reason="Mittäter")
    four_eyes.approve(actor(spielliste), waiting.pk)

    second.refresh_from_db()
    assert second.status == Registration.Status.EXCLUDED
