"""The Zeitplan: entered with the Serien, on the poster, on walls, in calendars."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from icalendar import Calendar

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tournaments.announcement.queries.calendar import calendar_file
from tournaments.announcement.queries.poster import day
from tournaments.announcement.services import edit
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.errors import TournamentError
from tournaments.models import JournalEntry, Role, Screen, Serie, Tournament
from tournaments.models.schedule import ScheduleItem, check_schedule
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db

SATURDAY = datetime(2026, 10, 3, 14, tzinfo=timezone.get_default_timezone())
TWO_DAYS = [
    ScheduleItem(0, time(14), 1),
    ScheduleItem(0, time(16, 30), text="Kaffee"),
    ScheduleItem(1, time(10), 3),
]


def planned(**fields: Any) -> Tournament:
    """A tournament of three Serien: two on Saturday, with coffee after the first, one on Sunday."""
    facts = {"venue": "Saal", "organiser": "SC", "contact_email": "sc@verein.example"}
    stored = [item.stored() for item in TWO_DAYS]
    return make_tournament(**{"starts_at": SATURDAY, "schedule": stored, **facts, **fields})


def change(tournament: Tournament, schedule: list[ScheduleItem], serien: int = 3) -> None:
    edit.change_serien(
        COMMAND,
        tournament.pk,
        seen=fingerprint(tournament, Section.SERIEN),
        lines=[Serie(seating=Serie.Seating.CARDS)] * serien,
        schedule=schedule,
    )


def test_days_follow_from_the_serien_and_default_to_the_day_before():
    days = planned().days

    assert (days.number, list(days.numbers)) == (2, [1, 2])
    assert [days.of_serie(number) for number in (1, 2, 3)] == [1, 1, 2]
    assert [days.first_serie(day) for day in (1, 2)] == [1, 3]
    assert days.begins(3) == datetime(2026, 10, 4, 10, tzinfo=SATURDAY.tzinfo)
    assert days.begins(2) is None
    assert make_tournament().days.number == 1


@pytest.mark.parametrize(
    ("entries", "refusal"),
    [
        ([(0, time(13), 1)], "Serie 1 beginnt im Zeitplan früher als das Turnier"),
        ([(1, time(9), 2), (0, time(18), 3)], "Serie 3 beginnt im Zeitplan früher als Serie 2"),
        ([(1, time(9), 1)], "Serie 1 wird am ersten Tag gespielt"),
        ([(0, time(15), 2)], "Für Tag 2 ist jemand gemeldet"),
    ],
)
def test_an_impossible_zeitplan_is_refused(entries, refusal):
    tournament = planned()
    make_registration(tournament, plays_on="2")

    with pytest.raises(TournamentError, match=refusal):
        change(tournament, [ScheduleItem(*entry) for entry in entries])


@pytest.mark.parametrize(
    "stored",
    ["x", [1], [{"day": 0, "time": "25:00", "serie": 1}], [{"day": 0, "time": "10:00"}]],
)
def test_an_invalid_zeitplan_is_not_stored(stored):
    with pytest.raises(ValidationError, match="kein Zeitplan"):
        check_schedule(stored)


def test_the_zeitplan_is_journalled_and_follows_its_serien():
    tournament = planned(schedule=[])

    change(tournament, [*TWO_DAYS, ScheduleItem(1, time(13), 4)])

    tournament.refresh_from_db()
    assert tournament.schedule == [item.stored() for item in TWO_DAYS]
    assert JournalEntry.objects.get().after["schedule"] == tournament.schedule


def test_the_form_takes_days_times_and_breaks(client: Client):
    tournament = planned(status=Tournament.Status.DRAFT, schedule=[], serien=2)
    client.force_login(make_member(tournament, Role.VERANSTALTER))
    url = at("setup:section", tournament, "serien")

    sent = {
        "number": 2,
        "seating_1": "cards",
        "seating_2": "cards",
        "minutes_1": "",
        "minutes_2": "",
        "time_1": "14:00",
        "day_2": "2026-10-04",
        "time_2": "10:00",
        "zeitplan-TOTAL_FORMS": 1,
        "zeitplan-INITIAL_FORMS": 0,
        "zeitplan-0-day": "2026-10-03",
        "zeitplan-0-time": "16:30",
        "zeitplan-0-text": "Kaffee",
        "fingerprint": fingerprint(tournament, Section.SERIEN),
    }
    early = client.post(url, {**sent, "day_2": "2026-10-02"})
    client.post(url, sent)

    assert "Das Turnier beginnt am 3. Oktober 2026." in early.content.decode()
    tournament.refresh_from_db()
    assert [ScheduleItem.of(item) for item in tournament.schedule] == [
        ScheduleItem(0, time(14), 1),
        ScheduleItem(0, time(16, 30), text="Kaffee"),
        ScheduleItem(1, time(10), 2),
    ]


def test_the_poster_and_the_screen_show_the_zeitplan(client: Client):
    tournament = planned(slug="herbst")
    Screen.objects.create(tournament=tournament, shows="schedule")

    poster = client.read(at("public:tournament", "herbst"))
    wall = client.read(at("screen:screen", "herbst"))

    for page in (poster, wall):
        assert "Zeitplan" in page
        assert "Kaffee" in page
        assert "Sonntag" in page
    assert "4.\N{NO-BREAK SPACE}Oktober\N{NO-BREAK SPACE}2026" in poster
    assert "16:30" in wall


def test_days_of_one_month_name_the_month_once():
    weekend = planned()
    later = make_tournament(schedule=[{"day": 30, "time": "10:00", "serie": 2}])

    said = [day(when).replace("\N{NO-BREAK SPACE}", " ") for when in (weekend, later)]

    assert said == [
        "Samstag, 3. bis Sonntag, 4. Oktober 2026",
        "Samstag, 3. Oktober 2026 bis Montag, 2. November 2026",
    ]


def test_a_calendar_has_an_event_for_each_day():
    tournament = planned()
    tournament.serien.filter(number=3).update(time_limit_minutes=90)

    file = calendar_file([tournament], url=lambda _one: "https://verein.example/", now=SATURDAY)

    first, second = Calendar.from_ical(file).walk("VEVENT")
    assert first["uid"] != second["uid"]
    assert first.decoded("dtstart") == SATURDAY
    assert second.decoded("dtstart").hour == 8  # 10:00 in Germany
    assert second.decoded("dtend").hour == 9
    assert "Kaffee" in str(first["description"])
    assert "Kaffee" not in str(second["description"])
