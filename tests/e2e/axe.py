"""What axe finds on a page: violations of WCAG, each as one line.

Contrast takes longest, so of the texts that look alike one is measured.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
# Seven to one; what is below 4.5:1 this rule leaves to the usual one.
ENHANCED = "color-contrast-enhanced"
OF_STRONG_COLOURS = (*OF_COLOURS, ENHANCED)


def accessibility_violations(page: Page, where: str = "document") -> list[str]:
    """Return what axe finds on the page as it stands, colours apart: rule, where, and why."""
    found, _unsure = _run(page, _by_tags(()), where)
    return found


def colour_violations(page: Page, rules: Sequence[str] = OF_COLOURS) -> list[str]:
    """Return the texts that cannot be told from what is behind or beside them.

    Axe is asked only if the page has a kind of text that no page before had.
    """
    kinds = [kind for kind in _kinds(page) if kind not in _measured[tuple(rules)]]
    options = {"runOnly": {"type": "rule", "values": rules}}
    return _measure(page, rules, kinds, options) if kinds else []


def violations(page: Page, colours: Sequence[str] = OF_COLOURS) -> list[str]:
    """Return both in one go: most of what axe takes for colours it takes to read the page."""
    known = _measured[tuple(colours)]
    kinds = [kind for kind in _kinds(page) if kind not in known or ABOVE.search(kind)]
    return _measure(page, colours, kinds, _by_tags(colours))


def low_contrast(page: Page) -> list[str]:
    """Return the texts whose contrast is below 7:1 (4.5:1 for large ones)."""
    return colour_violations(page, ["color-contrast", ENHANCED])


def _by_tags(colours: Iterable[str]) -> dict[str, Any]:
    """Return axe's options for all rules, of those about colours only *colours*."""
    wanted = set(colours)
    rules = {rule: {"enabled": rule in wanted} for rule in OF_STRONG_COLOURS}
    return {"runOnly": {"type": "tag", "values": list(WCAG)}, "rules": rules}


# --- One text of a kind ---------------------------------------------------------------------

# Contrast takes axe longest. It depends on the text's own colour, on whether it is large (WCAG:
# 24 px, or 18.66 px and bold), and on what is painted behind it, which ends at the next ground that
# lets nothing through. So of all the texts that have these alike, as the cells of a table, one is
# enough; and of all pages, one. A link says beside what it stands. Rules leave out what is
# disabled, so that stands for itself. What is put above other things may be put above others on
# each page, and is measured there when all else is, too.
KINDS = """() => {
  const grounds = new Map([[null, { effects: "", paint: "" }]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { effects, paint } = groundOf(element.parentElement);
      const style = getComputedStyle(element);
      const { backgroundColor, backgroundImage, opacity, filter, position } = style;
      const own = [backgroundColor, backgroundImage, position].join();
      const isNothing = own === "rgba(0, 0, 0, 0),none,static";
      const isAll = backgroundColor.startsWith("rgb(") && backgroundImage === "none";
      const isPlain = opacity === "1" && filter === "none";
      grounds.set(element, {
        effects: isPlain ? effects : `${effects} < ${opacity},${filter}`,
        paint: isAll ? backgroundColor : paint + (isNothing ? "" : ` < ${own}`),
      });
    }
    return grounds.get(element);
  };
  const says = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const beside = (element) => [getComputedStyle(element).color, says(element)].join();
  window.kinds = new Map();
  for (const element of document.querySelectorAll("body *")) {
    if (!says(element) && !element.matches("input, select, textarea")) continue;
    if (!element.checkVisibility() || element.closest(".visually-hidden")) continue;
    if (element.getBoundingClientRect().width <= 1) continue;
    const { color, fontSize, fontWeight, textShadow, textDecoration } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const isLink = element.matches("a");
    const link = isLink ? [fontWeight, textDecoration, beside(element.parentElement)] : [];
    const control = element.closest("label")?.control ?? element;
    const isIdle = control.closest(":disabled, [aria-disabled=true]") !== null;
    const { effects, paint } = groundOf(element);
    const kind = [color, isLarge, textShadow, isIdle, effects, paint, ...link].join();
    if (!window.kinds.has(kind)) window.kinds.set(kind, element);
  }
  return [...window.kinds.keys()];
}"""
ABOVE = re.compile("absolute|fixed|sticky")
# The kinds of text that axe has measured in this process, by the rules that were asked.
_measured: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)


def _kinds(page: Page) -> list[str]:
    kinds: list[str] = page.evaluate(KINDS)
    return kinds


def _measure(
    page: Page, rules: Sequence[str], kinds: Sequence[str], options: dict[str, Any]
) -> list[str]:
    found, unsure = _run(page, options, kinds=kinds)
    if not found:
        _measured[tuple(rules)].update({*kinds} - {*unsure})
    return found


# Texts of the kinds asked for are marked, and the rules about contrast look at marked ones only.
RUN = """async ([options, kinds]) => {
  if (typeof axe !== "object") return null;
  const rules = ["color-contrast", "color-contrast-enhanced"];
  axe.configure({ rules: rules.map((id) => ({ id, selector: "[data-of-a-kind]" })) });
  const texts = kinds.map((kind) => window.kinds.get(kind));
  for (const text of texts) text.toggleAttribute("data-of-a-kind", true);
  const { violations, incomplete } = await axe.run(WHERE, options);
  for (const text of texts) text.removeAttribute("data-of-a-kind");
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message);
  const unsure = new Set(incomplete.flatMap(({ nodes }) => nodes.map((node) => node.element)));
  return [
    violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")} – ${why(node).join("; ")}`),
    ),
    kinds.filter((_kind, index) => unsure.has(texts[index])),
  ];
}"""


# The address that the server of the tests has axe at: half a megabyte, which the browser keeps.
AXE_URL = "/static/axe.min.js"
LOAD = """(url) => new Promise((done) => {
  const script = document.createElement("script");
  script.addEventListener("load", () => done(true));
  script.addEventListener("error", () => done(false));
  script.src = url;
  document.head.append(script);
  script.remove();
})"""


def _load(page: Page) -> None:
    is_from_here = page.url.startswith("http")
    if not (is_from_here and page.evaluate(LOAD, AXE_URL)):
        page.evaluate(AXE_SCRIPT)


def _run(
    page: Page, options: dict[str, Any], where: str = "document", kinds: Sequence[str] = ()
) -> tuple[list[str], list[str]]:
    """Run axe, which is loaded into each page once, however often that is measured.

    Returns:
        what it found, and the *kinds* of which it cannot tell, as of a text above a picture.
    """
    # Only rules about sound and rotation ask for style sheets again; none of them runs.
    options |= {"resultTypes": ["violations", "incomplete"], "preload": False, "elementRef": True}
    run = RUN.replace("WHERE", where)
    found: tuple[list[str], list[str]] | None = page.evaluate(run, [options, [*kinds]])
    if found is None:
        _load(page)
        found = page.evaluate(run, [options, [*kinds]])
    assert found
    return found
