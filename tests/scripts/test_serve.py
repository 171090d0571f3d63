"""What ``make run`` says before it serves."""

from __future__ import annotations

import socket

import pytest

from scripts import healthcheck, serve


@pytest.fixture
def taken_port():
    """Return a port on which another program is listening."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_refused_in_one_sentence_that_names_another(taken_port, monkeypatch):
    monkeypatch.setenv("PORT", str(taken_port))
    monkeypatch.setenv("HOST", "127.0.0.1")

    with pytest.raises(serve.CannotStartError) as refusal:
        serve.start()

    assert f"Anschluss {taken_port} ist schon belegt" in str(refusal.value)
    assert f"make run PORT={taken_port + 1}" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "80 80", "８０"])
def test_a_port_that_is_no_port_is_refused(port, monkeypatch):
    monkeypatch.setenv("PORT", port)

    with pytest.raises(serve.CannotStartError, match="möglich ist eine Zahl von 1 bis 65535"):
        serve.start()


def test_health_check_fails_when_nobody_answers(monkeypatch, capsys):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PORT", str(probe.getsockname()[1]))

        assert healthcheck.main() == 1

    assert "Keine Antwort" in capsys.readouterr().out
