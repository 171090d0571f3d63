"""A server does not start with settings that would be unsafe; a laptop needs none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from romme_site.env import write_if_missing
from tests.private_files import is_private

ROOT = Path(__file__).resolve().parents[2]
SERVER = {
    "ROMME_MODE": "server",
    "SECRET_KEY": "only for this test",
    "ALLOWED_HOSTS": "turnier.example",
    "PUBLIC_URL": "https://turnier.example/",
    "DEBUG": "false",
}


PRINTED = "settings.PUBLIC_URL, settings.ALLOWED_HOSTS"
UTF8 = {**os.environ, "PYTHONUTF8": "1"}  # as the program says it to its processes
HSTS = "settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD"
POSTGRES = "postgres://romme@localhost/romme"


def read_settings(tmp_path, printed=PRINTED, **given):
    # Empty values hide those of a .env file from the test.
    given = {"DATABASE_URL": "", "EMAIL_URL": "", "DATA_DIR": str(tmp_path), **given}
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from romme_site import settings; print({printed})",
        ],
        cwd=ROOT,
        env={**UTF8, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, (run.stdout or run.stderr).strip()


def test_a_server_starts_with_all_required_settings(tmp_path):
    assert read_settings(tmp_path, **SERVER) == (0, "https://turnier.example ['turnier.example']")


def test_a_laptop_starts_without_settings(tmp_path):
    nothing = dict.fromkeys(SERVER, "") | {"ROMME_MODE": "laptop", "DEBUG": "false"}

    assert read_settings(tmp_path, **nothing) == (0, "['*']")
    assert is_private(tmp_path / "secret_key")


@pytest.mark.parametrize("has_links", [True, False], ids=["disk", "stick"])
def test_two_processes_creating_a_key_at_once_read_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
):
    seen: list[str] = []

    def link(path: Path, target: Path) -> None:
        seen.append(path.read_text() if path.exists() else target.read_text())
        if not has_links:
            raise OSError("no links here")
        os.link(target, path)

    monkeypatch.setattr(Path, "hardlink_to", link)
    key = tmp_path / "secret_key"

    write_if_missing(key, "first")
    if has_links:
        write_if_missing(key, "second")

    assert key.read_text() == "first"
    assert set(seen) == {"first"}
    assert list(tmp_path.iterdir()) == [key]


def test_written_files_are_readable_by_their_owner_only(tmp_path):
    database = tmp_path / "romme.sqlite3"
    kept = [database, tmp_path / "romme.sqlite3-wal", tmp_path / "sicherungen"]
    kept[2].mkdir()
    for path in kept:  # by a version that did not see to it
        path.touch()
        path.chmod(0o755)
    made = tmp_path / "made"

    read_settings(tmp_path, **SERVER | {"DATABASE_URL": f"sqlite:///{database}"})
    subprocess.run(
        [sys.executable, "-c", f"from romme_site import env; open({str(made)!r}, 'w')"],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path)},
        check=True,
    )

    assert [is_private(path) for path in [*kept, made]] == [True] * 4


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY fehlt."),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS fehlt."),
        ({"PUBLIC_URL": ""}, "PUBLIC_URL fehlt."),
        ({"DEBUG": "true"}, "DEBUG=true zeigt bei jedem Fehler"),
        ({"ROMME_MODE": "web"}, "Möglich sind: laptop, server."),
        ({"DATA_DIR": __file__, "SECRET_KEY": "", "ROMME_MODE": "laptop"}, "nicht schreiben"),
        ({"DATABASE_URL": "mysql://x"}, "Sie muss mit sqlite:/// oder postgres://"),
    ],
)
def test_missing_and_unsafe_settings_are_named(tmp_path, change, sentence):
    code, said = read_settings(tmp_path, **SERVER | change)

    assert code == 1
    assert sentence in said


def read_key(tmp_path, **given):
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "from romme_site import settings; print(settings.INSTALLATION_KEY().hex())",
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONUTF8": "1",
            "DATA_DIR": str(tmp_path),
            "ROMME_MODE": "laptop",
            **given,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.strip() or run.stderr


def test_the_key_of_the_installation_is_made_once_or_given(tmp_path):
    made = read_key(tmp_path, INSTALLATION_KEY="")

    assert len(made) == 64
    assert read_key(tmp_path, INSTALLATION_KEY="") == made
    assert is_private(tmp_path / "installation_key")
    assert read_key(tmp_path, INSTALLATION_KEY="ab" * 32) == "ab" * 32
    assert "hat 64 Zeichen" in read_key(tmp_path, INSTALLATION_KEY="geheim")


@pytest.mark.parametrize(
    ("wish", "printed"),
    [("", "False False"), ("subdomains", "True False"), ("preload", "True True")],
)
def test_browsers_keep_https_for_other_names_only_if_asked_for(tmp_path, wish, printed):
    assert read_settings(tmp_path, HSTS, **SERVER, HSTS=wish) == (0, printed)


def test_other_values_of_hsts_are_refused(tmp_path):
    assert "subdomains, preload" in read_settings(tmp_path, **SERVER, HSTS="yes")[1]


@pytest.mark.parametrize(
    ("name", "expected"), [("BACKUPS", "False True"), ("WORK_HERE", "True False")]
)
def test_backups_and_jobs_can_be_left_to_other_hosts_on_postgresql_only(tmp_path, name, expected):
    printed = "settings.SAVES_ITSELF, settings.WORKS_HERE"

    left = read_settings(tmp_path, printed, **SERVER, DATABASE_URL=POSTGRES, **{name: "false"})
    refused = read_settings(tmp_path, printed, **SERVER, **{name: "false"})

    preset = read_settings(tmp_path, printed, **SERVER, DATABASE_URL=POSTGRES, **{name: ""})

    assert left == (0, expected)
    assert preset == (0, "True True")
    assert refused[0] != 0
    assert f"{name}=false" in refused[1]
