"""A table calls a Schiedsrichter, and requests a correction after signing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_member
from tests.factories_lists import FOUR, write_games
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, InvalidInput, TournamentError, WrongStatus
from tournaments.models import Call, Case, JournalEntry, Role
from tournaments.table.services import calls
from tournaments.table.services.cases import MOST_OPEN, TEXT_LENGTH, ask_for_correction

pytestmark = pytest.mark.django_db


@pytest.fixture
def device(spielliste):
    return Actor.table(spielliste.table)


@pytest.fixture
def referee(spielliste):
    return make_member(spielliste.table.serie.tournament, Role.SCHIEDSRICHTER)


# --- Calls ------------------------------------------------------------------------------


def test_a_call_is_taken_and_settled(spielliste, device, referee):
    call = calls.call(device, spielliste.table_id, kind="dispute")
    calls.take(Actor.account(referee), call.pk)
    calls.take(Actor.account(referee), call.pk)
    done = calls.settle(Actor.account(referee), call.pk, note=" nachgezählt ")

    assert (done.taken_by, done.note) == (referee, "nachgezählt")
    assert done.created_at <= done.taken_at <= done.done_at
    actions = JournalEntry.objects.order_by("number").values_list("action", flat=True)
    assert list(actions) == ["referee_called", "call_taken", "call_done"]


def test_a_table_has_one_open_call(spielliste, device, referee):
    first = calls.call(device, spielliste.table_id, kind="counting")
    with pytest.raises(Conflict, match="schon gerufen"):
        calls.call(device, spielliste.table_id, kind="other")

    calls.settle(Actor.account(referee), first.pk)
    calls.call(device, spielliste.table_id, kind="other")

    first.refresh_from_db()
    assert first.taken_by == referee
    assert Call.objects.count() == 2


def test_a_call_has_a_kind(spielliste, device):
    with pytest.raises(TournamentError, match="worum es geht"):
        calls.call(device, spielliste.table_id, kind="kaffee")


def test_a_call_is_taken_once(spielliste, device, referee):
    call = calls.call(device, spielliste.table_id, kind="dispute")
    calls.take(Actor.account(referee), call.pk)
    other = make_member(spielliste.table.serie.tournament, Role.SPIELLEITUNG)

    with pytest.raises(Conflict, match=str(referee)):
        calls.take(Actor.account(other), call.pk)
    calls.settle(Actor.account(other), call.pk)

    for act in (calls.take, calls.settle):
        with pytest.raises(Conflict, match="schon erledigt"):
            act(Actor.account(referee), call.pk)


def test_a_long_note_is_refused(spielliste, device, referee):
    call = calls.call(device, spielliste.table_id, kind="dispute")

    with pytest.raises(TournamentError, match="höchstens 300"):
        calls.settle(Actor.account(referee), call.pk, note="x" * 301)


# --- Cases ------------------------------------------------------------------------------


@pytest.fixture
def signed(spielliste):
    write_games(spielliste, FOUR, status="signed")
    spielliste.protest_until = timezone.now() + timedelta(minutes=15)
    spielliste.save()
    return spielliste


def ask(spielliste, device, **changes):
    fields = {"game": 4, "text": "Platz 2 hatte 25", **changes}
    return ask_for_correction(device, spielliste.pk, **fields)


def test_a_correction_of_a_signed_list_can_be_requested(signed, device):
    case = ask(signed, device, text="  Platz 2 hatte 25 ")

    assert (case.kind, case.game, case.text) == ("correction", 4, "Platz 2 hatte 25")
    assert case.registration is None
    entry = JournalEntry.objects.get(action="correction_asked")
    assert entry.after == {"spielliste": signed.pk, "game": 4}  # and no word of it


def test_a_correction_of_the_whole_list_can_be_requested(signed, device):
    assert ask(signed, device, game=None).game is None


def test_an_unsigned_list_needs_no_correction_request(spielliste, device):
    write_games(spielliste, FOUR, status="complete")

    with pytest.raises(WrongStatus, match="noch nicht unterschrieben"):
        ask(spielliste, device)


@pytest.mark.parametrize(
    ("seconds", "is_late"), [(-1, False), (0, False), (1, True)], ids=["before", "at", "after"]
)
def test_correction_requests_have_a_deadline(signed, device, seconds, is_late):
    now = signed.protest_until + timedelta(seconds=seconds)

    if is_late:
        with pytest.raises(WrongStatus, match=r"ist um \d\d:\d\d Uhr abgelaufen"):
            ask(signed, device, now=now)
    else:
        ask(signed, device, now=now)

    assert Case.objects.exists() != is_late


def test_correction_requests_need_a_protest_time(signed, device):
    signed.protest_until = None
    signed.save()

    with pytest.raises(WrongStatus, match="keine Frist"):
        ask(signed, device)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"game": 13}, ["game"]),
        ({"text": "  "}, ["text"]),
        ({"text": "x" * (TEXT_LENGTH + 1)}, ["text"]),
        ({"game": 0, "text": ""}, ["game", "text"]),
    ],
)
def test_an_invalid_correction_request_is_refused_with_its_place(signed, device, changes, where):
    with pytest.raises(InvalidInput) as refusal:
        ask(signed, device, **changes)

    assert [problem.where for problem in refusal.value.problems] == where


def test_correction_requests_of_a_table_are_limited(signed, device):
    for _case in range(MOST_OPEN):
        ask(signed, device)

    with pytest.raises(TournamentError, match="liegen schon 10 Bitten"):
        ask(signed, device)
