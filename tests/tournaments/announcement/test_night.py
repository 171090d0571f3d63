"""The night until 5:00 belongs to the day before, also when the clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from icalendar import Calendar

from scoring.payments.prizes import RankingCategory
from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_players, make_registration, make_tournament
from tournaments.announcement.queries.calendar import calendar_file
from tournaments.announcement.queries.poster import day
from tournaments.announcement.queries.schedule import schedule_days
from tournaments.announcement.queries.tournaments import current
from tournaments.announcement.services.sections import fingerprint
from tournaments.announcement.services.tournaments import default_deadline
from tournaments.cash.queries.cash import Selection, receipts
from tournaments.cash.queries.report import by_day
from tournaments.desk.queries.presence import present_counter
from tournaments.desk.services.tariff_changes import set_days
from tournaments.models import CashEntry, Receipt, Role, Tournament
from tournaments.models.schedule import Days, ScheduleItem, check_schedule
from tournaments.models.tournament import Section
from tournaments.results.queries.rankings import Rankings

pytestmark = pytest.mark.django_db

LOCAL = timezone.get_default_timezone()
EVENING = datetime(2026, 10, 3, 20, tzinfo=LOCAL)  # a Saturday
NIGHT = [{"day": 0, "time": "20:00", "serie": 1}, {"day": 1, "time": "00:30", "serie": 2}]
MORNING = {"day": 1, "time": "10:00", "serie": 3}


def on(monkeypatch: pytest.MonkeyPatch, day: int, hour: int, minute: int = 0) -> None:
    now = datetime(2026, 10, day, hour, minute, tzinfo=LOCAL)
    monkeypatch.setattr(timezone, "now", lambda: now)


def night(*more: dict[str, Any], serien: int = 2, **fields: Any) -> Tournament:
    """Serie 1 on Saturday at 20:00, Serie 2 half an hour after midnight."""
    return make_tournament(
        starts_at=EVENING, schedule=[*NIGHT, *more], serien=serien, **{"venue": "Saal", **fields}
    )


# --- The day of a Serie -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param([(0, 20, 1), (1, 0, 2)], [1, 1], id="midnight belongs to the evening"),
        pytest.param([(0, 20, 1), (1, 4, 2)], [1, 1], id="four belongs to it"),
        pytest.param([(0, 20, 1), (1, 5, 2)], [1, 2], id="five does not"),
        pytest.param([(0, 20, 1), (1, 0, 2), (1, 3, 3), (1, 10, 4)], [1, 1, 1, 2], id="a morning"),
        pytest.param([(0, 20, 1), (2, 0, 2)], [1, 2], id="nothing on the evening before"),
        pytest.param([(1, 0, 2)], [1, 1], id="Serie 1 has no entry"),
        pytest.param([(1, 18, 2), (2, 1, 3)], [1, 2, 2], id="the second evening"),
    ],
)
def test_a_serie_after_midnight_belongs_to_the_day_before(entries, expected):
    days = Days(
        EVENING.date(), [ScheduleItem(day, time(hour), serie) for day, hour, serie in entries]
    )

    assert [days.of_serie(number) for number in range(1, len(expected) + 1)] == expected
    assert days.number == max(expected)


def test_a_serie_at_night_may_be_a_day_of_its_own():
    own = {**NIGHT[1], "own_day": True}
    days = Days.of(EVENING, [NIGHT[0], own])

    assert (days.number, days.of_serie(2), days.date(2)) == (2, 2, date(2026, 10, 4))
    assert days.at(datetime(2026, 10, 4, 0, 5, tzinfo=LOCAL)) == 2
    assert ScheduleItem.of(own).stored() == own
    with pytest.raises(ValidationError):
        check_schedule([{**MORNING, "own_day": True}])


def test_rankings_and_startgeld_count_a_night_as_one_day():
    tournament = night(day_startgeld=True)
    registration = make_registration(tournament, due_cents=1500)

    with pytest.raises(Exception, match="An Tag 2 wird in diesem Turnier nicht gespielt"):
        set_days(COMMAND, registration.pk, plays_on="2")

    assert all(choice.category != RankingCategory.DAY for choice in Rankings(tournament).choices())


def test_startgeld_follows_the_days_of_three_serien():
    # Two of three Serien are Saturday's, the one after midnight too: 10 € of 15 €.
    tournament = night(MORNING, serien=3, day_startgeld=True)
    registration = make_registration(tournament, due_cents=1500)

    set_days(COMMAND, registration.pk, plays_on="1")

    registration.refresh_from_db()
    assert registration.due_cents == 1000
    assert Rankings(tournament).tournament.days.first_serie(2) == 3


@pytest.mark.parametrize(
    ("more", "moment", "present"),
    [
        pytest.param([], (4, 0, 5), 8, id="one day"),
        pytest.param([MORNING], (4, 0, 5), 8, id="five past midnight"),
        pytest.param([MORNING], (4, 4, 59), 8, id="before five"),
        pytest.param([MORNING], (4, 5), 0, id="the next day begins"),
    ],
)
def test_presence_ends_at_five_in_the_morning(monkeypatch, more, moment, present):
    tournament = night(*more, serien=2 + len(more), status=Tournament.Status.RUNNING)
    make_players(tournament, 8, present_at=EVENING)

    on(monkeypatch, *moment)

    assert present_counter(tournament).present == present
    assert (
        sum(registration.here_since is not None for registration in tournament.registrations.all())
        == present
    )


def test_payments_at_night_belong_to_the_till_of_the_evening():
    tournament = night()
    at_night = datetime(2026, 10, 4, 1, 30, tzinfo=LOCAL)
    for number, (when, cents) in enumerate(
        [(EVENING, 2000), (at_night, -1200), (at_night + timedelta(hours=9), 300)], start=1
    ):
        receipt = Receipt.objects.create(
            tournament=tournament, number=number, method=Receipt.Method.CASH, created_at=when
        )
        CashEntry.objects.create(receipt=receipt, kind=CashEntry.Kind.OTHER, amount_cents=cents)

    days = [
        (day_sum.day.day, day_sum.in_cents, day_sum.out_cents) for day_sum in by_day(tournament)
    ]
    book = receipts(tournament, Selection(day=EVENING.date()))

    assert days == [(3, 2000, -1200), (4, 300, 0)]
    assert sorted(receipt.number for receipt in book) == [1, 2]


def test_a_tournament_stays_current_after_midnight():
    tournament = night(status=Tournament.Status.ANNOUNCED)

    first, _others = current(datetime(2026, 10, 4, 0, 5, tzinfo=LOCAL))
    later, _others = current(datetime(2026, 10, 4, 5, tzinfo=LOCAL))

    assert (first, later) == ([tournament], [])


# --- In words ---------------------------------------------------------------------------


def said(tournament: Tournament) -> list[tuple[str, list[str]]]:
    return [
        (
            f"{schedule_day.date:%d.%m.}",
            [" ".join(line).replace("\N{NO-BREAK SPACE}", " ") for line in schedule_day.lines],
        )
        for schedule_day in schedule_days(tournament)
    ]


def test_the_zeitplan_lists_the_night_below_its_evening():
    tournament = night({"day": 1, "time": "03:00", "text": "Siegerehrung"}, MORNING, serien=3)

    assert said(tournament) == [
        ("03.10.", ["20:00 Uhr Serie 1", "00:30 Uhr Serie 2", "03:00 Uhr Siegerehrung"]),
        ("04.10.", ["10:00 Uhr Serie 3"]),
    ]
    assert day(night()).replace("\N{NO-BREAK SPACE}", " ") == "Samstag, 3. Oktober 2026"


@pytest.mark.parametrize(
    ("schedule", "serien", "expected"),
    [
        ([], 2, []),
        (
            [{"day": 0, "time": "22:30", "text": "Siegerehrung"}],
            3,
            ["20:00 Uhr Serie 1", "danach Serie 2 bis 3", "22:30 Uhr Siegerehrung"],
        ),
        (
            [
                {"day": 0, "time": "22:00", "serie": 2},
                {"day": 0, "time": "19:00", "text": "Einlass"},
            ],
            3,
            ["19:00 Uhr Einlass", "20:00 Uhr Serie 1", "22:00 Uhr Serie 2", "danach Serie 3"],
        ),
        (
            [{"day": 0, "time": "20:15", "serie": 1}],
            1,
            ["20:00 Uhr Beginn", "20:15 Uhr Serie 1"],
        ),
    ],
)
def test_the_zeitplan_lists_the_start_and_every_serie(schedule, serien, expected):
    tournament = make_tournament(starts_at=EVENING, schedule=schedule, serien=serien)

    assert [line for _day, lines in said(tournament) for line in lines] == expected


# --- The form ---------------------------------------------------------------------------


def send(client: Client, tournament: Tournament, **more: Any) -> str:
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    fields = {
        "number": 2,
        **{f"seating_{number}": "cards" for number in (1, 2)},
        **{f"minutes_{number}": "" for number in (1, 2)},
        "zeitplan-TOTAL_FORMS": 1,
        "zeitplan-INITIAL_FORMS": 0,
        "fingerprint": fingerprint(tournament, Section.SERIEN),
        **more,
    }
    page = client.post(at("setup:section", tournament, "serien"), fields)
    tournament.refresh_from_db()
    return str(page.content.decode())


def draft() -> Tournament:
    return make_tournament(starts_at=EVENING, serien=2, status=Tournament.Status.DRAFT)


@pytest.mark.parametrize(("clock", "later"), [("22:30", 0), ("00:30", 1)])
def test_an_entry_without_a_day_is_on_the_only_day(client: Client, clock, later):
    tournament = draft()

    send(client, tournament, **{"zeitplan-0-time": clock, "zeitplan-0-text": "Siegerehrung"})

    assert tournament.schedule == [{"day": later, "time": clock, "text": "Siegerehrung"}]


def test_a_blank_row_shows_the_only_day_and_is_ignored(client: Client):
    tournament = draft()
    client.force_login(make_member(tournament, Role.VERANSTALTER))

    page = client.read(at("setup:section", tournament, "serien"))
    send(client, tournament, **{"zeitplan-0-day": "2026-10-03"})

    assert 'name="zeitplan-0-day" value="2026-10-03"' in page
    assert tournament.schedule == []


def test_an_entry_of_several_days_needs_a_day(
    client: Client,
):
    tournament = draft()

    page = send(
        client,
        tournament,
        day_2="2026-10-04",
        time_2="10:00",
        **{"zeitplan-0-time": "22:30", "zeitplan-0-text": "Siegerehrung"},
    )

    assert "Bitte den Tag angeben; das Turnier hat mehrere." in page
    assert "Noch nicht gespeichert. Bitte die markierten Felder der Zeilen prüfen." in page
    assert tournament.schedule == []


def test_a_serie_after_midnight_belongs_to_the_day_before_unless_dated(client: Client):
    tournament = draft()

    send(client, tournament, time_1="20:00", time_2="00:30")
    assert tournament.schedule == NIGHT

    page = client.read(at("setup:section", tournament, "serien"))
    assert "gehört noch zum Tag davor" in page
    sent = {"time_1": "20:00", "time_2": "00:30", "day_2": "2026-10-04"}
    send(client, tournament, **sent, night_2="on")
    assert tournament.schedule == NIGHT
    send(client, tournament, **sent)
    assert tournament.schedule == [NIGHT[0], {**NIGHT[1], "own_day": True}]


# --- The clock changes ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starts_at", "schedule", "ends"),
    [
        # 25 October 2026, 3:00 summer time is 2:00: from 1:00 on, 180 minutes later it is 3:00.
        pytest.param(
            datetime(2026, 10, 24, 20, tzinfo=LOCAL),
            [{"day": 1, "time": "01:00", "serie": 1}],
            datetime(2026, 10, 25, 2, tzinfo=UTC),
            id="in autumn",
        ),
        # 29 March 2026, 2:00 is 3:00: from 1:00 (0:00 UTC) on, 180 minutes later it is 5:00.
        pytest.param(
            datetime(2026, 3, 28, 20, tzinfo=LOCAL),
            [{"day": 1, "time": "01:00", "serie": 1}],
            datetime(2026, 3, 29, 3, tzinfo=UTC),
            id="in spring",
        ),
        # The beginning itself, as the form hands it on: in local time.
        pytest.param(
            datetime(2026, 10, 25, 1, tzinfo=LOCAL),
            [],
            datetime(2026, 10, 25, 2, tzinfo=UTC),
            id="without a Zeitplan",
        ),
    ],
)
def test_calendar_ends_are_correct_when_the_clock_changes(starts_at, schedule, ends):
    tournament = make_tournament(starts_at=starts_at, schedule=schedule, serien=1)
    tournament.serien.update(time_limit_minutes=180)

    file = calendar_file([tournament], url=lambda _one: "https://verein.example/", now=EVENING)

    [event] = Calendar.from_ical(file).walk("VEVENT")
    assert event.decoded("dtend") == ends


def test_the_deadline_is_15_minutes_before_also_when_the_clock_changes():
    # 3:05 summer time is 1:05 UTC; by the hands of the clock it would be 2:50, which is not there.
    starts_at = datetime(2026, 3, 29, 3, 5, tzinfo=LOCAL)

    assert default_deadline(starts_at) == datetime(2026, 3, 29, 0, 50, tzinfo=UTC)
