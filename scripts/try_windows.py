"""Plays the ZIP file for Windows under wine: ``python -m scripts.try_windows dist/….zip``.

From an empty computer to its end in one go, with a phone in the hall and without internet; needs
root on a Linux, debootstrap, osslsigncode, some 3 GB and half an hour. ``make test`` does
without. What was seen, with times and pictures, is written to ``--to``. ``--tests`` runs tests
of the checkout there, too, by the Python of the ZIP file.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scripts import wine
from scripts.system import find_chromium
from scripts.wine import DATA, PATIENCE, PORT, SITE, Program, Windows

PUBLISHER = "O=Python Software Foundation"
NAME, PASSWORD = wine.USER, "ein kurzer satz"
HALL, ELSEWHERE = "192.168.47.7", "192.168.48.8"  # of the laptop, before and after
NEWER = "9.9.9"
TESTS = [
    *("tests/scoring", "tests/romme_site", "tests/tournaments/machine", "tests/tournaments/backup"),
    *("tests/tournaments/test_clock.py", "tests/scripts"),
]


class Protocol:
    """The report, as Markdown."""

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

    def picture(self, page: Any, name: str) -> None:
        """Take a picture of a page."""
        page.screenshot(path=self.to / f"{name}.png", full_page=True)


def wait_until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not (so := condition()):
        if time.monotonic() > end:
            raise SystemExit("Es kam nicht dazu.")
        time.sleep(0.2)
    return so


def answers() -> bool:
    """Return whether the program answers."""
    try:
        with urlopen(f"http://127.0.0.1:{PORT}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def check_signature(program: Program, protocol: Protocol) -> None:
    """Refuse a Python that is not signed by the Python Software Foundation."""
    for name in ("python.exe", "python313.dll", "_ssl.pyd", "sqlite3.dll"):
        words = ["osslsigncode", "verify", str(program.folder / "programm" / name)]
        report = subprocess.run(words, stdout=-1, stderr=-2, text=True, check=False).stdout
        digests = [line.split()[-1] for line in report.splitlines() if " message digest " in line]
        if PUBLISHER not in report or len(set(digests)) != 1:
            raise SystemExit(
                f"{name} ist nicht, was die Python Software Foundation gibt.\n{report}"
            )
    protocol.say("Python is signed by the Python Software Foundation, digests as signed")


@contextmanager
def browser() -> Iterator[Any]:
    """Open a browser of this machine."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "romme_site.settings", "DATA_DIR": tempfile.mkdtemp()}
    import django  # noqa: PLC0415

    django.setup()  # for what tests know of pages
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415

    from tests.e2e.conftest import OPTIONS  # noqa: PLC0415

    with sync_playwright() as started:
        options = [*OPTIONS[:-1], "--no-sandbox"]
        expect.set_options(timeout=60_000)
        yield started.chromium.launch(executable_path=find_chromium(), args=options)


