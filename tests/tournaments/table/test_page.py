"""The page of a table: its code gives access, and its forms need no script."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND
from tests.factories_lists import FOUR, write_games
from tests.tournaments.lists.helpers import Device, form_on, keeper_of, list_by
from tests.worlds import world
from tournaments.common.submissions import new_form_key
from tournaments.models import Call, Case, Signature, Spielliste
from tournaments.notices.services import words
from tournaments.table.services.devices import withdraw_access
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db


def submit(device: Device, kind: str, **fields: Any) -> Any:
    """Send one of the page's forms, as a browser without scripts does."""
    page = device.client.get(device.path).content.decode()
    version = re.search(r'name="version" value="(\d+)"', page)
    data = {"kind": kind, "version": version[1], **fields}
    return device.client.post(f"{device.path}formular/", data)


def first_game(**changes: str) -> dict[str, str]:
    values = {"number": "1", "finisher": "1", "minus_2": "23", "minus_3": "45", "minus_4": "12"}
    return {**values, **changes}


# --- Access -----------------------------------------------------------------------------


spielliste = world(list_by)


def test_the_code_shows_names_and_seats_without_log_in(client: Client):
    spielliste = write_games(list_by(), FOUR[:2])
    device = Device(spielliste)

    answer = client.get(device.path)

    names = [seat.registration.person.full_name for seat in spielliste.table.seats.all()]
    assert answer.status_code == 200
    assert all(name in answer.content.decode() for name in names)
    assert answer.cookies["tischgeraet"]["httponly"]
    assert int(answer.cookies["csrftoken"]["max-age"]) > timedelta(days=300).total_seconds()


def test_the_plain_page_shows_the_current_sign_above_the_list(
    client: Client, spielliste: Spielliste
):
    tournament_id = spielliste.table.serie.tournament_id
    device = Device(spielliste)
    assert client.get(device.path).content.decode().count("hall-sign-title") == 1  # to be filled

    words.say(COMMAND, tournament_id, words="Kuchen im Foyer")

    page = client.get(device.path).content.decode()
    assert '<p class="hall-sign-title">Kuchen im Foyer</p>' in page


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_table_url_is_not_found(client: Client, method: str):
    name = "table:page" if method == "get" else "table:act"

    answer = getattr(client, method)(reverse(name, args=["erfunden"]))

    assert answer.status_code == 404
    assert "gehört zu keinem Tisch" in answer.content.decode()


def test_a_withdrawn_device_is_told_about_the_new_code(spielliste: Spielliste):
    device = keeper_of(spielliste)
    withdraw_access(COMMAND, spielliste.table_id)

    answer = device.client.get(device.path)

    assert answer.status_code == 403
    assert "bei der Spielleitung den neuen Code holen" in answer.content.decode()


def test_a_watching_device_cannot_write_by_a_form(spielliste: Spielliste):
    keeper_of(spielliste)

    answer = submit(Device(spielliste), "game", **first_game())

    assert answer.status_code == 409
    assert "führt die Liste nicht" in answer.content.decode()
    assert not spielliste.games.exists()


# --- Forms ------------------------------------------------------------------------------


def test_a_game_is_entered_by_a_form(spielliste: Spielliste):
    device = keeper_of(spielliste)

    answer = submit(device, "game", **first_game())

    assert answer.status_code == 302
    assert answer["Location"] == device.path
    assert spielliste.games.get().line == FOUR[0]


def test_the_same_form_sent_twice_enters_the_game_once(spielliste: Spielliste):
    device = keeper_of(spielliste)
    form = {"kind": "game", "version": "0", FIELD: new_form_key(), **first_game()}

    first = device.client.post(f"{device.path}formular/", form)
    second = device.client.post(f"{device.path}formular/", form)

    assert (first.status_code, second.status_code) == (302, 302)
    assert spielliste.games.count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        pytest.param(first_game(minus_2="198"), "198 kann nicht sein", id="too much"),
        pytest.param(first_game(minus_2="viel"), "ganze Zahl", id="no number"),
        pytest.param(first_game(minus_2="9" * 5000), "ganze Zahl", id="thousands of digits"),
        pytest.param(first_game(minus_2=""), "ganze Zahl", id="nothing"),
        pytest.param(first_game(finisher=""), "ganze Zahl", id="nobody named"),
        pytest.param(first_game(number="x"), "ganze Zahl", id="no game"),
        pytest.param({}, "ganze Zahl", id="empty form"),
    ],
)
def test_impossible_games_are_refused_with_the_reason(
    fields: dict[str, str], sentence: str, spielliste: Spielliste
):
    answer = submit(keeper_of(spielliste), "game", **fields)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not spielliste.games.exists()


def test_improbable_games_are_stored_after_a_confirmation(spielliste: Spielliste):
    device = keeper_of(spielliste)

    asked = submit(device, "game", **first_game(minus_2="165"))
    confirmed = submit(device, "game", **first_game(minus_2="165"), confirmed="on")

    assert asked.status_code == 422
    assert "ungewöhnlich viel" in asked.content.decode()
    assert 'value="165"' in asked.content.decode()  # typed once is enough
    assert confirmed.status_code == 302
    assert spielliste.games.get().line["minus"] == [0, 165, 45, 12]


def test_only_the_finisher_has_a_handromme(spielliste: Spielliste):
    device = keeper_of(spielliste)

    submit(device, "game", **first_game(handromme="2"))
    full = {"minus_2": "83", "minus_3": "75", "minus_4": "92"}
    submit(device, "game", **first_game(number="2", handromme="1", **full), confirmed="on")

    assert [game.line["handromme"] for game in spielliste.games.all()] == [False, True]


