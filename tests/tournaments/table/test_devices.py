"""Codes, devices and the keeper of a list: valid and invalid access to a table."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.worlds import world
from tournaments.common.access_keys import table_code, table_token
from tournaments.common.actors import Actor
from tournaments.common.code_throttling import (
    GUESSES_LAST,
    MOST_IN_ALL,
    MOST_PER_ADDRESS,
    TooManyGuesses,
)
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import services as journal
from tournaments.models import CodeGuess, JournalEntry, TableAccess, TableDevice
from tournaments.table.services.devices import (
    AccessEnded,
    UnknownCode,
    allow_take_over,
    check_not_withdrawn,
    find_access,
    find_by_code,
    find_device,
    open_device,
    release,
    take_over,
    withdraw_access,
)

pytestmark = pytest.mark.django_db


@world
def access():
    return list_of(make_seated_serie(make_tournament())).table.access


@pytest.fixture
def actor(access):
    return Actor.table(access.table)


def opened(access, secret=""):
    """Device and secret."""
    return open_device(find_access(table_token(access)), secret=secret)


# --- Codes ------------------------------------------------------------------------------


def test_the_token_opens_its_table_in_one_query(access, django_assert_num_queries):
    token = table_token(access)

    with django_assert_num_queries(1):
        opened = find_access(token)
        assert (opened.table.serie.number, opened.table.spielliste.version) == (1, 0)


def test_another_table_token_is_refused(access):
    token = table_token(access)

    with pytest.raises(UnknownCode):
        find_access(token[:-1] + ("y" if token.endswith("x") else "x"))


@pytest.mark.parametrize("write", [str, str.lower, lambda code: code.replace("-", " ")])
def test_a_short_code_works_in_any_spelling(access, write):
    assert find_by_code(write(table_code(access)), table=1) == access


def test_wrong_short_codes_are_counted_and_expire(access):
    now = timezone.now()
    with pytest.raises(UnknownCode, match="6 Zeichen"):
        find_by_code("AAA-AAA", table=1, address="192.0.2.1", now=now)
    guess = CodeGuess.objects.get()
    assert "192.0.2.1" not in guess.address_hash

    with pytest.raises(UnknownCode):
        find_by_code("BBB-BBB", table=1, now=now + GUESSES_LAST)

    assert CodeGuess.objects.get().at == now + GUESSES_LAST


def test_guessing_codes_locks_the_guesser_only(access):
    now = timezone.now()
    for _guess in range(MOST_PER_ADDRESS):
        with pytest.raises(UnknownCode):
            find_by_code("AAA-AAA", table=1, address="192.0.2.1", now=now)

    with pytest.raises(TooManyGuesses, match="zehn Minuten"):
        find_by_code(table_code(access), table=1, address="192.0.2.1", now=now)
    assert find_by_code(table_code(access), table=1, address="192.0.2.2", now=now) == access
    with pytest.raises(UnknownCode):  # and at other tables of the same hall
        find_by_code(table_code(access), table=2, address="192.0.2.1", now=now)
    later = now + GUESSES_LAST
    assert find_by_code(table_code(access), table=1, address="192.0.2.1", now=later) == access


def test_guesses_from_many_addresses_are_stopped(access):
    now = timezone.now()
    CodeGuess.objects.bulk_create(
        CodeGuess(number=1, address_hash=str(number), at=now) for number in range(MOST_IN_ALL)
    )

    with pytest.raises(TooManyGuesses):
        find_by_code(table_code(access), table=1, address="192.0.2.1", now=now)


def test_guesses_lock_one_tournament_only(access):
    now, ours = timezone.now(), access.table.serie.tournament
    others = make_tournament(slug="anderswo")
    for number in range(MOST_IN_ALL):
        with pytest.raises(UnknownCode):
            find_by_code("AAA-AAA", table=1, tournament=others, address=str(number), now=now)

    assert find_by_code(table_code(access), table=1, tournament=ours, now=now) == access
    with pytest.raises(TooManyGuesses):
        find_by_code("AAA-AAA", table=1, tournament=others, now=now)


def test_a_code_is_valid_in_its_tournament_only(access):
    with pytest.raises(UnknownCode):
        find_by_code(table_code(access), table=1, tournament=make_tournament(slug="anderswo"))


def test_guesses_of_others_do_not_lock_a_device_of_the_table(access):
    now, typed = timezone.now(), {"table": 1, "address": "192.0.2.1"}
    _device, secret = opened(access)
    for _guess in range(MOST_PER_ADDRESS):  # behind the same router
        with pytest.raises(UnknownCode):
            find_by_code("AAA-AAA", **typed, now=now)
    CodeGuess.objects.bulk_create(
        CodeGuess(number=1, address_hash=str(number), at=now) for number in range(MOST_IN_ALL)
    )

    assert find_by_code(table_code(access), **typed, secret=secret, now=now) == access
    with pytest.raises(TooManyGuesses):
        find_by_code(table_code(access), **typed, secret="made up", now=now)
    for _guess in range(MOST_PER_ADDRESS):
        with pytest.raises(UnknownCode):
            find_by_code("AAA-AAA", **typed, secret=secret, now=now)
    with pytest.raises(TooManyGuesses):  # by its own
        find_by_code(table_code(access), **typed, secret=secret, now=now)


def test_the_codes_end_with_their_serie(access):
    serie = access.table.serie
    serie.closed_at = timezone.now()
    serie.save()

    with pytest.raises(AccessEnded, match="Serie 1 ist abgeschlossen"):
        find_by_code(table_code(access), table=1)
    with pytest.raises(AccessEnded):
        opened(access)


def test_reopening_a_serie_replaces_its_withdrawn_codes(access):
    TableAccess.objects.update(withdrawn_at=timezone.now())  # as closing a Serie does
    with pytest.raises(AccessEnded, match="zurückgezogen"):
        find_by_code(table_code(access), table=1)

    renewed = withdraw_access(COMMAND, access.table_id)

    assert find_by_code(table_code(renewed), table=1) == access


# --- Devices ----------------------------------------------------------------------------


def test_a_device_is_recognised_by_its_secret(access):
    first = opened(access)
    TableDevice.objects.update(last_seen_at=timezone.now() - timedelta(hours=1))

    again = opened(access, first[1])

    assert again == first
    assert TableDevice.objects.get().last_seen_at > timezone.now() - timedelta(minutes=1)
    assert first[1] != first[0].token_hash


@pytest.mark.parametrize("secret", ["", "wrong"])
def test_a_device_without_its_secret_is_new(access, secret):
    first = opened(access)

    assert opened(access, secret)[0] != first[0]


def test_one_device_keeps_the_list_and_others_watch(access, actor):
    (first, _secret), (second, _other) = opened(access), opened(access)
    take_over(actor, first.pk)
    take_over(actor, first.pk)

    with pytest.raises(Conflict, match="schon ein anderes Gerät"):
        take_over(actor, second.pk)

    assert TableDevice.objects.get(is_keeper=True) == first
    assert JournalEntry.objects.filter(action="keeper_taken").count() == 1


def test_a_released_list_is_taken_by_the_next_device(access, actor):
    (first, _secret), (second, _other) = opened(access), opened(access)
    take_over(actor, first.pk)

    release(actor, second.pk)
    release(actor, first.pk)
    take_over(actor, second.pk)

    assert TableDevice.objects.get(is_keeper=True) == second
    actions = JournalEntry.objects.order_by("number").values_list("action", flat=True)
    assert list(actions) == ["keeper_taken", "keeper_released", "keeper_taken"]


def test_a_list_without_a_keeper_can_be_taken_freely(access):
    with pytest.raises(TournamentError, match="jedes kann sie übernehmen"):
        allow_take_over(COMMAND, access.table_id)


def test_withdrawn_codes_lock_their_devices_out(access, actor):
    token, code = table_token(access), table_code(access)
    device, secret = opened(access)
    take_over(actor, device.pk)

    renewed = withdraw_access(COMMAND, access.table_id, reason="Foto im Netz")

    with pytest.raises(UnknownCode):
        find_access(token)
    with pytest.raises(UnknownCode):
        find_by_code(code, table=1)
    with pytest.raises(AccessEnded, match="neuen Code"):
        check_not_withdrawn(secret)
    assert find_device(renewed, secret) is None
    with pytest.raises(AccessEnded):
        take_over(actor, device.pk)
    assert find_access(table_token(renewed)) == access
    assert find_by_code(table_code(renewed), table=1) == access
    entry = JournalEntry.objects.get(action="table_access_withdrawn")
    assert (entry.reason, entry.after) == ("Foto im Netz", {"generation": 2, "devices": 1})


def test_an_unknown_device_was_not_locked_out(access):
    check_not_withdrawn("")
    check_not_withdrawn("unknown")
    check_not_withdrawn(opened(access)[1])


def test_no_two_tables_share_a_short_code(access, monkeypatch):
    other = list_of(make_seated_serie(make_tournament())).table.access
    taken = table_code(other)
    hashes = iter([other.code_hash, "free"])
    monkeypatch.setattr("tournaments.common.access_keys.code_hash", lambda _code: next(hashes))

    renewed = withdraw_access(COMMAND, access.table_id)

    assert (renewed.generation, renewed.code_hash) == (3, "free")
    assert TableAccess.objects.get(code_hash=other.code_hash) == other
    assert taken == table_code(other)


def test_any_device_may_continue_after_a_takeover(access, actor):
    (known, _secret), (new, _other) = opened(access), opened(access)
    take_over(actor, known.pk)
    journal.record(None, COMMAND, "taken_over")

    take_over(actor, new.pk)

    assert TableDevice.objects.get(is_keeper=True) == new
    TableDevice.objects.filter(pk=new.pk).update(last_seen_at=timezone.now())
    with pytest.raises(Conflict):
        take_over(actor, known.pk)
