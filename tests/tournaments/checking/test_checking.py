"""Verification of lists (§ 2.2.5): allowed states and open decisions."""

from __future__ import annotations

import pytest

from tests.factories import acting
from tests.tournaments.corrections.signed_list import played
from tournaments.checking.services import checking
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.corrections.services import corrections
from tournaments.models import Case, Correction, JournalEntry, Penalty, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def verify(spielliste: Spielliste, **more) -> Spielliste:
    actor = more.pop("actor", None) or acting(spielliste.table.serie.tournament)
    return checking.verify(actor, spielliste.pk, **{"version": 12, **more})


def test_a_list_that_was_handed_in_is_verified_with_name_and_time():
    spielliste = played()
    actor = acting(spielliste.table.serie.tournament)

    verify(spielliste, actor=actor)

    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.verified_by) == (Status.VERIFIED, actor.user)
    entry = JournalEntry.objects.get()
    assert (entry.action, entry.subject_id) == ("list_verified", spielliste.pk)


def test_a_list_in_another_state_is_refused_with_its_state():
    with pytest.raises(WrongStatus, match="ist unterschrieben; geprüft wird, was abgegeben ist"):
        verify(played(Status.SIGNED))
    spielliste = played()
    with pytest.raises(WrongStatus, match="nicht geprüft"):
        checking.unverify(
            acting(spielliste.table.serie.tournament), spielliste.pk, reason="Versuch"
        )


def test_matching_and_accepted_sums_are_stored_with_the_list():
    right, accepted = played(), played()

    # Seat 4 went on to the result: 341 − 2 × 20.
    verify(right, paper_sums=[290, 311, 339, 301])
    verify(accepted, paper_sums=[None, None, 393, None], despite_difference=True)

    for spielliste in (right, accepted):
        spielliste.refresh_from_db()
    assert right.paper_sums == [290, 311, 339, 301]
    assert accepted.paper_sums == [None, None, 393, None]
    assert JournalEntry.objects.last().after["differences"] == 1


def test_more_sums_than_seats_are_refused():
    with pytest.raises(TournamentError, match="4 Plätze"):
        verify(played(), paper_sums=[290, 311, 339, 341, 100])


def proposal(spielliste: Spielliste) -> None:
    corrections.correct_list(
        acting(spielliste.table.serie.tournament),
        spielliste.pk,
        kind=Correction.Kind.INVALID,
        facts={},
        reason="unleserlich",
        versions={spielliste.pk: 12},
    )


def penalty(spielliste: Spielliste) -> None:
    Penalty.objects.create(
        spielliste=spielliste,
        registration=spielliste.table.seats.get(number=2).registration,
        points=100,
        reason="verdeckt gezählt",
    )


def request(spielliste: Spielliste) -> None:
    Case.objects.create(
        tournament=spielliste.table.serie.tournament,
        spielliste=spielliste,
        kind=Case.Kind.CORRECTION,
        text="Spiel 3 falsch herum",
    )


@pytest.mark.parametrize(
    ("leave_open", "message"),
    [
        pytest.param(proposal, "Berichtigung 1 wartet", id="proposal"),
        pytest.param(penalty, "100 Strafpunkte für Nr. 2", id="§ 8.3 penalty"),
        pytest.param(request, "Spiel 3 falsch herum", id="request"),
    ],
)
def test_a_list_with_an_undecided_case_is_not_verified(leave_open, message: str):
    spielliste = played(four_eyes=True)
    leave_open(spielliste)

    with pytest.raises(WrongStatus, match=message):
        verify(spielliste)
