"""Checks that the browser tests apply to every page.

``Guard`` collects the complaints of the browser; ``check_look`` measures a page at the widths of a
phone, a tablet and a laptop, light and dark.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.certificates import NAME  # that a test may give to this machine
from tests.e2e.axe import colour_violations, violations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from playwright.sync_api import ConsoleMessage, Page

Theme = Literal["light", "dark"]
WIDTHS = (360, 820, 1440)
THEMES: tuple[Theme, ...] = ("light", "dark")
HEIGHT = 900
HERE = ("localhost", "127.0.0.1")
NOT_LOADED = "Failed to load resource: "
# A refusal is an answer like any other; the browser logs every 4xx as an error.
REFUSAL = re.compile(rf"{NOT_LOADED}the server responded with a status of 4\d\d")
ELSEWHERE = "loaded from elsewhere: "
MISSING = re.compile(rf"{NOT_LOADED}.* 404 .*/static/")

# A search that the next letter made worthless is given up; htmx logs that as an error, with
# an afterRequest that every real failure has another line beside.
GIVEN_UP = re.compile(r"htmx:(sendAbort|afterRequest)")

# Advice, not a failure: a window behind others draws nothing, so it uses no font for seconds.
NOT_DRAWN = re.compile("was preloaded using link preload but not used within a few seconds")

# Messages of the browser and htmx while a test blocks the network.
LOST_CONNECTION = r"ERR_INTERNET_DISCONNECTED|Failed to fetch|htmx:(afterRequest|sendError)"


class Guard:
    """Complaints of the browser while a page is used, as sentences.

    They are read from the console: it names failed requests, and nothing loads from another host
    (``OPTIONS`` in ``conftest.py``). Events for each request and answer would cost a third of the
    time for loading the page.
    """

    def __init__(self, page: Page) -> None:
        self.found: list[str] = []
        self._allowed: list[re.Pattern[str]] = [REFUSAL, GIVEN_UP, NOT_DRAWN]
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._add(f"script failed: {error}"))

    def allow(self, pattern: str) -> None:
        """Expect a complaint, as of a connection cut on purpose, from here on and before."""
        self._allowed.append(re.compile(pattern))

    def complaints(self) -> list[str]:
        """Return the complaints that are not allowed."""
        return [text for text in self.found if not self._is_allowed(text)]

    def _is_allowed(self, text: str) -> bool:
        if MISSING.search(text) or text.startswith(ELSEWHERE):
            return False
        return any(pattern.search(text) for pattern in self._allowed)

    def _add(self, text: str) -> None:
        self.found.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        if not message.text.startswith(NOT_LOADED):
            self._add(f"console {message.type}: {message.text}")
            return
        url = message.location["url"]
        parts = urlsplit(url)
        is_elsewhere = parts.scheme in {"http", "https"} and parts.hostname not in (*HERE, NAME)
        self._add(f"{ELSEWHERE if is_elsewhere else ''}{message.text} {url}")


SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def sideways_scroll(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    width: int = page.evaluate(SIDEWAYS)
    return max(0, width)


SMALL_TARGETS = """(least) =>
  [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((element) => element.checkVisibility() && element.type !== "hidden")
    .filter((element) => !element.closest("p, .alert, .skip-link, .visually-hidden, .prose"))
    .filter((element) => !element.matches(".paragraph-link")) // a § within a sentence
    .filter((element) => {
      const target = element.closest("label, .result") ?? element;
      return target.getBoundingClientRect().height < least;
    })
    .map((element) => element.outerHTML.slice(0, 120))"""


def small_targets(page: Page, *, least: int = 44) -> list[str]:
    """Return the controls lower than *least* pixels, except links within sentences."""
    targets: list[str] = page.evaluate(SMALL_TARGETS, least)
    return targets


# Not covered by axe: fields whose edge and ground contrast with their surroundings, and texts
# smaller than 14 px. A canvas reads colours of every notation.
FAINT = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const light = (colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
    }
    const parts = [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const grounds = (element) =>
    element
      ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor]
      : ["white"];
  const fields = "input:not([type=checkbox], [type=radio], [type=file]), select, textarea";
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility() || element.closest(".visually-hidden, svg")) continue;
    const style = getComputedStyle(element);
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const size = Number.parseFloat(style.fontSize);
    if (says && size < 14) found.push(`${size} px: ${element.outerHTML.slice(0, 120)}`);
    if (!element.matches(fields) || element.disabled || element.readOnly) continue;
    const around = grounds(element.parentElement);
    const ground = light(around);
    const edges = [style.borderTopColor, style.borderBottomColor, style.backgroundColor];
    const most = Math.max(
      ...edges.map((edge) => {
        const both = [ground, light([...around, edge])].sort((one, other) => other - one);
        return (both[0] + 0.05) / (both[1] + 0.05);
      }),
    );
    if (most < 3) found.push(`edge ${most.toFixed(2)}:1: ${element.outerHTML.slice(0, 120)}`);
  }
  return [...new Set(found)];
}"""


def faint(page: Page) -> list[str]:
    """Return the fields with edges below 3:1 and texts smaller than 14 px."""
    texts: list[str] = page.evaluate(FAINT)
    return texts


def open_for_typing(page: Page, url: str) -> None:
    """Open a page with a focused field, and wait for the focus: it comes with the first frame."""
    page.goto(url)
    expect(page.locator("#main [autofocus]")).to_be_focused()


def check_look(
    page: Page,
    *,
    widths: Sequence[int] = WIDTHS,
    themes: Sequence[Theme] = THEMES,
    strong: bool = False,
    least: int = 0,
) -> None:
    """Fail unless the page is accessible and fits, at each width and in each theme.

    The page is measured in its current state, with typed values and open parts. The theme is set
    as by the device; a page with its own theme (the beamer) keeps it. Themes change only colours,
    which are measured at the first width. Axe checks the narrowest and the widest window.

    Args:
        strong: require a contrast of 7:1.
        least: minimal height of controls in pixels, at each width.
    """
    page.wait_for_load_state()
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert not sideways_scroll(page), f"the page scrolls sideways at {width} px"
        too_small = small_targets(page, least=least) if least else []
        assert not too_small, f"lower than {least} px at {width} px:\n" + "\n".join(too_small)
        faults = []
        if width == widths[0]:
            page.emulate_media(color_scheme=themes[0])
            faults += [*violations(page, strong=strong), *faint(page)]
            for theme in themes[1:]:
                page.emulate_media(color_scheme=theme)
                faults += [*colour_violations(page, strong=strong), *faint(page)]
        elif width == widths[-1]:
            faults += violations(page, colours=False)
        assert not faults, f"at {width} px:\n" + "\n".join(faults)


def check_looks(
    page: Page,
    urls: Iterable[str],
    *,
    prepare: Callable[[Page], object] | None = None,
    **options: Any,
) -> None:
    """Open pages one after another and ``check_look`` each; name the failing ones.

    *prepare* runs on each page before, for example to open collapsed parts.
    """
    wrong = []
    for url in urls:
        page.goto(url)
        if prepare:
            prepare(page)
        try:
            check_look(page, **options)
        except AssertionError as fault:
            wrong.append(f"{url}: {fault}")
    assert not wrong, "\n\n".join(wrong)


def unfold(page: Page) -> None:
    """Open all collapsed parts of the page, so that they are measured."""
    page.evaluate("document.querySelectorAll('#main details').forEach((one) => one.open = true)")
