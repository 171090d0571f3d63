"""What the scripts of a table's page ask and send, and how each is answered."""

from __future__ import annotations

import json
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import (
    COMMAND,
    make_club,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.lists.helpers import Device, keeper_of
from tournaments.models import Case, Game, JournalEntry, Penalty, SeatSpan, Spielliste, Submission
from tournaments.services import calls, spiellisten
from tournaments.services.people import update_person
from tournaments.services.table_devices import allow_take_over, withdraw_access

pytestmark = pytest.mark.django_db

FIRST = MappingProxyType(dict(FOUR[0]))  # finisher 1, hands 0, 23, 45, 12


@pytest.fixture
def spielliste():
    return list_of(make_seated_serie(make_tournament()))


@pytest.fixture
def keeper(spielliste):
    return keeper_of(spielliste)


def game(number=1, version=0, line=FIRST, **more):
    return {"number": number, "version": version, "line": dict(line), **more}


# --- Asking -----------------------------------------------------------------------------


def test_nothing_new_is_answered_by_one_query(keeper, django_assert_num_queries):
    state = keeper.state().json()

    for since in (state["since"], state["revision"]):
        with django_assert_num_queries(1):
            answer = keeper.state(since)
        assert (answer.status_code, answer.content) == (204, b"")


def rows_of_two(tournament):
    return [[make_registration(tournament) for _seat in range(4)] for _table in range(2)]


def test_what_happens_at_other_tables_is_no_news(django_assert_num_queries):
    tournament = make_tournament()
    serie = make_seated_serie(tournament, rows_of_two(tournament))
    here, there = keeper_of(list_of(serie, 1)), keeper_of(list_of(serie, 2))
    here.send("game", **game())
    since = here.state().json()["since"]

    there.send("game", **game())
    there.send("game", **game(2, 1, FOUR[1]))
    with django_assert_num_queries(2):
        answer = here.state(since)

    assert answer.status_code == 204


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda here: here.send("game", **game()), id="a game at this table"),
        pytest.param(lambda here: here.send("call", call_kind="other"), id="a call"),
        pytest.param(lambda here: here.send("release"), id="the keeper"),
        pytest.param(
            lambda here: update_person(
                person_id=here.access.table.seats.get(number=1).registration.person_id,
                actor=COMMAND,
                fields={"first_name": "Ute", "last_name": "Kühn"},
            ),
            id="a name, which no journal of the tournament has",
        ),
        pytest.param(
            lambda here: withdraw_access(table_id=here.access.table_id, actor=COMMAND),
            id="the end of the code",
        ),
    ],
)
def test_whatever_may_concern_the_table_is_news(keeper, act):
    since = keeper.state().json()["since"]

    act(keeper)

    assert keeper.state(since).status_code != 204


def test_the_first_game_of_the_serie_is_news_at_every_table():
    tournament = make_tournament()
    serie = make_seated_serie(tournament, rows_of_two(tournament))
    tournament.serien.update(time_limit_minutes=90)
    here, there = keeper_of(list_of(serie, 1)), keeper_of(list_of(serie, 2))
    state = here.state().json()

    there.send("game", **game())

    assert state["ends_at"] is None
    assert here.state(state["since"]).json()["ends_at"] is not None


def test_after_many_acts_elsewhere_a_page_gets_a_state_to_count_from(monkeypatch):
    monkeypatch.setattr("tournaments.queries.table_state.MOST_PASSED_OVER", 1)
    tournament = make_tournament()
    serie = make_seated_serie(tournament, rows_of_two(tournament))
    here, there = keeper_of(list_of(serie, 1)), keeper_of(list_of(serie, 2))
    here.send("game", **game())
    since = here.state().json()["since"]
    there.send("game", **game())
    assert here.state(since).status_code == 204

    there.send("game", **game(2, 1, FOUR[1]))

    assert here.state(since).status_code == 200


