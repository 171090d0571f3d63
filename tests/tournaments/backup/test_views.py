"""The page of the backups: its access and its content."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_member, make_tournament, make_user
from tournaments.backup import saving, standby, status_file
from tournaments.backup.packing import current_ends, folder
from tournaments.models import Role

pytestmark = pytest.mark.django_db
PAGE = "/sicherungen/"


@pytest.fixture
def admin(client, data):
    client.force_login(make_user(is_admin=True))
    return client


def test_the_page_is_for_spielleitung_and_operator(client, data):
    for role in Role:
        client.force_login(make_member(make_tournament(), role))
        allowed = role in {Role.VERANSTALTER, Role.SPIELLEITUNG}
        assert client.get(PAGE).status_code == (200 if allowed else 403)
        assert client.post(reverse("backup:code")).status_code == 403
        assert client.post(reverse("backup:second")).status_code == 403


def test_the_page_warns_until_a_backup_exists(admin, tmp_path):
    answer = admin.get(PAGE)

    assert "alert error" in answer.content.decode()
    assert "nicht mehr von selbst gesichert" in answer.content.decode()

    status_file.touch("wache")
    status_file.note_status(
        at="2026-11-22T10:00:00+00:00", file="da.tar.gz", state=current_ends()["state"]
    )
    text = admin.get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert "alert error" not in text
    assert "da.tar.gz" in text
    assert "11:00" in text
    assert "<html" not in text


def test_the_page_names_the_host_that_saves(admin, settings):
    status_file.touch("anderswo")
    elsewhere = admin.get(PAGE).content.decode()
    settings.SAVES_ITSELF = False
    by_the_database = admin.get(PAGE).content.decode()

    assert "auf einem anderen Rechner" in elsewhere
    assert "Das tut die Datenbank" in by_the_database
    assert "alert error" not in elsewhere + by_the_database


def test_the_button_requests_a_backup_from_the_watcher(admin):
    answer = admin.post(reverse("backup:save"), follow=True)

    page = answer.content.decode()
    assert "Gerade sichert niemand" in page
    assert "Die gewünschte Sicherung wird gemacht" in page
    assert saving.is_requested()

    status_file.touch("wache")
    page = admin.post(reverse("backup:save"), follow=True).content.decode()
    assert "gleich steht hier, was daraus wurde" in page


def test_a_second_folder_is_chosen_or_refused(admin, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()

    assert admin.post(reverse("backup:second"), {"folder": "/gibt/es/nicht"}).status_code == 422
    answer = admin.post(reverse("backup:second"), {"folder": str(stick)}, follow=True)

    assert str(stick) in answer.content.decode()


def test_the_command_for_the_second_laptop_is_shown_once(admin):
    text = admin.post(reverse("backup:code")).content.decode()
    code = text.partition("CODE=")[2][:14]

    assert f"make standby FROM=http://testserver CODE={code}" in text
    assert code not in admin.get(PAGE).content.decode()
    standby.admit(code, address="http://192.168.1.11:8000")
    text = admin.get(PAGE).content.decode()
    assert "http://192.168.1.11:8000" in text
    assert "steht bereit und folgt" in text

    status_file.touch(standby.UP_TO_DATE, timezone.now().timestamp() - 12)
    assert "kommt nicht nach" in admin.get(PAGE).content.decode()

    older = folder() / "ersatz-0123456789abcdef.tar.gz"
    older.touch()
    admin.post(reverse("backup:shut_out"))
    assert not older.exists()
    assert "192.168.1.11" not in admin.get(PAGE).content.decode()
    assert standby.standby_laptop() == {}


@pytest.mark.parametrize("page", ["desk:desk", "cash:book"])
def test_desk_and_till_show_the_lag_of_the_second_laptop(client, data, page, monkeypatch):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    url, asked_again = reverse(page, args=[tournament.slug]), reverse("backup:behind")
    assert asked_again not in client.get(url).content.decode()

    standby.admit(standby.new_code(), address="http://192.168.1.11:8000")
    assert asked_again in client.get(url).content.decode()
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for seconds, said in ((3, ""), (12, "zweiter Laptop: 12 s zurück"), (200, ": 3 min zurück")):
        status_file.touch(standby.UP_TO_DATE, now.timestamp() - seconds - 0.1)
        for text in (client.get(url), client.get(asked_again)):
            assert said in text.content.decode()
            assert ("zweiter Laptop" in text.content.decode()) == bool(said)
