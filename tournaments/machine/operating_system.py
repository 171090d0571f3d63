"""Differences between operating systems; no other module depends on the system.

All other modules run unchanged on Linux, macOS and Windows.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from ipaddress import ip_address
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    import ctypes
    import msvcrt
else:
    import fcntl
    import resource

# The number of the request for the address of an interface.
_SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915
# The answer has the name of the interface, the kind of address, and the address.
_ANSWER = struct.Struct("16s4x4s8x")
_MUCH_NICER = 15  # of 19
_BELOW_NORMAL, _IDLE = 0x4000, 0x40  # the two of Windows that are less than usual
_THIS_PROCESS = -1
_TRIES = 50  # in a second
_EXCLUSIVE, _AT_ONCE, _IS_HELD = 2, 1, 33  # of LockFileEx, and its error
_CLOSED = 2  # and above: the console is closed, the user logs off, the computer shuts down
_console_handlers: list[object] = []  # ctypes keeps no reference to them
_PRIMARY, _GERMAN = 0x3FF, 0x07  # the bits of a language without its country
_DLLS = ("gstreamer_libs", "gstreamer_ext_runtime")  # wheels with Pango and what it needs


# --- The network -----------------------------------------------------------------------------


def lan_address() -> str | None:
    """Return this machine's IPv4 address in the hall's network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: the system only looks up the route. The address is
            # reserved for documentation, so there is no such host in any case.
            probe.connect(("203.0.113.1", 9))
        except OSError:
            # A network without a default route, which is usual in a hall.
            return next(filter(_is_reachable, _addresses(probe)), None)
        return str(probe.getsockname()[0])


def own_addresses() -> set[str]:
    """Return this machine's IPv4 addresses in all of its networks."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return set(_addresses(probe))


def _is_reachable(address: str) -> bool:
    """Whether other machines could reach this one at the address."""
    parsed = ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local)


def _addresses(probe: socket.socket) -> Iterator[str]:
    if sys.platform == "win32":
        with suppress(OSError):  # without any network
            yield from socket.gethostbyname_ex("")[2]  # the name may be unknown
        return
    for _index, name in socket.if_nameindex():
        request = _ANSWER.pack(name.encode()[:15], b"")
        try:
            answer = fcntl.ioctl(probe, _SIOCGIFADDR, request)
        except OSError:
            continue  # it has none
        yield str(ip_address(_ANSWER.unpack(answer)[1]))


def listen_exclusively(probe: socket.socket, host: str, port: int) -> None:
    """Let *probe* listen like a server.

    Raises:
        OSError: if that is not allowed, or another process listens there.
    """
    # Elsewhere SO_REUSEADDR lets a server take the port while connections of its last run still
    # close; on Windows it would let two servers share it, so another option is used.
    reuse = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    probe.setsockopt(socket.SOL_SOCKET, reuse, 1)
    probe.bind((host, port))
    probe.listen()


# --- Files -----------------------------------------------------------------------------------


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold a lock among all processes of this machine, by an empty file; yield whether it is held.

    Without *wait* it is held only if no other process holds it.
    """
    with path.open("a") as file:
        is_mine = _lock(file.fileno(), wait=wait)
        try:
            yield is_mine
        finally:
            if is_mine:
                _unlock(file.fileno())


def _lock(file: int, *, wait: bool) -> bool:
    if sys.platform == "win32":
        # msvcrt.locking asks once a second, and gives up after ten.
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        how, start = _EXCLUSIVE | (0 if wait else _AT_ONCE), ctypes.create_string_buffer(32)
        if kernel.LockFileEx(ctypes.c_void_p(msvcrt.get_osfhandle(file)), how, 0, 1, 0, start):
            return True
        if ctypes.get_last_error() != _IS_HELD:
            raise ctypes.WinError(ctypes.get_last_error())
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _unlock(file: int) -> None:
    if sys.platform == "win32":
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_UN)


def replace_file(new: Path, path: Path) -> None:
    """Replace the small file *path* by *new*, even while other processes read it.

    Windows refuses that; it is retried for a second.
    """
    tries = _TRIES if sys.platform == "win32" else 1
    for left in reversed(range(tries)):
        try:
            new.replace(path)
        except PermissionError:
            if not left:
                raise
            time.sleep(1 / _TRIES)
        else:
            return


