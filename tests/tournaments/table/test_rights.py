"""The rights of devices at a table, and idempotent requests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import Device, game, keeper_of
from tournaments.models import Game, JournalEntry, Serie, Submission, Tournament
from tournaments.table.services.devices import allow_take_over, withdraw_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# --- Access -----------------------------------------------------------------------------


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
def test_a_watching_device_changes_nothing(keeper, spielliste, kind, body):
    before = JournalEntry.objects.count()

    answer = Device(spielliste).send(kind, **body)

    assert answer.status_code == 403
    assert "führt die Liste nicht" in answer.json()["refused"]
    assert JournalEntry.objects.count() == before
    assert Submission.objects.filter(kind=kind).count() == 0


def test_a_watching_device_may_call_a_schiedsrichter(keeper, spielliste):
    assert Device(spielliste).send("call", call_kind="other").status_code == 200


def test_a_second_device_takes_over_after_release_or_by_control(keeper, spielliste):
    second, third = Device(spielliste), Device(spielliste)
    assert second.send("take_over").status_code == 409
    assert keeper.send("release").json()["state"]["has_keeper"] is False

    assert second.send("take_over").json()["state"]["is_keeper"] is True
    assert keeper.send("game", **game()).status_code == 403
    allow_take_over(COMMAND, spielliste.table_id)

    assert third.send("take_over").json()["state"]["is_keeper"] is True
    assert second.send("game", **game()).status_code == 403
    assert third.send("game", **game()).status_code == 200


def test_a_request_without_a_device_is_refused(keeper):
    answer = Client().post(
        f"{keeper.path}senden/",
        json.dumps({"key": "lang genug", "kind": "take_over"}),
        content_type="application/json",
    )

    assert answer.status_code == 403
    assert "neu laden" in answer.json()["refused"]


def test_a_device_of_another_table_is_refused(keeper):
    other = keeper_of(list_of(make_seated_serie(make_tournament())))
    other.path = keeper.path

    assert other.send("game", **game()).status_code == 403
    assert other.state(0).json()["is_keeper"] is False


@pytest.mark.parametrize("place", ["stand/", "senden/"])
def test_an_unknown_token_is_refused(place):
    client = Client()
    ask: Any = client.get if place == "stand/" else client.post

    answer = ask(f"/tisch/gibt-es-nicht/{place}")

    assert answer.status_code == 404
    assert answer.json()["ok"] is False


def test_a_withdrawn_device_is_informed(keeper, spielliste):
    withdraw_access(COMMAND, spielliste.table_id)

    for answer in (keeper.state(0), keeper.send("game", **game())):
        assert answer.status_code == 403
        assert "zurückgezogen" in answer.json()["refused"]


@pytest.mark.parametrize(
    ("model", "change", "said"),
    [
        (Serie, {"closed_at": timezone.now()}, "Serie 1 ist abgeschlossen"),
        (Tournament, {"status": Tournament.Status.CLOSED}, "abgeschlossen"),
    ],
)
def test_closing_serie_or_tournament_ends_the_table_url(keeper, model, change, said):
    model.objects.update(**change)

    for answer in (keeper.state(0), keeper.send("game", **game())):
        assert answer.status_code == 403
        assert said in answer.json()["refused"]


def test_the_api_checks_the_http_method(keeper):
    assert keeper.client.post(f"{keeper.path}stand/").status_code == 405
    assert keeper.client.get(f"{keeper.path}senden/").status_code == 405


def test_a_form_of_another_site_is_refused(keeper):
    sent = json.dumps({"key": "schluessel-1", "kind": "game", **game()})

    # Browsers ask us before they let another site send JSON, and keep the cookie from its forms.
    as_form = keeper.client.post(f"{keeper.path}senden/", sent, content_type="text/plain")
    strange = Client().post(f"{keeper.path}senden/", sent, content_type="application/json")

    assert (as_form.status_code, strange.status_code) == (422, 403)
    assert not Game.objects.exists()


def test_the_cookie_of_a_device_is_limited_to_its_table(keeper):
    cookie = keeper.send("game", **game()).cookies["tischgeraet"]

    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (keeper.path, "Lax", True)
    assert cookie["max-age"] == 24 * 3600


# --- Once -------------------------------------------------------------------------------


def test_a_repeated_key_gets_the_first_answer(keeper, spielliste):
    first = keeper.send("game", key="einmal-1", **game())
    keeper.send("game", **game(2, 1, FOUR[1]))

    again = keeper.send("game", key="einmal-1", **game())

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["state"]["version"] == 2
    assert spielliste.games.count() == 2
    assert JournalEntry.objects.filter(action="game_entered").count() == 2


def test_a_key_with_different_content_is_refused(keeper, spielliste):
    keeper.send("game", key="einmal-1", **game())

    for answer in (
        keeper.send("game", key="einmal-1", **game(2, 1, FOUR[1])),
        keeper.send("call", key="einmal-1", call_kind="other"),
    ):
        assert answer.status_code == 422
        assert [problem["where"] for problem in answer.json()["problems"]] == ["key"]
    assert spielliste.games.count() == 1


def test_a_refused_request_is_checked_again_under_its_key(keeper, spielliste):
    keeper.send("paper", on_paper=True)
    assert keeper.send("game", key="einmal-1", **game()).status_code == 409

    keeper.send("paper", on_paper=False)

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200
    assert spielliste.games.count() == 1


def test_a_former_keeper_finds_its_stored_answer(keeper, spielliste):
    keeper.send("game", key="einmal-1", **game())
    allow_take_over(COMMAND, spielliste.table_id)

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200


def test_one_key_may_be_used_at_two_tables(keeper):
    other = keeper_of(list_of(make_seated_serie(make_tournament())))

    assert keeper.send("game", key="einmal-1", **game()).status_code == 200
    assert other.send("game", key="einmal-1", **game()).status_code == 200
