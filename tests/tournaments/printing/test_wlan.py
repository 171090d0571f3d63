"""A phone joins the WLAN of the hall by a code on cards, the poster at the door and the wall."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_tournament
from tests.tournaments.printing.helpers import make_day, paper, words
from tournaments.machine.qr_codes import wlan_data
from tournaments.models import Tournament
from tournaments.printing.announcement import wlan_qr

pytestmark = pytest.mark.django_db

HALL = {"wlan_name": "Saal; 1", "wlan_password": "Herz:Ass7"}


@pytest.mark.parametrize(
    ("name", "password", "data"),
    [
        pytest.param("Saal", "geheim123", "WIFI:T:WPA;S:Saal;P:geheim123;;", id="with a password"),
        pytest.param("Saal", "", "WIFI:T:nopass;S:Saal;;", id="an open network"),
        pytest.param(
            "Saal; 1", "a:b", r"WIFI:T:WPA;S:Saal\; 1;P:a\:b;;", id="signs with a meaning"
        ),
        pytest.param("", "geheim123", "", id="no network is set"),
    ],
)
def test_the_code_contains_the_wlan_access(name: str, password: str, data: str):
    assert wlan_data(name, password) == data


def test_a_wlan_code_needs_a_network():
    assert wlan_qr(Tournament()) == ""


def test_the_screen_in_the_hall_shows_the_wlan_access(client: Client):
    tournament = make_tournament(**HALL, starts_at=timezone.now() + timedelta(hours=1))

    wall = client.read(at("screen:screen", tournament.slug))

    assert "1. ins WLAN" in wall
    assert "Saal; 1" in wall
    assert "Herz:Ass7" in wall
    assert "Mobile Daten aus" in wall


def test_a_public_screen_hides_the_wlan_access(client, settings):
    settings.IS_IN_THE_HALL = False
    tournament = make_tournament(**HALL)

    assert "Herz:Ass7" not in client.read(at("screen:screen", tournament.slug))


def test_cards_and_the_poster_at_the_door_have_both_codes_in_their_order():
    tournament = make_day(4, self_check_in=True, **HALL)
    joins = wlan_data(**{name.removeprefix("wlan_"): value for name, value in HALL.items()})

    for name, asked in (("tischkarten", {"serie": 1}), ("ich-bin-da", {})):
        sheet = paper(tournament, name, **asked)

        assert joins in sheet.codes()
        assert len(sheet.codes()) == 2
        assert "1. ins WLAN" in sheet.text
        assert "2. " in sheet.text
        assert len(sheet.pages) == 1


@pytest.mark.parametrize("has_email", [False, True])
def test_the_poster_at_the_door_mentions_mails_only_if_sent(settings, has_email: bool):
    settings.HAS_EMAIL, settings.PUBLIC_URL = has_email, "https://romme.example"

    said = words(make_day(4, self_check_in=True), "ich-bin-da")

    assert "beides steht auf der eigenen Seite" in said
    assert ("E-Mail" in said) == has_email
