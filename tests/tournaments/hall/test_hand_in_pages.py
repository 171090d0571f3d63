"""Handing in: by number and Enter, each item separately, and its access."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.hall.helpers import DUE_TOTAL, people, played, running
from tests.tournaments.hall.pages import log_in, text, url
from tests.worlds import world
from tournaments.models import Receipt, Role, Serie, Spielliste

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def hand_in(client: Client, serie: Serie, act: str, **sent: Any) -> Any:
    return client.post(url(serie, "hand_in_act", table=1), {"act": act, **sent})


serie = world(running)


@pytest.fixture
def client(client: Client, serie: Serie) -> Client:
    log_in(client, serie.tournament)
    return client


def test_a_table_is_opened_by_number_and_handed_in_whole(client: Client, serie: Serie):
    spielliste = played(serie)
    log_in(client, serie.tournament)
    page = text(client.get(url(serie, "hand_in"), {"tisch": "1"}))
    assert "Alles da, 18,00 € bar" in page

    done = hand_in(client, serie, "all", cents=DUE_TOTAL)

    assert done["Location"] == url(serie, "hand_in")
    spielliste.refresh_from_db()
    assert spielliste.status == Status.HANDED_IN
    assert "Tisch 1 hat alles abgegeben" in text(client.get(done["Location"]))


def test_checking_comes_next_when_all_lists_are_handed_in(client: Client):
    serie = running(tables=2)
    log_in(client, serie.tournament)
    played(serie, 1)
    hand_in(client, serie, "all", cents=DUE_TOTAL)
    some = client.get(url(serie, "hand_in"))
    played(serie, 2)
    client.post(url(serie, "hand_in_act", table=2), {"act": "all", "cents": DUE_TOTAL})
    every = client.get(url(serie, "hand_in"))

    assert "Kein Tisch wartet auf die Abgabe." in text(some)
    assert '<a class="button outline" id="check-serie"' in some.content.decode()
    assert "Alle Listen sind abgegeben." in text(every)
    assert '<a class="button" id="check-serie"' in every.content.decode()
    assert ("Spielen noch" in text(some), "Spielen noch" in text(every)) == (True, False)


def test_an_unknown_table_number_is_reported(client: Client, serie: Serie):
    for typed in ("7", "acht"):
        page = text(client.get(url(serie, "hand_in"), {"tisch": typed}))
        assert f"Tisch „{typed}“ gibt es in Serie 1 nicht" in page


def test_each_item_is_ticked_separately_and_the_table_stays_open(client: Client, serie: Serie):
    spielliste = played(serie)
    log_in(client, serie.tournament)
    first = people(spielliste)[0]

    for act, sent in (
        ("list", {}),
        ("list_back", {}),
        ("list", {}),
        ("cards", {}),
        ("cards_back", {}),
        ("cards", {}),
        ("signatures", {}),
        ("waive", {"person": first, "reason": "Gast"}),
        ("waive_back", {"person": first}),
        ("pay", {"person": first, "cents": 400}),
    ):
        answer = hand_in(client, serie, act, **sent)
        assert answer["Location"] == f"{url(serie, 'hand_in')}?tisch=1", act
    last = hand_in(client, serie, "pay", cents=DUE_TOTAL - 400)

    assert last["Location"] == url(serie, "hand_in")
    spielliste.refresh_from_db()
    assert spielliste.status == Status.HANDED_IN


@pytest.mark.parametrize("cents", ["", "abc", "1799", "-", "٣"])
def test_a_sum_not_shown_is_not_taken(client: Client, cents: str, serie: Serie):
    spielliste = played(serie)
    log_in(client, serie.tournament)

    refused = hand_in(client, serie, "all", cents=cents)

    assert refused.status_code == 409
    assert "Offen sind jetzt" in text(refused)
    assert not Receipt.objects.exists()
    spielliste.refresh_from_db()
    assert not spielliste.list_received


def test_an_unknown_act_is_refused(client: Client, serie: Serie):
    assert hand_in(client, serie, "alles").status_code == 409


@pytest.mark.parametrize("act", ["signatures", "waive", "waive_back"])
def test_the_till_cannot_waive_bussgeld(client: Client, act: str, serie: Serie):
    spielliste = played(serie)
    log_in(client, serie.tournament, Role.KASSE)

    refused = hand_in(client, serie, act, person=people(spielliste)[0], reason="Gast")

    assert refused.status_code == 403
    assert "Das entscheidet die Spielleitung" in text(refused)


def test_the_till_takes_the_money_and_leaves_the_signatures(client: Client, serie: Serie):
    spielliste = played(serie)
    log_in(client, serie.tournament, Role.KASSE)

    hand_in(client, serie, "all", cents=DUE_TOTAL)

    spielliste.refresh_from_db()
    assert spielliste.status == Status.COMPLETE
    assert (spielliste.list_received, spielliste.cards_received) == (True, True)
    assert Receipt.objects.count() == 1


def test_read_only_roles_see_no_buttons(client: Client, serie: Serie):
    played(serie)
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    page = text(client.get(url(serie, "hand_in"), {"tisch": "1"}))

    assert "Tisch 1" in page
    assert "Alles da" not in page
    assert '<button class="button outline" name="act"' not in page


@pytest.mark.parametrize(
    ("role", "may_check"),
    [(Role.SPIELLEITUNG, True), (Role.SCHIEDSRICHTER, True), (Role.KASSE, False)],
)
def test_a_handed_in_list_links_to_its_check_for_checkers(
    client: Client, role: Role, *, may_check: bool
):
    serie = running(tables=2)
    played(serie, 1, status=Status.COMPLETE)
    played(serie, 2, status=Status.VERIFIED, on_paper=False)
    serie.tournament.bussgeld = {}
    serie.tournament.save()
    log_in(client, serie.tournament, role)
    checks = [
        f'href="{reverse("checking:list", args=[serie.tournament.slug, 1, table])}"'
        for table in (1, 2)
    ]

    there = text(client.get(url(serie, "hand_in"), {"tisch": "2"}))
    missing = text(client.get(url(serie, "hand_in"), {"tisch": "1"}))

    assert (checks[1] in there) == may_check
    assert checks[0] not in missing
    overview = f'href="{reverse("checking:serie", args=[serie.tournament.slug, 1])}"'
    assert (overview in missing) == may_check


@pytest.mark.parametrize(
    ("role", "may"), [(Role.SPIELLEITUNG, True), (Role.SCHIEDSRICHTER, True), (Role.KASSE, False)]
)
def test_roles_setting_the_screen_see_its_link(
    client: Client, role: Role, *, may: bool, serie: Serie
):
    log_in(client, serie.tournament, role)

    page = text(client.get(url(serie, "hand_in")))

    screen = reverse("screen:control", args=[serie.tournament.slug])
    assert (f'href="{screen}"' in page) == may