@pytest.mark.parametrize("since", ["", "x", "-", "1-x", "-1", "²", "9" * 20, "99999-1"])
def test_whoever_asks_for_something_unheard_of_gets_the_state(keeper, since):
    assert keeper.state(since).status_code == 200


def test_the_state_costs_few_queries(keeper, spielliste, django_assert_max_num_queries):
    write_games(spielliste, FOUR, status="signed")

    # News, code and device; then list, journal, seats, games, spans, penalties, keeper,
    # signatures, call, cases.
    with django_assert_max_num_queries(13):
        assert keeper.state(0).status_code == 200


def test_a_change_is_seen_by_whoever_looks_on(keeper, spielliste):
    other = Device(spielliste)
    revision = other.state().json()["revision"]

    keeper.send("game", **game())
    answer = other.state(revision)

    state = answer.json()
    assert state["revision"] > revision
    assert (state["is_keeper"], state["has_keeper"], state["may_change"]) == (False, True, False)
    assert state["games"] == [
        {
            "number": 1,
            "dealer": 1,
            "line": FIRST,
            "points": [0, 23, 45, 12],
            "running": [0, 23, 45, 12],
            "unclear": "",
            "overridden": False,
        }
    ]
    assert "no-store" in answer["Cache-Control"]


def test_the_state_says_who_sits_where_and_what_comes_next():
    tournament = make_tournament(name="Herbstturnier")
    club = make_club("SC Altenburg")
    row = [make_registration(tournament, make_person("Ute", "Kühn"), club=club)]
    row += [make_registration(tournament) for _seat in range(2)]
    spielliste = list_of(make_seated_serie(tournament, [row]))

    state = keeper_of(spielliste).state().json()

    assert (state["tournament"], state["serie"], state["table"]) == ("Herbstturnier", 1, 1)
    assert state["players"][0] == {
        "seat": 1,
        "number": 1,
        "name": "Ute Kühn",
        "club": "SC Altenburg",
    }
    assert state["rule_set"]["games"] == 12
    assert state["rule_set"]["handromme"] is True
    assert state["rule_set"]["card_values"]["A"] == 11
    assert state["rule_set"]["rounds"] == [""] * 12
    assert (state["next"]["number"], state["next"]["dealer"]) == (1, 1)
    assert state["next"]["bounds"]["hand"]["max"] == 197
    assert state["next"]["bounds"]["after_handromme"]["min"] == 31
    assert (state["listenfuehrer"], state["on_paper"]) == (1, False)
    assert (state["ends_at"], state["protest_until"], state["call"]) == (None, None, None)


def test_the_totals_are_those_of_the_paper(keeper, spielliste):
    # 1: 290 − 80 = 210; 2: 311 − 60 − 50 = 201; 3: 339 − 60 = 279; 4: 341 − 40 = 301.
    write_games(spielliste, FOUR, status="complete")

    state = keeper.state(0).json()

    totals = [(each["total"], each["place"], each["bussgeld_cents"]) for each in state["totals"]]
    assert totals == [(210, 2, 0), (201, 1, 0), (279, 3, 0), (301, 4, 0)]
    assert state["totals"][1] == {
        "seat": 2,
        "minus": 311,
        "games_won": 3,
        "bonus": -60,
        "handromme": 1,
        "handromme_bonus": -50,
        "penalty": 0,
        "adjustment": 0,
        "total": 201,
        "place": 1,
        "bussgeld_cents": 0,
    }
    assert state["games"][11]["running"] == [290, 311, 339, 341]
    assert state["next"] is None


def test_the_bussgeld_stands_in_the_state_when_all_games_are_played():
    # Finished 4, 3, 3, 2 of 12 games; 50 cents for each game not finished.
    tournament = make_tournament(bussgeld={"kind": "per_game", "cents": 50})
    spielliste = list_of(make_seated_serie(tournament))
    write_games(spielliste, FOUR[:11])
    keeper = keeper_of(spielliste)
    before = [total["bussgeld_cents"] for total in keeper.state(0).json()["totals"]]

    keeper.send("game", **game(number=12, version=11, line=FOUR[11]))

    after = [total["bussgeld_cents"] for total in keeper.state(0).json()["totals"]]
    assert before == [None] * 4
    assert after == [400, 450, 450, 500]


