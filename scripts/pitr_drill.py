"""A drill: bring the database back to the moment before a mistake (point-in-time recovery).

    .venv/bin/python -m scripts.pitr_drill

On a throw-away server it does what docs/operating.md says of backups of PostgreSQL itself, with
PostgreSQL's own programs in place of pgBackRest: archive the WAL, copy the cluster, make a
mistake, and recover to the moment before it. The journal must verify, and the rows be those of
that moment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

from scripts import system
from scripts.throwaway_postgres import (
    NoPostgresError,
    serve,
    throwaway_postgres,
    unprivileged_account,
    wait_until_ready,
)

MISTAKE = "update tournaments_registration set due_cents = 0"
COUNTED = "select count(*), sum(due_cents) from tournaments_registration"
ARCHIVE_SECONDS = 60


def _program(url: str, data: Path, *words: str) -> None:
    environment = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(data), "DEMO": "0"}
    subprocess.run([sys.executable, "-m", "romme_site", *words], env=environment, check=True)


def _wait_for_archive(connection: psycopg.Connection[tuple[str]]) -> None:
    """Wait until the WAL written so far is in the archive.

    Raises:
        NoPostgresError: if it does not get there within a minute.
    """
    segment = connection.execute("select pg_walfile_name(pg_switch_wal())").fetchone()
    deadline = time.monotonic() + ARCHIVE_SECONDS
    while time.monotonic() < deadline:
        last = connection.execute("select last_archived_wal from pg_stat_archiver").fetchone()
        if last and segment and (last[0] or "") >= segment[0]:
            return
        time.sleep(0.1)
    raise NoPostgresError("Das WAL kam nicht ins Archiv.")


def drill(home: Path) -> None:
    """Run the drill in an empty folder.

    Raises:
        NoPostgresError: if PostgreSQL is missing, or the recovered data differ.
    """
    programs, account = system.find_postgresql(), unprivileged_account()
    if programs is None:
        raise NoPostgresError("Es fehlen die Serverprogramme von PostgreSQL.")
    archive, data = home / "archive", home / "program"
    for folder in (home, archive):
        folder.mkdir(exist_ok=True)
        if account:
            os.chown(folder, account["user"], account["group"])
    archiving = f"archive_command=cp %p {archive}/%f"
    with throwaway_postgres(["wal_level=replica", "archive_mode=on", archiving]) as url:
        data.mkdir()
        _program(url, data, "demo")
        with psycopg.connect(url, autocommit=True) as connection:
            socket = parse_qs(urlsplit(url).query)["host"][0]
            copying = [
                str(programs / "pg_basebackup"),
                "-h",
                socket,
                "-U",
                "postgres",
                "-c",
                "fast",
            ]
            subprocess.run([*copying, "-D", str(home / "data")], check=True, cwd=home, **account)
            before = connection.execute(COUNTED).fetchone()
            moment = connection.execute("select clock_timestamp()::text").fetchone()
            connection.execute(MISTAKE)
            _wait_for_archive(connection)
    (home / "data" / "recovery.signal").touch()
    recovering = [f"restore_command=cp {archive}/%f %p", "recovery_target_action=promote"]
    recovering.append(f"recovery_target_time={moment[0] if moment else ''}")
    server = serve(programs, home, account, recovering)
    try:
        wait_until_ready(programs, home, server)
        url = f"postgres://postgres@/postgres?host={home}"
        with psycopg.connect(url, autocommit=True) as connection:
            came_back = connection.execute(COUNTED).fetchone()
        if came_back != before:
            raise NoPostgresError(f"Zurück kam {came_back} statt {before}.")
        _program(url, data, "verify-journal")
    finally:
        server.terminate()
        server.wait()
    print(f"Zurück auf {moment[0] if moment else ''}: {before}; das Protokoll stimmt.")


def main() -> int:
    """Run the drill in a temporary folder; return the exit code."""
    home = Path(tempfile.mkdtemp(prefix="romme-pitr-", dir="/tmp"))
    try:
        drill(home)
    except NoPostgresError as problem:
        print(problem, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
