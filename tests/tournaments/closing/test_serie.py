"""A Serie is closed when everything is checked, decided and communicated; open items are named."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.notices.helpers import (
    make_case,
    make_checked_list,
    make_correction,
    make_notice,
    players_of,
)
from tests.worlds import world
from tournaments.closing import services as closing
from tournaments.closing.queries.closing import of_serie
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.draw.services import draws
from tournaments.models import (
    Call,
    Case,
    Correction,
    Draw,
    Job,
    JournalEntry,
    Notice,
    Penalty,
    Registration,
    Serie,
    Spielliste,
    TableAccess,
    TableDevice,
    Tournament,
)
from tournaments.models.schedule import ScheduleItem

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOON = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)  # 14:00 in Germany


def close(spielliste: Spielliste) -> Serie:
    return closing.close_serie(COMMAND, spielliste.table.serie_id, now=NOON)


def proposed_penalty(spielliste: Spielliste) -> Penalty:
    return Penalty.objects.create(
        spielliste=spielliste,
        registration=players_of(spielliste)[2],
        points=100,
        reason="falsch ausgelegt",
    )


def untold_decision(spielliste: Spielliste) -> Case:
    return make_case(spielliste, decided_at=NOON, decision="Es bleibt dabei.")


def untold_exclusion(spielliste: Spielliste) -> Notice:
    correction = make_correction(
        spielliste, spielliste=None, kind=Correction.Kind.EXCLUSION, game=None
    )
    return make_notice(spielliste, seat=4, correction=correction)


spielliste = world(make_checked_list)


@pytest.mark.parametrize("status", ["verified", "invalid"])
def test_a_serie_is_closed_when_its_lists_are_verified_or_invalid(status: str):
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=1)
    spielliste = write_games(list_of(make_seated_serie(tournament)), status=status)

    close(spielliste)

    serie = Serie.objects.get()
    assert serie.closed_at == NOON
    entry = JournalEntry.objects.get()
    assert entry.action == "serie_closed"
    facts = {"serie": 1, "lists": 1, "invalid": int(status == "invalid")}
    assert entry.after == {"closed_at": NOON.isoformat(), **facts}


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("open", r"1 Liste ist weder geprüft noch ungültig \(§ 2\.2\.5\): Tisch 1 \(offen\)\."),
        ("complete", r"Tisch 1 \(vollständig\)"),
        ("signed", r"Tisch 1 \(unterschrieben\)"),
        ("handed_in", r"Tisch 1 \(abgegeben\)"),
    ],
)
def test_a_serie_with_an_unchecked_list_stays_open(status: str, sentence: str):
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=1)
    spielliste = write_games(list_of(make_seated_serie(tournament)), status=status)

    with pytest.raises(closing.NotSettled, match=sentence):
        close(spielliste)

    assert Serie.objects.get().closed_at is None
    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize(
    ("leave_open", "sentence"),
    [
        pytest.param(
            make_notice,
            r"Noch nicht mitgeteilt \(§ 2\.2\.5\): Nr\. 2 von Berichtigung 1\.",
            id="untold correction",
        ),
        pytest.param(
            untold_exclusion, r"Nr\. 4 von Berichtigung 1\.", id="untold exclusion of no list"
        ),
        pytest.param(make_case, r"1 Fall ist nicht entschieden: Tisch 1\.", id="open case"),
        pytest.param(
            untold_decision, "Entscheidung ist noch nicht mitgeteilt: Tisch 1", id="untold decision"
        ),
        pytest.param(
            lambda spielliste: make_correction(spielliste, status=Correction.Status.PROPOSED),
            "Berichtigung 1 wartet auf die zweite Person",
            id="proposed correction",
        ),
        pytest.param(
            proposed_penalty,
            r"vorgeschlagene Strafpunkte ist nicht entschieden: Nr\. 3\.",
            id="proposed penalty",
        ),
    ],
)
def test_a_serie_with_open_decisions_or_notices_stays_open(
    leave_open: Callable[[Spielliste], object], sentence: str, spielliste: Spielliste
):
    leave_open(spielliste)

    with pytest.raises(closing.NotSettled, match=sentence):
        close(spielliste)

    assert Serie.objects.get().closed_at is None


def test_all_open_items_are_named_at_once(spielliste: Spielliste):
    make_notice(spielliste)
    make_case(spielliste)

    with pytest.raises(closing.NotSettled) as refusal:
        close(spielliste)

    assert [item.kind.value for item in refusal.value.open] == ["notices", "cases"]


def test_open_items_of_another_serie_do_not_block():
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=2)
    first = make_seated_serie(tournament)
    done = write_games(list_of(first), status="verified")
    make_seated_serie(tournament, [players_of(done)], number=2)

    close(done)

    assert [serie.closed_at for serie in tournament.serien.order_by("number")] == [NOON, None]


def test_calls_and_protest_times_are_named_but_do_not_block(spielliste: Spielliste):
    spielliste.protest_until = NOON + timedelta(minutes=9)
    spielliste.save()
    make_notice(spielliste, told_at=NOON, told_how="oral")
    Call.objects.create(table=spielliste.table, kind=Call.Kind.OTHER)
    serie = spielliste.table.serie

    sentences = [item.sentence for item in of_serie(serie, NOON)]
    close(spielliste)

    assert sentences == [
        "Nach dem Schiedsrichter gerufen und nicht erledigt: Tisch 1.",
        "Bis 14:15 Uhr kann noch Einspruch erheben: Tisch 1, Nr. 2.",
    ]


def test_open_calls_end_with_their_serie(spielliste: Spielliste):
    call = Call.objects.create(table=spielliste.table, kind=Call.Kind.OTHER)

    close(spielliste)

    call.refresh_from_db()
    assert (call.done_at, call.taken_by, call.note) == (NOON, None, "endete mit der Serie")
    assert JournalEntry.objects.filter(action="call_done", subject_id=call.pk).exists()


def test_closing_a_serie_ends_the_access_of_its_tables(spielliste: Spielliste):
    TableDevice.objects.create(
        table=spielliste.table, token_hash="x", is_keeper=True, last_seen_at=timezone.now()
    )

    close(spielliste)

    assert TableAccess.objects.get().withdrawn_at == NOON
    device = TableDevice.objects.get()
    assert (device.withdrawn_at, device.is_keeper) == (NOON, False)


def test_a_serie_that_is_not_drawn_cannot_be_closed():
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=1)

    with pytest.raises(WrongStatus, match="noch nicht ausgelost"):
        closing.close_serie(COMMAND, tournament.serien.get().pk)


def test_a_serie_is_reopened_with_a_stored_reason(spielliste: Spielliste):
    close(spielliste)

    closing.reopen_serie(COMMAND, spielliste.table.serie_id, reason=" Zahlendreher an Tisch 1 ")

    assert Serie.objects.get().closed_at is None
    entry = JournalEntry.objects.get(action="serie_reopened")
    assert entry.reason == "Zahlendreher an Tisch 1"
    assert entry.before == {"closed_at": "2026-10-03T12:00:00+00:00"}
    # The devices stay locked out: only the Spielleitung makes changes now.
    assert TableAccess.objects.get().withdrawn_at == NOON


@pytest.mark.parametrize(
    ("reason", "sentence"), [(" ", "Bitte angeben, warum"), ("x" * 501, "hat 501 Zeichen")]
)
def test_reopening_a_serie_needs_a_reason(reason: str, sentence: str, spielliste: Spielliste):
    close(spielliste)

    with pytest.raises(TournamentError, match=sentence):
        closing.reopen_serie(COMMAND, spielliste.table.serie_id, reason=reason)

    assert Serie.objects.get().closed_at == NOON


# --- And the next one is drawn -------------------------------------------------------------------


def first_of_two(seating: str, **fields: object) -> Serie:
    """A Serie that is ready to be closed, and a second one that is drawn so."""
    tournament = make_tournament(status=Tournament.Status.RUNNING, serien=2, **fields)
    serie = make_seated_serie(tournament)
    write_games(list_of(serie), status="verified")
    tournament.serien.filter(number=2).update(seating=seating)
    return serie


def close_and_draw(serie: Serie) -> tuple[Serie, Serie | None]:
    return closing.close_serie_and_draw(COMMAND, serie.pk)


@pytest.mark.parametrize(
    ("seating", "jobs", "is_seated"),
    [
        pytest.param("electronic", 1, False, id="drawn by a process of its own"),
        pytest.param("planned", 1, False, id="planned"),
        pytest.param("ranking", 0, True, id="set at once"),
    ],
)
def test_closing_a_serie_draws_the_next_one(seating: str, jobs: int, *, is_seated: bool):
    serie = first_of_two(seating)

    closed, following = close_and_draw(serie)

    draft = Draw.objects.get()
    assert closed.closed_at is not None
    assert following == draft.serie
    assert (draft.serie.number, draft.method, draft.status) == (2, seating, Draw.Status.DRAFT)
    assert bool(draft.seats) is is_seated
    assert Job.objects.filter(kind="draw", params__draw=draft.pk).count() == jobs
    actions = list(JournalEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions[:2] == ["serie_closed", "draw_begun"]


def test_startkarten_are_drawn_at_the_request_of_the_spielleitung():
    serie = first_of_two("cards")

    closed, following = close_and_draw(serie)

    assert closed.closed_at is not None
    assert following is not None
    assert following.number == 2
    assert not Draw.objects.exists()


@pytest.mark.parametrize(("day", "drafts"), [(0, 1), (1, 0)], ids=["same day", "next day"])
def test_the_first_serie_of_a_day_is_drawn_on_that_day(day: int, drafts: int):
    plan = [ScheduleItem(0, time(14), 1), ScheduleItem(day, time(17), 2)]
    serie = first_of_two("electronic", schedule=[item.stored() for item in plan])

    closed, following = close_and_draw(serie)

    assert closed.closed_at is not None
    assert following is not None
    assert following.number == 2
    assert Draw.objects.count() == drafts


def test_an_existing_draft_stays():
    serie = first_of_two("electronic")
    second = serie.tournament.serien.get(number=2)
    draft = draws.begin(COMMAND, second.pk, method=Serie.Seating.ELECTRONIC)

    _closed, following = close_and_draw(serie)

    assert following == second
    assert Draw.objects.get() == draft


def test_a_draw_asks_about_people_not_ticked_off():
    serie = first_of_two("electronic")
    make_registration(serie.tournament, present_at=None)  # came late, and sat nowhere yet

    closed, following = close_and_draw(serie)

    assert closed.closed_at is not None
    assert following is not None
    assert not Draw.objects.exists()


def test_after_the_last_serie_nothing_is_drawn():
    serie = make_checked_list().table.serie

    assert close_and_draw(serie)[1] is None


def test_a_serie_stays_open_when_the_next_one_cannot_be_drawn():
    serie = first_of_two("electronic")
    make_registration(serie.tournament)
    Registration.objects.filter(number__gt=1).update(status="excluded")

    with pytest.raises(TournamentError, match="Tisch"):
        close_and_draw(serie)

    serie.refresh_from_db()
    assert serie.closed_at is None
    assert not JournalEntry.objects.exists()
