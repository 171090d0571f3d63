"""The command line: its commands, language and working folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from django.core.management import get_commands, load_command_class

from romme_site import __version__, paths
from romme_site.command import arguments, cli, management
from romme_site.command.language import language
from tests.migrated_database import copy_migrated
from tournaments.machine import operating_system
from tournaments.machine.addresses import address_for_links, note_port


def test_listed_commands_exist_and_describe_themselves_alike():
    listed = arguments.descriptions()
    of_django = {name: name.replace("-", "_") for name in listed if name not in cli.COMMANDS}

    assert set(cli.COMMANDS) <= set(listed)
    apps = get_commands()
    helps = {name: load_command_class(apps[each], each).help for name, each in of_django.items()}
    assert helps == {name: listed[name] for name in of_django}


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({}, "de"),
        ({"LANG": "C.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LC_ALL": "en_US.UTF-8", "LANGUAGE": "de:en"}, "de"),
    ],
)
def test_the_language_follows_the_system_and_defaults_to_german(variables, spoken, monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, variables.get(name, ""))
    monkeypatch.setattr(
        operating_system, "system_language", lambda: ""
    )  # asked last, of Windows only

    assert language() == spoken


def test_the_list_and_the_help_of_each_are_in_both_languages(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["romme-turnier", "--help"])
    seen = []
    for spoken in ("de", "en"):
        monkeypatch.setenv("LANGUAGE", spoken)
        assert cli.main() == 0
        with pytest.raises(SystemExit):
            cli.COMMANDS["takeover"](["--help"])
        seen.append(capsys.readouterr().out)

    german, english = seen
    assert "Holt eine Sicherung zurück." in german
    assert "Restores a backup." in english
    assert "Aufruf: romme-turnier takeover" in german
    assert "even if the first one still answers" in english
    assert set(german.splitlines()) & set(english.splitlines()) == {
        f"Rommé-Turnier {__version__}",
        "",
    }


def test_the_help_of_django_commands_contains_no_english(monkeypatch, capsys):
    monkeypatch.setenv("LANGUAGE", "de")
    arguments.translate_argparse()

    with pytest.raises(SystemExit):
        management.run(["setup-link", "--help"])

    said = capsys.readouterr().out
    assert "Adresse, unter der das Programm erreicht wird" in said
    assert set(re.findall(r"--[\w-]+", said)) == {"--help", "--base-url"}


def test_an_unknown_command_is_refused_with_a_hint(capsys):
    assert management.run(["quatsch"]) == management.REFUSED

    assert "„quatsch“ gibt es nicht; --help sagt" in capsys.readouterr().err


def test_the_program_starts_in_any_folder_and_imports_nothing_from_it(tmp_path):
    (tmp_path / "argparse.py").write_text("raise SystemExit('taken from the folder')")

    asked = [*paths.PROGRAM, "--version"]
    said = subprocess.run(asked, cwd=tmp_path, capture_output=True, check=True)

    assert said.stdout.decode().strip() == f"Rommé-Turnier {__version__}"


@pytest.mark.parametrize(
    ("what", "given", "in_a_checkout", "installed"),
    [
        ("run", {"PORT": 8001}, "make run PORT=8001", "romme-turnier --port 8001"),
        ("run", {"DEMO": 1}, "make run DEMO=1", "romme-turnier --demo"),
        ("takeover", {"FORCE": 1}, "make takeover FORCE=1", "romme-turnier takeover --force"),
        (
            "standby",
            {"FROM": "http://10.0.0.1:8000", "CODE": "abc"},
            "make standby FROM=http://10.0.0.1:8000 CODE=abc",
            "romme-turnier standby http://10.0.0.1:8000 abc",
        ),
    ],
)
def test_messages_name_the_command_of_this_installation(
    what, given, in_a_checkout, installed, monkeypatch
):
    assert paths.command_to_type(what, **given) == in_a_checkout

    monkeypatch.setattr(paths, "IS_INSTALLED", True)
    assert paths.command_to_type(what, **given) == installed


@pytest.mark.parametrize(
    ("what", "given", "said"),
    [
        ("run", {"DEMO": 1}, "docker compose exec web python -m romme_site demo"),
        ("restore", {"FROM": "x"}, "docker compose exec web python -m romme_site restore x"),
    ],
)
def test_messages_of_a_container_name_its_own_command(what, given, said, monkeypatch):
    dockerfile = (paths.BASE_DIR / "Dockerfile").read_text(encoding="utf-8")
    monkeypatch.setenv("CALLED_BY", re.findall('CALLED_BY="(.+)"', dockerfile)[0])

    assert paths.command_to_type(what, **given) == said


def test_links_of_commands_contain_the_served_port(tmp_path, settings):
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, ""
    assert address_for_links() == "http://localhost:8000"

    note_port(8123)
    assert address_for_links() == "http://localhost:8123"

    settings.PUBLIC_URL = "https://turnier.example/"
    assert address_for_links() == "https://turnier.example"


@pytest.mark.parametrize(
    ("spoken", "said"),
    [("de", "Die Datei „fehlt.json“ gibt es nicht."), ("en", "There is no file “fehlt.json”.")],
)
def test_the_journal_is_verified_in_the_language_of_the_system(spoken, said, tmp_path):
    file = tmp_path / "romme.sqlite3"
    copy_migrated(file)
    database = {"DATABASE_URL": f"sqlite:///{file}", "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "romme_site", "verify-journal", "--anchor", "fehlt.json"],
        env={**os.environ, **database, "LANGUAGE": spoken},
        capture_output=True,
        check=False,
    )

    assert json.loads(done.stderr)["errors"][0]["message"] == said
