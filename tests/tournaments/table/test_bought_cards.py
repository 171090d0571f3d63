"""Cards bought during a list: noted at the table where the rules know it, else refused."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND
from tests.factories_lists import write_games
from tests.tournaments.lists.helpers import Device, keeper_of, list_by
from tests.tournaments.table.test_page import submit
from tournaments.common.errors import InvalidInput, WrongStatus
from tournaments.lists.services.bought_cards import note_bought
from tournaments.models import JournalEntry

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def note(spielliste, *bought):
    return note_bought(COMMAND, spielliste.pk, bought=bought)


def test_the_page_shows_number_and_price_of_bought_cards():
    device = keeper_of(list_by("progressiv"))

    page = device.client.get(device.path).content.decode()

    assert "höchstens 8 Karten je Person und Liste, jede für 0,01" in page


def test_bought_cards_are_stored_and_journalled():
    spielliste = list_by("progressiv")

    note(spielliste, 0, 2, 0, 1)
    note(spielliste, 0, 2, 1, 1)

    spielliste.refresh_from_db()
    assert spielliste.bought_cards == [0, 2, 1, 1]
    entry = JournalEntry.objects.filter(action="cards_bought").last()
    assert (entry.before, entry.after) == ({"cards": [0, 2, 0, 1]}, {"cards": [0, 2, 1, 1]})


@pytest.mark.parametrize(
    ("rules", "bought", "message"),
    [
        ("rommeordnung", (0, 0, 0, 1), "werden keine Karten gekauft"),
        ("progressiv", (0, 0, 1), "wie viele Karten ein Platz"),
        ("progressiv", (0, 0, 9, 0), "Platz 3: In einer Liste kann niemand mehr als 8"),
    ],
)
def test_impossible_values_are_refused(rules, bought, message):
    spielliste = list_by(rules)

    with pytest.raises(InvalidInput, match=message):
        note(spielliste, *bought)


def test_a_signed_list_refuses_bought_cards():
    spielliste = write_games(list_by("progressiv"), (), status="signed")

    with pytest.raises(WrongStatus, match="unterschrieben"):
        note(spielliste, 0, 0, 0, 1)


def test_the_keeper_records_bought_cards_on_the_table_page():
    spielliste = list_by("progressiv")
    device = keeper_of(spielliste)

    response = submit(device, "bought", bought_1="", bought_2="3", bought_3="0", bought_4="1")

    spielliste.refresh_from_db()
    assert response.status_code == 302
    assert spielliste.bought_cards == [0, 3, 0, 1]
    assert "Gekaufte Karten speichern" in device.client.get(device.path).content.decode()


def test_an_impossible_number_is_refused_at_its_form_and_kept():
    device = keeper_of(list_by("progressiv"))

    response = submit(device, "bought", bought_1="9", bought_2="1", bought_3="0", bought_4="0")

    # The scripts take the place of the plain forms, not of this one.
    page = " ".join(response.content.decode().split())
    _plain, form = page.split('id="table-bought"')
    assert response.status_code == 422
    assert "Platz 1: In einer Liste kann niemand mehr als 8 Karten kaufen." in form
    assert 'name="bought_1" inputmode="numeric" value="9"' in form


def test_the_button_is_for_the_keeper_only():
    spielliste = list_by("progressiv")
    keeper, other = keeper_of(spielliste), Device(spielliste)
    note(spielliste, 0, 2, 0, 1)

    answers = [device.client.get(device.path).content for device in (keeper, other)]
    pages = [" ".join(answer.decode().split()) for answer in answers]

    hidden = 'wide" hidden> Gekaufte Karten speichern'
    assert [hidden in page for page in pages] == [False, True]
    assert other.state().json()["bought"] == [0, 2, 0, 1]


def test_the_page_omits_bought_cards_if_the_rules_have_none():
    device = Device(list_by())

    assert "Gekaufte Karten" not in device.client.get(device.path).content.decode()
