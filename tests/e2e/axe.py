"""What axe finds on a page: violations of WCAG, each as one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ("color-contrast", "link-in-text-block")
# Seven to one; what is below 4.5:1 this rule leaves to the usual one.
ENHANCED = "color-contrast-enhanced"

# Axe takes longest for colours. Texts in the same colours, on the same grounds and of the same size
# stand out alike: of each kind the first and the last are asked.
ALIKE = r"""() => {
  const known = new Map([[null, { colour: "", around: "" }]]);
  const look = (element) => {
    if (known.has(element)) return known.get(element);
    const above = look(element.parentElement);
    const style = getComputedStyle(element);
    const ground = [style.backgroundColor, style.backgroundImage, style.opacity];
    let { around } = above;
    if (style.color !== above.colour) around += style.color;
    if (ground.join() !== "rgba(0, 0, 0, 0),none,1") around += ground;
    if (!["static", "relative"].includes(style.position)) around += element.className;
    known.set(element, { colour: style.color, around });
    return known.get(element);
  };
  const kinds = new Map();
  for (const element of document.querySelectorAll("body *")) {
    const nodes = [...element.childNodes].filter((node) => node.nodeType === 3);
    const words = nodes.map((node) => node.data.trim()).join("");
    if (!words && !element.matches("input, select, textarea")) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const kind = [
      element.localName,
      look(element).around,
      style.fontSize,
      style.fontWeight,
      style.textShadow,
      style.textDecorationLine,
      // What axe leaves out: what cannot be used, and signs that are no words.
      Boolean(element.closest(":disabled, [aria-disabled=true]")),
      Boolean(element.closest("label")?.control?.disabled),
      /[\p{L}\p{N}]{2}/u.test(words),
    ].join("|");
    kinds.set(kind, [kinds.get(kind)?.[0] ?? element, element]);
  }
  return [...new Set([...kinds.values()].flat())];
}"""
RUN = f"""async ([options, isOfColours]) => {{
  const include = isOfColours ? ({ALIKE})() : [document];
  const run = () => axe.run(isOfColours ? {{ include }} : document, options);
  const {{ violations }} = include.length ? await run() : {{ violations: [] }};
  const why = ({{ any, all, none }}) => [...any, ...all, ...none].map(({{ message }}) => message);
  return violations.flatMap(({{ id, nodes }}) =>
    nodes.map((node) => `${{id}}: ${{node.target.join(" ")}} – ${{why(node).join("; ")}}`),
  );
}}"""


def violations(page: Page, *, colours: bool = True, strong: bool = False) -> list[str]:
    """Return what axe finds on the page as it stands: rule, where, and why.

    Args:
        colours: whether the rules about colours are asked, too.
        strong: whether texts shall stand out by 7:1 (large ones by 4.5:1).
    """
    without = {rule: {"enabled": False} for rule in (*COLOURS, ENHANCED)}
    options = {"runOnly": {"type": "tag", "values": WCAG}, "rules": without}
    found = _run(page, options)
    return [*found, *colour_violations(page, strong=strong)] if colours else found


def colour_violations(page: Page, *, strong: bool = False) -> list[str]:
    """Return the texts that cannot be told from what is behind or beside them."""
    rules = [*COLOURS, ENHANCED] if strong else COLOURS
    return _run(page, {"runOnly": {"type": "rule", "values": list(rules)}}, of_colours=True)


def _run(page: Page, options: dict[str, Any], *, of_colours: bool = False) -> list[str]:
    if page.evaluate("typeof axe !== 'object'"):
        page.evaluate(AXE_SCRIPT)
    # Only rules about sound and rotation ask for style sheets again; none of them runs.
    asked = {**options, "resultTypes": ["violations"], "preload": False}
    found: list[str] = page.evaluate(RUN, [asked, of_colours])
    return found
