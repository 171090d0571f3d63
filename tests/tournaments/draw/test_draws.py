"""The draw of a Serie (§ 2.1): fair, on record, and repeatable by anyone."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.factories import COMMAND, make_club, make_registration
from tests.tournaments.draw.helpers import begin, carry_out, enter, enter_in_order, field, numbers
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.draw.services import drafts, draws
from tournaments.machine import jobs
from tournaments.machine.jobs import start
from tournaments.models import Draw, JournalEntry, Registration, Seat, Serie, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Method = Serie.Seating
Status = Draw.Status


def test_the_hash_of_the_seed_is_recorded_before_the_draw():
    draw = begin(field(8), Method.ELECTRONIC)

    entry = JournalEntry.objects.get(action="draw_begun")
    assert entry.after["seed_hash"] == hashlib.sha256(draw.seed.encode()).hexdigest()
    assert draw.seed not in json.dumps(entry.after)
    assert draw.seats == []


def test_an_electronic_draw_seats_each_player_once():
    draw = carry_out(begin(field(7), Method.ELECTRONIC))

    assert [len(row) for row in draw.seats] == [4, 3]
    assert sorted(key for row in draw.seats for key in row) == sorted(
        Registration.objects.values_list("pk", flat=True)
    )


def test_only_paid_players_are_drawn():
    tournament = field(8)
    make_registration(tournament, status=Registration.Status.REGISTERED)
    make_registration(tournament, status=Registration.Status.EXCLUDED)

    draw = carry_out(begin(tournament, Method.ELECTRONIC))

    assert sorted(number for row in numbers(draw) for number in row) == list(range(1, 9))


@pytest.mark.parametrize("players", [1, 2, 5])
def test_fields_that_cannot_be_seated_are_refused_before_a_draw(players: int):
    tournament = field(players)

    with pytest.raises(TournamentError, match="möglich wären"):
        begin(tournament, Method.ELECTRONIC)

    assert not Draw.objects.exists()


def test_a_repeated_draw_needs_a_reason_and_is_recorded():
    tournament = field(8)
    first = carry_out(begin(tournament, Method.ELECTRONIC))

    with pytest.raises(TournamentError, match="sagen, warum noch einmal"):
        begin(tournament, Method.ELECTRONIC)
    second = begin(tournament, Method.ELECTRONIC, reason="zwei Nachmeldungen")

    first.refresh_from_db()
    assert (first.status, second.status, second.number) == ("discarded", "draft", 2)
    entry = JournalEntry.objects.get(action="draw_discarded")
    assert entry.reason == "zwei Nachmeldungen"
    assert entry.before["seats"] == first.seats


def test_a_wrong_card_is_corrected_by_entering_it_again():
    draw = begin(field(8), Method.CARDS)
    enter(draw, 5, table=1, seat=1)

    draw = enter(draw, 5, table=2, seat=4)

    assert numbers(draw) == [[None] * 4, [None, None, None, 5]]


@pytest.mark.parametrize(
    ("number", "table", "seat", "sentence"),
    [
        pytest.param(1, 3, 1, "gibt es in dieser Serie nicht", id="no such table"),
        pytest.param(1, 2, 4, "gibt es in dieser Serie nicht", id="table of three"),
        pytest.param(1, 0, 1, "gibt es in dieser Serie nicht", id="counts from 1"),
        pytest.param(99, 1, 1, "kann nicht gesetzt werden", id="§ 1.3 nobody"),
    ],
)
def test_impossible_cards_are_refused(number: int, table: int, seat: int, sentence: str):
    draw = begin(field(7), Method.CARDS)

    with pytest.raises(TournamentError, match=sentence):
        enter(draw, number, table, seat)


def test_club_mates_sit_opposite_and_the_changes_are_stored():
    skat, romme = make_club("Skat"), make_club("Rommé")
    tournament = field(4, (skat, romme))  # numbers 1, 3: Skat; 2, 4: Rommé
    draw = begin(tournament, Method.CARDS)
    for seat, number in enumerate([1, 3, 2, 4], start=1):
        enter(draw, number, table=1, seat=seat)

    draw = drafts.apply_crossing(COMMAND, draw.pk)

    row = numbers(draw)[0]
    assert {row[0], row[2]} in ({1, 3}, {2, 4})
    assert draw.metrics["clubmates_adjacent"] == 0
    assert len(draw.crossings) == 2


def test_a_swap_is_judged_at_once():
    first, two, three, four = (make_club() for _club in range(4))
    tournament = field(8, (first, two, three, four))
    draw = enter_in_order(begin(tournament, Method.CARDS))
    keys = {number: key for key, number in Registration.objects.values_list("pk", "number")}

    draw = drafts.swap(COMMAND, draw.pk, first_id=keys[1], second_id=keys[6])

    assert numbers(draw) == [[6, 2, 3, 4], [5, 1, 7, 8]]
    assert draw.metrics["clubmates_at_table"] == 2


def test_publishing_writes_the_seats_and_only_once():
    tournament = field(7)
    draw = carry_out(begin(tournament, Method.ELECTRONIC))
    assert not Seat.objects.exists()

    serie = draws.publish(COMMAND, draw.pk)

    seats = Seat.objects.filter(serie=serie).values_list("table__number", "number")
    assert sorted(seats) == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3)]
    with pytest.raises(WrongStatus, match="bekannt gegeben"):
        draws.publish(COMMAND, draw.pk)
    with pytest.raises(TournamentError, match="sagen, warum noch einmal"):
        begin(tournament, Method.ELECTRONIC)


def test_publishing_the_first_seats_starts_the_tournament():
    tournament = field(7)
    assert tournament.status == Tournament.Status.ANNOUNCED

    for serie in (1, 2):
        draw = carry_out(begin(tournament, Method.ELECTRONIC, serie))
        draws.publish(COMMAND, draw.pk)

    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING
    entry = JournalEntry.objects.get(action="tournament_status")
    assert (entry.before, entry.after) == ({"status": "announced"}, {"status": "running"})


def test_a_draft_with_missing_cards_is_not_published():
    draw = begin(field(7), Method.CARDS)
    enter(draw, 1, 1, 1)

    with pytest.raises(TournamentError, match="Es fehlen noch 6 Karten"):
        draws.publish(COMMAND, draw.pk)


def test_a_draw_of_changed_players_is_refused_and_names_the_change():
    tournament = field(8)
    draw = carry_out(begin(tournament, Method.ELECTRONIC))
    gone = tournament.registrations.get(number=3)
    gone.status, gone.present_at = Registration.Status.NO_SHOW, None
    gone.save()

    with pytest.raises(TournamentError, match="nicht mehr dabei: 3 ·"):
        draws.publish(COMMAND, draw.pk)


def test_serien_are_drawn_in_order_with_earlier_meetings():
    tournament = field(16)
    with pytest.raises(WrongStatus, match="Zuerst muss Serie 1 ausgelost werden"):
        begin(tournament, Method.ELECTRONIC, serie=2)
    draws.publish(COMMAND, carry_out(begin(tournament, Method.ELECTRONIC)).pk)

    second = carry_out(begin(tournament, Method.ELECTRONIC, serie=2))

    assert second.metrics["repeat_meetings"] == 0


def test_the_job_of_a_draw_fills_the_draft():
    draw = begin(field(8), Method.ELECTRONIC)
    job = start(kind="draw", actor=COMMAND, tournament=draw.serie.tournament, draw=draw.pk)

    jobs.run(job.pk)

    draw.refresh_from_db()
    job.refresh_from_db()
    assert job.status == "done"
    assert len(draw.seats) == 2


def test_the_first_serie_cannot_be_seated_by_ranking():
    with pytest.raises(TournamentError, match="Vor der ersten Serie gibt es keine Rangliste"):
        begin(field(8), Method.RANKING)
