"""What the machine does where it is Windows, as far as another system can play it."""

from __future__ import annotations

import ctypes
import errno
import io
import os
import signal
import socket
import subprocess
import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tournaments.machine import systems as machine


class Locking:
    """``msvcrt``: one byte of a file can be had by one."""

    LK_UNLCK, LK_LOCK, LK_NBLCK = 0, 1, 2

    def __init__(self) -> None:
        self.is_held = False
        self.asked = 0

    def locking(self, _file: int, how: int, count: int) -> None:
        assert count == 1
        self.asked += 1
        if how == self.LK_UNLCK:
            self.is_held = False
        elif self.is_held:
            # After ten seconds in the one case, at once in the other; somebody else lets go.
            self.is_held = how == self.LK_NBLCK
            raise OSError(errno.EACCES if how == self.LK_NBLCK else errno.EDEADLK, "locked")
        else:
            self.is_held = True


@pytest.fixture
def locking() -> Locking:
    return Locking()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, locking: Locking) -> Any:
    """The module as Windows reads it, without what there is not."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", locking)
    for name in ("fcntl", "resource"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("nice", "execv", "setsid"):
        monkeypatch.delattr(os, name)
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x8000000, raising=False)
    spec = spec_from_file_location("machine_on_windows", machine.__file__)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_process_has_the_lock_and_lets_it_go(windows: Any, tmp_path: Path):
    path = tmp_path / "lock"

    with windows.locked(path, wait=False) as first, windows.locked(path, wait=False) as second:
        assert (first, second) == (True, False)
    with windows.locked(path, wait=False) as again:
        assert again


def test_lock_is_waited_for_longer_than_the_system_waits(
    windows: Any, locking: Locking, tmp_path: Path
):
    locking.is_held = True

    with windows.locked(tmp_path / "lock") as is_mine:
        assert is_mine
        assert locking.asked == 2


def test_file_that_somebody_reads_is_replaced_when_they_have_read_it(
    windows: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    new, path, refused = tmp_path / "new", tmp_path / "stand.json", [1, 2]
    new.write_text("{}")
    path.write_text("old")
    replace = Path.replace

    def read_meanwhile(this: Path, target: Path) -> Path:
        if refused:
            raise PermissionError(refused.pop())
        return replace(this, target)

    monkeypatch.setattr(Path, "replace", read_meanwhile)
    monkeypatch.setattr(windows.time, "sleep", lambda _seconds: None)

    windows.put_in_place(new, path)

    assert path.read_text() == "{}"


def test_file_that_may_not_be_written_is_refused(
    windows: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def refuse(*_paths: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(windows.time, "sleep", lambda _seconds: None)

    with pytest.raises(PermissionError):
        windows.put_in_place(tmp_path / "new", tmp_path / "stand.json")


def test_two_programs_do_not_share_a_port(windows: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    done: list[tuple[object, ...]] = []
    probe = SimpleNamespace(
        setsockopt=lambda *option: done.append(option),
        bind=done.append,
        listen=lambda: done.append(("listen",)),
    )

    windows.listen_alone(probe, "127.0.0.1", 8000)

    assert done == [(socket.SOL_SOCKET, -5, 1), ("127.0.0.1", 8000), ("listen",)]


def test_address_in_a_hall_without_a_way_out(windows: Any, monkeypatch: pytest.MonkeyPatch):
    class NoWayOut(socket.socket):
        def connect(self, _address: object) -> None:
            raise OSError("unreachable")

    addresses = ["127.0.0.1", "169.254.3.4", "192.168.50.7"]
    monkeypatch.setattr(socket, "socket", NoWayOut)
    monkeypatch.setattr(socket, "gethostbyname_ex", lambda name: (name, [], addresses))

    assert windows.lan_address() == "192.168.50.7"


@pytest.mark.parametrize(("by", "priority"), [(10, 0x4000), (19, 0x40)])
def test_work_in_the_background_steps_back(
    windows: Any, monkeypatch: pytest.MonkeyPatch, by: int, priority: int
):
    asked: list[tuple[int | None, int]] = []
    kernel = SimpleNamespace(
        SetPriorityClass=lambda process, wanted: asked.append((process.value, wanted))
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    windows.step_back(by)

    assert asked == [(ctypes.c_void_p(-1).value, priority)]


@pytest.mark.parametrize(("number", "name"), [(0x0407, "de"), (0x0C07, "de"), (0x0409, "en")])
def test_language_is_the_one_that_is_shown(
    windows: Any, monkeypatch: pytest.MonkeyPatch, number: int, name: str
):
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    assert windows.shown_language() == name


def test_files_and_processes_of_their_own(windows: Any):
    assert windows.allow_open_files(8192) == 8192
    assert windows.apart() == {"creationflags": 0x200}
    assert windows.unseen() == {"creationflags": 0x8000000}


def test_libraries_to_draw_with_are_found_in_their_wheels(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    def find(name: str) -> ModuleSpec:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [f"/site/{name}"]
        return spec

    monkeypatch.setattr(windows, "find_spec", find)
    monkeypatch.setenv("PATH", "/windows")
    monkeypatch.setenv("WEASYPRINT_DLL_DIRECTORIES", "")

    windows.find_pango()
    windows.find_pango()

    folders = "/site/gstreamer_libs/bin;/site/gstreamer_ext_runtime/bin"
    assert os.environ["WEASYPRINT_DLL_DIRECTORIES"] == folders
    assert os.environ["PATH"] == f"{folders};/windows"


def test_without_the_wheels_printing_is_left_to_the_browser(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(windows, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", "/windows")
    monkeypatch.setenv("WEASYPRINT_DLL_DIRECTORIES", "C:\\msys64")

    windows.find_pango()

    assert os.environ["WEASYPRINT_DLL_DIRECTORIES"] == "C:\\msys64"
    assert os.environ["PATH"] == "/windows"


def test_true_minus_can_be_written_into_a_western_file(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    monkeypatch.setattr(sys, "stderr", None)  # as of a program without a window
    monkeypatch.setenv("PYTHONUTF8", "")

    windows.speak_utf8()
    sys.stdout.write("−20")
    sys.stdout.flush()

    assert written.getvalue().decode().strip() == "−20"
    assert os.environ["PYTHONUTF8"] == "1"


def test_a_process_cannot_become_another_and_goes_on(windows: Any):
    windows.become([sys.executable, "-c", ""])
