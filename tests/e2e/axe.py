"""Violations of WCAG that axe finds on a page, each as one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ("color-contrast", "link-in-text-block")
# Seven to one; contrasts below 4.5:1 are left to the usual rule.
ENHANCED = "color-contrast-enhanced"

RUN = """async (options) => {
  const { violations } = await axe.run(options);
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} – ${why(node).join("; ")}`),
  );
}"""


def violations(page: Page, *, colours: bool = True, strong: bool = False) -> list[str]:
    """Return the violations that axe finds on the page in its current state: rule, place and
    reason.

    Args:
        colours: include the rules about colours.
        strong: require a contrast of 7:1 (4.5:1 for large texts).
    """
    rules = {rule: {"enabled": colours} for rule in COLOURS}
    return _run(
        page,
        {
            "runOnly": {"type": "tag", "values": WCAG},
            "rules": {**rules, ENHANCED: {"enabled": strong}},
        },
    )


def colour_violations(page: Page, *, strong: bool = False) -> list[str]:
    """Return the texts with too little contrast to their background or neighbours."""
    rules = [*COLOURS, ENHANCED] if strong else COLOURS
    return _run(page, {"runOnly": {"type": "rule", "values": list(rules)}})


def _run(page: Page, options: dict[str, Any]) -> list[str]:
    if page.evaluate("typeof axe !== 'object'"):
        page.evaluate(AXE_SCRIPT)
    # Only rules about sound and rotation ask for style sheets again; none of them runs.
    asked = {**options, "resultTypes": ["violations"], "preload": False}
    violations: list[str] = page.evaluate(RUN, asked)
    return violations
