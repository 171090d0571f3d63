"""The program as a double click starts it: its page opens, and a second one opens it again."""

from __future__ import annotations

import socket
import sys
import webbrowser
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.urls import reverse

from romme_site.command import launcher, serving
from tournaments.machine import addresses, operating_system


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, settings, tmp_path: Path) -> list[str]:
    """The addresses that were opened in the browser."""
    addresses_opened: list[str] = []
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(webbrowser, "open", addresses_opened.append)
    monkeypatch.setattr(serving, "set_up", lambda: None)
    monkeypatch.delenv("DEMO", raising=False)
    return addresses_opened


def page_at(port: int) -> str:
    return f"http://localhost:{port}" + reverse(
        "operator:here", args=[addresses.computer_page_token()]
    )


def test_the_page_opens_as_soon_as_the_server_answers(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
):
    addresses.note_port(8123)
    monkeypatch.setattr(serving, "start", lambda then: then())

    assert launcher.main([]) == 0
    assert opened == [page_at(8123)]


def test_a_second_double_click_opens_the_page_of_the_first(
    opened: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(serving, "start", lambda _then: pytest.fail("a second server"))

    with (
        socket.create_server(("127.0.0.1", 0)) as first,
        operating_system.locked(tmp_path / ".gestartet"),
    ):
        port = first.getsockname()[1]
        addresses.note_port(port)
        assert launcher.main([]) == 0

    assert opened == [page_at(port)]


def test_a_second_double_click_leaves_a_starting_first_alone(
    opened: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(serving, "start", lambda _then: pytest.fail("a second server"))
    monkeypatch.setattr(serving, "answers", lambda _host, _port: False)

    with operating_system.locked(tmp_path / ".gestartet"):
        assert launcher.main([]) == 0

    assert opened == []


def test_a_refusal_stays_readable_before_the_window_closes(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
):
    asked: list[str] = []

    def refuse(_then: object) -> None:
        raise serving.CannotStartError("Port 8000 ist schon belegt")

    monkeypatch.setattr(serving, "start", refuse)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", asked.append)

    assert launcher.main([]) == serving.CANNOT_START
    assert asked == ["Die Eingabetaste schließt dieses Fenster."]
    assert opened == []
