"""What axe finds on a page: violations of WCAG, each as one line.

Contrast takes longest, so texts that look alike are measured once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
# Seven to one; what is below 4.5:1 this rule leaves to the usual one.
ENHANCED = "color-contrast-enhanced"
OF_STRONG_COLOURS = (*OF_COLOURS, ENHANCED)


def accessibility_violations(page: Page, where: str = "() => document") -> list[str]:
    """Return what axe finds on the page as it stands, colours apart: rule, where, and why."""
    return _violations(page, _by_tags(()), where)


def colour_violations(page: Page, rules: Iterable[str] = OF_COLOURS) -> list[str]:
    """Return the texts that cannot be told from what is behind or beside them."""
    return _violations(page, {"runOnly": {"type": "rule", "values": list(rules)}}, of_a_kind=True)


def violations(page: Page, colours: Iterable[str] = OF_COLOURS) -> list[str]:
    """Return both in one go: most of what axe takes for colours it takes to read the page."""
    return _violations(page, _by_tags(colours), of_a_kind=True)


def low_contrast(page: Page) -> list[str]:
    """Return the texts whose contrast is below 7:1 (4.5:1 for large ones)."""
    return colour_violations(page, ["color-contrast", ENHANCED])


def _by_tags(colours: Iterable[str]) -> dict[str, Any]:
    """Return axe's options for all rules, of those about colours only *colours*."""
    wanted = set(colours)
    rules = {rule: {"enabled": rule in wanted} for rule in OF_STRONG_COLOURS}
    return {"runOnly": {"type": "tag", "values": list(WCAG)}, "rules": rules}


# Contrast takes axe longest. It depends on the text's own colour and size and on what is painted
# behind it, so of all the texts that have these alike, as the cells of a table, one is enough.
# They are marked, and the rules about contrast look at marked ones only. These leave out what is
# disabled, so that stands for itself.
MARK_ONE_OF_A_KIND = """() => {
  const grounds = new Map([[null, ""]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const { backgroundColor, backgroundImage, opacity, filter, position } = style;
      const own = [backgroundColor, backgroundImage, opacity, filter, position].join();
      const nothing = own === "rgba(0, 0, 0, 0),none,1,none,static";
      grounds.set(element, groundOf(element.parentElement) + (nothing ? "" : ` < ${own}`));
    }
    return grounds.get(element);
  };
  const kinds = new Map();
  for (const element of document.querySelectorAll("body *")) {
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says && !element.matches("input, select, textarea")) continue;
    if (!element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow, textDecoration } = getComputedStyle(element);
    const around = element.matches("a") ? getComputedStyle(element.parentElement).color : "";
    const control = element.closest("label")?.control ?? element;
    const isIdle = control.closest(":disabled, [aria-disabled=true]") !== null;
    const look = [color, fontSize, fontWeight, textShadow, textDecoration, around, isIdle];
    const kind = look.join() + groundOf(element);
    if (!kinds.has(kind)) kinds.set(kind, element);
  }
  for (const element of kinds.values()) element.toggleAttribute("data-of-a-kind", true);
  axe.configure({
    rules: ["color-contrast", "color-contrast-enhanced"].map((id) => ({
      id,
      selector: "[data-of-a-kind]",
    })),
  });
}"""
NOTHING = "() => undefined"
UNMARK = """() => {
  for (const element of document.querySelectorAll("[data-of-a-kind]"))
    element.removeAttribute("data-of-a-kind");
}"""


def _violations(
    page: Page, options: dict[str, Any], where: str = "() => document", *, of_a_kind: bool = False
) -> list[str]:
    """Run axe; its half a megabyte goes into each page once, however often it is measured."""
    # Only rules about sound and rotation ask for style sheets again; none of them runs.
    options |= {"resultTypes": ["violations"], "preload": False}
    mark, unmark = (MARK_ONE_OF_A_KIND, UNMARK) if of_a_kind else (NOTHING, NOTHING)
    run = f"""async (options) => {{
      if (typeof axe !== "object") return null;
      ({mark})();
      const {{ violations }} = await axe.run(({where})(), options);
      ({unmark})();
      return violations;
    }}"""
    found: list[dict[str, Any]] | None = page.evaluate(run, options)
    if found is None:
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(run, options)
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))} – {_reason(node)}"
        for violation in found
        for node in violation["nodes"]
    ]


def _reason(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks)
