"""The public form when it refuses: closed, too late, a bot, a flood."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from tests.clients import Client
from tests.tournaments.desk.online.helpers import form_data, form_url, make_open_tournament, text_of
from tests.worlds import world
from tournaments.desk.online.services import entry_limits
from tournaments.machine.addresses import network_address
from tournaments.models import Entry, Registration, Tournament

pytestmark = pytest.mark.django_db


tournament = world(make_open_tournament)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param({"subject": "Kredit"}, "leer bleiben muss", id="a filled trap"),
        pytest.param({"seconds": 1}, "schneller, als man lesen kann", id="too fast"),
        pytest.param({"key": "gefälscht"}, "zu alt", id="a forged key"),
    ],
)
def test_a_bot_is_stopped_and_a_person_submits_again(
    client: Client, data: dict[str, Any], sentence: str, tournament: Tournament
):
    stopped = client.post(form_url(tournament), form_data(**data))

    assert stopped.status_code == 422
    assert sentence in text_of(stopped)
    assert not Entry.objects.exists()
    form = stopped.context["form"]
    again = form_data() | {"subject": form.contact["subject"].value()}
    assert client.post(form_url(tournament), again).status_code == 200
    assert Registration.objects.count() == 1


def test_a_form_may_be_open_for_days(client: Client, tournament: Tournament):
    answer = client.post(form_url(tournament), form_data(seconds=7 * 24 * 3600))

    assert answer.status_code == 200
    assert Registration.objects.count() == 1


def test_a_flood_is_refused_with_another_way_to_register(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(entry_limits, "MOST_PER_ADDRESS", 0)

    answer = client.post(form_url(make_open_tournament()), form_data())

    assert answer.status_code == 429
    assert "sehr viele Meldungen" in text_of(answer)
    assert "turnier@altenburg.example" in text_of(answer)


def test_a_form_without_its_token_is_refused():
    client = Client(enforce_csrf_checks=True)

    assert client.post(form_url(make_open_tournament()), form_data()).status_code == 403


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        pytest.param({"online_registration": False}, "am Tisch der Anmeldung", id="switched off"),
        pytest.param(
            {"registration_deadline": timezone.now() - timedelta(hours=1)},
            "an die Spielleitung wenden",
            id="§ 1.3 too late",
        ),
        pytest.param({"status": "closed"}, "abgeschlossen", id="closed"),
    ],
)
def test_a_closed_form_names_reason_and_remedy(
    client: Client, fields: dict[str, Any], sentence: str
):
    tournament = make_open_tournament(**fields)

    shown, sent = client.get(form_url(tournament)), client.post(form_url(tournament), form_data())

    assert shown.status_code == 200
    assert sentence in text_of(shown)
    assert "turnier@altenburg.example" in text_of(shown)
    assert sent.status_code == 409
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"status": Tournament.Status.DRAFT}, id="a draft"),
        pytest.param({"replaced_at": timezone.now()}, id="replaced by an archive"),
    ],
)
def test_a_hidden_tournament_refuses_registrations(client: Client, fields: dict[str, Any]):
    url = form_url(make_open_tournament(**fields))

    assert client.get(url).status_code == client.post(url, form_data()).status_code == 404


@pytest.mark.parametrize(
    ("meta", "behind_proxy", "expected"),
    [
        pytest.param({"REMOTE_ADDR": "192.0.2.7"}, False, "192.0.2.7", id="direct"),
        pytest.param(
            {"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "10.0.0.1"},
            False,
            "192.0.2.7",
            id="a claim without proxy",
        ),
        pytest.param(
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.0.0.1, 192.0.2.7"},
            True,
            "192.0.2.7",
            id="the proxy's own word comes last",
        ),
        pytest.param({"REMOTE_ADDR": "127.0.0.1"}, True, "127.0.0.1", id="proxy says nothing"),
        pytest.param({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, False, "2001:db8:1:2::/64", id="v6"),
        pytest.param({"REMOTE_ADDR": ""}, False, "", id="socket"),
    ],
)
def test_the_network_address_is_the_nearest_trusted_one(
    settings: Any, meta: dict[str, Any], *, behind_proxy: bool, expected: str
):
    header = ("HTTP_X_FORWARDED_PROTO", "https") if behind_proxy else None
    settings.SECURE_PROXY_SSL_HEADER = header

    assert network_address(RequestFactory().get("/", **meta)) == expected
