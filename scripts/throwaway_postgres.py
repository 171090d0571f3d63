"""A PostgreSQL server of one's own, for as long as a command runs.

    .venv/bin/python -m scripts.throwaway_postgres .venv/bin/pytest tests/postgres

starts the server, runs the command with ``DATABASE_URL`` set and leaves nothing
behind. The server lives in a folder of its own in /tmp and listens on a socket in
it, never on a port, so any number of them can run side by side.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from scripts import system

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 20

# These data need to survive no power cut, and no other server reads them. Statements are many and
# read few rows, so that compiling them does not pay.
QUICK = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off"),
    *("wal_level=minimal", "max_wal_senders=0", "autovacuum=off", "jit=off"),
)


class NoPostgresError(Exception):
    """The server does not start; the message says why and what to do."""


def unprivileged_account() -> dict[str, Any]:
    """Return arguments of ``Popen``: another account for root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise NoPostgresError(
        "PostgreSQL läuft nicht als root, und ein Konto „postgres“ gibt es hier nicht; "
        "bitte als gewöhnlicher Benutzer wiederholen."
    )


def _locale() -> str:
    return "en_US.UTF-8" if system.MACOS else "C.UTF-8"


def _start(
    programs: Path, home: Path, account: dict[str, Any], settings: Sequence[str]
) -> subprocess.Popen[bytes]:
    """Make a cluster in *home* and start its server, which may not answer yet."""
    data = home / "data"
    initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"]
    initdb += ["-E", "UTF8", f"--locale={_locale()}", "--no-sync"]
    made = subprocess.run(
        initdb,
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **account,
    )
    if made.returncode:
        raise NoPostgresError(
            f"Die PostgreSQL-Datenbank ließ sich nicht anlegen: {made.stdout.strip()}"
        )
    return serve(programs, home, account, settings)


def serve(
    programs: Path, home: Path, account: dict[str, Any], settings: Sequence[str]
) -> subprocess.Popen[bytes]:
    """Start the server of the cluster in ``home/data``, which may not answer yet."""
    settings = ("listen_addresses=", f"unix_socket_directories={home}", *settings)
    options = [part for setting in settings for part in ("-c", setting)]
    return subprocess.Popen(
        [str(programs / "postgres"), "-D", str(home / "data"), *options],
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=(home / "log").open("wb"),
        stderr=subprocess.STDOUT,
        **account,
    )


def wait_until_ready(programs: Path, home: Path, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers.

    Raises:
        NoPostgresError: if it ends, or does not answer within a minute.
    """
    deadline = time.monotonic() + START_SECONDS
    asking = [str(programs / "pg_isready"), "-q", "-h", str(home), "-U", "postgres"]
    while subprocess.run(asking, check=False).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            log = (home / "log").read_text(errors="replace").strip()
            raise NoPostgresError(f"Der PostgreSQL-Server ist nicht gestartet: {log}")
        time.sleep(0.05)


def _keep(settings: Sequence[str]) -> int:
    """Keep a server until standard input ends; its first line of output is the URL.

    This is a process of its own, because the one that uses the server may be killed:
    then its end of the pipe closes, the server ends, and its folder is removed.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    programs = system.find_postgresql()
    if programs is None:
        print("Es fehlen die Serverprogramme von PostgreSQL; „make test“ bringt sie mit.")
        return 1
    # The path of a socket may have some hundred characters at most, which rules out the
    # long TMPDIR of macOS.
    home = Path(tempfile.mkdtemp(prefix="romme-pg-", dir="/tmp"))
    server = None
    try:
        account = unprivileged_account()
        if account:
            os.chown(home, account["user"], account["group"])
        server = _start(programs, home, account, settings)
        wait_until_ready(programs, home, server)
        print(f"postgres://postgres@/postgres?host={home}", flush=True)
        sys.stdin.read()
    except NoPostgresError as problem:
        print(problem)
        return 1
    except KeyboardInterrupt:
        return 1
    finally:
        if server is not None:
            server.send_signal(signal.SIGQUIT)  # immediately, without tidying up
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        shutil.rmtree(home, ignore_errors=True)
    return 0


@contextmanager
def throwaway_postgres(settings: Sequence[str] = QUICK) -> Iterator[str]:
    """Yield the ``DATABASE_URL`` of a temporary server.

    Args:
        settings: of the server; those preset are quick, and unsafe when the power fails.

    Raises:
        NoPostgresError: if the server programs are missing or do not start.
    """
    keeper = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, "--keep", *settings],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # Ctrl+C is for the command; the keeper follows it
    )
    with keeper:
        assert keeper.stdin  # noqa: S101 - a pipe was asked for; this tells mypy
        assert keeper.stdout  # noqa: S101
        answer = keeper.stdout.readline().strip()
        if not answer.startswith("postgres://"):
            keeper.stdin.close()
            raise NoPostgresError(f"{answer}\n{keeper.stdout.read()}".strip())
        try:
            yield answer
        finally:
            keeper.stdin.close()
            keeper.wait()


def main() -> int:
    if sys.argv[1:2] == ["--keep"]:
        return _keep(sys.argv[2:])
    try:
        with throwaway_postgres() as url:
            environment = os.environ | {"DATABASE_URL": url}
            return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    except NoPostgresError as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
