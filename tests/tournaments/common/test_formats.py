"""How numbers, money and times are written."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from scoring.money import euro as scoring_euro
from scoring.money import percent
from tournaments.common.formats import ago, clock, euro, long_date, points, short_date

NBSP = "\N{NO-BREAK SPACE}"
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(-20, "−20", id="a true minus, § 3.2.1"),
        pytest.param(0, "0", id="zero has no sign"),
        pytest.param(1234, "1234", id="no grouping"),
        pytest.param(None, "–", id="not known yet"),
    ],
)
def test_points_are_written_as_on_the_list(value: int | None, written: str) -> None:
    assert points(value) == written


@pytest.mark.parametrize(
    ("cents", "written"),
    [
        (1250, f"12,50{NBSP}€"),
        (5, f"0,05{NBSP}€"),
        (0, f"0,00{NBSP}€"),
        (-750, f"−7,50{NBSP}€"),
        (123456789, f"1.234.567,89{NBSP}€"),
        (None, "–"),
    ],
)
def test_cents_are_written_as_euros(cents: int | None, written: str) -> None:
    assert euro(cents) == written


def test_english_pages_use_english_amounts() -> None:
    with translation.override("en"):
        assert euro(123450) == scoring_euro(123450) == f"1,234.50{NBSP}€"
        assert percent(125) == f"12.5{NBSP}%"


def test_english_pages_write_unambiguous_dates() -> None:
    with translation.override("en"):
        assert long_date(dt.date(2026, 3, 1)) == "1 March 2026"
        assert short_date(dt.date(2026, 3, 1)) == "1 Mar 2026"
        assert clock(dt.time(14, 5)) == "14:05"


def test_a_time_is_written_in_the_halls_time() -> None:
    moment = dt.datetime(2026, 10, 2, 22, 45, tzinfo=dt.UTC)  # summer time: two hours ahead

    assert long_date(moment) == "3. Oktober 2026"
    assert clock(moment) == f"00:45{NBSP}Uhr"


def test_a_day_and_a_time_of_day_need_no_zone() -> None:
    assert long_date(dt.date(2026, 3, 1)) == "1. März 2026"
    assert clock(dt.time(9, 5)) == f"09:05{NBSP}Uhr"


def test_missing_values_are_a_dash() -> None:
    assert [long_date(None), clock(None), ago(None)] == ["–", "–", "–"]


@pytest.mark.parametrize(
    ("passed", "written"),
    [
        pytest.param(dt.timedelta(seconds=-3), "gerade eben", id="clocks differ"),
        pytest.param(dt.timedelta(seconds=59), "gerade eben", id="under a minute"),
        pytest.param(dt.timedelta(seconds=60), "vor 1 min", id="a minute"),
        pytest.param(dt.timedelta(minutes=59, seconds=59), "vor 59 min", id="under an hour"),
        pytest.param(dt.timedelta(hours=1), "vor 1 h", id="an hour"),
        pytest.param(dt.timedelta(hours=23, minutes=59), "vor 23 h", id="under a day"),
        pytest.param(dt.timedelta(days=1), "02.10.2026", id="a day"),
    ],
)
def test_an_age_is_shown_in_one_unit(
    monkeypatch: pytest.MonkeyPatch, passed: dt.timedelta, written: str
) -> None:
    now = dt.datetime(2026, 10, 3, 14, 0, tzinfo=BERLIN)
    monkeypatch.setattr(timezone, "now", lambda: now)

    assert ago(now - passed) == written
