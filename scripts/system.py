"""Packages of the operating system that no wheel contains.

Where it may, it installs missing ones: with apt-get as root or through a sudo
that asks for no password, with brew on macOS. Elsewhere it prints the command.
Needs the standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tournaments.machine import operating_system

MACOS = sys.platform == "darwin"
HEADLESS_SHELL = "chromium-headless-shell"
BREW_PREFIXES = (Path("/opt/homebrew"), Path("/usr/local"))
APT_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive", "NEEDRESTART_SUSPEND": "1"}

# Debian's package would create and start a database server of its own, which is not needed:
# the tests start theirs.
NO_MAIN_CLUSTER = Path("/etc/postgresql-common/createcluster.d/romme-turnier.conf")


class SystemLacksError(Exception):
    """Something could not be installed; the message has the command that installs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A part of the system: how it is detected, and the names of its packages."""

    name: str  # completes the German sentence "Es fehlt: …"
    is_there: Callable[[], bool]
    apt: tuple[str, ...]
    brew: tuple[str, ...] = ()
    otherwise: str = ""  # goes on with what to type on macOS, where brew alone did not help


def _loads(*libraries: str, load: Callable[[str], object] = ctypes.CDLL) -> bool:
    try:
        for name in libraries:
            load(name)
    except OSError:
        return False
    return True


def has_pango(
    find: Callable[[str], str | None] = find_library, load: Callable[[str], object] = ctypes.CDLL
) -> bool:
    """Try whether this Python loads Pango, as WeasyPrint will; one for another processor cannot."""
    names = ("pango-1.0", "pangoft2-1.0", "harfbuzz-subset")
    if not MACOS:
        return _loads(*(f"lib{name}.so.0" for name in names), load=load)
    operating_system.find_pango()
    return _loads(*(find(name) or name for name in names), load=load)


def _has_venv() -> bool:
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian packs it apart from Python
    except ImportError:
        return False
    return True


def find_chromium() -> Path | None:
    """Return the system's Chromium or Chrome, ``None`` if there is none.

    The one that can open no window comes first: it needs a third less time. One from a
    snap does not count: its confinement keeps it from the folders a test gives it.
    """
    for name in (HEADLESS_SHELL, "chromium", "google-chrome", "google-chrome-stable"):
        program = shutil.which(name)
        if program and not program.startswith("/snap/"):
            return Path(program)
    for app in ("Google Chrome", "Chromium"):
        path = Path(f"/Applications/{app}.app/Contents/MacOS/{app}")
        if path.exists():
            return path
    return None


def find_postgresql() -> Path | None:
    """Return the folder of the newest PostgreSQL server programs, ``None`` without any.

    Debian keeps them off the PATH, one folder for each major version; so does brew.
    """
    patterns = (
        "/usr/lib/postgresql/*/bin",
        "/usr/pgsql-*/bin",
        *(f"{prefix}/opt/postgresql@*/bin" for prefix in BREW_PREFIXES),
    )
    folders = [
        folder
        for pattern in patterns
        for folder in Path("/").glob(pattern.lstrip("/"))
        if (folder / "initdb").exists() and (folder / "postgres").exists()
    ]
    if folders:
        return max(folders, key=_major_version)
    if (initdb := shutil.which("initdb")) and shutil.which("postgres"):
        return Path(initdb).resolve().parent
    return None


def _major_version(folder: Path) -> int:
    number = re.search(r"\d+", folder.parent.name)
    return int(number.group()) if number else 0


VENV = Need(
    name="das Python-Modul „venv“",
    is_there=_has_venv,
    apt=(f"python{sys.version_info.major}.{sys.version_info.minor}-venv",),
    brew=("python",),
)
PANGO = Need(
    name="die Bibliothek Pango für alles Gedruckte",
    is_there=has_pango,
    apt=("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0", "fonts-dejavu-core"),
    brew=("pango",),
    otherwise="; hilft das nicht, ist dieses Python für einen anderen Prozessor: den Ordner .venv "
    "löschen und „make run PYTHON=$(brew --prefix)/bin/python3“ eingeben",
)
POSTGRESQL = Need(
    name="die Serverprogramme von PostgreSQL",
    is_there=lambda: find_postgresql() is not None,
    apt=("postgresql",),
    brew=("postgresql@17",),
)
LIBATOMIC = Need(
    name="die Bibliothek libatomic für die Steuerung des Browsers",
    is_there=lambda: MACOS or _loads("libatomic.so.1"),
    apt=("libatomic1",),
)
GETTEXT = Need(
    name="die Werkzeuge von gettext",
    is_there=lambda: shutil.which("msgfmt") is not None,
    apt=("gettext",),
    brew=("gettext",),
)
CHROMIUM_WITHOUT_WINDOW = Need(
    name="der Browser Chromium ohne Fenster",
    is_there=lambda: shutil.which(HEADLESS_SHELL) is not None,
    apt=(HEADLESS_SHELL,),
)
CHROMIUM = Need(
    name="der Browser Chromium",
    is_there=lambda: find_chromium() is not None,
    apt=("chromium",),
)


@cache
def is_ubuntu() -> bool:
    """Whether this is Ubuntu, where the package chromium is an empty shell around a snap."""
    release = Path("/etc/os-release")
    return release.exists() and "ID=ubuntu" in release.read_text(encoding="utf-8").splitlines()


@cache
def _apt_get() -> tuple[str, ...] | None:
    """Return the apt-get command that runs without asking for a password."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ("apt-get",)
    passwordless = (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    )
    assignments = [f"{name}={value}" for name, value in APT_ENVIRONMENT.items()]
    return ("sudo", "-n", "env", *assignments, "apt-get") if passwordless else None