def test_strafpunkte_count_and_games_of_who_left_stay_with_the_seat(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    tournament = spielliste.table.serie.tournament
    gone = make_registration(tournament)
    SeatSpan.objects.create(spielliste=spielliste, seat=1, last_game=6, registration=gone)
    Penalty.objects.create(
        spielliste=spielliste,
        registration=spielliste.table.seats.get(number=4).registration,
        points=100,
        reason="offen gezählt",
        status="given",
        decided_at=timezone.now(),
    )

    totals = keeper.state(0).json()["totals"]

    assert [total["total"] for total in totals] == [210, 201, 279, 401]
    assert totals[3]["penalty"] == 100


def test_an_unclear_line_says_what_is_unclear(keeper):
    line = {"finisher": [2, 4], "handromme": False, "minus": [12, 30, 9, 22]}

    asked = keeper.send("game", **game(line=line))
    state = keeper.send("game", **game(line=line, confirmed=True)).json()["state"]

    assert asked.status_code == 422
    assert "Nicht eindeutig" in asked.json()["ask"][0]["message"]
    assert state["games"][0]["unclear"] == "wer beendet hat (Platz 2 oder Platz 4)"
    assert state["games"][0]["points"] == [12, 30, 9, 22]


def test_the_time_of_the_serie_is_in_the_state_with_what_the_table_was_given(keeper, spielliste):
    serie = spielliste.table.serie
    serie.time_limit_minutes, serie.started_at = 90, timezone.now()
    serie.save()
    spielliste.extra_minutes = 10
    spielliste.save()

    state = keeper.state(0).json()

    assert state["ends_at"] == (serie.started_at + timedelta(minutes=100)).isoformat()


def test_contracts_stand_in_the_state_game_by_game():
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset("contract")))
    state = keeper_of(list_of(make_seated_serie(tournament))).state().json()

    assert state["rule_set"]["rounds"][0] == "2 Sätze zu 3"
    assert len(state["rule_set"]["rounds"]) == 7
    assert state["rule_set"]["ends_without_finisher"] is True
    assert state["rule_set"]["handromme"] is False
    assert state["next"]["bounds"]["after_handromme"] is None


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

    # Door 2; lock, key and keeper 3; the game 11; its answer 1; the new state 8; and in
    # a test two savepoints for the two transactions, each made and released.
    with django_assert_num_queries(29):
        assert keeper.send("game", **game(2, 1, FOUR[1])).status_code == 200


def test_a_stale_version_is_a_conflict_with_what_is_there_now(keeper, spielliste):
    keeper.send("game", **game())

    answer = keeper.send("game", **game(2, 0, FOUR[1]))

    assert answer.status_code == 409
    assert answer.json()["ok"] is False
    assert "inzwischen geändert" in answer.json()["conflict"]
    assert answer.json()["state"]["version"] == 1
    assert spielliste.games.count() == 1


def test_a_list_that_takes_nothing_more_is_a_conflict_too(keeper, spielliste):
    write_games(spielliste, FOUR, status="signed")

    answer = keeper.send("game", **game(13, 12))

    assert answer.status_code == 409
    assert answer.json()["state"]["status"] == "signed"


def test_an_impossible_game_is_refused_with_its_place(keeper):
    answer = keeper.send("game", **game(line={"finisher": 1, "minus": [0, 198, 45, 12]}))

    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == ["minus[1]"]


def test_a_doubt_is_asked_and_sent_again_as_confirmed(keeper):
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
def test_what_cannot_be_read_is_refused_with_its_place(keeper, body, where):
    answer = keeper.post(body)

    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == where
    assert all(problem["message"] for problem in answer.json()["problems"])


def test_more_than_anybody_sends_is_refused(keeper):
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


def test_the_table_says_who_keeps_the_list_and_on_what(keeper):
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


