"""The small window in place of a console: what it knows of the program, and what it says."""

from __future__ import annotations

import base64
import builtins
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from romme_site.command import serving, window
from romme_site.command.launching import Program, State, heard

# Says what the program says, and answers as it does.
SERVER = """
import http.server, sys
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_what):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Ready)
print("Bringe die Datenbank auf den neuesten Stand – gleich fertig.", flush=True)
print(f"  Auf diesem Rechner:  http://localhost:{server.server_port}/", flush=True)
server.serve_forever()
"""
SECONDS = 60


def until(program: Program, wanted: Any) -> State:
    """Wait until the state of the program is as wanted."""
    pause, limit = threading.Event(), SECONDS / 0.02
    while not wanted(program.state) and limit > 0:
        pause.wait(0.02)
        limit -= 1
    assert wanted(program.state), program.state
    return program.state


def test_what_the_program_says_is_sorted_in_any_language():
    state = State()
    for line in (
        "Bringing the database up to date.\n",
        "\n",
        "  On this computer:            http://localhost:8000/\n",
        "  For all in the same network: http://192.168.50.7:8000/\n",
        "  http://localhost:8000/konto/einrichten/abc/\n",
    ):
        state = heard(state, line)

    assert state == State(
        said="Bringing the database up to date.",
        here="http://localhost:8000/",
        hall="http://192.168.50.7:8000/",
        setup_link="http://localhost:8000/konto/einrichten/abc/",
    )


def test_one_address_is_for_this_machine_too():
    state = heard(State(), "Adresse: http://10.0.0.2:8000/")

    assert (state.here, state.hall) == ("http://10.0.0.2:8000/", "http://10.0.0.2:8000/")


def test_program_is_ready_when_it_answers_and_ends_with_the_window():
    program = Program([sys.executable, "-c", SERVER])
    try:
        state = until(program, lambda state: state.is_ready)
    finally:
        program.stop()

    assert state.said == "Bringe die Datenbank auf den neuesten Stand – gleich fertig."
    assert until(program, lambda state: state.has_ended).is_ready is False


def test_why_it_could_not_start_stands_in_the_window(tmp_path: Path, monkeypatch: Any):
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HOST", "127.0.0.1")
    monkeypatch.setenv("LANGUAGE", "de")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setenv("PORT", str(other.getsockname()[1]))
        program = Program()
        state = until(program, lambda state: state.has_ended)

    assert window.status(state).startswith("Das Programm läuft nicht. Port ")
    assert "ist schon belegt" in state.said


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State(), "Das Programm startet, beim ersten Mal dauert es etwas."),
        (State(said="Bringe die Datenbank auf Stand."), "Bringe die Datenbank auf Stand."),
        (State(is_ready=True), "Das Programm läuft, solange dieses Fenster offen ist."),
    ],
)
def test_window_says_how_it_is(state: State, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANGUAGE", "de")

    assert window.status(state) == said


def test_code_of_the_window_leads_to_the_program(tmp_path: Path):
    picture = tmp_path / "code.png"
    picture.write_bytes(base64.b64decode(window.qr_picture("http://192.168.50.7:8000/")))

    with Image.open(picture) as opened:
        (code,) = zxingcpp.read_barcodes(opened.convert("L"))

    assert code.text == "http://192.168.50.7:8000/"


def test_program_ends_with_its_window_however_that_ends(monkeypatch: pytest.MonkeyPatch):
    stopped: list[int] = []
    root = SimpleNamespace(mainloop=lambda: signal.raise_signal(signal.SIGTERM))
    monkeypatch.setattr(window, "Program", lambda: SimpleNamespace(stop=lambda: stopped.append(1)))
    monkeypatch.setattr(window, "Window", lambda _program: SimpleNamespace(root=root))
    before = {told: signal.getsignal(told) for told in (signal.SIGINT, signal.SIGTERM)}

    try:
        with pytest.raises(SystemExit):
            window.main()
    finally:
        for told, handler in before.items():
            signal.signal(told, handler)

    assert stopped == [1]


def test_without_windows_the_console_serves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def refuse(name: str, *others: Any) -> Any:
        if name == "tkinter":
            raise ImportError(name)
        return imported(name, *others)

    imported = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr(serving, "main", lambda _words: 7)
    monkeypatch.setenv("LANGUAGE", "de")

    assert window.main() == 7
    assert "geht in der Konsole weiter" in capsys.readouterr().out


def test_python_without_output_is_not_what_runs(monkeypatch: pytest.MonkeyPatch):
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_how: started.append(command))
    monkeypatch.setattr(threading.Thread, "start", lambda _self: None)

    Program(["/python/pythonw.exe", "-P"])

    assert started == [["/python/python.exe", "-P"]]
