"""Signs in the hall: the current sign at each time, and announcements of the Spielleitung."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import COMMAND, make_tournament
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.models import JournalEntry, Serie, Tournament
from tournaments.notices.queries.signs import current_sign, next_change, signs
from tournaments.notices.services import words

BEGUN = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)


def at_minute(minute: float) -> datetime:
    return BEGUN + timedelta(minutes=minute)


def in_force(minute: float, *, extra_minutes: int = 0, **serie: Any) -> str:
    known = signs(
        Tournament(),
        Serie(**{"number": 2, "started_at": BEGUN, "time_limit_minutes": 60} | serie),
        extra_minutes=extra_minutes,
    )
    sign = current_sign(known, at_minute(minute))
    return sign.kind if sign else ""


@pytest.mark.parametrize(
    ("minute", "kind"),
    [(-0.1, ""), (0, "start"), (3, ""), (49.9, ""), (50, "last"), (60, "over"), (75, "")],
)
def test_a_serie_has_signs_at_start_end_and_in_its_last_minutes(minute: float, kind: str):
    assert in_force(minute) == kind


def test_a_table_with_extra_time_has_its_own_end():
    assert in_force(61, extra_minutes=5) == "last"
    assert in_force(65, extra_minutes=5) == "over"


def test_a_serie_without_a_limit_signals_only_its_start():
    assert in_force(1, time_limit_minutes=None) == "start"
    assert in_force(60, time_limit_minutes=None) == ""
    assert in_force(60, closed_at=at_minute(60)) == ""
    assert in_force(1, started_at=None) == ""


def test_announcements_come_first_and_set_the_next_poll():
    said = Tournament(words="Mittagspause", words_since=at_minute(55), words_until=at_minute(57))
    known = signs(said, Serie(number=1, started_at=BEGUN, time_limit_minutes=60))

    seen = [
        (current_sign(known, at_minute(minute)), next_change(known, at_minute(minute)))
        for minute in (54, 55, 57)
    ]

    assert [sign.kind if sign else "" for sign, _next in seen] == ["last", "words", "last"]
    assert [later for _sign, later in seen] == [at_minute(55), at_minute(57), at_minute(60)]
    assert next_change(known, at_minute(80)) is None


@pytest.mark.django_db
def test_announcements_are_journalled_without_their_text():
    tournament = make_tournament()

    words.say(COMMAND, tournament.pk, words="  Kuchen\nfür Frau Adler ")
    said = Tournament.objects.get()
    words.take_back(COMMAND, tournament.pk)

    assert (said.words, said.words_until) == ("Kuchen für Frau Adler", None)
    assert signs(Tournament.objects.get(), None) == []
    entries = JournalEntry.objects.filter(action__startswith="words")
    assert [entry.action for entry in entries] == ["words_said", "words_taken_back"]
    assert "Adler" not in str([entry.after for entry in entries])
    with pytest.raises(WrongStatus, match="keine Durchsage mehr"):
        words.take_back(COMMAND, tournament.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "minutes", "sentence"),
    [(" ", None, "Bitte eingeben"), ("Pause", 0, "1 bis 240"), ("x" * 201, None, "200")],
)
def test_an_invalid_announcement_is_refused(said: str, minutes: int | None, sentence: str):
    tournament = make_tournament()

    with pytest.raises(TournamentError, match=sentence):
        words.say(COMMAND, tournament.pk, words=said, minutes=minutes)

    assert Tournament.objects.get().words == ""
