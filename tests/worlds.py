"""Worlds: a common setup of a file is built once, and its tests are isolated from each other.

    tournament = world(played)  # where played() stores a tournament and returns it

    def test_something(tournament): ...

The first test that uses a world builds it in a transaction. The transaction stays open for the
next tests with the same world; each of them runs in a savepoint, like Django's ``TestCase`` with
``setUpTestData``, and gets a fresh copy of the returned object. Tests of one file with the same
world run one after the other. A world is built before the fixtures of single tests (a clock,
settings). Transactional tests, which are cleaned up by emptying the database, build their own.
"""

from __future__ import annotations

import copy
from collections import ChainMap
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.test import TestCase
from pytest_django import DjangoDbBlocker

from tests.both_databases import needs_transactions

BUILDERS: dict[int, Callable[[], Any]] = {}  # id of a fixture -> builder of its world


def world(make: Callable[[], Any]) -> Any:
    """Return a fixture, named like the variable it is assigned to, with the result of *make*."""

    @pytest.fixture
    def given(request: pytest.FixtureRequest, db: None) -> Any:
        if needs_transactions(request.node):
            return make()
        plugin: Worlds = request.config.pluginmanager.get_plugin(Worlds.__name__)
        return copy.deepcopy(plugin.made)

    BUILDERS[id(given)] = make
    return given


class Worlds:
    """The plugin that opens a world before the first test that begins in it, and ends it."""

    def __init__(self, forget: Callable[[], None]) -> None:
        self.forget = forget  # caches for versions of a discarded database
        self.make: Callable[[], Any] | None = None
        self.made: Any = None
        self.open = ExitStack()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Let the tests of a file that begin in one world follow each other."""
        first: dict[tuple[Path, Any], int] = {}
        for number, item in enumerate(items):
            first.setdefault((item.path, world_of(item)), number)
        begun: dict[Path, int] = {}
        for (path, _make), number in first.items():
            begun.setdefault(path, number)
        items.sort(key=lambda item: (begun[item.path], first[item.path, world_of(item)]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> None:
        """Build the world of a test before its own fixtures, which begin its transaction."""
        if fixturedef.scope != "function" or world_of(request.node) is self.make:
            return
        self.end()
        if make := world_of(request.node):
            request.getfixturevalue("django_db_setup")
            self.begin(make, request.getfixturevalue("django_db_blocker"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> Iterator[None]:
        """End the world if the next test does not begin in it."""
        try:
            return (yield)
        finally:
            if nextitem is None or world_of(nextitem) is not self.make:
                self.end()

    def begin(self, make: Callable[[], Any], blocker: DjangoDbBlocker) -> None:
        """Build a world as Django builds that of a ``TestCase``, in a transaction."""

        class World(TestCase):
            @classmethod
            def setUpTestData(cls) -> None:
                self.made = make()

        with ExitStack() as stack:
            stack.enter_context(blocker.unblock())
            World.setUpClass()
            stack.callback(World.doClassCleanups)
            stack.callback(World.tearDownClass)
            self.make = make
            self.open = stack.pop_all()
            self.forget()

    def end(self) -> None:
        """Undo the world that is open, if one is."""
        self.make = self.made = None
        self.open.close()


@cache
def world_of(item: pytest.Item) -> Callable[[], Any] | None:
    """Return the builder of the world that a test starts in; there is at most one."""
    if not isinstance(item, pytest.Function) or needs_transactions(item):
        return None
    conftests = _conftests(item.path.parent, item.config.pluginmanager)
    known = ChainMap(vars(item.module), *map(vars, conftests))
    builders = filter(None, (BUILDERS.get(id(known.get(name))) for name in item.fixturenames))
    make, *others = (*builders, None)
    assert not any(others), f"{item.nodeid} begins in more than one world"
    return make


@cache
def _conftests(folder: Path, plugins: pytest.PytestPluginManager) -> list[ModuleType]:
    """Return the conftest.py of a folder and of those around it, the nearest first."""
    modules = (plugin for plugin in plugins.get_plugins() if isinstance(plugin, ModuleType))
    files = {Path(module.__file__): module for module in modules if module.__file__}
    around = (parent / "conftest.py" for parent in (folder, *folder.parents))
    return [files[file] for file in around if file in files]
