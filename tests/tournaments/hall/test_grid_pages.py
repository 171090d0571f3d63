"""The paper grid: stored whole or while typing, without overwriting the work of others."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories_lists import list_of, write_games
from tests.tournaments.hall.helpers import SOUND, played, running
from tests.tournaments.hall.pages import log_in, text, url
from tests.worlds import world
from tournaments.common.submissions import new_form_key
from tournaments.models import Role, Serie, Spielliste
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def cells(lines: Any = SOUND) -> dict[str, str]:
    sent = {}
    for game, line in enumerate(lines, start=1):
        for seat, points in enumerate(line["minus"], start=1):
            finished = line["finisher"] == seat
            mark = "H" if line["handromme"] else "0"
            sent[f"c{game}_{seat}"] = mark if finished else str(points)
    return sent


def send(client: Client, serie: Serie, **sent: Any) -> Any:
    return client.post(url(serie, "grid", table=1), {"version": "0", **sent})


def stored(serie: Serie) -> list[Any]:
    return list(list_of(serie).games.order_by("number").values_list("line", flat=True))


serie = world(running)


@pytest.fixture
def client(client: Client, serie: Serie) -> Client:
    log_in(client, serie.tournament)
    return client


def test_a_list_is_copied_by_a_form_and_leads_to_handing_in(client: Client, serie: Serie):
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    sums = {"sum_1": "290", "sum_2": "311", "sum_3": "339", "sum_4": "311"}
    answer = send(client, serie, **cells(), **sums)

    # Seat 4: 351 points, 2 of 12 finished: the result 351 − 40 = 311 is shown, too.
    assert answer["Location"] == f"{url(serie, 'hand_in')}?tisch=1"
    assert stored(serie) == list(SOUND)


@pytest.mark.parametrize("games", [1, 12])
def test_copying_needs_a_constant_number_of_queries(
    client: Client, games: int, django_assert_num_queries: Any
):
    serie = running(tables=2)
    log_in(client, serie.tournament)
    sums = {"sum_1": "290", "sum_2": "311", "sum_3": "339", "sum_4": "311"}
    client.post(url(serie, "grid", table=2), {"version": "0", **cells(), **sums})

    with django_assert_num_queries(48):
        send(client, serie, **cells(SOUND[:games]), **sums)

    assert len(stored(serie)) == games


def test_a_wrong_sum_keeps_the_grid_open(client: Client, serie: Serie):
    answer = send(client, serie, **cells(), sum_2="301")

    assert answer["Location"] == url(serie, "grid", table=1)
    page = text(client.get(answer["Location"]))
    assert "gerechnet 311" in page


def test_a_partial_list_is_stored_and_shown_again(client: Client, serie: Serie):
    answer = send(client, serie, **cells(SOUND[:5]))

    assert answer["Location"] == url(serie, "grid", table=1)
    assert len(stored(serie)) == 5
    page = text(client.get(answer["Location"]))
    assert 'name="c5_2" value="41"' in page


def test_every_wrong_cell_is_named(client: Client, serie: Serie):
    sent = cells(SOUND[:3]) | {"c2_1": "1", "c3_2": ""}

    refused = send(client, serie, **sent)
    assert refused.status_code == 422
    assert "Spiel 3: Die Punkte von Platz 2 fehlen" in text(refused)

    refused = send(client, serie, **(sent | {"c3_2": "35"}))
    assert refused.status_code == 422
    assert "Spiel 2: Platz 1: 1 kann nicht sein" in text(refused)
    assert stored(serie) == []


def test_a_rare_hand_is_stored_after_a_confirmation(client: Client, serie: Serie):
    sent = cells(SOUND[:1]) | {"c1_4": "180"}

    asked = send(client, serie, **sent)
    assert asked.status_code == 422
    assert "Steht das so auf dem Papier?" in text(asked)
    send(client, serie, **sent, confirmed="1")

    assert stored(serie)[0]["minus"] == [0, 23, 45, 180]


def test_the_spielleitung_accepts_an_impossible_hand_with_a_reason(client: Client, serie: Serie):
    sent = cells(SOUND[:1]) | {"c1_4": "1"}
    assert "Trotzdem stehen lassen" in text(send(client, serie, **sent))

    send(client, serie, **sent, override_reason="so unterschrieben")

    assert stored(serie)[0]["minus"] == [0, 23, 45, 1]


def test_a_schiedsrichter_cannot_accept_an_impossible_hand(client: Client, serie: Serie):
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)
    sent = cells(SOUND[:1]) | {"c1_4": "1"}
    assert "Trotzdem stehen lassen" not in text(send(client, serie, **sent))

    assert send(client, serie, **sent, override_reason="egal").status_code == 403
    assert stored(serie) == []


def test_an_invalid_sum_is_named(client: Client, serie: Serie):
    refused = send(client, serie, **cells(SOUND[:1]), sum_2="3oo")

    assert refused.status_code == 422
    assert "Die Summe von Platz 2 ist keine Zahl: „3oo“" in text(refused)


def test_a_stale_grid_shows_the_new_list(client: Client, serie: Serie):
    send(client, serie, **cells(SOUND[:2]))
    mine = cells(SOUND[:2]) | {"c1_2": "32"}

    told = send(client, serie, **mine)

    assert told.status_code == 409
    assert "hat sich inzwischen geändert" in text(told)
    assert "in der Liste: 23" in text(told)
    assert 'name="version" value="2"' in text(told)
    send(client, serie, **(mine | {"version": "2"}))
    assert stored(serie)[0]["minus"] == [0, 32, 45, 12]


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 5000])
def test_an_unknown_version_counts_as_old(client: Client, version: str, serie: Serie):
    assert send(client, serie, **(cells() | {"version": version})).status_code == 409


def test_a_signed_list_is_read_only(client: Client, serie: Serie):
    played(serie, status=Status.SIGNED)
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "grid", table=1)))
    assert "readonly" in page
    assert "Speichern und prüfen" not in page
    assert send(client, serie, **cells()).status_code == 409


def test_each_finished_line_is_stored_while_typing(client: Client, serie: Serie):
    sent = cells(SOUND[:2]) | {"c3_1": "27", "c3_2": "x"}

    said = send(client, serie, **sent, save="typing").json()

    assert (said["version"], said["stored"]) == (2, 2)
    # Empty cells are no mistakes; filled ones may be.
    assert [(sentence["game"], sentence["seat"]) for sentence in said["problems"]] == [(3, 2)]
    said = send(
        client, serie, **(sent | {"c3_2": "1", "c3_3": "0", "c3_4": "180", "version": "2"}),
        save="typing",
    ).json()  # fmt: skip
    assert [(sentence["game"], sentence["seat"]) for sentence in said["problems"]] == [(3, 2)]
    assert said["stored"] == 2


def test_a_repeated_line_gets_the_first_answer_while_typing(client: Client, serie: Serie):
    line = cells(SOUND[:1]) | {"save": "typing", FIELD: f"{new_form_key()}.1"}

    first, again = send(client, serie, **line), send(client, serie, **line)

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert len(stored(serie)) == 1


def test_a_newer_list_is_not_overwritten_while_typing(client: Client, serie: Serie):
    send(client, serie, **cells(SOUND[:2]))

    refused = send(client, serie, **cells(SOUND[:3]), save="typing")

    assert refused.status_code == 409
    assert "hat sich inzwischen geändert" in refused.json()["refused"]


def test_a_line_the_grid_cannot_show_stays_unchanged(client: Client, serie: Serie):
    odd = {
        "finisher": [2, 4, None], "handromme": False, "minus": [12, 30, 9, 22],
        "adjustments": [{"seat": 1, "points": -10, "reason": "Absprache"}],
    }  # fmt: skip
    write_games(list_of(serie), [odd])
    log_in(client, serie.tournament)
    shown = {"c1_1": "12", "c1_2": "0/30", "c1_3": "9", "c1_4": "0/22"}

    send(client, serie, **(shown | {"version": "1"}))

    assert stored(serie) == [odd]


def test_granted_points_are_ticked_in_their_row(client: Client):
    serie = running(rule_set=ruleset_to_dict(ruleset("liverpool")), tariff=None)
    log_in(client, serie.tournament)
    # Place 1 deals the first game, so place 4 may have cut exactly the cards needed.
    assert 'name="g1_0"' in text(client.get(url(serie, "grid", table=1)))
    line = {"c1_1": "0", "c1_2": "25", "c1_3": "30", "c1_4": "12"}

    send(client, serie, **line, g1_0="1")
    (first,) = stored(serie)
    assert [(adjustment["seat"], adjustment["points"]) for adjustment in first["adjustments"]] == [
        (4, -50)
    ]

    send(client, serie, **(line | {"version": "1"}))
    assert "adjustments" not in stored(serie)[0]


def test_a_table_of_three_has_three_columns(client: Client):
    serie = running(size=3)
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "grid", table=1)))

    assert 'name="c12_3"' in page
    assert 'name="c1_4"' not in page


def test_an_illegible_cell_is_confirmed_as_typed(client: Client, serie: Serie):
    # Seat 2: 311 − 23 = 288 without game 1; 3 games finished, one by Handrommé: − 110.
    sent = cells() | {"c1_2": "?", "sum_2": "334"}

    asked = send(client, serie, **sent)

    page = text(asked)
    assert asked.status_code == 422
    assert "Punkte von Platz 2 („?“ kann bis 197 sein)" in page
    assert "0 Punkte hat nur" not in page
    assert "laut Summe 334 − 288 = 46?" in page
    # As the result of the list: 334 − 178 = 156 can be as well, and the Spielleitung decides.
    assert "laut Summe 334 − 178 = 156?" in page
    # The sums of the typed lines: 288 + 197, and that less 110.
    assert "gerechnet 485, Ergebnis 375" in page
    send(client, serie, **sent, confirmed="1")
    assert stored(serie)[0]["minus"] == [0, [2, 197], 45, 12]
    page = text(client.get(url(serie, "grid", table=1)))
    assert 'name="c1_2" value="?"' in page
    assert "laut Summe 334 − 288 = 46?" in page


def test_the_confirmation_shows_the_sums_of_the_typed_lines(client: Client, serie: Serie):
    sent = cells() | {"c1_4": "180", "sum_1": "290", "sum_2": "312"}

    asked = text(send(client, serie, **sent))

    assert "Steht das so auf dem Papier?" in asked
    assert stored(serie) == []
    assert "gerechnet 311, Ergebnis 201" in asked
    assert asked.count(">stimmt<") == 1
