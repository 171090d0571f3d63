"""Drawn cards entered by those at the table, without an account."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import COMMAND, make_member, make_players, make_tournament
from tests.tournaments.draw import helpers
from tests.worlds import world
from tournaments.common.access_keys import draw_table_token
from tournaments.common.errors import TournamentError
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import draws
from tournaments.models import Role, Serie, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@world
def draft():
    """Seven people: a table of four and one of three, no card entered yet."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    make_players(tournament, 7)
    serie = tournament.serien.get(number=1)
    return draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)


def address(draft, table):
    token = draw_table_token(draft.pk, table)
    return reverse("seating:at_table", args=[draft.pk, table, token])


def numbers(draft):
    draft.refresh_from_db()
    return helpers.numbers(draft)


def send(draft, table, *typed):
    data = {f"platz{seat}": text for seat, text in enumerate(typed, start=1)}
    return Client().post(address(draft, table), data)


def from_empty_page(draft, *typed):
    data = {f"platz{seat}": text for seat, text in enumerate(typed, start=1)}
    empty = {f"vorher{seat}": "" for seat in range(1, 5)}
    return Client().post(address(draft, 1), {**data, **empty})


def test_each_player_may_enter_a_card_on_the_own_phone(draft):
    """All four opened the page while it was empty."""
    for typed in (("5", "", "", ""), ("", "2", "", ""), ("", "", "7", ""), ("", "", "", "1")):
        assert from_empty_page(draft, *typed).status_code == 302

    assert numbers(draft)[0] == [5, 2, 7, 1]


@pytest.mark.both
def test_a_seat_entered_twice_is_refused_and_shows_the_first_entry(draft):
    from_empty_page(draft, "5", "", "", "")

    refused = from_empty_page(draft, "2", "", "", "")

    assert refused.status_code == 409
    assert "An Platz 1 hat inzwischen jemand anderes" in refused.content.decode()
    assert 'name="platz1" value="5"' in refused.content.decode()
    assert numbers(draft)[0] == [5, None, None, None]


def test_a_corrected_entry_does_not_unseat_another_player(draft):
    from_empty_page(draft, "5", "", "", "")

    refused = from_empty_page(draft, "", "zwei", "", "").content.decode()
    fields = dict(re.findall(r'name="((?:platz|vorher)\d)" value="([^"]*)"', refused))
    Client().post(address(draft, 1), {**fields, "platz2": "2"})

    assert numbers(draft)[0] == [5, 2, None, None]


def test_a_misread_card_can_be_corrected(draft):
    send(draft, 1, "5", "2", "7", "1")
    send(draft, 1, "2", "5", "7", "")

    assert numbers(draft)[0] == [2, 5, 7, None]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("3", "3", "", ""), "Eine Startnummer steht an zwei Plätzen."),
        (("99", "", "", ""), "Startnummer 99 ist nicht bezahlt oder nicht vergeben"),
        (("vier", "", "", ""), "„vier“ ist keine Startnummer."),
    ],
)
def test_impossible_entries_are_refused_and_nothing_is_stored(draft, typed, message):
    response = send(draft, 1, *typed)

    assert response.status_code == 409
    assert message in response.content.decode()
    assert numbers(draft)[0] == [None] * 4


def test_a_table_cannot_enter_a_player_of_another(draft):
    send(draft, 1, "5", "", "", "")

    response = send(draft, 2, "5", "", "")

    assert "Startnummer 5 ist schon an Tisch 1 eingetragen." in response.content.decode()
    assert numbers(draft) == [[5, None, None, None], [None, None, None]]


def test_a_place_beyond_the_table_is_refused(draft):
    with pytest.raises(TournamentError, match="Diesen Platz gibt es"):
        draw_cards.enter_at_table(COMMAND, draft.pk, table=2, numbers={4: 1})


def test_a_wrong_table_code_is_refused(draft):
    wrong = address(draft, 1).replace("/1/", "/2/", 1)

    assert Client().get(wrong).status_code == 404


def test_an_older_draw_refuses_cards(draft):
    draws.begin(COMMAND, draft.serie_id, method=Serie.Seating.CARDS, reason="verzählt")

    page = Client().get(address(draft, 1)).content.decode()
    refused = send(draft, 1, "5", "", "", "")

    assert "Diese Auslosung gilt nicht mehr." in page
    assert refused.status_code == 409


@pytest.mark.both
def test_the_code_opens_the_list_after_publishing(draft):
    send(draft, 1, "1", "2", "3", "4")
    send(draft, 2, "5", "6", "7")
    draws.publish(COMMAND, draft.pk)

    response = Client().get(address(draft, 1))

    assert response.status_code == 302
    assert response["Location"].startswith("/tisch/")


def test_every_table_has_its_code(draft):
    client = Client()
    client.force_login(make_member(draft.serie.tournament, Role.KASSE))

    url = reverse("draw:table_codes", args=[draft.serie.tournament.slug, 1])
    page = client.get(url).content.decode()

    assert re.findall(r"Code von Tisch (\d)", page) == ["1", "2"]


@pytest.mark.both
def test_a_serie_without_a_draft_has_no_codes():
    tournament = make_tournament()
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    answer = client.get(reverse("draw:table_codes", args=[tournament.slug, 1]))

    assert answer.status_code == 409
    assert "Für diese Serie gibt es keinen Entwurf." in answer.content.decode()
