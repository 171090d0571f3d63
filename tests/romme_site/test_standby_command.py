"""Messages of ``make standby`` and ``make takeover``."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from romme_site.command import serving, standby
from tournaments.backup import replication


@pytest.fixture
def no_server(tmp_path, settings, monkeypatch):
    """Keep the commands from starting the server."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(serving, "restart", lambda: None)
    monkeypatch.setattr(serving, "collect_only", lambda: None)
    monkeypatch.setenv("PORT", "")


def test_both_commands_explain_the_first_step_without_a_first_laptop(no_server, capsys):
    assert standby.follow_main([]) == 1
    assert "zeigt der erste unter „Sicherungen“" in capsys.readouterr().err

    assert standby.take_over_main([]) == 1
    assert "make standby FROM=" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("system", "url", "said"),
    [
        ("linux", "http://192.168.1.10:8123/", "sudo ip address add 192.168.1.10/24"),
        ("darwin", "http://192.168.1.10:8123/", "sudo ifconfig en0 alias 192.168.1.10"),
        (
            "win32",
            "http://192.168.1.10:8123/",
            "netsh interface ipv4 add address $net 192.168.1.10",
        ),
        ("win32", "http://192.168.1.10:8123/", "„Als Administrator ausführen“"),
        ("linux", "http://turnier.fritz.box:8123/", "„turnier.fritz.box“ im Router hierher"),
    ],
)
@pytest.mark.usefixtures("no_server")
def test_the_takeover_explains_how_to_move_the_address(capsys, monkeypatch, system, url, said):
    monkeypatch.setattr(standby, "sys", SimpleNamespace(platform=system))
    monkeypatch.setattr(replication, "take_over", lambda **_force: (Path("stand"), "12:00"))
    monkeypatch.setattr(replication, "connection", lambda: replication.Connection(url, "geheim"))

    assert standby.take_over_main([]) == 0

    out = capsys.readouterr().out
    assert "Stand von 12:00" in out
    assert said in out
    assert "geheim" not in out
    assert os.environ["PORT"] == "8123"
