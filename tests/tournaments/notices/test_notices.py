"""Notices (§ 2.2.5): created once, communicated once, answered in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import COMMAND
from tests.tournaments.notices.helpers import (
    leader_of,
    make_case,
    make_checked_list,
    make_correction,
    make_notice,
    players_of,
    tournament_of,
)
from tests.worlds import world
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.journal.acts import Act
from tournaments.models import Case, Correction, JournalEntry, Notice, Spielliste, Tournament
from tournaments.models import WayOfTelling as Way
from tournaments.notices.queries.objections import objection_deadline
from tournaments.notices.services import notices

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOON = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)  # 14:00 in Germany
PLAYER = Actor(kind=JournalEntry.ActorKind.PLAYER, label="Nr. 2")


def entries(action: str) -> list[JournalEntry]:
    return list(JournalEntry.objects.filter(action=action))


def act_on(spielliste: Spielliste) -> Act[Tournament]:
    tournament = tournament_of(spielliste)
    return Act(tournament, tournament, COMMAND)


notice = world(make_notice)


def test_each_person_concerned_gets_one_notice_by_start_number():
    spielliste = make_checked_list()
    first, second, third, _fourth = players_of(spielliste)
    correction = make_correction(spielliste)

    made = notices.create_notices(
        act_on(spielliste), correction, registrations=[second, first, second]
    )
    later = notices.create_notices(act_on(spielliste), correction, registrations=[second, third])

    assert [notice.registration for notice in made] == [first, second]
    assert all(notice.told_at is None and notice.response == "" for notice in made)
    assert [notice.registration for notice in later] == [third]
    assert correction.notices.count() == 3


@pytest.mark.parametrize("status", [Correction.Status.PROPOSED, Correction.Status.REJECTED])
def test_a_pending_correction_creates_no_notices(status: str):
    spielliste = make_checked_list()
    correction = make_correction(spielliste, status=status)

    with pytest.raises(WrongStatus, match="erst, wenn sie ausgeführt ist"):
        notices.create_notices(act_on(spielliste), correction, registrations=players_of(spielliste))

    assert not Notice.objects.exists()


@pytest.mark.parametrize("how", [Way.ORAL, Way.SLIP])
def test_time_way_and_author_of_a_notice_are_stored(how: Way, notice):
    leader = leader_of(notice.correction.tournament)

    notices.tell(Actor.account(leader), notice.pk, how=how, now=NOON)

    notice.refresh_from_db()
    assert (notice.told_at, notice.told_how, notice.told_by) == (NOON, how, leader)
    assert notice.mailed_at is None
    entry = entries("notice_told")[0]
    assert entry.actor == leader
    assert entry.after == {
        "correction": 1,
        "registration": notice.registration_id,
        "how": how.value,
    }


def test_a_notice_is_communicated_once(notice):
    leader = leader_of(notice.correction.tournament)
    notices.tell(Actor.account(leader), notice.pk, how=Way.ORAL, now=NOON)

    with pytest.raises(Conflict, match=r"Nr\. 2 weiß es schon: mitgeteilt mündlich um 14:00 Uhr"):
        notices.tell(Actor.account(leader), notice.pk, how=Way.SLIP, now=NOON)

    assert len(entries("notice_told")) == 1


def test_a_later_mail_keeps_the_first_time_of_a_notice(notice):
    leader = leader_of(notice.correction.tournament)
    later = NOON + timedelta(minutes=5)
    notices.tell(Actor.account(leader), notice.pk, how=Way.ORAL, now=NOON)

    notices.tell(Actor.account(leader), notice.pk, how=Way.MAIL, now=later)

    notice.refresh_from_db()
    assert (notice.told_at, notice.told_how, notice.mailed_at) == (NOON, Way.ORAL, later)


@pytest.mark.parametrize("how", [Way.PAGE, "", "pigeon"])
def test_only_manual_ways_can_be_recorded_by_hand(how: str, notice):
    leader = leader_of(notice.correction.tournament)

    with pytest.raises(TournamentError, match="mündlich, mit Zettel oder per E-Mail"):
        notices.tell(Actor.account(leader), notice.pk, how=how)

    notice.refresh_from_db()
    assert notice.told_at is None


def test_slips_omit_people_informed_meanwhile():
    spielliste = make_checked_list()
    correction = make_correction(spielliste)
    made = notices.create_notices(
        act_on(spielliste), correction, registrations=players_of(spielliste)
    )
    leader = leader_of(tournament_of(spielliste))
    notices.tell(Actor.account(leader), made[0].pk, how=Way.ORAL, now=NOON)

    told = notices.tell_several(
        Actor.account(leader),
        correction.tournament_id,
        notice_ids=[notice.pk for notice in made],
        how=Way.SLIP,
        now=NOON,
    )

    assert told == 3
    assert [notice.told_how for notice in correction.notices.order_by("pk")] == [
        Way.ORAL,
        *[Way.SLIP] * 3,
    ]


def test_opening_the_own_page_communicates_its_notices_once(notice):
    own = notice.registration_id

    first = notices.record_page_opened(PLAYER, own, now=NOON)
    second = notices.record_page_opened(PLAYER, own, now=NOON)

    notice.refresh_from_db()
    assert (list(first), list(second)) == ([notice], [])
    assert (notice.told_how, notice.told_by, notice.told_at) == (Way.PAGE, None, NOON)
    assert [entry.actor_label for entry in entries("notice_told")] == ["Nr. 2"]


def test_an_objection_becomes_a_case():
    notice = make_notice(told_at=NOON, told_how=Way.ORAL)

    notices.object_to(
        PLAYER,
        notice.pk,
        text=" Es waren 35, die Dame lag schon. ",
        now=NOON + timedelta(minutes=15),
    )

    notice.refresh_from_db()
    case = Case.objects.get()
    assert (notice.response, notice.case) == (Notice.Response.OBJECTED, case)
    assert case.kind == Case.Kind.OBJECTION
    assert case.text == "Es waren 35, die Dame lag schon."
    assert (case.spielliste, case.game) == (notice.correction.spielliste, 3)
    assert case.registration == notice.registration
    assert case.decided_at is None
    # A player's text may contain names: it is in the case only.
    assert "Dame" not in str(entries("notice_objected")[0].after)


def test_taking_note_permits_a_later_objection():
    notice = make_notice(told_at=NOON, told_how=Way.ORAL)
    notices.acknowledge(PLAYER, notice.pk, now=NOON)
    notice.refresh_from_db()
    assert (notice.response, notice.response_at) == (Notice.Response.ACKNOWLEDGED, NOON)
    assert notice.case is None

    notices.object_to(PLAYER, notice.pk, text="Nein", now=NOON)

    notice.refresh_from_db()
    assert notice.response == Notice.Response.OBJECTED


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("  ", "Bitte schreiben, was"), ("x" * 1001, "hat 1001 Zeichen; möglich sind 1000")],
)
def test_an_objection_needs_a_text(text: str, sentence: str):
    notice = make_notice(told_at=NOON, told_how=Way.ORAL)

    with pytest.raises(TournamentError, match=sentence):
        notices.object_to(PLAYER, notice.pk, text=text, now=NOON)

    notice.refresh_from_db()
    assert notice.response == ""
    assert not Case.objects.exists()


def test_only_the_spielleitung_accepts_a_late_objection():
    notice = make_notice(told_at=NOON, told_how=Way.ORAL)
    late = NOON + timedelta(minutes=15, seconds=1)

    with pytest.raises(TournamentError, match="endete um 14:15 Uhr"):
        notices.object_to(PLAYER, notice.pk, text="Nein", now=late)
    leader = leader_of(notice.correction.tournament)
    notices.object_to(Actor.account(leader), notice.pk, text="Nein", now=late)

    assert Case.objects.get().text == "Nein"


@pytest.mark.parametrize(
    ("by_player", "how"),
    [pytest.param(True, Way.PAGE, id="own page"), pytest.param(False, Way.ORAL, id="at control")],
)
def test_an_answer_marks_a_notice_as_communicated(by_player: bool, how: Way, notice):
    leader = leader_of(notice.correction.tournament)
    actor = PLAYER if by_player else Actor.account(leader)

    notices.acknowledge(actor, notice.pk, now=NOON)

    notice.refresh_from_db()
    assert (notice.told_how, notice.told_at) == (how, NOON)


def test_the_protest_time_starts_with_the_notice():
    notice = make_notice(make_checked_list(protest_minutes=20))

    assert objection_deadline(notice) is None
    notice.told_at = NOON
    assert objection_deadline(notice) == NOON + timedelta(minutes=20)


def test_the_own_page_of_a_closed_tournament_communicates_nothing(notice):
    decided = {"decision": "Nein.", "decided_at": NOON}
    make_case(notice.correction.spielliste, registration=notice.registration, **decided)
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    assert notices.record_page_opened(PLAYER, notice.registration_id) == []

    assert not JournalEntry.objects.exists()
