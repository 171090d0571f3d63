"""The direction of imports: templates ← views ← services ← models ← scoring.

The imports are read from the source, those inside functions and for type checking
included, so that a shortcut cannot hide.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From the inside out. A module may import from its own line and from those above it. One
# that stands nowhere counts as a page: it may use everything, but neither the services
# nor the models may use it. A new helper for them gets its name in here.
LAYERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("helpers", frozenset({"digits", "errors", "names", "slips", "tokens"})),
    ("models", frozenset({"models", "migrations"})),
    (
        "services",
        frozenset(
            {"access_keys", "actors", "archive", "jobs", "locks", "printing", "queries", "roles"}
            | {"services", "sheets", "submissions"}
        ),
    ),
)
PAGES = "pages"
FURNITURE_OF_PAGES = frozenset({"forms", "views", "urls"})
ORDER = [name for name, _ in LAYERS] + [PAGES]

# What belongs to a request and its answer: no business of services and models.
OF_PAGES_ONLY = ("django.http", "django.shortcuts", "django.views", "django.forms")
RULES_MAY_IMPORT = sys.stdlib_module_names | {"scoring"}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module and where the import stands."""

    module: str  # that imports, as "tournaments.services.cash"
    target: str  # that is imported, as "django.db.models"
    place: str  # "tournaments/services/cash.py:12"


def _module_name(file: Path) -> str:
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def _targets(node: ast.Import | ast.ImportFrom, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
    base = ".".join(part for part in (start, node.module or "") if part)
    # ``from tournaments import services`` imports a module, ``from tournaments.models
    # import Person`` a name; with the name appended both begin with the right module.
    return [f"{base}.{alias.name}" for alias in node.names]


def imports_of(source: str, file: Path) -> list[Import]:
    """Return all imports in *source*, which stands in *file*, with absolute names."""
    module = _module_name(file)
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    return [
        Import(module, target, f"{file.relative_to(ROOT)}:{node.lineno}")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for target in _targets(node, package)
    ]


def _imports_below(*folders: str) -> Iterator[Import]:
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield from imports_of(file.read_text(encoding="utf-8"), file)


def _is_below(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _layer(module: str) -> str:
    """Return the layer of a module of ``tournaments``, given with its dotted name."""
    parts = module.split(".")[1:]
    if FURNITURE_OF_PAGES.intersection(parts):
        return PAGES
    if parts and parts[0] != "common":  # ``journal.queries.names`` is none of the helpers
        parts = [part for part in parts if part not in LAYERS[0][1]] or parts
    return next((name for name, members in LAYERS if members.intersection(parts)), PAGES)


def breaks(found: Import) -> str | None:
    """Return what is wrong with an import, ``None`` if it goes in the right direction."""
    importer, target = found.module, found.target
    if _is_below(importer, "scoring"):
        commands = _is_below(importer, "scoring.management")
        top = target.split(".")[0]
        if top in RULES_MAY_IMPORT or (commands and top == "django"):
            return None
        return "the rules import the standard library and themselves"
    if _is_below(importer, "tournaments"):
        if _is_below(target, "romme_site"):
            return "settings are read from django.conf"
        layer = _layer(importer)
        if layer != PAGES and _is_below(target, *OF_PAGES_ONLY):
            return f"requests and answers are no business of the {layer}"
        if _is_below(target, "tournaments") and ORDER.index(_layer(target)) > ORDER.index(layer):
            return f"the {layer} know nothing of the {_layer(target)}"
    return None


def test_imports_go_from_the_pages_to_the_rules_and_never_back():
    wrong = [
        f"{found.place} imports {found.target}: {problem}"
        for found in _imports_below("scoring", "tournaments")
        if (problem := breaks(found))
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("file", "source", "allowed"),
    [
        ("scoring/cards.py", "import dataclasses", True),
        ("scoring/cards.py", "from scoring.errors import ScoringError", True),
        ("scoring/cards.py", "def f():\n    from django.db import models", False),
        ("scoring/cards.py", "import tournaments.models", False),
        ("scoring/management/commands/score_list.py", "import django.core.management", True),
        ("scoring/management/commands/score_list.py", "from tournaments import models", False),
        ("tournaments/models/people.py", "from tournaments import names", True),
        ("tournaments/models/people.py", "from tournaments.services import cash", False),
        ("tournaments/models/people.py", "from ..services import cash", False),
        ("tournaments/models/__init__.py", "from .people import Person", True),
        ("tournaments/services/cash.py", "from scoring import settlement", True),
        ("tournaments/services/cash.py", "from django.shortcuts import redirect", False),
        ("tournaments/services/cash.py", "from tournaments.views import desk", False),
        ("tournaments/services/cash.py", "from romme_site import settings", False),
        ("tournaments/common/names.py", "from tournaments.models import Person", False),
        ("tournaments/views/desk.py", "from tournaments.services import cash", True),
        ("tournaments/forms/desk.py", "from django.shortcuts import redirect", True),
    ],
)
def test_direction_is_judged_by_layer(file, source, allowed):
    found = imports_of(source, ROOT / file)

    assert [breaks(each) is None for each in found] == [allowed]
