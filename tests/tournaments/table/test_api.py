"""Requests of the device of a table, and their answers."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from tests.factories import make_user
from tests.factories_lists import FOUR, write_games
from tests.tournaments.lists.helpers import FIRST, game
from tournaments.common.actors import Actor
from tournaments.models import Case, Game, JournalEntry, Role
from tournaments.table.services import calls

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# --- Sending ----------------------------------------------------------------------------


def test_a_game_is_stored_and_the_new_state_comes_back(keeper, spielliste):
    answer = keeper.send("game", **game())

    assert answer.status_code == 200
    assert answer.json()["ok"] is True
    assert answer.json()["state"]["version"] == 1
    assert Game.objects.get().line == FIRST
    entry = JournalEntry.objects.get(action="game_entered")
    assert (entry.actor_kind, entry.actor_label) == ("table", "Tisch 1, Serie 1")


def test_sending_a_game_costs_a_fixed_number_of_queries(keeper, django_assert_num_queries):
    keeper.send("game", **game())

    # The access by code; 4 for the list with its tournament; the key and the keeper; 3 for the
    # content of the list; game and list; 4 of the journal; the key. In a test the transaction is a
    # savepoint, made and released.
    with django_assert_num_queries(18):
        assert keeper.send("game", **game(2, 1, FOUR[1])).status_code == 200


def test_a_stale_version_is_a_conflict_with_the_current_state(keeper, spielliste):
    keeper.send("game", **game())

    answer = keeper.send("game", **game(2, 0, FOUR[1]))

    assert answer.status_code == 409
    assert answer.json()["ok"] is False
    assert "inzwischen geändert" in answer.json()["conflict"]
    assert answer.json()["state"]["version"] == 1
    assert spielliste.games.count() == 1


def test_an_impossible_game_is_refused_with_its_place(keeper):
    answer = keeper.send("game", **game(line={"finisher": 1, "minus": [0, 198, 45, 12]}))

    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == ["minus[1]"]


def test_a_doubt_needs_a_confirmed_request(keeper):
    line = {"finisher": 1, "minus": [0, 180, 45, 12]}

    asked = keeper.send("game", **game(line=line))
    stored = keeper.send("game", **game(line=line, confirmed=True))

    assert asked.status_code == 422
    assert [doubt["where"] for doubt in asked.json()["ask"]] == ["minus[1]"]
    assert stored.status_code == 200


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ("", [""]),
        ("[]", [""]),
        ("{", [""]),
        (b"\xff", [""]),
        ("{}", ["key", "kind"]),
        ('{"key": 1, "kind": "game"}', ["key"]),
        ('{"key": "kurz", "kind": "call", "call_kind": "other"}', ["key"]),
        ('{"key": "lang genug", "kind": "tanzen"}', [""]),
        ('{"key": "lang genug", "kind": "keeper"}', ["seat"]),
        ('{"key": "lang genug", "kind": "keeper", "seat": "1"}', ["seat"]),
        ('{"key": "lang genug", "kind": "keeper", "seat": true}', ["seat"]),
        ('{"key": "lang genug", "kind": "keeper", "seat": 1, "who": 1}', ["who"]),
        ('{"key": "lang genug", "kind": "call", "call_kind": 3}', ["call_kind"]),
        ('{"key": "lang genug", "kind": "call", "call_kind": "kaffee"}', [""]),
        (
            '{"key": "lang genug", "kind": "game", "number": 1, "version": -1, "line": []}',
            ["version", "line"],
        ),
        (
            (
                '{"key": "lang genug", "kind": "game", "number": 1, "version": 0,'
                ' "line": {"finisher": 1, "minus": [0, 1e3, 99999999999999999999, 12]}}'
            ),
            ["minus[1]", "minus[2]"],
        ),
        (
            (
                '{"key": "lang genug", "kind": "change", "number": 1, "version": 0,'
                ' "line": null, "consents": "alle"}'
            ),
            ["consents"],
        ),
    ],
)
def test_an_unreadable_request_is_refused_with_its_place(keeper, body, where):
    answer = keeper.post(body)

    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == where
    assert all(problem["message"] for problem in answer.json()["problems"])


def test_an_oversized_request_is_refused(keeper):
    answer = keeper.post(json.dumps({"key": "lang genug", "kind": "x" * 70_000}))

    assert answer.json()["problems"][0]["message"] == "Das ist zu lang."


# --- Every kind of act ------------------------------------------------------------------


def test_a_line_is_changed_with_consent_and_taken_back(keeper, spielliste):
    keeper.send("game", **game())
    changed = {"finisher": 1, "handromme": False, "minus": [0, 32, 45, 12]}

    refused = keeper.send("change", **game(1, 1, changed))
    stored = keeper.send("change", **game(1, 1, changed), consents=[2])
    back = keeper.send("change", version=2, number=1, line=None, consents=[1, 2, 3, 4])

    assert [problem["where"] for problem in refused.json()["problems"]] == ["consents"]
    assert stored.json()["state"]["games"][0]["points"] == [0, 32, 45, 12]
    assert (back.status_code, back.json()["state"]["games"]) == (200, [])


def test_keeper_and_medium_are_set_by_the_table(keeper):
    state = keeper.send("keeper", seat=3).json()["state"]
    assert state["listenfuehrer"] == 3

    state = keeper.send("paper", on_paper=True).json()["state"]
    assert (state["on_paper"], state["may_change"]) == (True, False)
    assert keeper.send("game", **game()).status_code == 409

    state = keeper.send("paper", on_paper=False).json()["state"]
    assert (state["on_paper"], state["may_change"]) == (False, True)


def test_the_list_is_signed_seat_by_seat_on_the_device(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")

    for seat in (1, 2, 3):
        answer = keeper.send("sign", version=12, seat=seat, drawing="M1,1L9,9")
        assert answer.json()["state"]["status"] == "complete"
    assert answer.json()["state"]["signatures"][2] == {"seat": 3, "method": "device"}
    state = keeper.send("sign", version=12, seat=4, drawing="M1,1L9,9").json()["state"]

    assert state["status"] == "signed"
    assert len(state["signatures"]) == 4
    assert state["protest_until"] > state["now"]
    assert state["may_change"] is False


def test_the_state_omits_signatures_of_an_older_version(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper.send("sign", version=12, seat=1, drawing="M1,1L9,9")
    changed = {"finisher": 1, "handromme": False, "minus": [0, 32, 45, 12]}

    state = keeper.send("change", **game(1, 12, changed), consents=[2]).json()["state"]

    assert state["signatures"] == []


def test_a_call_is_in_the_state_until_settled(keeper, spielliste):
    call = keeper.send("call", call_kind="dispute").json()["state"]["call"]
    assert (call["kind"], call["state"]) == ("dispute", "open")
    assert keeper.send("call", call_kind="dispute").status_code == 409

    referee = Actor.account(make_user(), frozenset({Role.SCHIEDSRICHTER}))
    calls.take(referee, call["id"])
    assert keeper.state(0).json()["call"]["state"] == "taken"
    calls.settle(referee, call["id"])
    assert keeper.state(0).json()["call"] is None


def test_after_signing_the_table_asks_for_a_correction(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    assert keeper.send("case", game=4, text="Platz 2 hatte 25").status_code == 409
    keeper.send("sign_paper", version=12)

    state = keeper.send("case", game=4, text="Platz 2 hatte 25").json()["state"]
    keeper.send("case", game=None, text="Die Plätze sind vertauscht")

    case = Case.objects.get(game=4)
    assert state["cases"] == [
        {
            "id": case.pk,
            "game": 4,
            "text": "Platz 2 hatte 25",
            "state": "open",
            "decision": "",
        }
    ]
    assert Case.objects.filter(game=None).count() == 1


def test_the_state_contains_decisions_of_the_spielleitung(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper.send("sign_paper", version=12)
    keeper.send("case", text="Platz 2 hatte 25")
    Case.objects.update(decided_at=timezone.now(), decision="berichtigt")

    (case,) = keeper.state().json()["cases"]

    assert (case["state"], case["decision"]) == ("decided", "berichtigt")
