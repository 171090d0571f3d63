"""A Windows without internet: wine 10 of Debian 13, in a folder and a network of its own.

Needs root on a Linux, debootstrap and some 3 GB. The folder is kept for the next time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PORT = 8047
SITE = f"http://localhost:{PORT}"
USER = "Jörg Müller"
DESKTOP = f"users/{USER}/Desktop/Rommé Turnier"
DATA = f"users/{USER}/AppData/Local/romme-turnier"
TITLE = "Rommé-Turnier läuft: dieses Fenster offen lassen"
PATIENCE = 900  # seconds; wine is slow, and slower beside other work
APART = "unshare --mount --net --pid --fork --kill-child --mount-proc"
LINUX = {
    "proc": "-t proc proc",
    "sys": "-t sysfs sys",
    "dev": "--rbind /dev",
    "tmp": "-t tmpfs tmp",
}
PACKAGES = "wine64,xvfb,fonts-dejavu-core"
# Prints the mirror of Debian's apt; elsewhere debootstrap knows one.
MIRROR = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "ORIGIN: Debian", "LABEL: Debian"]
FOR_TESTS = (
    "--quiet --require-hashes -r requirements-dev.txt --only-binary :all: "
    "--python-platform windows --python-version 3.13"
)
PYTEST = "-q -rfEs --tb=short -p no:cacheprovider -o faulthandler_timeout=600"
TESTED = "tests"  # the folder of the tests, on the drive and beside wine
# The browser of this Windows: it notes what it was asked to open.
BROWSER = "@echo off\r\necho %1 >> C:\\browser.log\r\n"
# Does the same as a click on the cross of the window.
CLOSE = f"""
import ctypes
user = ctypes.windll.user32
user.PostMessageW(user.FindWindowW(None, {TITLE!r}), 0x10, 0, 0)
"""


def install(root: Path, mirror: str, *, with_tests: bool) -> None:
    """Fetch Debian with wine, and what the tests need on Windows, unless they are there."""
    if not (root / "usr/lib/wine/wine64").exists():
        named = (
            subprocess.run(MIRROR, stdout=-1, text=True, check=False).stdout if not mirror else ""
        )
        words = ["--variant=minbase", f"--include={PACKAGES}", "trixie", str(root)]
        subprocess.run(["debootstrap", *words, *(mirror or named).split()[:1]], check=True)
    packages = root / TESTED
    if with_tests and not packages.exists():
        command = [sys.executable, "-m", "uv", "pip", "install", *FOR_TESTS.split()]
        subprocess.run([*command, "--target", str(packages)], cwd=ROOT, check=True)


def restart_isolated() -> None:
    """Run the same command again in a network without internet; wine ends with it."""
    os.execvp("unshare", [*APART.split(), sys.executable, *sys.orig_argv[1:], "--apart"])  # noqa: S606


def take_address(address: str) -> None:
    """Change the address in the network, as another router would."""
    for words in (
        "link set lo up",
        "address flush dev lo scope global",
        f"address add {address}/32 dev lo",
        f"route replace default dev lo src {address}",
    ):
        subprocess.run(["ip", *words.split()], check=True)


class Windows:
    """A Windows that runs in the folder, with a virtual screen."""

    def __init__(self, root: Path) -> None:
        self.root, self.drive = root, root / "root/wine/drive_c"
        for name, options in LINUX.items():
            subprocess.run(["mount", *options.split(), str(root / name)], check=True)
        subprocess.Popen(["chroot", str(root), "Xvfb", ":47"], stderr=subprocess.DEVNULL)
        self.run("wineboot", "--init")
        (self.drive / "browser.cmd").write_text(BROWSER, encoding="ascii")

    def run(
        self, *words: str, at: str = "", patience: float = PATIENCE, **more: Any
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a Windows program in a folder of its drive, and wait for its end."""
        settings = {
            "HOME": "/root",
            "USER": USER,
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "DISPLAY": ":47",
            "WINEPREFIX": "/root/wine",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "PORT": str(PORT),
            "BROWSER": "C:/browser.cmd %s",
            "LANGUAGE": "de",
        }
        folder = f"/{self.drive.relative_to(self.root)}/{at}" if at else "/"
        env = ["env", "-i", "-C", folder, *(f"{name}={value}" for name, value in settings.items())]
        command = ["chroot", str(self.root), *env, "/usr/lib/wine/wine64", *words]
        more.setdefault("stderr", subprocess.DEVNULL)
        return subprocess.run(command, check=False, timeout=patience, **more)

    def processes(self) -> set[str]:
        """Return the process ids of the program."""
        pgrep = subprocess.run(["pgrep", "-f", r"programm.python\.exe"], stdout=-1, check=False)
        return {*pgrep.stdout.decode().split()}

    def opened(self) -> list[str]:
        """Return the addresses that the browser was to open."""
        log = self.drive / "browser.log"
        return log.read_text(encoding="ascii").split() if log.exists() else []

    def forget(self) -> None:
        """Reset the computer to one that never ran the program."""
        for folder in (self.drive / DESKTOP, self.drive / DATA, self.drive / TESTED):
            shutil.rmtree(folder, ignore_errors=True)
        (self.drive / "browser.log").unlink(missing_ok=True)


class Program:
    """The unpacked ZIP file."""

    def __init__(self, windows: Windows, packed: Path, version: str = "") -> None:
        """*version* is what it says of itself; without it, what it is."""
        self.windows, desktop = windows, windows.drive / DESKTOP
        desktop.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(packed) as source, tempfile.TemporaryDirectory(dir=desktop) as folder:
            source.extractall(folder)
            (unpacked,) = Path(folder).iterdir()
            name = f"Romme-Turnier-{version}" if version else unpacked.name
            self.folder = unpacked.rename(desktop / name)
        if version:
            (about,) = self.folder.glob("programm/romme_turnier-*.dist-info/METADATA")
            about.write_text(f"Metadata-Version: 2.4\nName: romme-turnier\nVersion: {version}\n")
        self.path = self.folder.relative_to(windows.drive).as_posix()

    def click(self, *words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        """Start the program as a double click does, or with arguments."""
        return self.windows.run("cmd", "/c", "Romme-Turnier.cmd", *words, at=self.path, **more)

    def close(self) -> None:
        """Close its window."""
        self.windows.run(f"C:/{self.path}/programm/python.exe", "-X", "utf8", "-c", CLOSE)

    def test(self, paths: list[str], to: Path) -> str:
        """Run tests of the checkout with its Python and packages; return their last line."""
        folder = self.windows.drive / TESTED
        shutil.copytree(self.folder / "programm", folder / "python")
        for own in ("romme_site", "scoring", "tournaments"):
            shutil.rmtree(folder / "python" / own)
        (folder / "python/python313._pth").unlink()  # subprocesses of tests look in their folder
        shutil.copytree(self.windows.root / TESTED, folder / "python", dirs_exist_ok=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=-1, check=True).stdout
        for name in filter(None, files.decode().split("\0")):
            (folder / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / "checkout" / name)
        pytest = [f"C:/{TESTED}/python/python.exe", "-X", "utf8", "-m", "pytest"]
        with to.open("wb") as output:
            there_at = f"{TESTED}/checkout"
            self.windows.run(
                *pytest, *PYTEST.split(), *paths, at=there_at, patience=4 * 3600, stdout=output
            )
        return to.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1]
