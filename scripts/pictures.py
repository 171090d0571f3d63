"""Takes the pictures of the manual and of the README from the practice tournament.

    make pictures          into static/manual/, in German and in English

So they are never old. The program is started as ``make run`` starts it, in a folder of its own,
and opened in a browser; for pictures of the end of a day the games are played first, by the code
of the practice tournament.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

from scripts.system import find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tournaments.models import Serie, Tournament
    from tournaments.practice.demo.day import PracticeDay

ROOT = Path(__file__).resolve().parent.parent
TO = ROOT / "static" / "manual"
LANGUAGES = {"de": "de-DE", "en": "en-GB"}
SECONDS_TO_START = 600  # the practice tournament is made first
# Two tables of the running Serie with a device, one for each language, because the first device
# of a table keeps its list.
TABLES = {"de": 2, "en": 4}
SIZES = {"page": (1100, 700), "phone": (390, 780), "wall": (1280, 720)}
QUALITY = 80
# The folder of the data on Windows, for the picture of a chapter about it.
DATA_ON_WINDOWS = r"C:\Users\Verein\AppData\Local\romme-turnier"
PUT_PATH = r"""(parts, [here, there]) => {
  for (const part of parts)
    part.textContent = part.textContent.replace(here + "/", there + "\\").replace(here, there);
}"""


@dataclass(frozen=True)
class Picture:
    """A page, and the part of it in the picture."""

    name: str
    path: str  # below the tournament's
    part: str = ""  # a selector that is scrolled to the top; empty: the top of the page


RUNNING = (
    Picture("announcement", ""),
    Picture("desk", "meldungen/"),
    Picture("draw", "auslosung/3/"),
    Picture("control", "spiellisten/"),
    Picture("grid", "spiellisten/2/tisch/3/eingeben/"),
    Picture("hand_in", "spiellisten/2/abgabe/"),
    Picture("checking", "pruefung/2/1/"),
    Picture("notices", "mitteilungen/"),
    Picture("printing", "drucken/"),
    Picture("closing", "abschluss/"),
    Picture("cash", "kasse/"),
)
PLAYED = (
    Picture("ranking", "rangliste/"),
    Picture("bump", "rangliste/statistik/", part="#bump-heading"),
)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _program(folder: str) -> Iterator[str]:
    """Run the program with the practice tournament, and yield its address."""
    port = _free_port()
    os.environ |= {
        "DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/romme.sqlite3",
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "DEMO": "1",
    }
    site = f"http://127.0.0.1:{port}"
    server = subprocess.Popen([sys.executable, "-m", "romme_site"], cwd=ROOT)
    try:
        _wait_for(f"{site}/readyz", server)
        yield site
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        try:
            with urlopen(address):  # noqa: S310 - our own
                return
        except URLError:
            time.sleep(0.2)
    raise SystemExit("Das Programm ist nicht gestartet.")


def _demo() -> Tournament:
    # Django can be set up only when the environment has the folder of the data.
    import django  # noqa: PLC0415

    os.environ["DJANGO_SETTINGS_MODULE"] = "romme_site.settings"
    # The browser runs an event loop in this thread, in which Django refuses queries otherwise.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    django.setup()
    from tournaments.models import Tournament  # noqa: PLC0415

    return Tournament.objects.get(owner__is_practice=True)


def _phone_path(tournament: Tournament, language: str) -> str:
    from tournaments.common.access_keys import table_path  # noqa: PLC0415
    from tournaments.models import TableAccess  # noqa: PLC0415

    accesses = TableAccess.objects.filter(
        table__serie__tournament=tournament, table__serie__number=2
    )
    return table_path(accesses.get(table__number=TABLES[language]))


def _wall_path(tournament: Tournament) -> str:
    from django.urls import reverse  # noqa: PLC0415

    from tournaments.common.access_keys import screen_key  # noqa: PLC0415

    return reverse("screen:keyed", args=[tournament.slug, 1, screen_key(tournament.pk, 1)])


def _printed_list(tournament: Tournament, language: str) -> bytes:
    """Return a played list as PDF."""
    from django.conf import settings  # noqa: PLC0415
    from django.utils import translation  # noqa: PLC0415

    from tournaments.printing import rendering  # noqa: PLC0415
    from tournaments.printing.base import PrintRequest  # noqa: PLC0415
    from tournaments.printing.documents import DOCUMENTS  # noqa: PLC0415
    from tournaments.printing.print_job import assemble, prepare  # noqa: PLC0415

    request = PrintRequest(
        tournament=tournament, base_url="http://turnier.local:8000", serie=1, table=1
    )

    def render(htmls: Sequence[str], variant: str) -> list[bytes]:
        static = str(settings.BASE_DIR / "static")
        return [rendering.render(html, static, variant) for html in htmls]

    with translation.override(language):
        return assemble(prepare(DOCUMENTS["spiellisten-gespielt"], request), "", render)


def _play_to_the_end(tournament: Tournament) -> None:
    """Play the rest of the second Serie, and the third, so that ranks have a course."""
    from tournaments.draw.services import draws  # noqa: PLC0415
    from tournaments.models import Role, Serie  # noqa: PLC0415
    from tournaments.practice.demo.day import PracticeDay  # noqa: PLC0415

    day = PracticeDay(print)
    day.tournament = tournament
    members = tournament.memberships.select_related("user")
    day.users = {Role(member.role): member.user for member in members}
    second, third = tournament.serien.filter(number__gt=1).order_by("number")
    _finish_serie(day, second)
    draw = draws.begin(day.head, third.pk, method=Serie.Seating.RANKING)
    draws.publish(day.head, draw.pk)
    _finish_serie(day, third)


def _finish_serie(day: PracticeDay, serie: Serie) -> None:
    """Play every list to its end, sign it, hand it in, and check it."""
    from tournaments.checking.services import checking  # noqa: PLC0415
    from tournaments.closing import services as closing  # noqa: PLC0415
    from tournaments.lists.services import spiellisten  # noqa: PLC0415
    from tournaments.models import Spielliste  # noqa: PLC0415
    from tournaments.practice.demo import tables  # noqa: PLC0415
    from tournaments.practice.demo.day import GAMES  # noqa: PLC0415

    for spielliste in day.lists(serie):
        if spielliste.status == Spielliste.Status.OPEN:
            spiellisten.keep_on_paper(day.head, spielliste.pk, on_paper=False)
            tables.play_on(spielliste, GAMES, day.rule_set, day.chance)
            tables.sign(spielliste)
        day.hand_in(spielliste)
        spielliste.refresh_from_db()
        checking.verify(day.head, spielliste.pk, version=spielliste.version)
    closing.close_serie(day.head, serie.pk)


def _take_computer(page: Page, language: str) -> None:
    """Take the picture of the page that only this computer opens."""
    from django.conf import settings  # noqa: PLC0415

    from tournaments.machine import addresses  # noqa: PLC0415

    page.goto(addresses.computer_page_url(), wait_until="networkidle")
    paths = [str(settings.DATA_DIR), DATA_ON_WINDOWS]
    page.get_by_text(paths[0]).evaluate_all(PUT_PATH, paths)
    _keep(page.screenshot(), language, "computer")


def _keep(png: bytes, language: str, name: str) -> None:
    """Store a picture with few bytes, as it is part of the program."""
    from PIL import Image  # noqa: PLC0415 - comes with what prints

    folder = TO / language
    folder.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(png)).save(folder / f"{name}.webp", quality=QUALITY, method=6)


def _context(browser: Browser, language: str, kind: str = "page") -> BrowserContext:
    width, height = SIZES[kind]
    return browser.new_context(
        locale=LANGUAGES[language],
        timezone_id="Europe/Berlin",
        viewport={"width": width, "height": height},
        device_scale_factor=2 if kind == "phone" else 1,
    )


def _take(page: Page, site: str, slug: str, language: str, pictures: Sequence[Picture]) -> None:
    for picture in pictures:
        page.goto(f"{site}/turniere/{slug}/{picture.path}", wait_until="networkidle")
        if picture.part:
            page.locator(picture.part).first.evaluate("part => part.scrollIntoView()")
        _keep(page.screenshot(), language, picture.name)


def _as_staff(context: BrowserContext, site: str) -> Page:
    page = context.new_page()
    page.goto(site)
    page.locator("form[action$='/ansehen/'] button").first.click()
    page.wait_for_url("**/turniere/**")
    return page


def _take_phone(browser: Browser, site: str, tournament: Tournament, language: str) -> None:
    """Take the picture of a table's phone before a game is entered."""
    phone = _context(browser, language, "phone").new_page()
    phone.goto(site + _phone_path(tournament, language), wait_until="networkidle")
    for sign in phone.locator("#hall-signs button").all():  # of the beginning, for some minutes
        sign.click()
    keep = phone.locator(".button.large.wide")
    keep.click()
    keep.wait_for(state="detached")
    phone.wait_for_load_state("networkidle")
    _keep(phone.screenshot(), language, "phone")


