"""Open pages of a table share one answer for each version of a list."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import Device, game, keeper_of
from tournaments.common.access_keys import table_token
from tournaments.common.tokens import hash_token
from tournaments.lists.queries import list_revisions
from tournaments.models import Spielliste, TableDevice
from tournaments.notices.services import words
from tournaments.table.queries import news
from tournaments.table.services.devices import find_access, withdraw_access
from tournaments.table.views.table_access import COOKIE

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def two() -> tuple[Device, Device]:
    """The devices that keep the lists of two tables."""
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=2)
    return keeper_of(list_of(serie, 1)), keeper_of(list_of(serie, 2))


def without_time(answer: Any) -> dict[str, Any]:
    return {name: value for name, value in answer.json().items() if name != "now"}


def test_pages_of_a_table_share_one_answer(two, django_assert_num_queries):
    keeper, _other = two
    lookers = [Device(keeper.access.table.spielliste) for _looker in range(3)]
    since = keeper.state().json()["since"]
    keeper.send("game", **game())

    with django_assert_num_queries(2):  # the end of the journal was not known
        first = lookers[0].state(since)
    with django_assert_num_queries(1):
        same = lookers[1].state(since)
    with django_assert_num_queries(1):
        own = keeper.state(since)

    assert without_time(first) == without_time(same) == without_time(lookers[2].state())
    assert without_time(own) == without_time(keeper.state())
    assert [state.json()["may_change"] for state in (first, own)] == [False, True]
    assert [len(state.json()["games"]) for state in (first, own)] == [1, 1]


def test_each_phone_gets_answers_in_its_language(two, django_assert_num_queries):
    keeper, _other = two
    since = keeper.state().json()["since"]
    keeper.send("game", **game())  # the first one begins the Serie
    phones = [Device(keeper.access.table.spielliste) for _language in range(2)]

    told = []
    for language in ("de", "en", "de", "en"):
        phone = phones[language == "en"]
        phone.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        told.append(phone.state(since).json()["signs"][0]["title"])
    with django_assert_num_queries(1):
        phones[1].state(since)

    assert told == ["Serie 1 hat begonnen", "Round 1 has begun"] * 2


def test_a_cached_answer_contains_the_current_time(two, monkeypatch):
    keeper, _other = two
    keeper.state(0)
    later = timezone.now() + timedelta(minutes=5)
    monkeypatch.setattr(timezone, "now", lambda: later)

    assert datetime.fromisoformat(keeper.state(0).json()["now"]) == later


def test_the_journal_is_read_once_for_all_tables(two, django_assert_num_queries):
    here, there = two
    here.send("game", **game())  # the first one begins the Serie
    since = [device.state().json()["since"] for device in two]
    here.send("game", **game(2, 1, FOUR[1]))

    with django_assert_num_queries(2):
        assert there.state(since[1]).status_code == 204
    with django_assert_num_queries(1):
        assert there.state(since[1]).status_code == 204

    assert here.state(since[0]).status_code == 200


def test_a_cached_answer_gives_a_former_keeper_no_right(two):
    keeper, _other = two
    since = keeper.state().json()["since"]
    looker = Device(keeper.access.table.spielliste)
    assert keeper.state(0).json()["may_change"]

    keeper.send("release")
    after = keeper.state(since).json()
    assert (after["is_keeper"], after["may_change"], after["has_keeper"]) == (False, False, False)

    looker.send("take_over")
    looker.send("paper", on_paper=True)
    assert looker.state(since).json()["is_keeper"]
    assert not looker.state(since).json()["may_change"]


def test_a_withdrawn_code_opens_no_cached_answer(two):
    keeper, _other = two
    since = keeper.state().json()["since"]
    keeper.send("game", **game())
    assert keeper.state(since).status_code == 200

    withdraw_access(COMMAND, keeper.access.table_id)

    for shown in (since, 0, ""):
        answer = keeper.state(shown)
        assert (answer.status_code, [*answer.json()]) == (403, ["ok", "refused"])


def test_a_new_process_sends_the_whole_list_and_then_changes(two, monkeypatch):
    here, there = two
    since = here.state().json()["since"]

    monkeypatch.setattr(list_revisions, "_revisions", {})  # as in a process that has just begun
    there.send("game", **game())
    newer = here.state(since).json()["since"]
    there.send("game", **game(2, 1, FOUR[1]))

    assert here.state(newer).status_code == 204


def test_acts_of_other_processes_are_read_from_the_database(two, monkeypatch):
    here, there = two
    since = here.state().json()["since"]
    other_process: dict[int, Any] = {}
    for number in (1, 2, 3):
        here.send("game", **game(number, number - 1, FOUR[number - 1]))
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(list_revisions, "_revisions", other_process)
            assert there.state(since).status_code == (200 if number == 1 else 204)
            since = there.state(0).json()["since"]

    assert len(here.state(0).json()["games"]) == 3


def test_too_many_acts_send_every_page_a_full_state(two, monkeypatch):
    monkeypatch.setattr(list_revisions, "MOST_READ", 1)
    here, there = two
    since = here.state().json()["since"]

    there.send("game", **game())
    there.send("game", **game(2, 1, FOUR[1]))

    assert here.state(since).status_code == 200


def test_the_cache_keeps_few_tournaments(two, monkeypatch):
    monkeypatch.setattr(list_revisions, "MOST_TOURNAMENTS", 1)
    here, there = two
    since = here.state().json()["since"]
    strange = keeper_of(list_of(make_seated_serie(make_tournament())))
    strange.state()

    assert len(list_revisions._revisions) == 1
    assert there.send("game", **game()).status_code == 200
    assert here.state(since).status_code == 200  # as of whatever it does not know


def token_of(device: Device) -> str:
    return table_token(device.access)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"is_keeper": False}, False),
        ({"generation": 7}, False),
        ({"is_keeper": False, "withdrawn_at": timezone.now()}, False),
    ],
    ids=["keeps the list", "looks on", "came by an old code", "was shut out"],
)
def test_query_and_access_check_agree_on_devices(two, change, expected):
    device, _other = two
    TableDevice.objects.filter(pk=device.device.pk).update(**change)

    asked = news.poll_of(
        hash_token(token_of(device)), hash_token(device.client.cookies[COOKIE].value)
    )

    assert asked is not None
    assert asked.is_keeper == expected == device.state().json()["is_keeper"]
    access = find_access(token_of(device))
    tournament = access.table.serie.tournament
    tournament.refresh_from_db()
    assert (asked.tournament_id, asked.revision) == (tournament.pk, tournament.revision)
    assert (asked.table_id, asked.spielliste_id) == (access.table_id, access.table.spielliste.pk)
    assert asked.number == tournament.journal_chain.last_number


def test_each_version_of_a_list_replaces_the_previous_one(two):
    here, _there = two
    since = here.state().json()["since"]
    here.send("game", **game())
    assert len(here.state(since).json()["games"]) == 1

    here.send("change", **{**game(1, 1), "line": None, "consents": [1, 2, 3, 4]})
    words.say(COMMAND, here.access.table.serie.tournament_id, words="Pause")

    shown = here.state(since).json()
    assert shown["version"] == Spielliste.objects.get(pk=here.access.table.spielliste.pk).version
    assert shown["games"] == []
    assert [sign["title"] for sign in shown["signs"]][-1] == "Pause"
