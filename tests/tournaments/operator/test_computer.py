"""The page that only the computer opens on which the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from romme_site.command.serving import ShutdownRequests
from tests.clients import Client
from tests.factories import make_user
from tournaments.machine import addresses
from tournaments.models import Job

pytestmark = pytest.mark.django_db
LAN = "192.168.50.7"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch, settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    for module in ("tournaments.machine.addresses", "tournaments.operator.views.computer"):
        monkeypatch.setattr(f"{module}.lan_address", lambda: LAN)


def at(name: str, token: str = "") -> str:
    return reverse(f"operator:{name}", args=[token or addresses.computer_page_token()])


def test_the_page_shows_address_code_and_data_folder(client: Client, tmp_path: Path):
    text = client.get(at("here")).content.decode()

    assert f"http://{LAN}:8000" in text
    assert "<svg" in text
    assert str(tmp_path) in text
    assert "Erstes Konto anlegen" in text


@pytest.mark.parametrize(
    ("sender", "token", "is_in_the_hall"),
    [
        pytest.param("192.168.50.8", "", True, id="phone that has seen the address"),
        pytest.param("127.0.0.1", "0" * 32, True, id="proxy on the computer"),
        pytest.param("127.0.0.1", "", False, id="server"),
    ],
)
def test_other_computers_cannot_open_the_page(
    client: Client, settings, sender: str, token: str, *, is_in_the_hall: bool
):
    settings.IS_IN_THE_HALL = is_in_the_hall
    before = ShutdownRequests.last()

    answers = [
        client.get(at("here", token), REMOTE_ADDR=sender),
        client.post(at("end", token), REMOTE_ADDR=sender),
        client.post(at("first_account", token), REMOTE_ADDR=sender),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert ShutdownRequests.last() == before


def test_the_own_network_address_counts_as_this_computer(client: Client):
    assert client.get(at("here"), REMOTE_ADDR=LAN).status_code == 200


def test_first_account_is_made_by_one_button(client: Client):
    answer = client.post(at("first_account"), follow=True)

    assert "Legen Sie das erste Konto an." in answer.content.decode()


def test_the_button_is_hidden_with_an_account(client: Client):
    make_user()

    assert "Erstes Konto anlegen" not in client.get(at("here")).content.decode()
    assert client.post(at("first_account")).url == at("here")


def test_a_button_ends_the_program(client: Client):
    before = ShutdownRequests.last()

    answer = client.post(at("end"))

    assert "Das Programm ist beendet" in answer.content.decode()
    assert ShutdownRequests.last().restored == before.restored
    assert ShutdownRequests.last() != before


@pytest.mark.parametrize(
    ("printed", "port", "is_stale"),
    [
        pytest.param("http://192.168.1.4:8000", 8000, True, id="another network"),
        pytest.param(f"http://{LAN}:8000", 8000, False, id="the same"),
        pytest.param(f"http://{LAN}:8000", 8001, True, id="another port"),
        pytest.param(f"http://{LAN}", 80, False, id="port 80, which nobody writes"),
        pytest.param("http://10.42.0.1:8000", 8000, False, id="its other network"),
        pytest.param("http://saal.example:8000", 8000, False, id="a name follows by itself"),
    ],
)
def test_codes_printed_for_another_address_are_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, printed: str, port: int, *, is_stale: bool
):
    monkeypatch.setattr(addresses, "own_addresses", lambda: {"127.0.0.1", "10.42.0.1", LAN})
    addresses.note_port(port)
    Job.objects.create(
        kind="print",
        status=Job.Status.DONE,
        params={"base_url": printed},
        finished_at=timezone.now(),
    )

    said = f"Die zuletzt gedruckten QR-Codes führen zu {printed}"
    assert (said in client.get(at("here")).content.decode()) is is_stale
