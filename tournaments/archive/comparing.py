"""Where two JSON values begin to differ."""

from __future__ import annotations

from typing import Any


def first_difference(first: Any, second: Any, where: str = "") -> str | None:
    """Return the place of the first difference, or None if both are the same.

    >>> first_difference({"a": [1, 2]}, {"a": [1, 3]})
    'a[1]'
    >>> first_difference({"a": 1}, {"a": 1, "b": 2})
    'b'
    """
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            inside = f"{where}.{key}" if where else str(key)
            if key not in first or key not in second:
                return inside
            found = first_difference(first[key], second[key], inside)
            if found is not None:
                return found
        return None
    if isinstance(first, list) and isinstance(second, list):
        for index, pair in enumerate(zip(first, second, strict=False)):
            found = first_difference(*pair, f"{where}[{index}]")
            if found is not None:
                return found
        shorter = min(len(first), len(second))
        return None if len(first) == len(second) else f"{where}[{shorter}]"
    return None if type(first) is type(second) and first == second else where or "."