class Day:
    """A day of a club, at the laptop and at a phone in the hall."""

    def __init__(self, program: Program, protocol: Protocol, opened: Any) -> None:
        size = {"width": 1360, "height": 900}
        phone = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
        self.context = opened.new_context(locale="de-DE", viewport=size)
        self.phone = opened.new_context(locale="de-DE", **phone)
        for context in (self.context, self.phone):
            context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.program, self.windows, self.protocol = program, program.windows, protocol
        self.here = self.slug = ""

    def start(self) -> None:
        """Click twice, and again; start it a third time by a command."""
        with self.protocol.step("double click until the browser opens, the practice tournament"):
            self.program.click()
            wait_until(self.windows.processes)
            self.program.click()  # without waiting: the first start serves both
            wait_until(self.windows.opened)
        with self.protocol.step("another double click, until the browser opens again"):
            self.program.click()
            wait_until(lambda: len(self.windows.opened()) == 2)
        (self.here,) = {*self.windows.opened()}
        with self.protocol.step("second start by a command, until it is refused"):
            refused = self.program.click("run", stderr=-1)
        self.say(refused.stderr, code=refused.returncode)

    def say(self, output: bytes, **more: object) -> None:
        """Add the output of the program to the report."""
        self.protocol.say(" ".join([*output.decode().split(), str(more or "")]))

    def play(self) -> None:
        """Go through the Probelauf: people, money, seats, a game from the phone, prizes."""
        from tests.e2e.table_device import TableDevice  # noqa: PLC0415
        from tests.e2e.test_trial import GAME, Walker  # noqa: PLC0415

        day = self

        class InTheHall(Walker):
            def at_the_table(self, name: str, keep: Any) -> None:
                path = self.margin.get_by_role("link", name=name).get_attribute("href")
                with day.protocol.step("a game on the phone, in the network of the hall"):
                    device = TableDevice(day.phone)
                    device.open(f"http://{HALL}:{PORT}{path}")
                    device.tap(device.button(keep["text"]))
                    device.page.locator(".is-asking").wait_for()
                    device.enter(GAME)
                    device.expect_stored(1)
                day.protocol.picture(device.page, "handy")
                self.page.bring_to_front()

        with self.protocol.step("first page"):
            self.page.goto(SITE)
        self.protocol.picture(self.page, "startseite")
        with self.protocol.step("Probelauf: 8 people registered and paid, drawn, checked, prizes"):
            self.page.locator("form[action='/probelauf/beginnen/'] button").click()
            walker = InTheHall(self.page)
            walker.margin.wait_for()
            while (step := walker.step()) != "close":
                try:
                    walker.follow()
                except AssertionError:  # a job has ended; the reloaded page shows it
                    self.page.reload()
                    if walker.step() == step:
                        raise
        self.protocol.picture(self.page, "probelauf")

    def make_account(self) -> None:
        """Make the first account by its link."""
        with self.protocol.step("first account by its link"):
            self.page.goto(self.here)
            self.page.get_by_role("button", name="Erstes Konto anlegen").click()
            for name, value in (("name_", NAME), ("username", "joerg")):
                self.page.locator(f"[name={name}]").fill(value)
            for field in self.page.locator("[type=password]").all():
                field.fill(PASSWORD)
            self.page.locator("form:has([name=username]) button").last.click()
            self.page.get_by_role("heading", name="Meine Turniere").wait_for()

    def save_and_restore(self) -> None:
        """Restore the state before the first account while the program runs."""
        with self.protocol.step("backup by the command"):
            self.say(self.program.click("backup", stdout=-1).stdout)
        folder = self.windows.drive / DATA / "sicherungen"
        backup = max(folder.glob("romme-*.tar.gz"), key=lambda file: file.name)
        self.make_account()
        before = self.windows.processes()
        with self.protocol.step(f"restore of {backup.stat().st_size // 1024} KB while it serves"):
            path = "C:/" + backup.relative_to(self.windows.drive).as_posix()
            output = self.program.click("restore", path, stdout=-1).stdout
            wait_until(lambda: len(before & self.windows.processes()) <= 1 and answers())
        self.say(output)
        self.make_account()  # which only the first can be
        self.protocol.picture(self.page, "meine-turniere")
        self.page.get_by_role("link", name="Übungsturnier").first.click()
        self.page.wait_for_url("**/turniere/*/**")
        self.slug = str(self.page.url).split("/")[4]

    def print_ranking(self) -> None:
        """Print, and check the PDF."""
        import pikepdf  # noqa: PLC0415 - needed only to play the day
        import pypdfium2  # noqa: PLC0415

        with self.protocol.step("the ranking as a PDF"):
            self.page.goto(f"{SITE}/turniere/{self.slug}/drucken/")
            form = self.page.locator("form[action$='/drucken/rangliste/']").first
            sent = form.evaluate("form => Object.fromEntries(new FormData(form))")
            url = f"{SITE}/turniere/{self.slug}/drucken/rangliste/"
            answer = self.context.request.post(url, form=sent, headers={"Origin": SITE})
            while ".pdf" not in answer.url:
                answer = self.context.request.get(answer.url)
            content = answer.body()
        paper = pypdfium2.PdfDocument(io.BytesIO(content))
        paper[0].render(scale=1.5).to_pil().save(self.protocol.to / "rangliste.png")
        with pikepdf.open(io.BytesIO(content)) as pdf:
            fonts = {str(font.BaseFont) for font in pdf.pages[0].Resources.Font.values()}
        self.protocol.say(f"{len(content) // 1024} KB, {len(paper)} pages, {sorted(fonts)}")
        if not any("Source" in font for font in fonts):
            raise SystemExit("Gedruckt ist nicht mit der Schrift des Programms.")

    def move(self) -> None:
        """Change the network while the program serves."""
        wine.take_address(ELSEWHERE)
        with self.protocol.step("another address in the network, until „Dieser Rechner“ says it"):
            self.page.goto(self.here)
            self.page.get_by_text(f"http://{ELSEWHERE}:{PORT}", exact=True).wait_for()
        warning = self.page.get_by_text(f"führen zu http://{HALL}:{PORT}").inner_text()
        self.protocol.say(" ".join(warning.split()))
        self.protocol.picture(self.page, "anderes-netz")
        page = self.phone.new_page()
        page.goto(f"http://{ELSEWHERE}:{PORT}")
        page.get_by_role("heading").first.wait_for()

    def archive(self) -> None:
        """Export the practice tournament, and import it again."""
        with self.protocol.step("archive out"):
            archive = self.program.click("export-archive", self.slug, stdout=-1).stdout
        with self.protocol.step(f"archive of {len(archive) // 1024} KB in"):
            words = ("import-archive", "--replace", "--organiser", "Übung", "-")
            taken_in = self.program.click(*words, input=archive, stdout=-1, stderr=-1)
        self.say(taken_in.stdout + taken_in.stderr)
        if taken_in.returncode:
            raise SystemExit("Das Archiv ist nicht eingelesen.")

    def update(self, packed: Path, version: str) -> None:
        """Unpack a newer version, close the window, remove the old folder, double-click."""
        ranking = self.program.click("standings", self.slug, stdout=-1).stdout
        newer = Program(self.windows, packed, version)
        with self.protocol.step("the cross of the window, until all has ended"):
            self.program.close()
            wait_until(lambda: not self.windows.processes())
        shutil.rmtree(self.program.folder)
        self.program, times = newer, len(self.windows.opened())
        with self.protocol.step("newer ZIP, double click until the browser opens"):
            newer.click()
            wait_until(lambda: len(self.windows.opened()) > times)
        folder = self.windows.drive / DATA / "sicherungen"
        (backup,) = folder.glob("*-vor-Version-*.tar.gz")
        same = newer.click("standings", self.slug, stdout=-1).stdout == ranking
        if not (ranking and same):
            raise SystemExit("Die Rangliste ist nach dem Umstieg eine andere.")
        self.page.goto(f"{SITE}/turniere/")
        self.page.get_by_role("heading", name="Meine Turniere").wait_for()
        self.protocol.say(f"saved before: {backup.name}; the same ranking; still logged in")

    def end(self) -> None:
        """End the program from its page."""
        self.page.goto(self.here)
        self.protocol.picture(self.page, "dieser-rechner")
        self.page.get_by_text("Programm beenden").first.click()
        with self.protocol.step("„Programm beenden“ until all has ended"):
            self.page.locator("form[action$='/beenden/'] button").click()
            self.page.get_by_role("heading", name="Das Programm ist beendet").wait_for()
            wait_until(lambda: not self.windows.processes())
        self.protocol.picture(self.page, "beendet")