def test_the_list_is_signed_on_paper(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")

    state = keeper.send("sign_paper", version=12).json()["state"]

    assert state["status"] == "signed"
    assert {signature["method"] for signature in state["signatures"]} == {"paper"}


def test_signatures_of_an_older_version_do_not_stand_in_the_state(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper.send("sign", version=12, seat=1, drawing="M1,1L9,9")
    changed = {"finisher": 1, "handromme": False, "minus": [0, 32, 45, 12]}

    state = keeper.send("change", **game(1, 12, changed), consents=[2]).json()["state"]

    assert state["signatures"] == []


def test_a_call_is_seen_on_the_callers_screen_until_it_is_settled(keeper, spielliste):
    call = keeper.send("call", call_kind="dispute").json()["state"]["call"]
    assert (call["kind"], call["state"]) == ("dispute", "open")
    assert keeper.send("call", call_kind="dispute").status_code == 409

    referee = make_user()
    calls.take(call_id=call["id"], by=referee)
    assert keeper.state(0).json()["call"]["state"] == "taken"
    calls.done(call_id=call["id"], by=referee)
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


def test_what_the_spielleitung_decided_stands_in_the_state(keeper, spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper.send("sign_paper", version=12)
    keeper.send("case", text="Platz 2 hatte 25")
    Case.objects.update(decided_at=timezone.now(), decision="berichtigt")

    (case,) = keeper.state(0).json()["cases"]

    assert (case["state"], case["decision"]) == ("decided", "berichtigt")


def test_too_many_wishes_are_a_problem_of_no_field(keeper, spielliste, monkeypatch):
    monkeypatch.setattr("tournaments.services.table_cases.MOST_OPEN", 0)
    write_games(spielliste, FOUR, status="complete")
    keeper.send("sign_paper", version=12)

    answer = keeper.send("case", text="Platz 2 hatte 25")

    assert answer.status_code == 422
    assert [problem["where"] for problem in answer.json()["problems"]] == [""]


# --- Who may ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("game", game()),
        ("change", game(consents=[1, 2, 3, 4])),
        ("keeper", {"seat": 2}),
        ("paper", {"on_paper": True}),
        ("sign", {"version": 0, "seat": 1, "drawing": "M1,1L9,9"}),
        ("sign_paper", {"version": 0}),
        ("release", {}),
    ],
)
def test_whoever_only_looks_on_changes_nothing(keeper, spielliste, kind, body):
    before = JournalEntry.objects.count()

    answer = Device(spielliste).send(kind, **body)

    assert answer.status_code == 403
    assert "führt die Liste nicht" in answer.json()["refused"]
    assert JournalEntry.objects.count() == before
    assert Submission.objects.filter(kind=kind).count() == 0


def test_whoever_looks_on_may_call_a_schiedsrichter(keeper, spielliste):
    assert Device(spielliste).send("call", call_kind="other").status_code == 200


def test_a_second_device_takes_over_after_release_or_when_control_says_so(keeper, spielliste):
    second, third = Device(spielliste), Device(spielliste)
    assert second.send("take_over").status_code == 409
    assert keeper.send("release").json()["state"]["has_keeper"] is False

    assert second.send("take_over").json()["state"]["is_keeper"] is True
    assert keeper.send("game", **game()).status_code == 403
    allow_take_over(table_id=spielliste.table_id, actor=COMMAND)

    assert third.send("take_over").json()["state"]["is_keeper"] is True
    assert second.send("game", **game()).status_code == 403
    assert third.send("game", **game()).status_code == 200


def test_a_stranger_without_a_device_sends_nothing(keeper):
    answer = Client().post(
        f"{keeper.path}senden/",
        json.dumps({"key": "lang genug", "kind": "take_over"}),
        content_type="application/json",
    )

    assert answer.status_code == 403
    assert "neu laden" in answer.json()["refused"]


def test_the_device_of_another_table_sends_nothing_here(keeper):
    other = keeper_of(list_of(make_seated_serie(make_tournament())))
    other.path = keeper.path

    assert other.send("game", **game()).status_code == 403
    assert other.state(0).json()["is_keeper"] is False


@pytest.mark.parametrize("place", ["stand/", "senden/"])
def test_an_unknown_token_opens_nothing(place):
    client = Client()
    ask: Any = client.get if place == "stand/" else client.post

    answer = ask(f"/tisch/gibt-es-nicht/{place}")

    assert answer.status_code == 404
    assert answer.json()["ok"] is False


def test_a_withdrawn_device_hears_that_it_was_shut_out(keeper, spielliste):
    withdraw_access(table_id=spielliste.table_id, actor=COMMAND)

    for answer in (keeper.state(0), keeper.send("game", **game())):
        assert answer.status_code == 403
        assert "zurückgezogen" in answer.json()["refused"]


def test_the_address_opens_nothing_once_the_serie_is_closed(keeper, spielliste):
    serie = spielliste.table.serie
    serie.closed_at = timezone.now()
    serie.save()

    for answer in (keeper.state(0), keeper.send("game", **game())):
        assert answer.status_code == 403
        assert "Serie 1 ist abgeschlossen" in answer.json()["refused"]


def test_only_reading_reads_and_only_sending_sends(keeper):
    assert keeper.client.post(f"{keeper.path}stand/").status_code == 405
    assert keeper.client.get(f"{keeper.path}senden/").status_code == 405


def test_a_form_of_another_site_sends_nothing(keeper):
    client = Client(enforce_csrf_checks=True)
    client.cookies = keeper.client.cookies

    answer = client.post(f"{keeper.path}senden/", "{}", content_type="application/json")

    assert answer.status_code == 403


def test_the_cookie_of_a_device_is_for_its_table_alone(keeper):
    cookie = keeper.send("game", **game()).cookies["tischgeraet"]

    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (keeper.path, "Lax", True)
    assert cookie["max-age"] == 24 * 3600


# --- Once -------------------------------------------------------------------------------


def test_the_same_key_again_is_answered_like_the_first_time(keeper, spielliste):
    first = keeper.send("game", key="einmal-1", **game())
    keeper.send("game", **game(2, 1, FOUR[1]))

    again = keeper.send("game", key="einmal-1", **game())

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["state"]["version"] == 2
    assert spielliste.games.count() == 2
    assert JournalEntry.objects.filter(action="game_entered").count() == 2


def test_the_same_key_with_something_else_is_refused(keeper, spielliste):
    keeper.send("game", key="einmal-1", **game())

    for answer in (
        keeper.send("game", key="einmal-1", **game(2, 1, FOUR[1])),
        keeper.send("call", key="einmal-1", call_kind="other"),
    ):
        assert answer.status_code == 422
        assert [problem["where"] for problem in answer.json()["problems"]] == ["key"]
    assert spielliste.games.count() == 1


def test_a_refusal_is_judged_again_under_the_same_key(keeper, spielliste):
    keeper.send("paper", on_paper=True)
    assert keeper.send("game", key="einmal-1", **game()).status_code == 409

    keeper.send("paper", on_paper=False)

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200
    assert spielliste.games.count() == 1


def test_an_answer_is_found_again_by_a_device_that_keeps_the_list_no_more(keeper, spielliste):
    keeper.send("game", key="einmal-1", **game())
    allow_take_over(table_id=spielliste.table_id, actor=COMMAND)

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200


def test_one_key_may_be_used_at_two_tables(keeper):
    other = keeper_of(list_of(make_seated_serie(make_tournament())))

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200
    assert other.send("game", key="einmal-1", **game()).status_code == 200


def test_a_list_that_control_changed_is_seen_at_the_table(keeper, spielliste):
    revision = keeper.state().json()["revision"]

    spiellisten.enter_game(
        spielliste_id=spielliste.pk, number=1, line=FIRST, version=0, actor=COMMAND
    )

    assert keeper.state(revision).json()["version"] == 1
    assert Spielliste.objects.get().games.count() == 1