def test_a_game_without_finisher_with_an_exact_cut_is_entered_by_a_form():
    spielliste = list_by("liverpool", players=3)
    hands = {"minus_1": "25", "minus_2": "35", "minus_3": "45"}

    submit(keeper_of(spielliste), "game", number="1", finisher="none", grant_0="on", **hands)

    assert spielliste.games.get().line == {
        "finisher": None,
        "handromme": False,
        "minus": [25, 35, 45],
        "adjustments": [{"seat": 3, "points": -50, "reason": "genau abgehoben"}],
    }


def test_a_confirmed_handromme_is_stored_as_one():
    spielliste = write_games(list_by(), FOUR[:1])
    device = keeper_of(spielliste)
    hands = {"minus_2": "183", "minus_3": "75", "minus_4": "92"}

    asked = submit(device, "game", number="2", finisher="1", handromme="1", **hands)
    again = form_on(asked.content.decode(), "game")
    device.client.post(f"{device.path}formular/", {**again, "confirmed": "on"})

    assert asked.status_code == 422
    assert spielliste.games.get(number=2).line == {
        "finisher": 1,
        "handromme": True,
        "minus": [0, 183, 75, 92],
    }


def test_a_confirmed_change_keeps_its_line_and_consents():
    spielliste = write_games(list_by(), FOUR[:3])
    device = keeper_of(spielliste)

    asked = submit(device, "change", **first_game(minus_2="165"), consents=["2", "3"])
    again = form_on(asked.content.decode(), "change")
    device.client.post(f"{device.path}formular/", {**again, "confirmed": "on"})

    assert asked.status_code == 422
    assert [game.line["minus"] for game in spielliste.games.all()] == [
        [0, 165, 45, 12],
        FOUR[1]["minus"],
        FOUR[2]["minus"],
    ]


def test_a_line_is_changed_by_a_form_with_consent_only():
    spielliste = write_games(list_by(), FOUR[:1])
    device = keeper_of(spielliste)

    without = submit(device, "change", **first_game(minus_2="32"))
    agreed = submit(device, "change", **first_game(minus_2="32"), consents="2")

    assert without.status_code == 422
    assert "Es fehlt das Einverständnis von Platz 2" in without.content.decode()
    assert agreed.status_code == 302
    assert spielliste.games.get().line["minus"] == [0, 32, 45, 12]


def test_the_last_line_is_undone_by_a_form():
    spielliste = write_games(list_by(), FOUR[:1])
    everybody = ["1", "2", "3", "4"]

    submit(keeper_of(spielliste), "change", number="1", take_back="1", consents=everybody)

    assert not spielliste.games.exists()


def test_keeper_paper_call_and_release_go_by_forms(spielliste: Spielliste):
    device = keeper_of(spielliste)

    submit(device, "keeper", seat="3")
    submit(device, "paper", on_paper="1")
    submit(device, "call", call_kind="dispute")
    submit(device, "release")

    spielliste.refresh_from_db()
    device.device.refresh_from_db()
    assert (spielliste.listenfuehrer, spielliste.on_paper) == (3, True)
    assert Call.objects.get(table=spielliste.table_id).kind == Call.Kind.DISPUTE
    assert not device.device.is_keeper


def test_a_complete_list_is_signed_on_paper_by_a_form():
    spielliste = write_games(list_by(), FOUR, status=Spielliste.Status.COMPLETE)

    submit(keeper_of(spielliste), "sign_paper")

    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.SIGNED
    assert Signature.objects.filter(spielliste=spielliste).count() == 4


def test_a_correction_is_requested_by_a_form():
    spielliste = write_games(list_by(), FOUR, status=Spielliste.Status.SIGNED)
    until = timezone.now() + timedelta(minutes=15)
    Spielliste.objects.filter(pk=spielliste.pk).update(protest_until=until)

    submit(Device(spielliste), "case", game="4", text="52 statt 25")

    asked = Case.objects.get(spielliste=spielliste)
    assert (asked.game, asked.text) == (4, "52 statt 25")


def test_an_act_that_does_not_exist_is_refused():
    answer = submit(keeper_of(list_by()), "zaubern")

    assert answer.status_code == 422
    assert "„zaubern“ gibt es hier nicht" in answer.content.decode()


def test_table_pages_link_to_rules_and_paragraphs():
    device = keeper_of(write_games(list_by(), FOUR[:1]))
    page = device.client.get(device.path).content.decode()
    (rules,) = set(re.findall(r'data-rules="(/t/[^"]*/regelwerk/)"', page))

    refused = submit(device, "change", **first_game(minus_2="32")).content.decode()

    assert f'href="{rules}" target="_blank">Alle Spielregeln</a>' in page
    assert f'href="{rules}#p-2-2-3"' in refused
    assert Client().get(rules).status_code == 200


def test_the_language_link_keeps_the_page_also_after_a_refused_form():
    device = keeper_of(list_by())
    page = device.client.get(device.path).content.decode()
    refused = submit(device, "game", finisher="9")
    link = re.compile(r'<footer class="table-foot">\s*<a href="([^"]*)"\s+lang="en"')

    versions = {link.search(content)[1] for content in (page, refused.content.decode())}
    answer = device.client.get(versions.pop().replace("&amp;", "&"))

    assert (refused.status_code, versions, answer["Location"]) == (422, set(), device.path)
    assert '<html lang="en"' in device.client.get(device.path).content.decode()
