"""A call from the table to the Schiedsrichter and back (§ 3.1), through the pages of both."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_member
from tests.tournaments.lists.helpers import Device
from tournaments.models import Call, Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        pytest.param("seats", "Wir sitzen anders", id="other seats"),
        pytest.param("device", "Gerät freigeben", id="a device that is gone"),
    ],
)
def test_problems_for_the_spielleitung_become_a_call(
    client: Client, spielliste: Spielliste, kind: str, words: str
):
    Tournament.objects.update(status=Tournament.Status.RUNNING)
    serie = spielliste.table.serie
    client.force_login(make_member(serie.tournament, Role.SPIELLEITUNG))
    watching = Device(spielliste)

    watching.send("call", call_kind=kind)

    room = client.get(reverse("hall:room", args=[serie.tournament.slug, serie.number]))
    assert words in room.content.decode()
    assert watching.state(0).json()["call"]["kind"] == kind


def test_a_call_reaches_a_schiedsrichter_and_names_them_at_the_table(
    client: Client, keeper: Device, spielliste: Spielliste
):
    Tournament.objects.update(status=Tournament.Status.RUNNING)
    serie = spielliste.table.serie
    client.force_login(make_member(serie.tournament, Role.SCHIEDSRICHTER, name="Karl Weber"))
    room = reverse("hall:room", args=[serie.tournament.slug, serie.number])

    before = client.get(room).content.decode()
    keeper.send("call", call_kind="dispute")
    called = client.get(room).content.decode()
    call = Call.objects.get()
    take = reverse("hall:take_call", args=[serie.tournament.slug, call.pk])
    client.post(take)
    at_table = keeper.state(0).json()["call"]
    client.post(
        reverse("hall:finish_call", args=[serie.tournament.slug, call.pk]), {"note": "geklärt"}
    )

    assert take not in before
    assert take in called
    assert "Tisch 1" in called
    assert at_table["state"] == "taken"
    assert keeper.state(0).json()["call"] is None
    call.refresh_from_db()
    assert (call.taken_by.name, call.note) == ("Karl Weber", "geklärt")
