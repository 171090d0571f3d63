"""With four eyes a correction waits for another account."""

from __future__ import annotations

import pytest

from tests.factories_lists import FOUR
from tests.tournaments.corrections.signed_list import correct_line, played, somebody, total
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.corrections.services import four_eyes
from tournaments.models import Correction, JournalEntry, Notice, Seat, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_four_eyes_hold_a_correction_for_another_account():
    spielliste = played(four_eyes=True)
    first, second = somebody(spielliste), somebody(spielliste)

    proposed = correct_line(spielliste, actor=first)
    assert proposed.status == Correction.Status.PROPOSED
    assert total(spielliste, 3) == 279
    assert not Notice.objects.exists()

    done = four_eyes.approve(second, proposed.pk)

    assert done.status == Correction.Status.CARRIED_OUT
    assert (done.created_by, done.decided_by) == (first.user, second.user)
    assert done.version == 13
    assert total(spielliste, 3) == 288
    assert Notice.objects.filter(correction=done).count() == 4
    assert [entry.action for entry in JournalEntry.objects.order_by("pk")] == [
        "correction_proposed",
        "correction_done",
    ]


def test_own_proposals_cannot_be_approved():
    spielliste = played(four_eyes=True)
    actor = somebody(spielliste)
    proposed = correct_line(spielliste, actor=actor)

    with pytest.raises(NotAllowed, match="zweite Person"):
        four_eyes.approve(actor, proposed.pk)
    with pytest.raises(NotAllowed):
        four_eyes.approve(Actor.command("tests"), proposed.pk)

    assert total(spielliste, 3) == 279


def test_four_eyes_prevent_proposals_by_commands():
    spielliste = played(four_eyes=True)

    with pytest.raises(NotAllowed, match="von einem Konto"):
        correct_line(spielliste, actor=Actor.command("tests"))


def test_a_decided_proposal_is_final():
    spielliste = played(four_eyes=True)
    first, second = somebody(spielliste), somebody(spielliste)
    proposed = correct_line(spielliste, actor=first)

    with pytest.raises(TournamentError, match="warum"):
        four_eyes.reject(second, proposed.pk, reason="")
    four_eyes.reject(second, proposed.pk, reason="steht richtig da")

    with pytest.raises(WrongStatus, match="abgelehnt"):
        four_eyes.approve(second, proposed.pk)
    with pytest.raises(WrongStatus, match="abgelehnt"):
        four_eyes.reject(second, proposed.pk, reason="noch einmal")
    assert total(spielliste, 3) == 279


def test_a_list_has_one_proposal_at_a_time():
    spielliste = played(four_eyes=True)
    correct_line(spielliste)

    with pytest.raises(Conflict, match="wartet noch auf die zweite Person"):
        correct_line(spielliste, game=2, line={**FOUR[1], "minus": [13, 0, 18, 40]})


def test_a_proposal_is_not_approved_once_the_list_has_changed():
    spielliste = played(four_eyes=True)
    proposed = correct_line(spielliste)
    Spielliste.objects.filter(pk=spielliste.pk).update(version=14)

    with pytest.raises(Conflict, match="inzwischen geändert"):
        four_eyes.approve(somebody(spielliste), proposed.pk)

    assert Seat.objects.count() == 4
    assert total(spielliste, 3) == 279
