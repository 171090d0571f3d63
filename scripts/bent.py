"""Finds what reaches into the insides of another package: the next version of it may break that.

    python -m scripts.bent

Found are private names of others (used, imported, overridden, named in ``getattr``), functions and
attributes of others that are replaced, and words that mean such things by themselves.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ("romme_site", "scoring", "tournaments", "scripts", "benchmarks", "tests")
# Names that begin with an underscore and are documented: of models, storages, tuples and os.
DOCUMENTED = frozenset(
    {"_base_manager", "_default_manager", "_meta", "_state"}
    | {"_open", "_save", "_asdict", "_field_defaults", "_fields", "_make", "_replace", "_exit"}
)
WORDS = frozenset(
    {"_iterable_class", "_raw_delete", "co_stacksize", "get_related_populators", "klass_info"}
    | {"run_module", "runpy"}
)
BY_NAME = frozenset({"delattr", "getattr", "hasattr", "setattr"})
REPLACING = frozenset({"delattr", "setattr"})

Finding = tuple[int, str]  # line and what stands there


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in {"_", *DOCUMENTED}


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in OWN


def _defined(tree: ast.AST) -> set[str]:
    """Return the private names that a file gives itself."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
    return set(filter(_is_private, found))


def _imported(tree: ast.AST) -> set[str]:
    """Return the names under which a file has modules, classes and functions of others."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = (one.asname or one.name for one in node.names if not _is_own(one.name))
            found |= {name.partition(".")[0] for name in names}
        elif isinstance(node, ast.ImportFrom) and not _is_own(node.module or ""):
            found |= {one.asname or one.name for one in node.names}
    return found


def _overridden(tree: ast.AST) -> Iterator[Finding]:
    """Yield private methods of classes with a base that the file itself never calls."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        for one in node.body if isinstance(node, ast.ClassDef) and node.bases else ():
            if isinstance(one, ast.FunctionDef) and _is_private(one.name) and one.name not in used:
                yield one.lineno, f"overrides {one.name}"


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def found_in(source: str, own: Iterable[str] = ()) -> list[Finding]:
    """Return what is bent in the source of a file; *own* are private names of other own files."""
    tree = ast.parse(source)
    ours, others = _defined(tree) | set(own) | WORDS, _imported(tree)
    changed = {id(one.target) for one in ast.walk(tree) if isinstance(one, ast.AugAssign)}
    found = list(_overridden(tree))
    for node in ast.walk(tree):
        line, words, what = getattr(node, "lineno", 0), list[str](), ""
        match node:
            case ast.ImportFrom(module=str(module), names=names) if not _is_own(module):
                words = [*module.split("."), *(one.name for one in names)]
            case ast.Import(names=names):
                words = [word for one in names for word in one.name.split(".")]
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                what = f"calls {name} of a base" if _is_private(name) else ""
            case ast.Attribute(attr=name, ctx=context):
                words = [name]
                is_stored = not isinstance(context, ast.Load) and id(node) not in changed
                what = (
                    f"replaces {ast.unparse(node)}" if is_stored and _root(node) in others else ""
                )
            case ast.Call(func=ast.Name(id=call), args=[of, ast.Constant(value=str(name)), *_]):
                words = [name] if call in BY_NAME else []
                is_stored = call in REPLACING and _root(of) in others
                what = f"replaces {ast.unparse(of)}.{name}" if is_stored else ""
            case ast.Subscript(value=ast.Call(func=ast.Name(id="vars"), args=[of])):
                what = f"reaches into {_root(of)}" if _root(of) in others else ""
            case ast.keyword(arg=str(name)) if name in WORDS:
                words = [name]
        found += [(line, word) for word in words if word in WORDS]
        found += [(line, word) for word in words if _is_private(word) and word not in ours]
        found += [(line, what)] if what else []
    return sorted(set(found))


def main() -> int:
    """Say what is bent, a line each; 1 if anything is."""
    folders = (ROOT / name for name in OWN)
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    sources = {file: file.read_text(encoding="utf-8") for file in files}
    own = set().union(*(_defined(ast.parse(source)) for source in sources.values()))
    found = [
        f"{file.relative_to(ROOT)}:{line}: {what}"
        for file, source in sources.items()
        for line, what in found_in(source, own)
    ]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
