"""Beginning a Serie, its time limit and extra time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.hall.helpers import played, running
from tests.worlds import world
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.hall.services import serie_time
from tournaments.models import JournalEntry, Serie, Spielliste

pytestmark = pytest.mark.django_db
BEGUN = datetime(2026, 10, 3, 12, 0, tzinfo=UTC)


def limited(**kwargs) -> Serie:
    serie = running(**kwargs)
    serie.time_limit_minutes, serie.started_at = 90, BEGUN
    serie.save()
    return serie


def minutes(serie: Serie) -> list[int]:
    spielliste = Spielliste.objects.filter(table__serie=serie).order_by("table__number")
    return list(spielliste.values_list("extra_minutes", flat=True))


serie = world(limited)


def test_starting_a_serie_is_journalled():
    serie = running()

    started = serie_time.start(COMMAND, serie.pk)

    assert timezone.now() - started.started_at < timedelta(minutes=1)
    assert JournalEntry.objects.get(action="serie_started").subject_id == serie.pk


def test_a_serie_without_seats_cannot_start():
    serie = make_tournament().serien.get(number=1)

    with pytest.raises(WrongStatus, match="noch keine Sitzordnung"):
        serie_time.start(COMMAND, serie.pk)


def test_a_mistaken_start_is_undone(serie: Serie):
    assert serie_time.take_back_start(COMMAND, serie.pk).started_at is None
    with pytest.raises(WrongStatus, match="noch nicht begonnen"):
        serie_time.take_back_start(COMMAND, serie.pk)


def test_a_start_is_final_after_the_first_game(serie: Serie):
    write_games(list_of(serie), FOUR[:1])

    with pytest.raises(WrongStatus, match="schon Spiele eingetragen"):
        serie_time.take_back_start(COMMAND, serie.pk)


def test_the_end_of_a_table_follows_from_start_limit_and_extra_time(serie: Serie):
    assert serie.ends_at() == datetime(2026, 10, 3, 13, 30, tzinfo=UTC)
    assert serie.ends_at(15) == datetime(2026, 10, 3, 13, 45, tzinfo=UTC)


@pytest.mark.parametrize("field", ["started_at", "time_limit_minutes"])
def test_a_serie_without_limit_or_start_has_no_end(field: str, serie: Serie):
    setattr(serie, field, None)

    assert serie.ends_at() is None


def test_extra_time_reaches_all_playing_tables():
    serie = limited(tables=3)
    played(serie, 2, status=Spielliste.Status.SIGNED)

    serie_time.give_extra(COMMAND, serie.pk, minutes=10)

    assert minutes(serie) == [10, 0, 10]
    entry = JournalEntry.objects.get(action="extra_time_given")
    assert entry.after == {"minutes": 10, "tables": [1, 3]}


def test_extra_time_of_a_table_is_added_and_taken_back_up_to_240_minutes():
    serie = limited(tables=2)
    after = []

    for given in (10, 15, -5, -20, 240):
        serie_time.give_extra(COMMAND, serie.pk, minutes=given, tables=[2])
        after.append(minutes(serie))

    assert after == [[0, 10], [0, 25], [0, 20], [0, 0], [0, 240]]


@pytest.mark.parametrize(
    ("given", "tables", "sentence"),
    [
        pytest.param(0, None, "wie viele Minuten", id="none"),
        pytest.param(-1, None, "mehr lässt sich nicht zurücknehmen", id="more than there is"),
        pytest.param(241, None, "höchstens 240", id="too many"),
        pytest.param(10, [1, 7], "Tisch 7 gibt es in Serie 1 nicht", id="no such table"),
    ],
)
def test_invalid_extra_time_is_refused_for_all(given, tables, sentence):
    serie = limited(tables=2)

    with pytest.raises(TournamentError, match=sentence):
        serie_time.give_extra(COMMAND, serie.pk, minutes=given, tables=tables)

    assert minutes(serie) == [0, 0]


def test_a_signed_table_gets_no_extra_time(serie: Serie):
    played(serie, status=Spielliste.Status.SIGNED)

    with pytest.raises(WrongStatus, match="Tisch 1 spielt nicht mehr"):
        serie_time.give_extra(COMMAND, serie.pk, minutes=5, tables=[1])
    with pytest.raises(WrongStatus, match="spielt kein Tisch mehr"):
        serie_time.give_extra(COMMAND, serie.pk, minutes=5)


def test_a_serie_without_a_limit_needs_no_extra_time():
    with pytest.raises(WrongStatus, match="keine Zeitbegrenzung"):
        serie_time.give_extra(COMMAND, running().pk, minutes=5)