@cache
def find_pango() -> None:
    """Let WeasyPrint find Pango: on Windows in a wheel, on macOS in Homebrew or MacPorts.

    Fontconfig finds its settings beside the libraries, and fonts in the temporary folder. On
    Windows its path contains the name of the account, and Fontconfig opens no path with an umlaut.
    """
    if sys.platform == "win32":
        specs = [find_spec(name) for name in _DLLS]
        places = [
            place for spec in specs if spec for place in spec.submodule_search_locations or ()
        ]
        folders = [str(Path(place, "bin")) for place in places]
        # The first variable is for the libraries that these need. These are searched on the PATH,
        # because a version in a name looks like the extension of a file.
        if folders:
            os.environ["WEASYPRINT_DLL_DIRECTORIES"] = ";".join(folders)
            os.environ["PATH"] = ";".join([*folders, os.environ.get("PATH", "")])
        if not os.environ.get("TEMP", "").isascii():
            os.environ["TMPDIR"] = os.environ.get("PUBLIC", "")  # is asked for before TEMP
    elif sys.platform == "darwin":
        # Only Homebrew's own Python searches there by default. ctypes reads the variable at each
        # search; if it were set before the start, /bin/sh would have removed it.
        brew = "/opt/homebrew" if platform.machine() == "arm64" else "/usr/local"
        folders = [f"{brew}/lib", "/opt/local/lib", "/usr/local/lib", "/usr/lib"]
        os.environ.setdefault("DYLD_FALLBACK_LIBRARY_PATH", ":".join(folders))


def allow_open_files(wanted: int) -> int:
    """Let this process open *wanted* files if possible, and return the guaranteed limit."""
    if sys.platform == "win32":
        return wanted  # no such limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < most:
        with suppress(OSError, ValueError):  # the system may have a lower limit than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft


# --- Processes -------------------------------------------------------------------------------


def lower_priority(by: int) -> None:
    """Lower the priority of this process by *by*, up to 19."""
    if sys.platform == "win32":
        priority = _IDLE if by > _MUCH_NICER else _BELOW_NORMAL
        ctypes.windll.kernel32.SetPriorityClass(ctypes.c_void_p(_THIS_PROCESS), priority)
    else:
        os.nice(by)


def limit_resources(*, seconds: int, memory: int) -> None:
    """End this process after *seconds* of computing; let it take no more than *memory* bytes.

    Windows has no such limits, and macOS none of memory.
    """
    if sys.platform == "win32":
        return
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory)):
        with suppress(OSError, ValueError):  # the system may have a lower limit, or none
            resource.setrlimit(kind, (most, most))


def exec_command(command: Sequence[str]) -> None:
    """Run *command* in the place of this process.

    Windows has no exec, so there the function returns. Later processes read all settings again.
    """
    if sys.platform != "win32":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], list(command))  # noqa: S606 - our own command


def detached() -> dict[str, Any]:
    """Return the arguments to start a process that continues when this one gets Ctrl+C."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def without_console() -> dict[str, Any]:
    """Return the arguments to start a process without opening a console."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {}


def closed_event(pipe: Connection) -> threading.Event:
    """Return an event that is set when the other end of *pipe* is closed, or its process ends."""
    ended = threading.Event()

    def read() -> None:
        with suppress(EOFError, OSError):
            pipe.recv_bytes()
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    return ended


def on_console_close(end: Callable[[], object]) -> None:
    """Call *end*, from another thread, on Ctrl+C and when the window of the console is closed.

    Only Windows needs it: there, signals wait for a blocked main thread, and none reports a closed
    window. After that the process has five seconds, while this waits.
    """
    if sys.platform == "win32":

        def handle(event: int) -> bool:
            end()
            if event >= _CLOSED:
                threading.Event().wait()
            return True

        handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_ulong)(handle)
        _console_handlers.append(handler)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(handler, 1)


def set_console_title(title: str) -> None:
    """Show *title* above the window of the console, if there is one."""
    if sys.platform == "win32":
        ctypes.windll.kernel32.SetConsoleTitleW(title)
    elif sys.stdout.isatty():
        print(f"\033]0;{title}\a", end="", flush=True)  # noqa: T201


def end_with_parent() -> None:
    """Let this process, one of :mod:`multiprocessing`, end with its parent, also if that is killed.

    Otherwise it would wait for work forever, or keep the port of the next program.
    """
    on_console_close(lambda: None)  # the parent ends it
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def system_language() -> str:
    """Return "de" or "en" where the system has a language setting; "" where variables set it."""
    if sys.platform == "win32":
        number: int = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return "de" if number & _PRIMARY == _GERMAN else "en"
    return ""


def use_utf8() -> None:
    """Use UTF-8 for all output of this process and its subprocesses."""
    os.environ["PYTHONUTF8"] = "1"
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
