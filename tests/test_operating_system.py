"""All modules except one run on every system: they use no name that a system lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ONE_MODULE = ROOT / "tournaments" / "machine" / "operating_system.py"
PRODUCTION = ("romme_site", "scoring", "tournaments")

MODULES = {"fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "select", "termios", "winreg"}
NAMES = {
    "os": """
        chown chroot execl execv execve execvp fork forkpty getegid geteuid getgid getloadavg getuid
        killpg mkfifo nice openpty pread sched_getaffinity setgid setpgid setsid setuid startfile
        sysconf uname wait4 waitid
    """,
    "signal": "SIGALRM SIGBREAK SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGUSR2 alarm pause",
    "socket": "AF_UNIX",
    "time": "tzset clock_gettime",
    "subprocess": "CREATE_NEW_PROCESS_GROUP CREATE_NO_WINDOW",
    "ctypes": "windll",
}
NOT_EVERYWHERE = {f"{module}.{name}" for module, names in NAMES.items() for name in names.split()}
FOLDERS = ("/dev/", "/proc/", "/sys/", "/tmp/")  # noqa: S108 - only looked for


def found_in(tree: ast.AST) -> Iterator[str]:
    """Yield the uses of names that differ between systems."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from MODULES & {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            yield from MODULES & {node.module}
            yield from NOT_EVERYWHERE & {f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name):
                yield from NOT_EVERYWHERE & {f"{node.value.id}.{node.attr}"}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "rename":
            yield "rename: Windows refuses it where there is a file; replace does not"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith(FOLDERS) or "%-d" in node.value:
                yield node.value
        elif isinstance(node, ast.keyword) and node.arg in {"start_new_session", "preexec_fn"}:
            yield str(node.arg)


def test_differences_of_systems_are_in_one_module():
    files = [file for top in PRODUCTION for file in (ROOT / top).rglob("*.py")]
    wrong = {
        str(file.relative_to(ROOT)): uses
        for file in files
        if file != ONE_MODULE
        and (uses := sorted(set(found_in(ast.parse(file.read_text(encoding="utf-8"))))))
    }

    assert len(files) > 300
    assert not wrong, "These belong into tournaments/machine/operating_system.py"


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from resource import getrlimit",
        "from os import nice",
        "def f():\n    os.execv('a', [])",
        "path.rename(other)",
        "open('/dev/null')",
        "Popen([], start_new_session=True)",
    ],
)
def test_the_guard_finds_violations(source: str):
    assert list(found_in(ast.parse(source)))
