"""The lines of a list before it is signed: entered, changed with consent, taken back."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from tests.factories import acting, make_member
from tests.factories_lists import FOUR, write_games
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, DoubtfulInput, InvalidInput, NotAllowed, WrongStatus
from tournaments.lists.services import signing
from tournaments.lists.services.spiellisten import (
    change_game,
    enter_game,
    keep_on_paper,
    set_listenfuehrer,
)
from tournaments.models import JournalEntry, Role, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIRST = FOUR[0]  # {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]}
TOO_MUCH = {"finisher": 1, "handromme": False, "minus": [0, 198, 45, 12]}  # 13 cards: 197
ALL_SAME = {"finisher": 1, "handromme": False, "minus": [0, 180, 45, 12]}


@pytest.fixture
def device(spielliste):
    return Actor.table(spielliste.table)


@pytest.fixture
def spielleitung(spielliste):
    return acting(spielliste.table.serie.tournament)


def enter(spielliste, actor, line=FIRST, **changes):
    fields = {"number": spielliste.games.count() + 1, "version": spielliste.version, **changes}
    return enter_game(actor, spielliste.pk, line=line, **fields).spielliste


def change(spielliste, actor, line, **changes):
    fields = {"number": 1, "version": spielliste.version, "consents": [1, 2, 3, 4], **changes}
    return change_game(actor, spielliste.pk, line=line, **fields).spielliste


# --- Entering ---------------------------------------------------------------------------


def test_each_entry_proves_the_game_the_list_and_the_start(spielliste, device):
    game = enter(spielliste, device).games.get()
    change_game(device, spielliste.pk, number=1, line=None, version=1, consents=[1, 2, 3, 4])

    started, entered, taken_back = JournalEntry.objects.order_by("pk")
    name = f"game/{game.pk}"
    assert set(started.rows) == {f"serie/{spielliste.table.serie_id}"}
    assert set(entered.rows) == set(taken_back.rows) == {name, f"spielliste/{spielliste.pk}"}
    assert entered.rows[name]
    assert taken_back.rows[name] is None


def test_a_game_is_written_and_starts_the_serie(spielliste, device):
    stored = enter(spielliste, device)

    stored.refresh_from_db()
    assert (stored.status, stored.version) == (Spielliste.Status.OPEN, 1)
    assert stored.games.get().line == FIRST
    assert stored.last_entry_at is not None
    assert stored.table.serie.started_at == stored.last_entry_at


def test_a_started_serie_keeps_its_start(spielliste, device):
    serie = spielliste.table.serie
    serie.started_at = timezone.now() - timedelta(minutes=5)
    serie.save()
    started_at = serie.started_at

    enter(spielliste, device)

    serie.refresh_from_db()
    assert serie.started_at == started_at


def test_the_journal_names_the_writing_table(spielliste, device):
    enter(spielliste, device)

    entry = JournalEntry.objects.get(action="game_entered")
    assert (entry.actor_kind, entry.actor_label) == ("table", "Tisch 1, Serie 1")
    assert entry.after == {"game": 1, "line": FIRST, "version": 1}


def test_the_last_game_makes_the_list_complete(spielliste, device):
    write_games(spielliste, FOUR[:11])

    stored = enter(spielliste, device, FOUR[11])

    assert stored.status == Spielliste.Status.COMPLETE


def test_a_complete_list_takes_no_game(spielliste, device):
    write_games(spielliste, FOUR, status="complete")

    with pytest.raises(WrongStatus, match="Alle 12 Spiele"):
        enter(spielliste, device)


@pytest.mark.parametrize("status", ["signed", "handed_in", "verified", "invalid"])
def test_a_signed_list_refuses_games(spielliste, device, status):
    write_games(spielliste, FOUR[:11], status=status)

    with pytest.raises(WrongStatus, match="nur noch die Spielleitung"):
        enter(spielliste, device, FOUR[11])

    assert spielliste.games.count() == 11


@pytest.mark.parametrize("number", [0, 2, 13])
def test_games_come_in_order(spielliste, device, number):
    with pytest.raises(InvalidInput, match="An der Reihe ist Spiel 1"):
        enter(spielliste, device, number=number)


@pytest.mark.both
@pytest.mark.parametrize(
    "line",
    [
        {},
        {"finisher": 5, "minus": [10, 23, 45, 12]},
        {"finisher": 1, "minus": [0, 23, 45, 12], "winner": 1},
        {"finisher": 1, "minus": [0, 10**20, 45, 12]},
        {"finisher": 1, "minus": [0, float("nan"), 45, 12]},
        {"finisher": 1, "minus": [0, 23, 45, 12], "adjustments": [{"seat": 1, "points": 0}]},
    ],
)
def test_an_invalid_line_is_never_stored(spielliste, device, spielleitung, line):
    with pytest.raises(InvalidInput):
        enter(spielliste, device, line)
    with pytest.raises(InvalidInput):
        enter(spielliste, spielleitung, line, override_reason="steht so da")

    assert not spielliste.games.exists()


def test_an_improbable_hand_is_confirmed_once(spielliste, device):
    with pytest.raises(DoubtfulInput) as doubt:
        enter(spielliste, device, ALL_SAME)
    assert [problem.where for problem in doubt.value.problems] == ["minus[1]"]
    assert not spielliste.games.exists()

    enter(spielliste, device, ALL_SAME, confirmed=True)

    entry = JournalEntry.objects.get(action="game_entered")
    assert entry.after["doubts"] == [problem.message for problem in doubt.value.problems]
    assert not spielliste.games.get().overridden


def test_an_unclear_entry_is_kept_with_its_readings(spielliste, device):
    line = {"finisher": [2, 4], "handromme": False, "minus": [12, 30, [9, 19], 22]}

    enter(spielliste, device, line, confirmed=True)

    assert spielliste.games.get().line == line


# --- Overriding -------------------------------------------------------------------------


def test_the_spielleitung_accepts_an_impossible_hand_with_a_reason(spielliste, spielleitung):
    enter(spielliste, spielleitung, TOO_MUCH, override_reason="steht so auf dem Papier")

    assert spielliste.games.get().overridden
    entry = JournalEntry.objects.get(action="game_entered")
    assert entry.reason == "steht so auf dem Papier"
    assert "198 kann nicht sein" in entry.after["problems"][0]


@pytest.mark.parametrize(
    ("role", "refusal"),
    [
        (Role.SCHIEDSRICHTER, "nur die Spielleitung"),
        (Role.KASSE, "fehlt in diesem Turnier die Rolle"),  # and writes no games at all
    ],
)
def test_only_the_spielleitung_accepts_an_impossible_hand(spielliste, role, refusal):
    actor = Actor.account(make_member(spielliste.table.serie.tournament, role))

    with pytest.raises(NotAllowed, match=refusal):
        enter(spielliste, actor, TOO_MUCH, override_reason="steht so da")


def test_a_table_cannot_accept_an_impossible_hand(spielliste, device):
    with pytest.raises(NotAllowed):
        enter(spielliste, device, TOO_MUCH, override_reason="steht so da")
    with pytest.raises(InvalidInput):
        enter(spielliste, device, TOO_MUCH, override_reason="  ")


# --- Changing ---------------------------------------------------------------------------


def with_minus(*minus, finisher=1, handromme=False):
    return {"finisher": finisher, "handromme": handromme, "minus": list(minus)}


@pytest.mark.parametrize(
    ("line", "concerned"),
    [
        pytest.param(with_minus(0, 32, 45, 12), {2}, id="§ 2.2.3 one hand"),
        pytest.param(with_minus(0, 45, 23, 12), {2, 3}, id="§ 2.2.3 two hands"),
        pytest.param(with_minus(0, 23, 45, 12, finisher=[1, 2]), {1}, id="§ 2.2.6 the finish"),
        pytest.param(with_minus(31, 0, 45, 12, finisher=2), {1, 2}, id="§ 3.2.1 who finished"),
        pytest.param(with_minus(0, 63, 85, 52, handromme=True), {1, 2, 3, 4}, id="§ 3.2.2"),
        pytest.param(with_minus(0, [23, 28], 45, 12), {2}, id="§ 2.2.6 an unclear hand"),
    ],
)
def test_a_change_needs_the_consent_of_those_concerned(spielliste, device, line, concerned):
    write_games(spielliste, FOUR[:3])

    for seat in concerned:
        with pytest.raises(InvalidInput) as refusal:
            change(spielliste, device, line, consents=concerned - {seat}, confirmed=True)
        assert [problem.where for problem in refusal.value.problems] == ["consents"]
        assert f"Platz {seat}" in str(refusal.value)
    changed = change(spielliste, device, line, consents=concerned, confirmed=True)

    assert changed.version == 4
    assert changed.games.get(number=1).line == line
    entry = JournalEntry.objects.get(action="game_changed")
    assert entry.before == {"game": 1, "line": FIRST}
    assert entry.after["consents"] == sorted(concerned)


@pytest.mark.both
def test_undoing_a_game_concerns_everyone_with_points_of_it(spielliste, device):
    write_games(spielliste, FOUR, status="complete")

    with pytest.raises(InvalidInput, match="Platz 4"):
        change(spielliste, device, None, number=12, consents=[1, 2, 3])
    changed = change(spielliste, device, None, number=12)

    changed.refresh_from_db()
    assert (changed.status, changed.version, changed.games.count()) == ("open", 13, 11)
    entry = JournalEntry.objects.get(action="game_taken_back")
    assert entry.before == {"game": 12, "line": FOUR[11]}
    assert entry.after == {"version": 13, "consents": [1, 2, 3, 4]}


def test_only_the_last_game_can_be_undone(spielliste, device):
    write_games(spielliste, FOUR[:3])

    with pytest.raises(InvalidInput, match="nur das letzte Spiel, Spiel 3"):
        change(spielliste, device, None, number=2)


def test_a_missing_game_cannot_be_changed(spielliste, device):
    with pytest.raises(InvalidInput, match="Spiel 1 steht noch nicht"):
        change(spielliste, device, FIRST)


def test_an_empty_change_is_refused(spielliste, device):
    write_games(spielliste, FOUR[:1])

    with pytest.raises(InvalidInput, match="nichts anders"):
        change(spielliste, device, FIRST)


def test_a_change_is_checked_like_an_entry(spielliste, device):
    write_games(spielliste, FOUR[:1])

    with pytest.raises(InvalidInput, match="198 kann nicht sein"):
        change(spielliste, device, TOO_MUCH)
    with pytest.raises(DoubtfulInput):
        change(spielliste, device, ALL_SAME)
    with pytest.raises(Conflict):
        change(spielliste, device, ALL_SAME, version=0)


def test_an_account_copies_a_paper_list_without_consents(spielliste, spielleitung):
    write_games(spielliste, FOUR[:1])

    change(spielliste, spielleitung, with_minus(0, 32, 45, 12), consents=[])
    change_game(
        spielleitung,
        spielliste.pk,
        number=1,
        line=TOO_MUCH,
        version=2,
        consents=[],
        override_reason="steht so da",
    )

    assert spielliste.games.get().overridden


def test_signatures_are_void_after_a_change(spielliste, device):
    write_games(spielliste, FOUR, status="complete")
    for seat in (1, 2, 3):
        signing.sign(device, spielliste.pk, seat=seat, version=12, drawing="M1,1L9,9")

    change(spielliste, device, with_minus(0, 32, 45, 12))
    signed = signing.sign(device, spielliste.pk, seat=4, version=13, drawing="M1,1L9,9")

    assert signed.status == Spielliste.Status.COMPLETE
    assert signed.signatures.filter(version=13).count() == 1


# --- Keeper and medium of the list ------------------------------------------------------


def test_keeping_a_list_needs_an_existing_seat(spielliste, device):
    with pytest.raises(InvalidInput, match="Platz 5 gibt es"):
        set_listenfuehrer(device, spielliste.pk, seat=5)


def test_a_paper_list_refuses_devices_until_it_returns_to_one(spielliste, device, spielleitung):
    keep_on_paper(device, spielliste.pk, on_paper=True)
    with pytest.raises(WrongStatus, match="auf Papier geführt"):
        enter(spielliste, device)
    enter(spielliste, spielleitung)

    keep_on_paper(device, spielliste.pk, on_paper=False)
    keep_on_paper(device, spielliste.pk, on_paper=False)
    spielliste.refresh_from_db()
    enter(spielliste, device, FOUR[1])

    assert spielliste.games.count() == 2
    actions = JournalEntry.objects.filter(action__startswith="list_on_").order_by("number")
    assert [entry.action for entry in actions] == ["list_on_paper", "list_on_device"]


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(partial(set_listenfuehrer, seat=2), id="keeper"),
        pytest.param(partial(keep_on_paper, on_paper=True), id="paper"),
    ],
)
def test_a_signed_list_keeps_how_it_was_written(spielliste, device, act):
    write_games(spielliste, FOUR, status="signed")

    with pytest.raises(WrongStatus):
        act(device, spielliste.pk)


def test_the_journal_distinguishes_actors_without_an_account(spielliste):
    registration = spielliste.table.seats.get(number=2).registration

    table, player = Actor.table(spielliste.table), Actor.player(registration)

    assert (table.kind, table.label) == ("table", "Tisch 1, Serie 1")
    assert (player.kind, player.label) == ("player", "Nr. 2")
