"""Times and places of backups, and the page without one."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as program
from django.db import OperationalError
from django.utils import timezone

from romme_site.command.backup import save_main
from tests.tournaments.backup.helpers import happens
from tournaments.backup import database_copy, packing, saving, scheduler, second_folder, status_file
from tournaments.backup.database_copy import BackupError, CopyProof
from tournaments.backup.packing import anchors_of
from tournaments.backup.saving import INTERVAL, RETRY_INTERVAL, save_if_due
from tournaments.backup.status_file import problems, status

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick"),
    pytest.mark.once,
]
ROOT = Path(__file__).resolve().parents[3]
# It serves nothing, until its standard input ends.
SERVER = """
import sys
from romme_site.command.django_setup import set_up_django
from romme_site.command.watcher import running_watcher
if __name__ == "__main__":
    set_up_django()
    with running_watcher():
        sys.stdin.read()
"""
SOON, LATER = timedelta(seconds=20), INTERVAL + timedelta(seconds=1)


def after(span: timedelta) -> Path | None:
    return save_if_due(timezone.now() + span)


@pytest.mark.both
def test_changes_are_saved_every_five_minutes(data, tournament):
    assert save_if_due() is not None
    assert after(LATER) is None
    happens(tournament)
    assert after(SOON) is None

    saved = after(LATER)

    assert saved.name == status().file
    assert saved.name.endswith("-auto.tar.gz")


@pytest.mark.both
def test_only_requested_backups_are_made_if_the_database_has_its_own(data, tournament, settings):
    settings.SAVES_ITSELF = False

    scheduler.run_due()
    assert status().file == ""

    saving.request_backup()
    scheduler.run_due()
    assert status().file != ""


def test_closing_a_serie_saves_at_once(data, tournament):
    save_if_due()
    tournament.serien.filter(number=1).update(closed_at=timezone.now())
    happens(tournament)

    assert after(SOON).name.endswith("-abschluss.tar.gz")
    assert after(SOON) is None


def test_a_clock_set_back_does_not_stop_backups(data, tournament):
    save_if_due()
    happens(tournament)

    assert after(-timedelta(hours=1)) is not None


def test_a_failure_is_shown_until_the_next_success(data, tournament, monkeypatch):
    def fail(*_given, **_more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(saving, "pack", fail)
        with pytest.raises(OSError, match="No space"):
            save_if_due()

    assert any("gescheitert: Der Datenträger ist voll." in said for said in problems())
    assert after(RETRY_INTERVAL / 2) is None
    assert after(RETRY_INTERVAL * 2) is not None
    assert not any("gescheitert" in said for said in problems())


def test_old_backups_missing_watchers_and_broken_journals_are_reported(
    data, tournament, monkeypatch
):
    bent = CopyProof(["turnier-1: Eintrag 3 fehlt."], {})
    monkeypatch.setattr(packing, "prove", lambda _file: bent)
    save_if_due()
    happens(tournament)

    said = " ".join(problems(timezone.now() + timedelta(minutes=11)))

    assert "zu viel Zeit vergangen" in said
    assert "nicht mehr von selbst" in said
    assert "Protokoll turnier-1: Eintrag 3 fehlt." in said


def test_the_watcher_survives_failures_and_runs_once(data, tournament, monkeypatch):
    with monkeypatch.context() as gone:
        gone.setattr(saving, "current_ends", lambda: (_ for _ in ()).throw(OperationalError("weg")))
        scheduler.run_due()
    assert status().failed == "weg"

    with (
        status_file.locked("waechter") as mine,
        status_file.locked("waechter", wait=False) as other,
    ):
        assert mine
        assert not other

    saving.request_backup()
    scheduler.run_due()
    assert problems() == []


def test_old_automatic_backups_are_deleted_and_manual_ones_kept(data):
    folder = packing.folder()
    made = [f"romme-2026-10-{day:02}-{hour:02}0000-auto" for day in (1, 2, 3) for hour in range(9)]
    made += ["romme-2026-10-01-070000", "romme-2026-10-01-080000-abschluss"]
    for name in made:
        (folder / f"{name}.tar.gz").touch()

    killed = folder / f"{packing.UNFINISHED}abc"
    killed.mkdir()
    os.utime(killed, (0, 0))

    packing.thin_out(folder, "-auto", newest=4, days=2)

    left = sorted(path.name.removesuffix(".tar.gz") for path in folder.iterdir())
    assert left == sorted([*made[23:27], made[17], *made[27:]])


@pytest.mark.both
def test_a_new_backup_is_kept_although_older_ones_have_later_dates(data, tournament, monkeypatch):
    ahead = [f"romme-2099-10-01-{hour:02}0000-{hour + 1:05}-auto" for hour in range(9)]
    for name in ahead:
        (packing.folder() / f"{name}.tar.gz").touch()
    monkeypatch.setattr(saving, "NEWEST", 2)
    monkeypatch.setattr(saving, "DAYS", 1)

    saved = saving.save_now(kind=packing.AUTO)

    assert saved.name.endswith("-00010-auto.tar.gz")
    left = {path.name for path in packing.folder().glob("*.tar.gz")}
    assert left == {f"{ahead[-1]}.tar.gz", saved.name}


def test_a_wrong_clock_is_reported(data, tournament):
    status_file.touch("wache")
    save_if_due()

    assert problems() == []
    assert any("Uhr dieses Rechners" in said for said in problems(timezone.now() - LATER))


def test_leftovers_of_a_killed_process_go_and_work_of_others_stays(data):
    folder = packing.folder()
    left = folder / f"{packing.UNFINISHED}left"
    left.mkdir()
    (left / ".in-arbeit").touch()
    (left / "datenbank.sqlite3").touch()

    with packing.scratch(folder) as other, packing.scratch(folder) as mine:
        there = {path for path in folder.iterdir() if path.is_dir()}
        assert there == {other, mine}
    assert not list(folder.glob(f"{packing.UNFINISHED}*"))


def test_a_stick_gets_every_backup_and_may_be_removed(data, tournament, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    first = saving.save_now()
    second_folder.set_second(str(stick))
    assert {path.name for path in stick.iterdir()} == {first.name, anchors_of(first).name}
    shutil.rmtree(stick)

    happens(tournament)
    second = saving.save_now()
    assert not second_folder.is_second_available(status())
    stick.mkdir()
    second_folder.copy_to_second()

    assert (stick / second.name).read_bytes() == second.read_bytes()
    assert status().second_file == second.name


def test_an_empty_mount_point_is_not_a_stick(data, tournament, tmp_path, monkeypatch):
    monkeypatch.setattr(second_folder, "is_other_disk", lambda path: path.name == "stick")
    stick = tmp_path / "stick"
    stick.mkdir()
    second_folder.set_second(str(stick))
    monkeypatch.setattr(second_folder, "is_other_disk", lambda _path: False)

    saving.save_now()

    assert list(stick.iterdir()) == []


def test_a_failing_stick_is_reported(data, tournament, tmp_path, monkeypatch):
    stick = tmp_path / "stick"
    stick.mkdir()
    second_folder.set_second(str(stick))

    def fail(*_files):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("shutil.copyfileobj", fail)
    saving.save_now()

    assert any("Zweiter Ordner: [Errno 5] Input/output" in said for said in problems())
    assert list(stick.iterdir()) == []


@pytest.mark.parametrize("path", ["/gibt/es/nicht", "stick"])
def test_an_unwritable_folder_is_refused(data, path):
    with pytest.raises(BackupError, match="lässt sich nicht schreiben"):
        second_folder.set_second(path)

    assert status().second == ""


ON_WINDOWS = sys.platform == "win32"
NEEDS_RIGHTS = pytest.mark.skipif(ON_WINDOWS, reason="links are for administrators there")
OF_THE_SYSTEM = ["C:/Windows", "C:/Program Files", "C:/"] if ON_WINDOWS else ["/etc", "/proc", "/"]


@pytest.mark.parametrize(
    "place", ["static", "", pytest.param("link", marks=NEEDS_RIGHTS), "code", *OF_THE_SYSTEM]
)
def test_a_folder_of_data_program_or_system_is_refused(data, tmp_path, place):
    (data / "static").mkdir()
    if place == "link":
        (tmp_path / "link").symlink_to(data / "static")
    named = {"static": data / "static", "": data, "link": tmp_path / "link"}
    path = named.get(place) or {"code": program.BASE_DIR / "static"}.get(place, place)

    with pytest.raises(BackupError, match="gehört zum Programm, zu seinen Daten oder zum System"):
        second_folder.set_second(str(path))
    with pytest.raises(BackupError, match="gehört zum Programm, zu seinen Daten oder zum System"):
        saving.save_now(where=Path(path))

    assert status().second == ""
    assert list((data / "static").iterdir()) == []


def test_an_old_time_is_not_recent(data):
    status_file.touch("wache")
    assert status_file.happened_within("wache", timedelta(minutes=1))

    long_ago = time.time() - 120
    os.utime(packing.folder() / ".wache", (long_ago, long_ago))

    assert not status_file.happened_within("wache", timedelta(minutes=1))


def watchers_of(server: int) -> list[int]:
    """Return the processes beside a server."""
    tasks = Path(f"/proc/{server}/task").glob("*/children")
    children = [pid for task in tasks for pid in task.read_text().split()]
    return [int(pid) for pid in children if b"spawn_main" in command_of(int(pid))]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


@pytest.mark.both
@pytest.mark.skipif(sys.platform != "linux", reason="finds the process in /proc")
def test_the_backup_process_restarts_and_ends_with_the_server(data, tournament):
    database_copy.copy_out(data / "romme.sqlite3")
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{data / 'romme.sqlite3'}"}
    environment |= {"DATA_DIR": str(data), "ROMME_MODE": "laptop"}
    command = [sys.executable, "-c", SERVER]
    watching = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE)
    with watching:
        while not status().at and watching.poll() is None:
            time.sleep(0.05)
        (first,) = watchers_of(watching.pid)
        saving.request_backup()
        os.kill(first, signal.SIGKILL)
        while saving.is_requested() or first in watchers_of(watching.pid):
            time.sleep(0.05)
        watching.stdin.close()

    assert watching.returncode == 0
    assert not saving.is_requested()
    assert (
        packing.ends_of(packing.folder() / status().file)["state"]
        == packing.current_ends()["state"]
    )


def test_saving_to_a_missing_stick_is_refused_without_a_folder(data, tournament, tmp_path, capsys):
    assert save_main([str(tmp_path / "stick")]) == 1

    assert f"Den Ordner {tmp_path / 'stick'} gibt es nicht" in capsys.readouterr().err
    assert not (tmp_path / "stick").exists()


def of_the_system() -> Exception:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def of_the_database() -> Exception:
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode = sqlite3.SQLITE_FULL
    problem = OperationalError(*cause.args)
    problem.__cause__ = cause
    return problem


@pytest.mark.parametrize("problem", [of_the_system, of_the_database])
@pytest.mark.usefixtures("data", "tournament")
def test_a_full_stick_is_reported(tmp_path, monkeypatch, capsys, problem):
    def fail(_target):
        raise problem()

    monkeypatch.setattr(packing, "copy_out", fail)

    assert save_main([str(tmp_path)]) == 1

    said = capsys.readouterr().err
    assert f"Der Datenträger ist voll: {tmp_path}. Dort ist nichts gesichert" in said
    assert not list(tmp_path.glob("*.tar.gz"))
