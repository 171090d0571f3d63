"""Cases are decided once with a text, and their authors are informed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.tournaments.notices.helpers import (
    leader_of,
    make_case,
    make_checked_list,
    players_of,
    tournament_of,
)
from tests.worlds import world
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.models import Case, JournalEntry, WayOfTelling
from tournaments.notices.services import cases, notices

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)  # 14:00 in Germany
PLAYER = Actor(kind=JournalEntry.ActorKind.PLAYER, label="Nr. 2")


def decided(**fields: Any) -> Case:
    return make_case(make_checked_list(), decision="Es bleibt bei 41.", decided_at=NOON, **fields)


spielliste = world(make_checked_list)


def test_a_decision_is_stored_with_wording_and_author(spielliste):
    case = make_case(spielliste)
    leader = leader_of(tournament_of(spielliste))

    cases.decide(Actor.account(leader), case.pk, decision=" Es bleibt bei 41. ", now=NOON)

    case.refresh_from_db()
    assert (case.decision, case.decided_at, case.decided_by) == ("Es bleibt bei 41.", NOON, leader)
    assert case.told_at is None
    entry = JournalEntry.objects.get()
    assert (entry.action, entry.actor, entry.subject_id) == ("case_decided", leader, case.pk)
    assert entry.after == {
        "kind": "correction",
        "spielliste": spielliste.pk,
        "registration": None,
    }  # and no word of it


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [("  ", "Bitte die Entscheidung"), ("x" * 1001, "hat 1001 Zeichen; möglich sind 1000")],
)
def test_a_decision_needs_a_text(decision: str, sentence: str, spielliste):
    case = make_case(spielliste)

    with pytest.raises(TournamentError, match=sentence):
        cases.decide(
            Actor.account(leader_of(tournament_of(spielliste))), case.pk, decision=decision
        )

    case.refresh_from_db()
    assert case.decided_at is None


def test_an_undecided_case_cannot_be_communicated(spielliste):
    case = make_case(spielliste)

    with pytest.raises(WrongStatus, match="noch nicht entschieden"):
        cases.tell(
            Actor.account(leader_of(tournament_of(spielliste))), case.pk, how=WayOfTelling.ORAL
        )


@pytest.mark.parametrize("how", [WayOfTelling.PAGE, "", "pigeon"])
def test_only_manual_ways_can_be_recorded_by_hand(how: str):
    case = decided()

    with pytest.raises(TournamentError, match="mündlich, mit Zettel oder per E-Mail"):
        cases.tell(Actor.account(leader_of(case.tournament)), case.pk, how=how)


def test_opening_the_own_page_communicates_a_decision_once(spielliste):
    own = players_of(spielliste)[1]
    open_case = make_case(spielliste, registration=own)
    case = make_case(spielliste, registration=own, decision="Nein.", decided_at=NOON)

    first = notices.record_page_opened(PLAYER, own.pk, now=NOON)
    second = notices.record_page_opened(PLAYER, own.pk, now=NOON)

    case.refresh_from_db()
    open_case.refresh_from_db()
    assert (list(first), list(second)) == ([], [])
    assert JournalEntry.objects.count() == 1
    assert (case.told_how, case.told_at, case.told_by) == ("page", NOON, None)
    assert open_case.told_at is None
