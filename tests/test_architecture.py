"""The two directions of imports: between rooms, and inside a room.

The imports are read from the source, those inside functions and for type checking
included, so that a shortcut cannot hide. There is no list of exceptions.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# The rooms of ``tournaments`` from the ground up: each imports from earlier ones. The first line
# knows no model, so that models may use it. A name includes everything below it without a name of
# its own.
ROOMS = (
    *(
        "machine.hashes",
        "common.digits",
        "common.errors",
        "common.short_texts",
        "common.login_names",
        "common.names",
        "common.person_names",
        "common.typing_errors",
        "common.tokens",
    ),
    *("models", "migrations"),
    *(
        "common",
        "machine",
        "web",
        "journal",
        "backup",
        "lists",
        "people",
        "cash",
        "accounts",
        "desk",
        "rulebook",
        "announcement",
        "notices",
    ),
    *(
        "results",
        "draw",
        "prizes",
        "screen",
        "seasons",
        "table",
        "hall",
        "corrections",
        "checking",
        "closing",
        "board",
    ),
    *("feed", "manual"),
    *("archive", "printing", "practice", "operator"),
    *("templatetags", "management", "apps"),
)

# The layers of a room, from the inside out: each imports from earlier ones, in any room. Other
# modules, such as ``common.locks`` or ``printing.store``, count as the outermost layer that they
# import.
LAYERS = ("models", "queries", "services", "forms", "views")
FURNITURE = {name: name for name in LAYERS} | {
    "migrations": "models",
    "urls": "views",
    "templatetags": "views",
    "management": "views",
}
# Names of requests and answers, with the layer that may use them.
OF_DJANGO = {
    "django.forms": "forms",
    "django.http": "forms",
    "django.shortcuts": "views",
    "django.views": "views",
    "django.urls.path": "views",
}
RULES_MAY_IMPORT = sys.stdlib_module_names | {"scoring", "pydantic"}

MOST_MODULES = 22  # in one folder; more are several places of work
MOVE_OR_TURN = (
    "Move what is needed down into a room that both may use, or turn the call round: let the "
    "upper room enter itself, as in people/services/anonymise.py."
)


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name and the place of its import."""

    module: str  # that imports, as "tournaments.cash.services.till"
    target: str  # that is imported, as "django.db.models"
    place: str  # "tournaments/cash/services/till.py:12"


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
    # ``from tournaments.cash import services`` imports a module, ``from tournaments.models
    # import Person`` a name; with the name appended both begin with the right module.
    return [f"{base}.{alias.name}" for alias in node.names]


def imports_of(source: str, file: Path) -> list[Import]:
    """Return all imports in *source*, the content of *file*, with absolute names."""
    module = _module_name(file)
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    return [
        Import(module, target, f"{file.relative_to(ROOT)}:{node.lineno}")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for target in _targets(node, package)
    ]


@cache
def _imports_in(folder: str) -> tuple[Import, ...]:
    return tuple(
        imported
        for file in sorted((ROOT / folder).rglob("*.py"))
        for imported in imports_of(file.read_text(encoding="utf-8"), file)
    )


