"""Every act that a service records has a German sentence of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tournaments.journal.queries.texts import TEXTS, Area, actions_of

ROOT = Path(__file__).resolve().parents[3] / "tournaments"
NAME = "action"


def _constants(value: ast.expr) -> Iterator[str]:
    """Yield the actions an expression can be: one, or one of two."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _constants(value.body)
        yield from _constants(value.orelse)


def _parameter_position(function: ast.FunctionDef) -> int | None:
    names = [argument.arg for argument in function.args.args]
    return names.index(NAME) if NAME in names else None


def helpers_in(source: str) -> dict[str, int]:
    """Return the functions that take the act as a parameter, and as which."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    positions = {function.name: _parameter_position(function) for function in functions}
    return {name: position for name, position in positions.items() if position is not None}


def _of_an_act(call: ast.Call) -> Iterator[str]:
    """Yield the journal names of an act, or of an entry within one."""
    called = ast.unparse(call.func)
    if called.endswith("acts.on"):
        names = [keyword.value for keyword in call.keywords if keyword.arg == "entry"]
    else:
        names = call.args[:1] if called.endswith("act.entry") else []
    for name in names:
        yield from _constants(name)


def actions_in(source: str, elsewhere: Mapping[str, int] | None = None) -> set[str]:
    """Return the acts a module records, in any notation of ``journal.record``.

    The name may be a keyword, a positional argument, a variable of this name, or the parameter of a
    helper, which may be *elsewhere*.
    """
    tree = ast.parse(source)
    helpers = {**(elsewhere or {}), **helpers_in(source)}
    actions: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if NAME in targets:
                actions.update(_constants(node.value))
        # An option of a command has this name, too.
        if isinstance(node, ast.Call) and not ast.unparse(node.func).endswith(".add_argument"):
            actions.update(_of_an_act(node))
            for keyword in node.keywords:
                if keyword.arg == NAME:
                    actions.update(_constants(keyword.value))
            position = helpers.get(ast.unparse(node.func).rpartition(".")[2])
            if position is not None and position < len(node.args):
                actions.update(_constants(node.args[position]))
    return actions


def recorded() -> dict[str, str]:
    """Return the acts of all rooms with their modules."""
    files = sorted(ROOT.rglob("*.py"))
    sources = {
        str(file.relative_to(ROOT)): source
        for file in files
        if "journal" in (source := file.read_text(encoding="utf-8")) or "record(" in source
    }
    shared = {
        name: position
        for source in sources.values()
        for name, position in helpers_in(source).items()
        if not name.startswith("_")
    }
    places: dict[str, str] = {}
    for name, source in sources.items():
        places.update(dict.fromkeys(actions_in(source, shared), name))
    return places


@pytest.mark.parametrize(
    ("source", "actions"),
    [
        ('journal.record(action="one")', {"one"}),
        ('journal.record(action="one" if x else "two")', {"one", "two"}),
        ('action = "one"\njournal.record(action=action)', {"one"}),
        ('def _record(a, action, b):\n    ...\n_record(1, "one", 2)', {"one"}),
        ('def _record(*, action):\n    ...\n_record(action="one")', {"one"}),
        ('@acts.on(Serie, "do", entry="one")\ndef do(): ...', {"one"}),
        ('with act.entry("one" if x else "two", row): ...', {"one", "two"}),
    ],
)
def test_acts_are_found_in_any_notation(source: str, actions: set[str]):
    assert actions_in(source) == actions


def test_a_helper_may_be_in_another_module():
    assert actions_in('record(1, "one")', {"record": 1}) == {"one"}
    assert actions_in('journal.record(1, "one")', {"record": 1}) == {"one"}


def test_every_journalled_act_has_a_sentence():
    places = recorded()

    assert {action: file for action, file in places.items() if action not in TEXTS} == {}
    assert {"draw_published", "role_given", "screen_set"} <= set(places)  # it has looked at all


def test_every_area_has_acts():
    assert all(actions_of(area) for area in Area.values)
    assert actions_of("anderes") == []
