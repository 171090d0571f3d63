"""On a server, only the command line admits machines, and all heads are informed."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_head,
    make_member,
    make_operator,
    make_organiser,
    make_tournament,
    make_user,
    practice,
)
from tests.factories_lists import make_seated_serie
from tournaments.backup import packing, saving, services, standby, status_file
from tournaments.backup.packing import newest_migration
from tournaments.backup.restoring import restore
from tournaments.journal.services import first_breaks
from tournaments.models import JournalEntry, Role

pytestmark = pytest.mark.django_db
PAGE = "/sicherungen/"


@pytest.fixture
def server(settings, data) -> None:
    settings.IS_IN_THE_HALL = False
    settings.LANGUAGE_CODE = "de"


def printed_code(capsys) -> str:
    call_command("standby_code")
    match = re.search(r"CODE=([0-9A-Z-]{14})", capsys.readouterr().out)
    assert match
    return match[1]


def of_installation() -> list[str]:
    entries = JournalEntry.objects.filter(chain__scope="installation").order_by("number")
    return list(entries.values_list("action", flat=True))


@pytest.mark.usefixtures("server")
def test_the_password_of_the_operator_does_not_give_the_data(tmp_path):
    stick, operator = tmp_path / "stick", logged_in(make_user(is_admin=True))
    stick.mkdir()

    refused = [
        operator.post(at("backup:code")),
        operator.post(at("backup:second"), {"folder": str(stick)}),
    ]
    page = operator.read(PAGE)

    assert [answer.status_code for answer in refused] == [403, 403]
    assert "nur auf der Kommandozeile, mit dem Befehl „standby-code“" in refused[0].content.decode()
    assert "mit dem Befehl „second-folder“" in refused[1].content.decode()
    assert "„second-folder“ und „standby-code“" in page
    assert 'name="folder"' not in page
    assert not (packing.folder() / "ersatz.json").exists()
    assert status_file.status().second == ""
    assert of_installation() == []


@pytest.mark.usefixtures("server")
def test_each_use_of_the_command_line_is_journalled(capsys, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    let_in = at("backup:let_in")

    call_command("second_folder", str(stick))
    code = printed_code(capsys)
    form = {"port": "8000", "migration": newest_migration()}
    wrong = Client().post(let_in, {"code": "AAAA-AAAA-AAAA", **form})
    right = Client().post(let_in, {"code": code, **form})
    call_command("standby_code", "--end")
    with pytest.raises(CommandError, match="gehört zum Programm"):
        call_command("second_folder", str(packing.folder().parent))

    assert (wrong.status_code, right.status_code) == (403, 200)
    assert of_installation() == [
        "second_folder_set",
        "standby_code_shown",
        "standby_admitted",
        "standby_shut_out",
    ]
    assert standby.standby_laptop() == {}
    assert status_file.status().second == str(stick)
    assert list(first_breaks()) == []


@pytest.mark.usefixtures("server", "with_mail")
def test_only_heads_are_informed_by_mail_and_on_their_page(tmp_path):
    stick, gera, jena = tmp_path / "stick", make_organiser("SC Gera"), make_organiser("SC Jena")
    stick.mkdir()
    head = make_head(gera, email="gera@verein.example")
    make_head(jena, email="jena@verein.example")
    make_head(jena, email="gone@verein.example", is_active=False)
    make_head(practice(), email="demo@verein.example")
    make_user(email="helper@verein.example")

    call_command("standby_code")
    call_command("second_folder", str(stick))
    page = logged_in(head).read(at("account:organiser", gera.pk))

    told = sorted((message.to[0], "Ersatzlaptop" in message.body) for message in mail.outbox)
    assert told == [
        ("gera@verein.example", False),
        ("gera@verein.example", True),
        ("jena@verein.example", False),
        ("jena@verein.example", True),
    ]
    assert "https://romme.example" in mail.outbox[0].body
    assert "Uhr, Kommandozeile: Code für einen Ersatzlaptop erzeugt" in mail.outbox[0].body
    assert "Code für einen Ersatzlaptop erzeugt" in page
    assert "Ordner für die Kopien der Sicherungen geändert" in page
    assert str(stick) not in page + mail.outbox[-1].body


@pytest.mark.usefixtures("with_mail", "data")
def test_a_laptop_in_a_hall_sends_no_such_mail(settings):
    settings.IS_IN_THE_HALL = True
    gera = make_organiser("SC Gera")
    head = make_head(gera, email="gera@verein.example")

    services.show_code(actor=COMMAND)

    assert mail.outbox == []
    assert "Ersatzlaptop" not in logged_in(head).read(at("account:organiser", gera.pk))
    assert of_installation() == ["standby_code_shown"]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("role", [Role.VERANSTALTER, Role.SPIELLEITUNG])
def test_the_spielleitung_has_no_access_to_the_server(role: Role):
    serie = make_seated_serie(make_tournament(status="running"))
    leader = logged_in(make_member(serie.tournament, role))
    address, last = "http://192.0.2.7:8000", newest_migration()
    code = services.show_code(actor=COMMAND)
    services.admit(code, address=address, own="", migration=last)
    status_file.touch(standby.UP_TO_DATE, 1_000_000_000)

    refused = [leader.get(PAGE), leader.post(at("backup:save"))]
    desk = leader.read(at("desk:desk", serie.tournament))
    sign = leader.read(at("backup:behind"))
    seen = logged_in(make_operator()).read(at("backup:behind"))

    assert [answer.status_code for answer in refused] == [403, 403]
    assert "zweiter Laptop" not in desk + sign
    assert PAGE not in leader.read(at("setup:tournament", serie.tournament))
    assert "zweiter Laptop" in seen
    assert not saving.is_requested()


@pytest.mark.django_db(transaction=True)
@pytest.mark.once
@pytest.mark.usefixtures("server", "with_mail", "quick")
def test_heads_are_informed_of_a_restored_backup(tournament):
    make_head(tournament.owner, email="gera@verein.example")
    saved = saving.save_now()

    restore(saved)

    (told,) = mail.outbox
    assert told.to == ["gera@verein.example"]
    assert "Sicherung zurückgeholt" in told.body
