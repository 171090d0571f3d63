"""A hand at keyboard and mouse that counts its keys and clicks; for touch see ``table_device``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page


@dataclass
class Hand:
    """Acts on a page and counts ``keys`` and ``clicks``.

    Uncounted input, such as the text of a reason, uses the page itself.
    """

    page: Page
    keys: int = field(default=0, init=False)
    clicks: int = field(default=0, init=False)

    def type(self, text: str) -> None:
        """Type a text, a key for each of its characters."""
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        """Press one key, as Enter."""
        self.page.keyboard.press(key)
        self.keys += 1

    def click(self, target: Locator) -> None:
        """Click something."""
        target.click()
        self.clicks += 1

    @property
    def spent(self) -> tuple[int, int]:
        """How many keys and clicks it took so far."""
        return self.keys, self.clicks


def keys_of(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return the keys for copying a list: digits, H, and Enter where more could follow."""
    for line in lines:
        for seat, points in enumerate(line["minus"], start=1):
            if line["finisher"] == seat:
                yield "h" if line["handromme"] else "0"
                continue
            yield from str(points)
            # 19 might become 190, and 2 a 20; 20 is whole, because no hand counts 200.
            if points < 20:
                yield "Enter"