def _is_below(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def room_of(module: str) -> str:
    """Return the room of a module of ``tournaments``.

    Raises:
        LookupError: if its folder is none of the rooms.
    """
    inside = module.removeprefix("tournaments.")
    rooms = [room for room in ROOMS if _is_below(inside, room)]
    if not rooms:
        raise LookupError(f"{module} stands in no room: name it in ROOMS, or move it into one.")
    return max(rooms, key=len)


def _furniture(module: str) -> str | None:
    """Return the layer that the names on the way to a module say; None for none."""
    for part in module.split(".")[1:]:
        if layer := FURNITURE.get(part.split("_")[0] if part.startswith("urls") else part):
            return layer
    return None


@cache
def _modules() -> frozenset[str]:
    return frozenset(_module_name(file) for file in (ROOT / "tournaments").rglob("*.py"))


def _module_of(target: str) -> str:
    """Return the module of an imported name."""
    return target if target in _modules() else target.rpartition(".")[0]


@cache
def layer_of(module: str) -> int:
    """Return the index of a module's layer in LAYERS; a higher one is further out."""
    if (named := _furniture(module)) is not None:
        return LAYERS.index(named)
    outermost = 0
    for imported in _imports_in("tournaments"):
        if imported.module != module:
            continue
        for start, layer in OF_DJANGO.items():
            if _is_below(imported.target, start):
                outermost = max(outermost, LAYERS.index(layer))
        if _is_below(imported.target, "tournaments") and _module_of(imported.target) != module:
            outermost = max(outermost, layer_of(_module_of(imported.target)))
    return outermost


def _of_rules(imported: Import) -> str | None:
    top = imported.target.split(".")[0]
    is_command = _is_below(imported.module, "scoring.management")
    if top in RULES_MAY_IMPORT or (is_command and top == "django"):
        return None
    return "the rules import the standard library and themselves. Hand in what they need."


def _of_tournaments(imported: Import) -> str | None:
    here, there = room_of(imported.module), room_of(_module_of(imported.target))
    if ROOMS.index(there) > ROOMS.index(here):
        return f"the room {there} stands above {here}. {MOVE_OR_TURN}"
    mine, theirs = layer_of(imported.module), layer_of(_module_of(imported.target))
    if theirs > mine:
        return (
            f"the {LAYERS[mine]} know nothing of the {LAYERS[theirs]}. Move what is only read into "
            "a query, and what is decided into a service."
        )
    return None


def breaks(imported: Import) -> str | None:
    """Return the violation of an import with its remedy; None for an allowed one."""
    if _is_below(imported.module, "scoring"):
        return _of_rules(imported)
    if _is_below(imported.target, "romme_site"):
        return "settings are read from django.conf."
    if _is_below(imported.target, "tournaments"):
        return _of_tournaments(imported)
    mine = layer_of(imported.module)
    for start, layer in OF_DJANGO.items():
        if _is_below(imported.target, start) and LAYERS.index(layer) > mine:
            return (
                f"requests, forms and answers are no business of the {LAYERS[mine]}. Read them in "
                "the view, and hand over values."
            )
    return None


def _all_imports() -> Iterator[Import]:
    yield from _imports_in("scoring")
    yield from _imports_in("tournaments")


def test_imports_go_down_between_rooms_and_inwards_in_a_room():
    wrong = [
        f"{imported.place} imports {imported.target}: {problem}"
        for imported in _all_imports()
        if (problem := breaks(imported))
    ]

    assert not wrong, "\n".join(wrong)


def test_every_module_belongs_to_a_room():
    alone = {file.name for file in (ROOT / "tournaments").glob("*.py")}

    assert alone == {"__init__.py", "apps.py"}, "A module belongs into the room that uses it."
    for module in _modules() - {"tournaments"}:
        assert room_of(module) in ROOMS


def test_no_folder_has_too_many_modules():
    many = {
        str(folder.relative_to(ROOT)): len(modules)
        for top in ("scoring", "tournaments")
        for folder in (ROOT / top, *(ROOT / top).rglob("*/"))
        if folder.name != "migrations"  # which are for ever, one after the other
        if len(modules := [file for file in folder.glob("*.py") if file.stem != "__init__"])
        > MOST_MODULES
    }

    assert not many, f"Part these by what is done in them: {many}"


@pytest.mark.parametrize(
    ("file", "source", "allowed"),
    [
        ("scoring/cards.py", "import dataclasses", True),
        ("scoring/cards.py", "from scoring.errors import ScoringError", True),
        ("scoring/cards.py", "def f():\n    from django.db import models", False),
        ("scoring/cards.py", "import tournaments.models", False),
        ("scoring/management/commands/score_list.py", "import django.core.management", True),
        ("scoring/management/commands/score_list.py", "from tournaments import models", False),
        ("tournaments/models/people.py", "from tournaments.common import names", True),
        ("tournaments/models/people.py", "from tournaments.common.locks import lock_serie", False),
        ("tournaments/models/people.py", "from tournaments.cash.services import cash", False),
        ("tournaments/models/people.py", "from ..cash.services import cash", False),
        ("tournaments/models/__init__.py", "from .people import Person", True),
        ("tournaments/common/names.py", "from tournaments.models import Person", False),
        ("tournaments/cash/services/till.py", "from scoring import settlement", True),
        ("tournaments/cash/services/till.py", "from tournaments.cash.queries import cash", True),
        ("tournaments/cash/queries/cash.py", "from tournaments.cash.services import till", False),
        ("tournaments/cash/services/till.py", "from django.shortcuts import redirect", False),
        ("tournaments/cash/services/till.py", "from django import forms", False),
        ("tournaments/cash/services/till.py", "from tournaments.cash.views import cash", False),
        ("tournaments/cash/services/till.py", "from tournaments.desk.services import desk", False),
        ("tournaments/cash/services/till.py", "from romme_site import settings", False),
        ("tournaments/desk/services/desk.py", "from tournaments.cash.services import till", True),
        ("tournaments/desk/services/desk.py", "from tournaments.printing import store", False),
        ("tournaments/desk/views/desk.py", "from tournaments.cash.services import cash", True),
        ("tournaments/desk/views/desk.py", "from tournaments.checking.views import people", False),
        ("tournaments/desk/forms/desk.py", "from django.shortcuts import redirect", False),
    ],
)
def test_an_import_is_judged_by_room_and_layer(file, source, allowed):
    imports = imports_of(source, ROOT / file)

    assert [breaks(each) is None for each in imports] == [allowed]


def test_other_modules_count_as_the_outermost_layer_they_import():
    assert LAYERS[layer_of("tournaments.common.names")] == "models"
    assert LAYERS[layer_of("tournaments.printing.print_job")] == "services"
    assert LAYERS[layer_of("tournaments.web.access")] == "views"


def test_an_unknown_folder_is_refused():
    with pytest.raises(LookupError, match="stands in no room"):
        room_of("tournaments.kitchen.services")
