"""Two laptops serve at once: the replaced one detects it and refuses changes."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_member, make_tournament, make_user
from tests.factories_lists import list_of, make_seated_serie
from tests.first_start import make_ready
from tests.server import Client
from tests.tournaments.backup.helpers import happens
from tests.tournaments.backup.test_afresh import server_in
from tests.tournaments.backup.two_laptops import Hall
from tests.tournaments.lists.helpers import Device, keeper_of
from tournaments.backup import generations, replication, scheduler, standby, status_file
from tournaments.backup.database_copy import copy_out
from tournaments.backup.packing import current_ends, pack
from tournaments.backup.restoring import restore
from tournaments.common.actors import Actor
from tournaments.journal import services as journal
from tournaments.journal.proof import baseline_proof
from tournaments.machine import jobs
from tournaments.models import Job, Role

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST_WAIT = 60


def said(generation: int, **more) -> dict:
    chains = {scope: number for scope, (number, _hash) in current_ends()["chains"].items()}
    return {"generation": generation, "at": "2026-10-03T14:03:00+00:00", "chains": chains, **more}


# --- The number --------------------------------------------------------------------------------


@pytest.fixture
def backup(data, quick, tournament) -> Path:
    path: Path = data / "romme-2026-10-03-140000-ersatz.tar.gz"
    pack(path)
    return path


def test_a_takeover_raises_the_generation_and_a_restore_keeps_it(data, backup):
    assert generations.current() == 0

    restore(backup, action=generations.TAKEN_OVER)
    assert generations.current() == 1

    pack(data / "later.tar.gz")
    restore(data / "later.tar.gz")
    assert generations.current() == 1


@pytest.mark.parametrize("is_there", [True, False])
def test_the_keeper_of_a_list_stays_keeper_after_a_takeover(data, quick, tournament, is_there):
    """Its first request is noted, although the other laptop noted one a moment before."""
    spielliste = list_of(make_seated_serie(tournament))
    keeper, other = keeper_of(spielliste), Device(spielliste)
    baseline_proof(tournament)
    pack(data / "saved.tar.gz")
    restore(data / "saved.tar.gz", action=generations.TAKEN_OVER)
    if is_there:
        keeper.state()

    answer = other.send("take_over")

    assert answer.status_code == (409 if is_there else 200)
    assert answer.json()["state"]["may_change"] is not is_there


def test_a_replaced_laptop_continues_after_a_restore(data, backup):
    generations.note_takeover(said(3), "http://laptop-2:8000/")
    assert generations.is_replaced()

    restore(backup)

    assert not generations.is_replaced()
    assert generations.current() == 4
    generations.note_takeover(said(3), "http://laptop-2:8000/")
    assert not generations.is_replaced()


@pytest.mark.parametrize(("other", "gives_way"), [(0, False), (1, False), (2, True)])
def test_a_laptop_yields_to_a_higher_generation_only(data, backup, other, gives_way):
    """Both took over from one that is gone: of two equals neither stops the other."""
    restore(backup, action=generations.TAKEN_OVER)

    generations.note_takeover(said(other), "http://laptop-2:8000/")

    assert generations.is_replaced() is gives_way


# --- Asking ------------------------------------------------------------------------------------


@pytest.fixture
def other_way(data, settings, tmp_path, monkeypatch):
    """Return a hall where this laptop polls the one that it admitted, and its token."""
    hall = Hall(settings, tmp_path / "zweiter", data)
    (hall.first / "sicherungen" / "ersatz").mkdir(parents=True)
    (hall.first / "sicherungen" / "ersatz" / "uebernommen").write_text(json.dumps(said(1)))
    monkeypatch.setattr(replication, "_open", hall.open)
    token = standby.admit(standby.new_code(), address="http://laptop-2:8000")
    return hall, token


def test_a_takeover_is_announced_with_a_proof(other_way, monkeypatch):
    standby.check_takeover()

    assert generations.is_replaced()
    assert "unter http://laptop-2:8000 weiter" in str(generations.refusal())


def test_stopping_a_laptop_needs_the_key_of_the_installation(other_way, monkeypatch):
    seals = iter(["geraten", "echt"])
    monkeypatch.setattr(generations, "seal", lambda *_given: next(seals))
    standby.check_takeover()

    assert not generations.is_replaced()


def test_a_missing_follower_does_not_stop_a_laptop(other_way):
    hall, _token = other_way
    hall.is_on = False
    standby.check_takeover()

    hall.is_on = True
    standby.shut_out()
    standby.check_takeover()

    assert not generations.is_replaced()


def test_the_follower_is_asked_where_it_was_last(other_way):
    _hall, token = other_way

    assert standby.authenticate(token, "192.0.2.7")

    assert standby.standby_laptop()["address"] == "http://192.0.2.7:8000"


# --- The page ----------------------------------------------------------------------------------


@pytest.fixture
def replaced(data, tournament):
    """Let this laptop be replaced, and have taken one act alone."""
    other = make_tournament()
    generations.note_takeover(said(1), "http://laptop-2:8000/")
    happens(tournament)
    happens(other)
    return tournament


def test_a_replaced_laptop_starts_no_jobs(replaced, monkeypatch):
    spawned: list[int] = []
    monkeypatch.setattr(jobs, "spawn", spawned.append)
    waiting = Job.objects.create(kind="print", created_at=timezone.now() - timedelta(hours=1))

    scheduler.run_due()
    assert spawned == []

    generations.forget_takeover()
    scheduler.run_due()
    assert spawned == [waiting.pk]


def test_every_page_names_the_new_address_also_for_scripts(replaced, client):
    page = client.get("/")
    assert page.status_code == 503
    assert "Ein anderer Laptop hat übernommen" in page.content.decode()
    assert "http://laptop-2:8000/" in page.content.decode()

    sent = client.post("/tisch/x/senden/", "{}", content_type="application/json")
    assert sent.status_code == 503
    assert "nimmt nichts mehr an" in sent.json()["refused"]
    english = client.get("/", headers={"Accept-Language": "en"}).content.decode()
    assert "Another laptop has taken over" in english


def test_lost_entries_are_listed_for_those_concerned(replaced, client):
    page = reverse("backup:page")
    assert client.get(page).status_code == 302

    client.force_login(make_member(replaced, Role.SPIELLEITUNG))
    (own,) = client.get(page).context["alone"]
    assert own[0].tournament == replaced
    assert [row.action for row in own[1]] == ["serie_started"]

    client.force_login(make_user(is_admin=True))
    assert len(client.get(page).context["alone"]) == 2


def test_a_cashier_sees_only_her_own_lost_bookings(replaced, client):
    till = make_member(replaced, Role.KASSE)
    with transaction.atomic():
        journal.record(replaced, Actor.account(till), "serie_started")
    client.force_login(till)

    page = client.get(reverse("backup:page"))

    assert page.status_code == 200
    assert "sicherungen/romme" not in page.content.decode()
    assert "Jetzt sichern" not in page.content.decode()
    ((chain, (row,)),) = page.context["alone"]
    assert (chain.tournament, row.who) == (replaced, till.name)


# --- Both --------------------------------------------------------------------------------------


@pytest.mark.once
def test_a_replaced_laptop_stops_while_running_and_at_the_start(data, tournament, tmp_path):
    (make_ready(data) / "secret_key").write_text(settings.SECRET_KEY)
    (data / "installation_key").write_text(settings.INSTALLATION_KEY().hex())
    shelf = make_ready(tmp_path / "zweiter") / "sicherungen" / "ersatz"
    shelf.mkdir(parents=True)
    pack(shelf / "romme-2026-10-03-140000-ersatz.tar.gz", proven=False)
    happens(tournament)
    admin = Browser()
    admin.force_login(make_user(is_admin=True))
    cookies = {name: cookie.value for name, cookie in admin.cookies.items()}
    copy_out(data / "romme.sqlite3")
    connections.close_all()

    with server_in(data, "run") as first, server_in(shelf.parents[1], "takeover") as second:
        status_file.write_json(
            data / "sicherungen" / "ersatz.json",
            {"token": "t", "address": f"http://127.0.0.1:{second.port}"},
        )
        assert Client(second.port, {}).get("/")[0] == 200
        deadline = time.monotonic() + LONGEST_WAIT
        while (status := Client(first.port, {}).get("/")[0]) == 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert status == 503
        (data / "sicherungen" / "abgeloest.json").unlink()

        first.kill()
        first.start()

        assert f"unter http://127.0.0.1:{second.port} weiter" in first.log.read_text()
        assert Client(first.port, {}).get("/")[0] == 503
        status, page = Client(first.port, cookies).get("/sicherungen/")
        assert status == 200
        assert page.decode().count('class="history-row"') == 1
        assert second.process.poll() is None
