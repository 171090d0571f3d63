"""The state for the page of a table, and changes that do not concern it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import (
    COMMAND,
    make_club,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.lists.helpers import FIRST, Device, game, keeper_of
from tournaments.models import Penalty, SeatSpan, Spielliste
from tournaments.notices.services import words
from tournaments.people.services.people import update_person
from tournaments.table.services.devices import withdraw_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_an_unchanged_state_costs_one_query(keeper, django_assert_num_queries):
    state = keeper.state().json()

    for since in (state["since"], state["revision"]):
        with django_assert_num_queries(1):
            answer = keeper.state(since)
        assert (answer.status_code, answer.content) == (204, b"")


def test_namesakes_at_a_table_are_shown_with_numbers():
    tournament = make_tournament()
    for first_name in ("Anna", "Bernd", "Anna", "Clara"):
        make_registration(tournament, make_person(first_name, "Schmidt"))
    here = keeper_of(list_of(make_seated_serie(tournament, [list(tournament.registrations.all())])))

    names = [player["name"] for player in here.state().json()["players"]]

    assert names == [
        "Anna Schmidt (Nr. 1)",
        "Bernd Schmidt",
        "Anna Schmidt (Nr. 3)",
        "Clara Schmidt",
    ]


def rows_of_two(tournament):
    return [make_players(tournament, 4) for _table in range(2)]


def test_bought_cards_of_another_table_are_no_news():
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset("progressiv")))
    serie = make_seated_serie(tournament, rows_of_two(tournament))
    here, there = keeper_of(list_of(serie, 1)), keeper_of(list_of(serie, 2))
    since = here.state().json()["since"]

    assert there.send("bought", bought=[0, 0, 0, 1]).status_code == 200

    assert here.state(since).status_code == 204


@pytest.mark.both
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
            lambda here: withdraw_access(COMMAND, here.access.table_id),
            id="the end of the code",
        ),
    ],
)
def test_acts_concerning_the_table_are_news(keeper, act):
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


def test_the_state_contains_signs_by_the_time_of_the_table(keeper, spielliste):
    serie = spielliste.table.serie
    serie.started_at, serie.time_limit_minutes = timezone.now(), 60
    serie.save()
    Spielliste.objects.filter(pk=spielliste.pk).update(extra_minutes=15)
    since = keeper.state().json()["since"]

    words.say(COMMAND, serie.tournament_id, words="Kuchen im Foyer")
    state = keeper.state(since).json()
    signs = state["signs"]
    write_games(spielliste, FOUR, status="signed")

    over = serie.started_at + timedelta(minutes=75)
    assert datetime.fromisoformat(state["ends_at"]) == over
    assert [sign["kind"] for sign in signs] == ["start", "last", "over", "words"]
    assert datetime.fromisoformat(signs[1]["until"]) == over
    assert datetime.fromisoformat(signs[2]["since"]) == over
    assert signs[3]["title"] == "Kuchen im Foyer"
    # A finished list gets no signs of the time.
    assert [sign["kind"] for sign in keeper.state().json()["signs"]] == ["words"]


@pytest.mark.parametrize("since", ["", "x", "-", "1-x", "-1", "²", "9" * 20, "99999-1"])
def test_an_invalid_since_gets_the_full_state(keeper, since):
    assert keeper.state(since).status_code == 200


def test_the_state_costs_few_queries(keeper, spielliste, django_assert_max_num_queries):
    write_games(spielliste, FOUR, status="signed")

    # The access by code; the list, its surroundings, seats, games; signatures, cases.
    with django_assert_max_num_queries(7):
        assert keeper.state(0).status_code == 200


def test_a_watching_device_sees_a_change(keeper, spielliste):
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


def test_the_state_contains_seats_and_the_next_game():
    tournament = make_tournament(name="Herbstturnier")
    club = make_club("SC Altenburg")
    row = [make_registration(tournament, make_person("Ute", "Kühn"), club=club)]
    row += make_players(tournament, 2)
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


def test_the_totals_equal_those_on_paper(keeper, spielliste):
    # 1: 290 − 80 = 210; 2: 311 − 60 − 50 = 201; 3: 339 − 60 = 279; 4: 341 − 40 = 301.
    write_games(spielliste, FOUR, status="complete")

    state = keeper.state().json()

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
        "added": 0,
        "total": 201,
        "place": 1,
        "bussgeld_cents": 0,
    }
    assert state["games"][11]["running"] == [290, 311, 339, 341]
    assert state["next"] is None


def test_the_state_contains_the_bussgeld_after_all_games():
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


@pytest.mark.both
def test_strafpunkte_count_and_games_of_leavers_do_not(keeper, spielliste):
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

    totals = keeper.state().json()["totals"]

    assert [total["total"] for total in totals] == [
        232,
        201,
        279,
        401,
    ]  # games 7 to 12: (156 − 40) × 12 ÷ 6
    assert totals[3]["penalty"] == 100


def test_the_state_names_unclear_parts_of_a_line(keeper):
    line = {"finisher": [2, 4], "handromme": False, "minus": [12, 30, 9, 22]}

    asked = keeper.send("game", **game(line=line))
    state = keeper.send("game", **game(line=line, confirmed=True)).json()["state"]

    assert asked.status_code == 422
    assert "Nicht eindeutig" in asked.json()["ask"][0]["message"]
    assert state["games"][0]["unclear"] == "wer beendet hat (Platz 2 oder Platz 4)"
    assert state["games"][0]["points"] == [12, 30, 9, 22]


def test_the_state_contains_contracts_by_game():
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset("contract")))
    state = keeper_of(list_of(make_seated_serie(tournament))).state().json()

    assert state["rule_set"]["rounds"][0] == "2 Sätze zu 3"
    assert len(state["rule_set"]["rounds"]) == 7
    assert state["rule_set"]["ends_without_finisher"] is True
    assert state["rule_set"]["handromme"] is False
    assert state["next"]["bounds"]["after_handromme"] is None
