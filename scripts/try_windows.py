"""Plays the ZIP file for Windows under wine: ``python -m scripts.try_windows dist/….zip``.

Needs root on a Debian or Ubuntu, debootstrap, osslsigncode, some 2 GB and half an hour; ``make
test`` does without. Wine 10 comes from Debian 13 into a folder of its own (``--root``), which is
kept for the next time. What was seen, with times and pictures, is written to ``--to``.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scripts.system import find_chromium

PORT = 8047
TITLE = "Rommé-Turnier läuft: dieses Fenster offen lassen"
DESKTOP = "users/Jörg Müller/Desktop/Rommé Turnier"
DATA = "users/root/AppData/Local/romme-turnier"
PUBLISHER = "O=Python Software Foundation"
PATIENCE = 900  # seconds; wine is slow, and slower beside other work
LINUX = {"proc": "-t proc proc", "sys": "-t sysfs sys", "dev": "--rbind /dev"}
# The browser of this Windows: it notes what it was asked to open.
BROWSER = "@echo off\r\necho %1 >> C:\\browser.log\r\n"
# What a click on the cross of the window does.
CLOSE = f"""
import ctypes
user = ctypes.windll.user32
user.PostMessageW(user.FindWindowW(None, {TITLE!r}), 0x10, 0, 0)
"""


class Windows:
    """A wine of Debian 13 in a folder, with a screen that nobody sees."""

    def __init__(self, root: Path) -> None:
        self.root, self.drive = root, root / "root/wine/drive_c"
        if not (root / "usr/lib/wine/wine64").exists():
            packages = "wine64,xvfb,fonts-dejavu-core"
            options = ["--variant=minbase", f"--include={packages}", "trixie", str(root)]
            subprocess.run(["debootstrap", *options], check=True)
        for name, what in LINUX.items():
            if not os.path.ismount(root / name):
                subprocess.run(["mount", *what.split(), str(root / name)], check=True)
        self.screen = subprocess.Popen(["chroot", str(root), "Xvfb", ":47"], stderr=-3)
        self.run("wineboot", "--init")
        (self.drive / "browser.cmd").write_text(BROWSER, encoding="ascii")

    def run(self, *words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        """Run a program of Windows to its end."""
        settings = {
            "HOME": "/root",
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
        env = ["env", "-i", *(f"{name}={value}" for name, value in settings.items())]
        command = ["chroot", str(self.root), *env, "/usr/lib/wine/wine64", *words]
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL, **more)

    def processes(self) -> list[str]:
        """Return the numbers of the processes of the program."""
        found = subprocess.run(["pgrep", "-f", r"programm.python\.exe"], stdout=-1, check=False)
        return found.stdout.decode().split()

    def opened(self) -> list[str]:
        """Return the addresses that the browser was asked to open."""
        log = self.drive / "browser.log"
        return log.read_text(encoding="ascii").split() if log.exists() else []

    def end(self) -> None:
        """End all of it but the folder."""
        self.run("wineboot", "--kill")
        self.screen.terminate()


class Program:
    """The unpacked ZIP file."""

    def __init__(self, windows: Windows, packed: Path, version: str = "") -> None:
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
        self.path = "C:/" + self.folder.relative_to(windows.drive).as_posix()

    def click(self, *words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        """Do what a double click does, or a command with words."""
        file = f"{self.path}/Romme-Turnier.cmd".replace("/", "\\")
        return self.windows.run("cmd", "/c", file, *words, **more)

    def python(self, source: str) -> None:
        """Run a program of Python."""
        self.windows.run(f"{self.path}/programm/python.exe", "-X", "utf8", "-c", source)


class Protocol:
    """What was seen, as Markdown."""

    def __init__(self, to: Path) -> None:
        self.to, self.file = to, to / "protocol.md"
        to.mkdir(parents=True, exist_ok=True)
        self.file.write_text("", encoding="utf-8")

    def say(self, line: str) -> None:
        """Write a line."""
        print(line, flush=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"* {line}\n")

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        began = time.monotonic()
        yield
        self.say(f"{name}: {time.monotonic() - began:.1f} s")


def until(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not (so := what()):
        if time.monotonic() > end:
            raise SystemExit("Es kam nicht dazu.")
        time.sleep(0.2)
    return so


def answers() -> bool:
    """Whether the program answers."""
    try:
        with urlopen(f"http://127.0.0.1:{PORT}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def check_signature(program: Program, protocol: Protocol) -> None:
    """Refuse a Python that is not signed by the Python Software Foundation."""
    for name in ("python.exe", "python313.dll", "_ssl.pyd", "sqlite3.dll"):
        words = ["osslsigncode", "verify", str(program.folder / "programm" / name)]
        said = subprocess.run(words, stdout=-1, stderr=-2, text=True, check=False).stdout
        digests = [line.split()[-1] for line in said.splitlines() if " message digest " in line]
        if PUBLISHER not in said or len(set(digests)) != 1:
            raise SystemExit(f"{name} ist nicht, was die Python Software Foundation gibt.\n{said}")
    protocol.say("Python is signed by the Python Software Foundation, digests as signed")


def play(program: Program, protocol: Protocol) -> None:
    """Go through a day, and say what was seen."""
    windows, data = program.windows, program.windows.drive / DATA
    shutil.rmtree(data, ignore_errors=True)
    (windows.drive / "browser.log").unlink(missing_ok=True)
    with protocol.step("double click until the browser opens, new, with the practice tournament"):
        program.click()
        here = until(windows.opened)[0]
    with protocol.step("second double click until the browser opens again"):
        program.click()
        until(lambda: len(windows.opened()) == 2)

    with browser() as context:
        slug = in_browser(context, here, protocol)

    with protocol.step("backup by the command"):
        program.click("backup")
    (backup, *_more) = sorted((data / "sicherungen").glob("romme-*.tar.gz"))[::-1]
    with protocol.step(
        f"restore of {backup.stat().st_size // 1024} KB while it serves, until it answers"
    ):
        path = "C:/" + backup.relative_to(windows.drive).as_posix()
        said = program.click("restore", path, stdout=-1).stdout.decode()
        until(answers)
    protocol.say(" ".join(said.split()))
    with protocol.step("archive out and in"):
        archive = program.click("export-archive", slug, stdout=-1).stdout
        words = ("import-archive", "--replace", "-")
        taken_in = program.click(*words, input=archive, stdout=-1).stdout
    protocol.say(f"{len(archive) // 1024} KB; {json.loads(taken_in)}")

    newer = Program(windows, protocol.to / "zip", version="9.9.9")
    with protocol.step("the cross of the window, until all has ended"):
        program.python(CLOSE)
        until(lambda: not windows.processes())
    shutil.rmtree(program.folder)
    (windows.drive / "browser.log").unlink()
    with protocol.step("newer ZIP, double click until the browser opens"):
        newer.click()
        here = until(windows.opened)[0]
    (kept,) = (data / "sicherungen").glob("*-vor-Version-9.9.9.tar.gz")
    protocol.say(f"saved before: {kept.name}")
    with browser() as context:
        page = context.new_page()
        page.goto(here)
        picture(page, protocol, "dieser-rechner-neu")
        page.get_by_text("Programm beenden").first.click()
        page.locator("form[action$='/beenden/'] button").click()
        page.get_by_role("heading", name="Das Programm ist beendet").wait_for()
        with protocol.step("„Programm beenden“ until all has ended"):
            until(lambda: not windows.processes())


@contextmanager
def browser() -> Iterator[Any]:
    """Open a browser of this machine, as a phone of the hall."""
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415

    from tests.e2e.conftest import OPTIONS  # noqa: PLC0415

    with sync_playwright() as started:
        options = [*OPTIONS[:-1], "--no-sandbox"]
        opened = started.chromium.launch(executable_path=find_chromium(), args=options)
        context = opened.new_context(
            locale="de-DE", viewport={"width": 1360, "height": 900}, has_touch=True
        )
        context.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=60_000)
        yield context
        opened.close()


def picture(page: Any, protocol: Protocol, name: str) -> None:
    """Take a picture of a page."""
    page.screenshot(path=protocol.to / f"{name}.png", full_page=True)


def in_browser(context: Any, here: str, protocol: Protocol) -> str:
    """Play the Probelauf to its prizes, and print; return the practice tournament's short name."""
    import pypdfium2  # noqa: PLC0415

    os.environ |= {"DJANGO_SETTINGS_MODULE": "romme_site.settings", "DATA_DIR": tempfile.mkdtemp()}
    import django  # noqa: PLC0415

    django.setup()
    from tests.e2e.test_trial import Walker  # noqa: PLC0415

    page = context.new_page()
    page.goto(here)
    picture(page, protocol, "dieser-rechner")
    site = f"http://localhost:{PORT}"
    with protocol.step("first page"):
        page.goto(site)
    picture(page, protocol, "startseite")
    with protocol.step("Probelauf: 8 people registered and paid, phone, checking, prizes"):
        page.locator("form[action='/probelauf/beginnen/'] button").click()
        walker = Walker(page)
        walker.margin.wait_for()
        while (step := walker.step()) != "close":
            try:
                walker.follow()
            except (
                AssertionError
            ):  # a job has ended, of which the margin hears when it is opened anew
                page.reload()
                if walker.step() == step:
                    raise
    picture(page, protocol, "probelauf")
    with protocol.step("first account by its link"):
        page.goto(here)
        page.get_by_role("button", name="Erstes Konto anlegen").click()
        for name, value in (("name_", "Jörg Müller"), ("username", "joerg")):
            page.locator(f"[name={name}]").fill(value)
        for field in page.locator("[type=password]").all():
            field.fill("ein kurzer satz")
        page.locator("form:has([name=username]) button").last.click()
        page.get_by_role("heading", name="Meine Turniere").wait_for()
    picture(page, protocol, "meine-turniere")
    page.get_by_role("link", name="Übungsturnier").first.click()
    page.wait_for_url("**/turniere/*/**")
    slug = str(page.url).split("/")[4]
    with protocol.step("the ranking as a PDF"):
        page.goto(f"{site}/turniere/{slug}/drucken/")
        form = page.locator("form[action$='/drucken/rangliste/']").first
        sent = form.evaluate("form => Object.fromEntries(new FormData(form))")
        there = f"{site}/turniere/{slug}/drucken/rangliste/"
        answer = context.request.post(there, form=sent, headers={"Origin": site})
        while ".pdf" not in answer.url:
            answer = context.request.get(answer.url)
        content = answer.body()
    pdf = pypdfium2.PdfDocument(io.BytesIO(content))
    pdf[0].render(scale=1.5).to_pil().save(protocol.to / "rangliste.png")
    protocol.say(f"{len(content) // 1024} KB, {len(pdf)} pages, made by Pango")
    return slug


def main() -> None:
    """Play, and leave the protocol."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("zip", type=Path)
    asked.add_argument("--root", type=Path, default=Path("/var/tmp/romme-wine"))  # noqa: S108
    asked.add_argument("--to", type=Path, default=Path("dist/windows"))
    given = asked.parse_args()
    protocol = Protocol(given.to)
    shutil.copy(given.zip, given.to / "zip")
    windows = Windows(given.root)
    try:
        shutil.rmtree(windows.drive / DESKTOP, ignore_errors=True)
        with protocol.step("unpack"):
            program = Program(windows, given.zip)
        check_signature(program, protocol)
        play(program, protocol)
    finally:
        windows.end()


if __name__ == "__main__":
    main()
