"""Django's own command collects the static files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_collectstatic_collects_all_files_of_pages(tmp_path: Path):
    command = [sys.executable, str(ROOT / "manage.py"), "collectstatic", "--noinput"]
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": ""}

    subprocess.run(command, env=environment, check=True, capture_output=True)

    assert (tmp_path / "static" / "css" / "base.css").exists()
    assert not (tmp_path / "static" / "django_htmx" / "ext").exists()