def play(options: argparse.Namespace, protocol: Protocol) -> None:
    """Go through the day, and write the report."""
    windows = Windows(options.root)
    windows.forget()
    wine.take_address(HALL)
    with protocol.step("unpack"):
        program = Program(windows, options.zip)
    check_signature(program, protocol)
    with browser() as opened:
        day = Day(program, protocol, opened)
        day.start()
        day.play()
        day.save_and_restore()
        day.print_ranking()
        day.move()
        day.archive()
        day.update(options.newer or options.zip, "" if options.newer else NEWER)
        day.end()
    if options.tests is not None:
        with protocol.step("tests"):
            summary = day.program.test(options.tests or TESTS, options.to / "tests.txt")
        protocol.say(summary)


def main() -> None:
    """Fetch wine, run the day without internet, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("zip", type=Path, help="what make windows packed")
    parser.add_argument("--newer", type=Path, help="of a later commit; else zip is taken as one")
    parser.add_argument("--root", type=Path, default=Path("/var/tmp/romme-wine"))  # noqa: S108
    parser.add_argument("--to", type=Path, default=Path("dist/windows"))
    parser.add_argument("--mirror", default="", help="of Debian; else what apt has")
    parser.add_argument("--tests", nargs="*", help="files or folders; without any, those of before")
    parser.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.apart:
        wine.install(options.root, options.mirror, with_tests=options.tests is not None)
        wine.restart_isolated()
    protocol = Protocol(options.to)
    play(options, protocol)


if __name__ == "__main__":
    main()
