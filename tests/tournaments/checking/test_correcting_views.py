"""Pages of corrections: the effect is shown before anything is stored."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.clients import plain
from tests.factories import acting
from tests.factories_lists import FOUR
from tests.tournaments.checking.pages import (
    Status,
    log_in,
    look_and_store,
    played,
    shown_in,
    the_list,
    url,
)
from tests.worlds import world
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Game, Tournament

pytestmark = pytest.mark.django_db

tournament = world(played)
LINE = {
    "minus_1": "0",
    "minus_2": "23",
    "minus_3": "54",
    "minus_4": "12",
    "version": "12",
}


def line_url(tournament: Tournament, more: str = "") -> str:
    return url(tournament, "line", query=f"?spiel=1{more}")


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    log_in(client, tournament)
    return client


def test_a_correction_is_stored_only_after_its_effect_was_shown(
    client: Client, tournament: Tournament
):
    looked = client.post(line_url(tournament), {**LINE, "reason": "Zahlendreher"})
    page = looked.content.decode()
    assert looked.status_code == 200
    assert "Noch nicht gespeichert" in page
    assert "279" in page
    assert "288" in page
    assert Game.objects.get(number=1).line == FOUR[0]

    stored = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": shown_in(page)}
    )
    assert stored["Location"] == url(tournament, "list")
    assert Game.objects.get(number=1).line["minus"] == [0, 23, 54, 12]
    assert "Berichtigung 1 ist gespeichert" in client.get(stored["Location"]).content.decode()


def test_the_effect_is_shown_while_typing_without_a_reason(client: Client, tournament: Tournament):
    answer = client.post(line_url(tournament), {**LINE, "preview": "1", "reason": ""})

    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith('<section id="effects"')
    assert shown_in(answer.content.decode())


def test_several_readings_can_be_typed_and_the_worst_is_shown(
    client: Client, tournament: Tournament
):
    typed = {**LINE, "minus_1": "0/H/?", "minus_2": "0/H/23", "minus_3": "45/54"}

    looked = client.post(line_url(tournament), {**typed, "reason": "unleserlich"})
    page = looked.content.decode()
    assert re.search(r">§\s2.2.6<", page.partition("Vorgeschlagener Paragraph: ")[2])
    client.post(line_url(tournament), {**typed, "reason": "unleserlich", "shown": shown_in(page)})

    assert Game.objects.get(number=1).line == {
        "finisher": [1, 2],
        "handromme": [True, False],
        "minus": [0, 23, [45, 54], 12],
    }
    said = plain(client.get(url(tournament, "list")))
    assert "Gelesen werden kann 45 oder 54; es zählt 54 (§ 2.2.6)." in said
    again = client.get(line_url(tournament)).content.decode()
    assert 'value="45/54"' in again
    assert 'value="0/H/23"' in again


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        pytest.param({"minus_3": "vier"}, "„vier“ steht auf keiner Liste", id="no number"),
        pytest.param({"minus_3": "/"}, "„/“ steht auf keiner Liste", id="nothing"),
        pytest.param({"minus_3": ""}, "Dieses Feld ist zwingend", id="empty"),
        pytest.param({"minus_3": "0"}, "Beendet hat nur eine Person", id="two finishers"),
        pytest.param({"minus_1": "7"}, "Es fehlt, wer das Spiel beendet hat", id="no finisher"),
        pytest.param({"minus_3": "1"}, "1 kann nicht sein", id="impossible"),
        pytest.param({"reason": ""}, "Dieses Feld ist zwingend", id="no reason"),
    ],
)
def test_errors_of_a_correction_are_shown_at_their_fields(
    client: Client, typed, message: str, tournament: Tournament
):
    answer = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": "x", **typed}
    )

    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert Game.objects.get(number=1).line == FOUR[0]


def test_an_impossible_hand_is_accepted_with_a_reason(client: Client, tournament: Tournament):
    typed = {**LINE, "minus_3": "1", "reason": "Zahlendreher"}

    refused = client.post(line_url(tournament), {**typed, "shown": "x"}).content.decode()
    assert 'name="override"' in refused
    typed["override"] = "so unterschrieben"
    look_and_store(client, line_url(tournament), typed)

    assert Game.objects.get(number=1).overridden
    page = client.get(url(tournament, "list")).content.decode()
    assert "hat diese Zeile stehen lassen" in page


def test_a_stale_correction_shows_the_new_list(client: Client, tournament: Tournament):
    page = client.post(line_url(tournament), {**LINE, "reason": "Zahlendreher"}).content.decode()
    corrections.correct_line(
        acting(tournament),
        the_list(tournament).pk,
        game=2,
        line={**FOUR[1], "minus": [13, 0, 18, 40]},
        reason="anders",
        version=12,
    )

    told = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": shown_in(page)}
    )

    assert told.status_code == 409
    assert "inzwischen geändert" in told.content.decode()
    assert 'name="version" value="13"' in told.content.decode()
    client.post(
        line_url(tournament),
        {
            **LINE,
            "version": "13",
            "reason": "Zahlendreher",
            "shown": shown_in(told.content.decode()),
        },
    )
    assert Correction.objects.count() == 2


def test_points_named_in_the_address_are_shown_with_their_effect_at_once(
    client: Client, tournament: Tournament
):
    page = client.get(line_url(tournament, "&platz=3&punkte=54")).content.decode()

    assert shown_in(page)
    assert 'value="54"' in page


@pytest.mark.parametrize("query", ["", "?spiel=13", "?spiel=x", "?spiel=" + "9" * 5000])
def test_an_unknown_line_has_no_page(client: Client, query: str, tournament: Tournament):
    assert client.get(url(tournament, "line", query=query)).status_code == 404


def test_a_list_is_declared_invalid_and_valid_on_its_pages(client: Client, tournament: Tournament):
    for name, version, status in (
        ("invalid", 12, Status.INVALID),
        ("valid", 13, Status.HANDED_IN),
    ):
        page = client.get(url(tournament, name)).content.decode()
        client.post(
            url(tournament, name),
            {"version": version, "reason": "unleserlich", "shown": shown_in(page)},
        )
        assert the_list(tournament).status == status
        assert client.get(url(tournament, "list")).status_code == 200


def test_a_page_of_an_impossible_act_names_the_reason(client: Client, tournament: Tournament):
    assert "nicht ungültig" in client.get(url(tournament, "valid")).content.decode()


def test_the_size_for_the_bonus_is_chosen_from_those_with_a_bonus(
    client: Client, tournament: Tournament
):
    typed = {"version": 12, "bonus_size": "3", "reason": "zu dritt"}

    look_and_store(client, url(tournament, "bonus_size"), typed)

    assert the_list(tournament).bonus_size == 3
    assert "B × 15" in client.get(url(tournament, "list")).content.decode()


def test_a_proposal_is_decided_on_its_page_by_a_second_person(client: Client):
    tournament = played(four_eyes=True)
    log_in(client, tournament)
    look_and_store(client, line_url(tournament), {**LINE, "reason": "Dreher"})
    own = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Ausführen muss sie ein anderes Konto" in own
    assert client.post(url(tournament, "approve", 1)).status_code == 409

    log_in(client, tournament)
    page = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Ausführen" in page
    client.post(url(tournament, "approve", 1))

    assert Correction.objects.get().status == Correction.Status.CARRIED_OUT
    done = client.get(url(tournament, "correction", 1)).content.decode()
    assert "noch nicht mitgeteilt" in done


def test_a_proposal_is_rejected_on_its_page(client: Client):
    tournament = played(four_eyes=True)
    log_in(client, tournament)
    look_and_store(client, line_url(tournament), {**LINE, "reason": "Dreher"})

    assert client.post(url(tournament, "reject", 1), {"reason": ""}).status_code == 422
    client.post(url(tournament, "reject", 1), {"reason": "stimmt doch"})
    assert client.post(url(tournament, "reject", 1), {"reason": "noch mal"}).status_code == 409

    assert Correction.objects.get().status == Correction.Status.REJECTED
