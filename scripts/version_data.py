"""Writes the files of a version for the tests of later ones: a backup, an archive, a ranking.

    .venv/bin/python -m scripts.version_data

Run once for each released version, at its last commit: every later version must update, restore
and import ``tests/versions/<version>/``.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from romme_site import __version__

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "versions" / __version__
SLUG = "uebungsturnier-der-romme-freunde"  # of the practice tournament


def main() -> int:
    """Make the practice tournament in a temporary folder, and keep its files."""
    if FOLDER.exists():
        print(f"Von {__version__} liegt schon alles da: {FOLDER}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as data:

        def run(*words: str) -> bytes:
            environment = os.environ | {"DATA_DIR": data, "DATABASE_URL": "", "DEMO": "0"}
            command = [sys.executable, "-m", "romme_site", *words]
            return subprocess.run(command, env=environment, check=True, capture_output=True).stdout

        run("demo")
        run("backup")
        archive, standings = run("export-archive", SLUG), run("standings", SLUG)
        (backup,) = Path(data, "sicherungen").glob("*.tar.gz")
        FOLDER.mkdir(parents=True)
        shutil.copy(backup, FOLDER / "backup.tar.gz")
    (FOLDER / "archive.json.gz").write_bytes(gzip.compress(archive, mtime=0))
    (FOLDER / "standings.json").write_bytes(standings)
    print(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