def _run(*command: str) -> bool:
    print("  $", " ".join(command), flush=True)
    environment = os.environ | APT_ENVIRONMENT
    return (
        subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False).returncode
        == 0
    )


def _install_by_apt(apt_get: tuple[str, ...], packages: list[str]) -> None:
    install = (*apt_get, "-o", "DPkg::Lock::Timeout=300", "install", "-y")
    install += ("--no-install-recommends", *packages)
    root = apt_get[:-1]  # the words before apt-get, such as sudo
    without_cluster = "postgresql" in packages and not NO_MAIN_CLUSTER.exists()
    if without_cluster:
        setting = f"echo create_main_cluster = false >{NO_MAIN_CLUSTER}"
        _run(*root, "sh", "-c", f"mkdir -p {NO_MAIN_CLUSTER.parent} && {setting}")
    try:
        # The list of packages may never have been fetched, or name versions that
        # the mirror has replaced: fetch it and try once more.
        _ = _run(*install) or (_run(*apt_get, "update") and _run(*install))
    finally:
        if without_cluster:
            _run(*root, "rm", "-f", str(NO_MAIN_CLUSTER))


def supply(needs: Iterable[Need]) -> None:
    """Install all missing *needs* on this machine.

    Raises:
        SystemLacksError: names the needs still missing and the command that installs them.
    """
    missing = [need for need in needs if not need.is_there()]
    if not missing:
        return
    apt = [package for need in missing for package in need.apt]
    brew = [package for need in missing for package in need.brew]
    apt_get = _apt_get()
    names = ", ".join(need.name for need in missing)
    if apt_get:
        print(f"Installiere, was dem System fehlt: {names}.", flush=True)
        _install_by_apt(apt_get, apt)
    elif MACOS and brew and shutil.which("brew"):
        print(f"Installiere, was dem System fehlt: {names}.", flush=True)
        _run("brew", "install", *brew)
    missing = [need for need in missing if not need.is_there()]
    if missing:
        raise SystemLacksError(_install_hint(missing))


def _install_hint(missing: list[Need]) -> str:
    needs = ", ".join(need.name for need in missing)
    names = " ".join(name for need in missing for name in need.apt)
    otherwise = ""
    if MACOS:
        otherwise = "".join(need.otherwise for need in missing)
        command = "brew install " + " ".join(name for need in missing for name in need.brew)
    elif shutil.which("apt-get"):
        command = f"sudo apt-get update && sudo apt-get install -y {names}"
    else:
        return (
            f"Es fehlt: {needs}; bitte mit der Paketverwaltung dieses Systems nachholen "
            f"(unter Debian heißen die Pakete {names}) und den Befehl wiederholen."
        )
    return f"Es fehlt: {needs}; bitte „{command}“ eingeben und den Befehl wiederholen{otherwise}."
