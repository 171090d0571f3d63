"""Only the order (`scoring.ordering`) decides which of two results is better.

Read from the code: every sorting or comparison of points of results uses a key of an ``Order``, or
is listed below with the reason why its points are not results.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
POINTS = {"points", "total", "compared", "series_totals"}  # attributes
SORTING = {"sorted", "sort", "min", "max", "nlargest", "nsmallest"}
ASKING = {"key", "behind", "order"}
# File and function: why the points there need no order.
_DIFFERENCE = "the difference of best and last, whichever is which"
_GRANT = "the sign of a number in words"
OTHERS = {
    ("tournaments/draw/queries/plan_sizes.py", "_largest"): "points of type on paper",
    ("tournaments/results/queries/statistics.py", "Statistics.closest_tables"): _DIFFERENCE,
    ("tournaments/rulebook/queries/rule_set_example.py", "_lines"): _GRANT,
    ("tournaments/rulebook/queries/rule_set_text.py", "_grants"): _GRANT,
}


def functions(tree: ast.AST, within: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield each node with its enclosing function."""
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        name = f"{within}.{node.name}".strip(".") if named else within  # type: ignore[attr-defined]
        yield name, node
        yield from functions(node, name)


def attributes(node: ast.AST) -> set[str]:
    return {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def names(node: ast.AST) -> set[str]:
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return attributes(node) | named


def compares(node: ast.AST) -> bool:
    """Whether this sorts, or says which is less."""
    if isinstance(node, ast.Call):
        return bool(names(node.func) & SORTING)
    less = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    return isinstance(node, ast.Compare) and any(isinstance(op, less) for op in node.ops)


def by_themselves() -> set[tuple[str, str]]:
    comparing = set()
    for folder in ("scoring", "tournaments"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" in path.parts or path.name == "ordering.py":
                continue
            for function, node in functions(ast.parse(path.read_text(encoding="utf-8"))):
                if compares(node) and attributes(node) & POINTS and not names(node) & ASKING:
                    comparing.add((path.relative_to(ROOT).as_posix(), function))
    return comparing


def test_results_are_compared_by_their_order_only():
    assert by_themselves() == set(OTHERS)


def test_the_scripts_compare_results_in_one_place_only():
    less = re.compile(r"\.(total|augen)\b[\w .()?]*[-<>](?![=>])|[-<>] *\(?\w+\.(total|augen)\b")
    lines = {
        (path.relative_to(ROOT).as_posix(), line.strip())
        for path in sorted((ROOT / "static/js").rglob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if less.search(line)
    }

    assert {file for file, _line in lines} == {"static/js/table/rules.js"}
    assert {line for _file, line in lines} == {
        "(a.augen === undefined ? a.total - b.total : b.total - a.total) ||",
        "(a.augen ?? 0) - (b.augen ?? 0) ||",
    }


def test_a_direct_comparison_is_found():
    told = "def first(lines): return min(lines, key=lambda line: line.total)"
    (function, node), *_rest = [
        (where, each) for where, each in functions(ast.parse(told)) if compares(each)
    ]

    assert function == "first"
    assert attributes(node) & POINTS
    assert not names(node) & ASKING
