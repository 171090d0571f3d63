"""Takes the pictures of the README from the practice tournament, so that they are never old.

    make pictures          into docs/pictures/, in English

The program is started as ``make run`` starts it, in a folder of its own, and opened in a browser.
"""

from __future__ import annotations

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
from urllib.error import URLError
from urllib.request import urlopen

from scripts.system import find_chromium

ROOT = Path(__file__).resolve().parent.parent
TO = ROOT / "docs" / "pictures"
SECONDS_TO_START = 120
TABLE = 5  # of the Serie that runs; it plays with a device
PHONE = (390, 780)
LAPTOP = (1200, 800)
WALL = (1280, 720)


@dataclass(frozen=True)
class Picture:
    """A page, and what of it is taken."""

    name: str
    path: str
    size: tuple[int, int] = LAPTOP
    part: str = ""  # a selector; empty: what is seen first


def _pictures(slug: str, table: str, screen: str) -> Sequence[Picture]:
    staff = f"/turniere/{slug}"
    return (
        Picture("control", f"{staff}/spiellisten/"),
        Picture("table", table, PHONE),
        Picture("checking", f"{staff}/pruefung/2/1/"),
        Picture("player", f"{staff}/rangliste/nr/8/"),
        Picture("wall", screen, WALL),
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _program(folder: str) -> Iterator[str]:
    """Run the program with the practice tournament, and give its address."""
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


def _of_the_demo() -> tuple[str, str, str, bytes]:
    """Return its short name, the addresses of a table and of the wall, and a played list as PDF."""
    # Django can be set up only once the environment says where the data are.
    import django  # noqa: PLC0415

    os.environ["DJANGO_SETTINGS_MODULE"] = "romme_site.settings"
    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415
    from django.utils import translation  # noqa: PLC0415

    from tournaments.common.access_keys import screen_key, table_path  # noqa: PLC0415
    from tournaments.models import TableAccess, Tournament  # noqa: PLC0415
    from tournaments.printing import rendering  # noqa: PLC0415
    from tournaments.printing.base import Wanted  # noqa: PLC0415
    from tournaments.printing.documents import DOCUMENTS  # noqa: PLC0415
    from tournaments.printing.job import assemble, prepare  # noqa: PLC0415

    tournament = Tournament.objects.get(is_demo=True)
    access = TableAccess.objects.get(
        table__serie__tournament=tournament, table__serie__number=2, table__number=TABLE
    )
    wall = reverse("screen:keyed", args=[tournament.slug, 1, screen_key(tournament.pk, 1)])
    wanted = Wanted(tournament=tournament, base_url="http://turnier.local:8000", serie=1, table=1)

    def render(htmls: Sequence[str], _weights: Sequence[int], variant: str) -> list[bytes]:
        static = str(settings.BASE_DIR / "static")
        return [rendering.render(html, static, variant) for html in htmls]

    with translation.override("en"):
        printed = assemble(prepare(DOCUMENTS["spiellisten-gespielt"], wanted), "", render)
    return tournament.slug, table_path(access), wall, printed


def _take(site: str, pictures: Sequence[Picture]) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only the tests have it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        context = browser.new_context(locale="en-GB", timezone_id="Europe/Berlin")
        page = context.new_page()
        page.goto(site)
        page.get_by_role("button", name="Look as tournament director").click()
        page.wait_for_url("**/turniere/**")
        for picture in pictures:
            page.set_viewport_size({"width": picture.size[0], "height": picture.size[1]})
            page.goto(site + picture.path, wait_until="networkidle")
            target = page.locator(picture.part).first if picture.part else page
            target.screenshot(path=TO / f"{picture.name}.png")
        browser.close()


def _picture_of(pdf: bytes, name: str) -> None:
    import pypdfium2  # noqa: PLC0415 - only the tests have it

    page = pypdfium2.PdfDocument(pdf)[0]
    page.render(scale=1.4).to_pil().save(TO / f"{name}.png")


def main() -> int:
    """Take them all."""
    TO.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="romme-pictures-") as folder, _program(folder) as site:
        slug, table, wall, printed = _of_the_demo()
        _take(site, _pictures(slug, table, wall))
    _picture_of(printed, "list")
    return 0


if __name__ == "__main__":
    sys.exit(main())