def _take_wall(browser: Browser, site: str, tournament: Tournament, language: str) -> None:
    wall = _context(browser, language, "wall").new_page()
    wall.goto(site + _wall_path(tournament), wait_until="networkidle")
    _keep(wall.screenshot(), language, "wall")


def _take_paper(pdf: bytes, language: str) -> None:
    import pypdfium2  # noqa: PLC0415 - only the tests have it

    picture = io.BytesIO()
    page = pypdfium2.PdfDocument(pdf)[0]
    page.render(scale=96 / 72).to_pil().save(picture, format="PNG")
    _keep(picture.getvalue(), language, "list")


def main() -> int:
    """Take all pictures."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only the tests have it

    with tempfile.TemporaryDirectory(prefix="romme-pictures-") as folder, _program(folder) as site:
        tournament = _demo()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(),
                args=["--no-sandbox", "--force-color-profile=srgb"],
            )
            staff = {
                language: _as_staff(_context(browser, language), site) for language in LANGUAGES
            }
            for language, page in staff.items():
                _take(page, site, tournament.slug, language, RUNNING)
                _take_computer(page, language)
                _take_phone(browser, site, tournament, language)
                _take_paper(_printed_list(tournament, language), language)
            _play_to_the_end(tournament)
            for language, page in staff.items():
                _take(page, site, tournament.slug, language, PLAYED)
                page.goto(f"{site}/turniere/{tournament.slug}/leinwand/")
                page.locator("button[name=page][value=ranking]").click()
                page.locator("[value=ranking][aria-pressed=true]").wait_for()
                _take_wall(browser, site, tournament, language)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
