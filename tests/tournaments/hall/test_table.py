"""One table at control: its list, its codes, its devices."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.hall.helpers import played, running
from tests.tournaments.hall.pages import log_in, text, url
from tests.worlds import world
from tournaments.common.access_keys import table_code, table_path
from tournaments.models import (
    JournalEntry,
    Role,
    Serie,
    Spielliste,
    TableAccess,
    TableDevice,
    Tournament,
)

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


serie = world(running)


def test_a_table_shows_its_list_with_readings_and_doubts(client: Client, serie: Serie):
    unclear = {"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}
    write_games(list_of(serie), [*FOUR[:6], unclear])
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "table", table=1)))

    assert re.search(
        r'beendet: </span><span\s+class="finisher">0</span\s*><span class="hand-mark">', page
    )
    assert "17/71" in page
    assert "58 ist nach einem Handrommé ungewöhnlich wenig" in page
    assert "Nicht eindeutig" in page


def test_table_cards_show_the_url_beside_the_code(client: Client, serie: Serie):
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "cards")))

    card = page.split(' access-card">')[1]
    assert "testserver/tisch/<" in card
    assert table_code(TableAccess.objects.get()) in card


def test_a_list_goes_to_paper_and_back(client: Client, serie: Serie):
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    client.post(url(serie, "on_paper", table=1), {"on_paper": "1"})
    assert Spielliste.objects.get().on_paper
    client.post(url(serie, "on_paper", table=1), {"on_paper": "0"})
    assert not Spielliste.objects.get().on_paper

    played(serie, status=Status.SIGNED)
    assert client.post(url(serie, "on_paper", table=1), {"on_paper": "0"}).status_code == 409


def test_control_permits_another_device_to_take_over(client: Client, serie: Serie):
    log_in(client, serie.tournament)
    TableDevice.objects.create(
        table=serie.tables.get(), token_hash="a", is_keeper=True, last_seen_at=timezone.now()
    )

    client.post(url(serie, "allow_take_over", table=1))
    assert not TableDevice.objects.get().is_keeper
    assert client.post(url(serie, "allow_take_over", table=1)).status_code == 409


def test_the_code_of_a_table_is_shown_and_replaced_after_withdrawal(client: Client, serie: Serie):
    log_in(client, serie.tournament)
    before = TableAccess.objects.get()
    page = text(client.get(url(serie, "access", table=1)))
    assert table_code(before) in page
    assert table_path(before) in page
    assert "<svg" in page

    client.post(url(serie, "withdraw_access", table=1), {"reason": "Karte verloren"})

    after = TableAccess.objects.get()
    page = text(client.get(url(serie, "access", table=1)))
    assert table_code(after) in page
    assert table_code(before) not in page
    assert JournalEntry.objects.get(action="table_access_withdrawn").reason == "Karte verloren"


def test_codes_stay_if_their_withdrawal_is_refused(client: Client, serie: Serie):
    log_in(client, serie.tournament)
    address = url(serie, "withdraw_access", table=1)
    assert client.post(address, {"reason": "x" * 301}).status_code == 422

    Tournament.objects.update(status=Tournament.Status.CLOSED)
    assert client.post(address, {"reason": ""}).status_code == 409
    assert TableAccess.objects.get().generation == 1


def test_a_page_draws_only_the_codes_it_shows(client: Client):
    serie = running(tables=25)
    log_in(client, serie.tournament)
    address = url(serie, "cards")

    pages = [text(client.get(address, {"page": number})) for number in (1, 2)]

    assert [page.count("QR-Code von Tisch") for page in pages] == [24, 1]


# --- Bought cards -------------------------------------------------------------------------------


def at_control(client: Client, rules: str = "progressiv") -> Serie:
    serie = running(rule_set=ruleset_to_dict(ruleset(rules)))
    log_in(client, serie.tournament)
    return serie


def note(client: Client, serie: Serie, *cards: str, seen: str = ""):
    typed = {f"bought_{seat}": count for seat, count in enumerate(cards, start=1)}
    return client.post(url(serie, "note_bought", table=1), {**typed, "seen": seen})


@pytest.mark.parametrize("status", [Status.OPEN, Status.SIGNED, Status.HANDED_IN])
def test_bought_cards_of_a_paper_list_are_recorded_at_control(client: Client, status: str):
    serie = at_control(client)
    now = timezone.now()
    Spielliste.objects.update(status=status, signed_at=now, handed_in_at=now)

    page = text(client.get(url(serie, "table", table=1)))
    answer = note(client, serie, "", "3", "0", "1")

    assert 'name="bought_4"' in page
    assert "höchstens 8 Karten je Person und Liste, jede für 0,01" in page
    assert answer.status_code == 302
    assert Spielliste.objects.get().bought_cards == [0, 3, 0, 1]


def test_numbers_recorded_meanwhile_are_not_overwritten(client: Client):
    serie = at_control(client)
    note(client, serie, "0", "3", "0", "1")

    late = note(client, serie, "2", "0", "0", "0")
    again = note(client, serie, "2", "3", "0", "1", seen="0 3 0 1")

    assert late.status_code == 409
    assert "hat inzwischen jemand anderes eingetragen" in text(late)
    assert 'name="seen" value="0 3 0 1"' in text(late)
    assert again.status_code == 302
    assert Spielliste.objects.get().bought_cards == [2, 3, 0, 1]


def test_bought_cards_of_a_checked_list_are_fixed(client: Client):
    serie = at_control(client)
    now = timezone.now()
    Spielliste.objects.update(
        status=Status.VERIFIED, signed_at=now, handed_in_at=now, verified_at=now
    )

    answer = note(client, serie, "0", "3", "0", "1")

    assert answer.status_code == 409
    assert "die Prüfung mit einem Grund zurücknehmen" in text(answer)
    assert Spielliste.objects.get().bought_cards == []


@pytest.mark.parametrize("wrong", ["9", "drei"])
def test_an_impossible_number_of_cards_is_refused_with_its_seat(client: Client, wrong: str):
    answer = note(client, at_control(client), "0", wrong, "0", "0")

    assert answer.status_code == 409
    assert "Platz 2: In einer Liste kann niemand mehr als 8 Karten kaufen." in text(answer)
    assert Spielliste.objects.get().bought_cards == []


def test_control_omits_bought_cards_if_the_rules_have_none(client: Client):
    serie = at_control(client, "rommeordnung")

    assert "Gekaufte Karten" not in text(client.get(url(serie, "table", table=1)))
