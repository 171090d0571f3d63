"""Messages of ``make run`` before it serves."""

from __future__ import annotations

import errno
import socket
from functools import partial
from unittest.mock import Mock

import pytest

from romme_site.command import healthcheck, serving
from tournaments.machine import operating_system


@pytest.fixture
def taken_port():
    """Return a port on which another program is listening."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_refused_and_another_is_suggested(taken_port, monkeypatch):
    monkeypatch.setenv("PORT", str(taken_port))
    monkeypatch.setenv("HOST", "127.0.0.1")

    with pytest.raises(serving.CannotStartError) as refusal:
        serving.start()

    assert f"Port {taken_port} ist schon belegt" in str(refusal.value)
    assert f"make run PORT={taken_port + 1}" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_restart_waits_until_old_workers_release_the_port(monkeypatch):
    refusals = [OSError(errno.EADDRINUSE, "in use")] * 2

    def listen(*_where: object) -> None:
        if refusals:
            raise refusals.pop()

    monkeypatch.setattr(operating_system, "exec_command", lambda _command: None)  # as on Windows
    monkeypatch.setattr(operating_system, "listen_exclusively", listen)
    monkeypatch.setattr(serving, "LOOK_SECONDS", 0)
    monkeypatch.setattr(serving, "raise_open_files", Mock(side_effect=RuntimeError("goes on")))

    with pytest.raises(RuntimeError, match="goes on"):
        serving.restart()

    assert refusals == []


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "80 80", "８０"])
def test_an_invalid_port_is_refused(port, monkeypatch):
    monkeypatch.setenv("PORT", port)

    with pytest.raises(serving.CannotStartError, match="möglich ist eine Zahl von 1 bis 65535"):
        serving.start()


def test_the_health_check_fails_without_an_answer(monkeypatch, capsys):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PORT", str(probe.getsockname()[1]))

        assert healthcheck.main([]) == 1

    assert "Keine Antwort" in capsys.readouterr().out


def test_the_address_is_printed_after_the_server_answers(capsys):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))  # taken, but without a listener
        waiting = serving.call_when_listening(
            partial(print, "da"), "127.0.0.1", server.getsockname()[1]
        )
        waiting.join(timeout=0.3)
        assert waiting.is_alive()
        assert capsys.readouterr().out == ""

        server.listen()
        waiting.join(timeout=60)

    assert capsys.readouterr().out == "da\n"
