"""Finds local names that do not say what they hold: ``one`` and ``found``.

    python -m scripts.local_names

Reads Python, scripts of pages and templates. No such name is left, so none is allowed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORDS = frozenset({"one", "found"})
PYTHON = ("romme_site", "scoring", "tournaments", "scripts", "benchmarks", "tests")
WORD = "|".join(sorted(WORDS))
IN_SCRIPT = re.compile(rf"\b(?:const|let)\s+({WORD})\b|\b({WORD})\s*=>|\(({WORD})(?:, \w+)?\)\s*=>")
IN_TEMPLATE = re.compile(
    rf"{{%\s*for\s+(?:\w+,\s*)*({WORD})\b|{{%[^%]*[ (]({WORD})=|\bas\s+({WORD})\s*%}}"
)

Binding = tuple[int, str]  # line and name


def bindings(source: str) -> Iterator[Binding]:
    """Yield each place of a Python source that binds one of the words."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.ExceptHandler(name=name)
                | ast.MatchAs(name=name)
            ) if name in WORDS:
                yield node.lineno, name


def bindings_in_text(source: str, pattern: re.Pattern[str]) -> Iterator[Binding]:
    """Yield each place of a script or template that binds one of the words."""
    for binding in pattern.finditer(source):
        yield source.count("\n", 0, binding.start()) + 1, binding[binding.lastindex or 0]


def main() -> int:
    """Print each binding on a line; return 1 if there is any."""
    lines = [
        f"{file.relative_to(ROOT)}:{line}: name what {name!r} holds"
        for folder in PYTHON
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, name in bindings(file.read_text(encoding="utf-8"))
    ]
    for folder, suffix, pattern in (
        ("static/js", "js", IN_SCRIPT),
        ("templates", "html", IN_TEMPLATE),
    ):
        for file in sorted((ROOT / folder).rglob(f"*.{suffix}")):
            places = bindings_in_text(file.read_text(encoding="utf-8"), pattern)
            lines += [
                f"{file.relative_to(ROOT)}:{line}: name what {name!r} holds"
                for line, name in places
            ]
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
