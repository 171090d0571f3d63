"""Finds uses of the internals of packages that Ruff does not find (SLF, B009, B010, TID).

    python -m scripts.private_names

These are private names of others that are imported, overridden, or used by a subclass, functions
and attributes of others that are replaced, and names that always mean internals.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ("romme_site", "scoring", "tournaments", "scripts", "benchmarks", "tests")
# Names that begin with an underscore and are documented: of models, storages and tuples.
DOCUMENTED = frozenset({"_", "_meta", "_state", "_open", "_save", "_asdict", "_replace"})
INTERNALS = frozenset({"co_stacksize", "klass_info"})  # although no underscore says so

Finding = tuple[int, str]  # line and its text


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in OWN


def _defined(tree: ast.AST) -> set[str]:
    """Return the private names that a file gives itself."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
    return set(filter(_is_private, names))


def _imported(tree: ast.AST) -> set[str]:
    """Return the names under which a file has modules, classes and functions of others."""
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = (each.asname or each.name for each in node.names if not _is_own(each.name))
            imported |= {name.partition(".")[0] for name in names}
        elif isinstance(node, ast.ImportFrom) and not _is_own(node.module or ""):
            imported |= {each.asname or each.name for each in node.names}
    return imported


def _overridden(tree: ast.AST) -> Iterator[Finding]:
    """Yield private methods of classes with a base that the file itself never calls."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        for each in node.body if isinstance(node, ast.ClassDef) and node.bases else ():
            name = each.name if isinstance(each, ast.FunctionDef) else ""
            if _is_private(name) and name not in used:
                yield each.lineno, f"overrides {name}"


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def findings_in(source: str, own: Iterable[str] = ()) -> list[Finding]:
    """Return the findings of a file; *own* are the private names of our other files."""
    tree = ast.parse(source)
    ours, others = _defined(tree) | set(own), _imported(tree)
    changed = {id(each.target) for each in ast.walk(tree) if isinstance(each, ast.AugAssign)}
    findings = list(_overridden(tree))
    for node in ast.walk(tree):
        what = ""
        match node:
            case ast.ImportFrom(module=str(module), names=names) if not _is_own(module):
                words = [*module.split("."), *(each.name for each in names)]
                what = ", ".join(f"imports {word}" for word in words if _is_private(word))
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                what = f"calls {name} of a base" if _is_private(name) else ""
            case ast.Attribute(attr=name) | ast.keyword(arg=name) if name in INTERNALS:
                what = f"uses {name}"
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()):
                what = f"uses {name} of a base" if _is_private(name) and name not in ours else ""
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if id(node) not in changed:
                what = f"replaces {ast.unparse(node)}" if _root(node) in others else ""
            case ast.Subscript(value=ast.Call(func=ast.Name(id="vars"), args=[of])):
                what = f"reaches into {_root(of)}" if _root(of) in others else ""
        findings += [(getattr(node, "lineno", 0), what)] if what else []
    return sorted(set(findings))


def main() -> int:
    """Print each finding on a line; return 1 if there is any."""
    folders = (ROOT / name for name in OWN)
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    sources = {file: file.read_text(encoding="utf-8") for file in files}
    own = set().union(*(_defined(ast.parse(source)) for source in sources.values()))
    findings = [
        f"{file.relative_to(ROOT)}:{line}: {what}"
        for file, source in sources.items()
        for line, what in findings_in(source, own)
    ]
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
