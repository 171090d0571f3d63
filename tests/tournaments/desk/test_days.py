"""Two days: chosen days, their Startgeld, presence, draws and rankings."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.payments.prizes import RankingCategory
from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_results import SeatOutcome, play_serie
from tournaments.cash.queries.report import by_day
from tournaments.common.errors import TournamentError
from tournaments.common.ranking_names import part_of
from tournaments.desk.queries.presence import absentees, present_counter
from tournaments.desk.services import presence
from tournaments.desk.services.absentees import AbsenteeAnswers
from tournaments.desk.services.registrations import Payment, register
from tournaments.desk.services.tariff_changes import set_days
from tournaments.draw.queries.task import entrants
from tournaments.draw.services import draws
from tournaments.models import (
    CashCount,
    CashEntry,
    JournalEntry,
    Receipt,
    Registration,
    Role,
    Serie,
    Tournament,
)
from tournaments.results.queries.rankings import Rankings

pytestmark = pytest.mark.django_db

Kind = CashEntry.Kind
SATURDAY = datetime(2026, 10, 3, 14, tzinfo=timezone.get_default_timezone())
SUNDAY = SATURDAY + timedelta(days=1)
TWO_DAYS = [
    {"day": 0, "time": "14:00", "serie": 1},
    {"day": 0, "time": "16:30", "text": "Kaffee"},
    {"day": 1, "time": "10:00", "serie": 3},
]


def two_days(**fields: Any) -> Tournament:
    """Serien 1 and 2 on Saturday, Serie 3 on Sunday, for 15 €."""
    values = {"starts_at": SATURDAY, "schedule": TWO_DAYS, **fields}
    return make_tournament(**values)


def on(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.mark.parametrize(
    ("by_day", "plays_on", "cents"),
    [
        pytest.param(True, "1", 1000, id="two Serien of three"),
        pytest.param(True, "2", 500, id="one of three"),
        pytest.param(True, "12", 1500, id="all of them"),
        pytest.param(False, "2", 1500, id="the Ausschreibung knows no share"),
    ],
)
def test_the_startgeld_of_some_days_covers_their_serien(by_day, plays_on, cents):
    tournament = two_days(day_startgeld=by_day, starts_at=timezone.now() + timedelta(days=1))

    registration = register(
        COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment(), plays_on=plays_on
    )

    assert registration.due_cents == cents
    assert registration.plays_on == ("" if plays_on == "12" else plays_on)
    assert registration.status == Registration.Status.PAID


def test_the_startgeld_follows_the_days_and_they_are_journalled():
    tournament = two_days(day_startgeld=True)
    registration = make_registration(tournament, due_cents=1500)

    set_days(COMMAND, registration.pk, plays_on="1")

    registration.refresh_from_db()
    assert (registration.plays_on, registration.due_cents) == ("1", 1000)
    entry = JournalEntry.objects.get(action="days_set")
    assert (entry.before, entry.after) == (
        {"plays_on": "", "due_cents": 1500},
        {"plays_on": "1", "due_cents": 1000},
    )


def test_a_registration_for_an_unknown_day_is_refused():
    registration = make_registration(two_days())

    with pytest.raises(TournamentError, match="An Tag 3 wird in diesem Turnier nicht gespielt"):
        set_days(COMMAND, registration.pk, plays_on="13")


def test_a_serie_is_drawn_among_players_of_its_day():
    tournament = two_days()
    all_days = make_players(tournament, 4)
    saturday = make_players(tournament, 4, plays_on="1")
    sunday = make_players(tournament, 4, plays_on="2")

    assert entrants(tournament, 1) == [*all_days, *saturday]
    assert entrants(tournament, 2) == [*all_days, *sunday]
    begun = draws.begin(COMMAND, tournament.serien.get(number=1).pk, method=Serie.Seating.CARDS)
    assert [player["id"] for player in begun.task["players"]] == list(range(1, 9))


def test_ticks_end_with_the_day_and_an_absence_counts_for_it_only(monkeypatch):
    tournament = two_days(status=Tournament.Status.RUNNING)
    on(monkeypatch, SATURDAY)
    players = make_players(tournament, 9, present_at=SATURDAY)
    for number in (1, 2):
        play_serie(tournament, [players[:4], players[4:8]], [[50] * 4] * 2, number=number)

    assert present_counter(tournament).present == 9
    on(monkeypatch, SUNDAY)
    assert present_counter(tournament).present == 0
    for player in players[:8]:
        presence.tick_off(COMMAND, player.pk)
    assert list(absentees(tournament, 2)) == [players[8]]
    draws.begin(
        COMMAND,
        tournament.serien.get(number=3).pk,
        method=Serie.Seating.CARDS,
        unticked=AbsenteeAnswers.LEAVE_OUT,
        asked=[players[8].pk],
    )

    players[8].refresh_from_db()
    assert (players[8].status, players[8].plays_on) == (Registration.Status.PAID, "1")


def test_a_day_ranking_counts_its_serien_and_one_day_ranks_behind_two():
    tournament = two_days(status=Tournament.Status.RUNNING)
    anna, berta, clara, dora = make_players(tournament, 4)
    emil = make_registration(tournament, plays_on="2")
    won = (SeatOutcome(90), SeatOutcome(60), SeatOutcome(30), SeatOutcome(120))
    for number in (1, 2):
        play_serie(tournament, [[anna, berta, clara, dora]], [won], number=number)
    play_serie(tournament, [[anna, berta, emil, dora]], [(SeatOutcome(10), *won[1:])], number=3)
    rankings = Rankings(tournament)

    def totals(ranking) -> list[tuple[int, int]]:
        return [
            (line.standing.number, line.standing.total)
            for line in rankings.table(ranking).lines
            if line.has_result
        ]

    assert totals(part_of(RankingCategory.DAY, 1)) == [(3, 60), (2, 120), (1, 180), (4, 240)]
    assert totals(part_of(RankingCategory.DAY, 2)) == [(1, 10), (5, 30), (2, 60), (4, 120)]
    whole = rankings.standings(rankings.choices()[0])
    assert [line.number for line in whole] == [2, 1, 4, 3, 5]


def test_a_tournament_of_one_day_has_no_day_ranking():
    assert [choice.describe() for choice in Rankings(make_tournament(serien=1)).choices()] == [
        "Gesamtwertung",
        "Serie 1",
    ]


def test_the_till_is_closed_day_by_day():
    tournament = two_days()
    helper = make_member(tournament, Role.KASSE)
    for number, (when, cents) in enumerate(
        [(SATURDAY, 2000), (SATURDAY, -500), (SUNDAY, 700)], start=1
    ):
        receipt = Receipt.objects.create(
            tournament=tournament, number=number, method=Receipt.Method.CASH, created_at=when
        )
        CashEntry.objects.create(receipt=receipt, kind=Kind.OTHER, amount_cents=cents)
    CashCount.objects.create(
        tournament=tournament,
        expected_cents=1500,
        counted_cents=1500,
        created_at=SATURDAY,
        created_by=helper,
    )

    first, second = by_day(tournament)

    assert (first.before_cents, first.in_cents, first.out_cents) == (0, 2000, -500)
    assert (first.left_cents, first.is_closed) == (1500, True)
    assert (second.before_cents, second.left_cents, second.is_closed) == (1500, 2200, False)


def test_the_desk_offers_single_days_and_shows_chosen_ones(client: Client):
    starts = timezone.now() + timedelta(days=2)
    tournament = two_days(starts_at=starts, day_startgeld=True)
    client.force_login(make_member(tournament, Role.KASSE))
    person = make_person("Nora", "Sonntag")

    page = client.read(at("desk:desk", tournament), {"q": "sonntag"})
    client.post(at("desk:register", tournament), {"person": person.pk, "plays_on": "2"})

    assert "10,00\N{NO-BREAK SPACE}€" in page
    registration = tournament.registrations.get()
    assert (registration.plays_on, registration.due_cents) == ("2", 500)
    own = client.read(at("desk:registration", tournament, registration.pk))
    assert "An welchen Tagen" in own
    client.post(at("desk:days", tournament, registration.pk), {"plays_on": ["1", "2"]})
    registration.refresh_from_db()
    assert (registration.plays_on, registration.due_cents) == ("", 1500)
