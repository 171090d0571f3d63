"""The machine layer on Windows, as far as another system can simulate it."""

from __future__ import annotations

import ctypes
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

from tournaments.machine import operating_system


class Locking:
    """``kernel32`` and ``msvcrt``: one byte of a file can be had by one."""

    LK_UNLCK = 0

    def __init__(self) -> None:
        self.is_held = False
        self.error = 33
        self.waited = 0

    def LockFileEx(self, _handle: object, how: int, *_place: object) -> int:  # noqa: N802
        is_had = not self.is_held
        if self.is_held and how == 2:  # it returns when another process releases the lock
            self.waited, is_had = self.waited + 1, True
        self.is_held = True
        return int(is_had)

    def get_osfhandle(self, file: int) -> int:
        return file

    def locking(self, _file: int, how: int, count: int) -> None:
        assert (how, count) == (self.LK_UNLCK, 1)
        self.is_held = False


@pytest.fixture
def locking() -> Locking:
    return Locking()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, locking: Locking) -> Any:
    """Return the module as on Windows, without missing functions."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", locking)
    monkeypatch.setattr(ctypes, "WinDLL", lambda _name, **_how: locking, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: locking.error, raising=False)
    monkeypatch.setattr(ctypes, "WinError", lambda code: OSError(code, "refused"), raising=False)
    for name in ("fcntl", "resource"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("nice", "execv", "setsid"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.delattr(signal, "SIGHUP", raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x8000000, raising=False)
    spec = spec_from_file_location("machine_on_windows", operating_system.__file__)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_process_holds_the_lock_and_releases_it(windows: Any, tmp_path: Path):
    path = tmp_path / "lock"

    with windows.locked(path, wait=False) as first, windows.locked(path, wait=False) as second:
        assert (first, second) == (True, False)
    with windows.locked(path, wait=False) as again:
        assert again


def test_the_system_waits_for_a_lock(windows: Any, locking: Locking, tmp_path: Path):
    locking.is_held = True

    with windows.locked(tmp_path / "lock") as is_mine:
        assert is_mine
        assert locking.waited == 1


def test_a_disk_without_locks_is_not_a_held_lock(windows: Any, locking: Locking, tmp_path: Path):
    locking.is_held, locking.error = True, 1

    with pytest.raises(OSError, match="refused"), windows.locked(tmp_path / "lock", wait=False):
        pass


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the settings of the console: its title and its handler."""
    console = SimpleNamespace(handlers=[], titles=[])
    kernel = SimpleNamespace(
        SetConsoleCtrlHandler=lambda handler, _is_added: console.handlers.append(handler),
        SetConsoleTitleW=console.titles.append,
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(ctypes, "WINFUNCTYPE", lambda *_types: lambda call: call, raising=False)
    return console


def test_ctrl_c_ends_the_program_only(windows: Any, console: SimpleNamespace):
    ended: list[int] = []

    windows.on_console_close(lambda: ended.append(1))

    assert console.handlers[0](0)
    assert ended == [1]


def test_closed_window_waits_until_the_program_has_ended(
    windows: Any, console: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []
    waiting = SimpleNamespace(wait=lambda: done.append("waits"))
    monkeypatch.setattr(windows.threading, "Event", lambda: waiting)

    windows.on_console_close(lambda: done.append("ends"))
    console.handlers[0](2)

    assert done == ["ends", "waits"]


def test_console_has_a_title(windows: Any, console: SimpleNamespace):
    windows.set_console_title("Rommé-Turnier läuft")

    assert console.titles == ["Rommé-Turnier läuft"]


def test_an_open_file_is_replaced_after_its_reader_closes_it(
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

    windows.replace_file(new, path)

    assert path.read_text() == "{}"


def test_an_unwritable_file_is_refused(
    windows: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def refuse(*_paths: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(windows.time, "sleep", lambda _seconds: None)

    with pytest.raises(PermissionError):
        windows.replace_file(tmp_path / "new", tmp_path / "stand.json")


def test_two_programs_do_not_share_a_port(windows: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    done: list[tuple[object, ...]] = []
    probe = SimpleNamespace(
        setsockopt=lambda *option: done.append(option),
        bind=done.append,
        listen=lambda: done.append(("listen",)),
    )

    windows.listen_exclusively(probe, "127.0.0.1", 8000)

    assert done == [(socket.SOL_SOCKET, -5, 1), ("127.0.0.1", 8000), ("listen",)]


def test_the_address_is_found_in_a_hall_without_internet(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    class NoWayOut(socket.socket):
        def connect(self, _address: object) -> None:
            raise OSError("unreachable")

    addresses = ["127.0.0.1", "169.254.3.4", "192.168.50.7"]
    monkeypatch.setattr(socket, "socket", NoWayOut)
    monkeypatch.setattr(socket, "gethostbyname_ex", lambda name: (name, [], addresses))

    assert windows.lan_address() == "192.168.50.7"


def test_a_computer_with_an_unresolvable_name_has_its_addresses(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    def resolve(name: str) -> tuple[str, list[str], list[str]]:
        if name:
            raise socket.gaierror(11001, "getaddrinfo failed")
        return "", [], ["192.168.50.7"]

    monkeypatch.setattr(socket, "gethostbyname_ex", resolve)

    assert windows.own_addresses() == {"192.168.50.7"}


def test_computer_without_any_network_has_no_address(windows: Any, monkeypatch: pytest.MonkeyPatch):
    def refuse(_name: str) -> None:
        raise socket.herror(11002, "host not found")

    monkeypatch.setattr(socket, "gethostbyname_ex", refuse)

    assert windows.own_addresses() == set()


@pytest.mark.parametrize(("by", "priority"), [(10, 0x4000), (19, 0x40)])
def test_background_work_has_low_priority(
    windows: Any, monkeypatch: pytest.MonkeyPatch, by: int, priority: int
):
    asked: list[tuple[int | None, int]] = []
    kernel = SimpleNamespace(
        SetPriorityClass=lambda process, wanted: asked.append((process.value, wanted))
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    windows.lower_priority(by)

    assert asked == [(ctypes.c_void_p(-1).value, priority)]


@pytest.mark.parametrize(("number", "name"), [(0x0407, "de"), (0x0C07, "de"), (0x0409, "en")])
def test_the_language_is_that_of_the_windows_interface(
    windows: Any, monkeypatch: pytest.MonkeyPatch, number: int, name: str
):
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    assert windows.system_language() == name


def test_limits_and_process_flags_are_those_of_windows(windows: Any):
    assert windows.allow_open_files(8192) == 8192
    assert windows.detached() == {"creationflags": 0x200}
    assert windows.without_console() == {"creationflags": 0x8000000}


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

    names = ("gstreamer_libs", "gstreamer_ext_runtime")
    folders = ";".join(str(Path("/site", name, "bin")) for name in names)
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


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        pytest.param("C:\\Users\\Jörg\\Temp", "C:\\Users\\Public", id="fontconfig cannot open it"),
        pytest.param("C:\\Users\\joerg\\Temp", "C:\\Users\\joerg\\Temp", id="it can"),
    ],
)
def test_fonts_are_in_a_folder_readable_by_fontconfig(
    windows: Any, monkeypatch: pytest.MonkeyPatch, folder: str, expected: str
):
    monkeypatch.setattr(windows, "find_spec", lambda _name: None)
    monkeypatch.setenv("TEMP", folder)
    monkeypatch.setenv("TMPDIR", "")
    monkeypatch.setenv("PUBLIC", "C:\\Users\\Public")

    windows.find_pango()

    assert (os.environ["TMPDIR"] or folder) == expected


def test_a_minus_sign_can_be_written_in_a_western_encoding(
    windows: Any, monkeypatch: pytest.MonkeyPatch
):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    monkeypatch.setattr(sys, "stderr", None)  # as of a program without a window
    monkeypatch.setenv("PYTHONUTF8", "")

    windows.use_utf8()
    sys.stdout.write("−20")
    sys.stdout.flush()

    assert written.getvalue().decode().strip() == "−20"
    assert os.environ["PYTHONUTF8"] == "1"


def test_a_process_starts_another_instead_of_replacing_itself(windows: Any):
    windows.exec_command([sys.executable, "-c", ""])
