"""The page for entering the short code of a table."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.clients import Client
from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.worlds import world
from tournaments.common.access_keys import table_code, table_path
from tournaments.common.code_throttling import MOST_PER_ADDRESS
from tournaments.models import CodeGuess

pytestmark = pytest.mark.django_db
URL = "/tisch/"


@world
def access():
    return list_of(make_seated_serie(make_tournament())).table.access


def test_codes_can_be_typed_without_an_account(client: Client):
    answer = client.get(URL)

    assert answer.status_code == 200
    assert "Zur Liste an Ihrem Tisch" in answer.content.decode()


def test_a_code_opens_the_list_of_its_table(client: Client, access):
    answer = client.post(URL, {"table": "1", "code": f" {table_code(access).lower()} "})

    assert (answer.status_code, answer["Location"]) == (302, table_path(access))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("", "Bitte den Code"),
        ("AAA-AAA", "Diesen Code gibt es an Tisch 1 nicht"),
        ("A" * 13, "12"),
    ],
)
def test_a_wrong_code_is_reported(client: Client, access, code, sentence):
    answer = client.post(URL, {"table": "1", "code": code})

    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_the_code_of_a_closed_serie_is_explained(client: Client, access):
    serie = access.table.serie
    serie.closed_at = timezone.now()
    serie.save()

    answer = client.post(URL, {"table": "1", "code": table_code(access)})

    assert answer.status_code == 422
    assert "Serie 1 ist abgeschlossen" in answer.content.decode()


def test_addresses_of_one_household_count_as_one(client: Client, access):
    for guess in range(MOST_PER_ADDRESS):
        client.post(URL, {"table": "1", "code": "AAA-AAA"}, REMOTE_ADDR=f"2001:db8::{guess}")

    answer = client.post(
        URL, {"table": "1", "code": table_code(access)}, REMOTE_ADDR="2001:db8::ffff"
    )

    assert answer.status_code == 429
    assert "zu viele falsche Codes" in answer.content.decode()


def test_a_form_of_another_site_cannot_guess_codes():
    assert (
        Client(enforce_csrf_checks=True).post(URL, {"table": "1", "code": "AAA-AAA"}).status_code
        == 403
    )


def test_a_server_assumes_the_only_running_tournament(client: Client, access, settings):
    settings.IS_IN_THE_HALL = False

    client.post(URL, {"table": "1", "code": "AAA-AAA"})

    assert CodeGuess.objects.get().tournament == access.table.serie.tournament


def test_a_server_with_several_tournaments_asks_for_one(client: Client, access, settings):
    settings.IS_IN_THE_HALL = False
    ours, typed = access.table.serie.tournament, {"table": "1", "code": table_code(access)}
    make_seated_serie(make_tournament(slug="anderswo"))

    page = client.get(URL).content.decode()
    answers = [
        client.post(at, typed) for at in (URL, f"{URL}zu/anderswo/", f"{URL}zu/{ours.slug}/")
    ]

    assert f'href="{URL}zu/anderswo/"' in page
    assert [answer.status_code for answer in answers] == [422, 422, 302]


def test_a_known_device_is_not_locked_by_guesses_of_others(client: Client, access):
    client.get(table_path(access))
    for _guess in range(MOST_PER_ADDRESS):
        Client().post(URL, {"table": "1", "code": "AAA-AAA"})
    typed = {"table": "1", "code": table_code(access)}

    assert Client().post(URL, typed).status_code == 429
    assert client.post(URL, typed).status_code == 302
