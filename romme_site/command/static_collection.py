"""Collecting the static files before the server starts, only if they have changed."""

from __future__ import annotations

import hashlib
from pathlib import Path


def static_fingerprint() -> str:
    """Return a fingerprint of all files that ``collectstatic`` would collect."""
    from django.contrib.staticfiles.finders import get_finders  # noqa: PLC0415

    state = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            stat = Path(storage.path(path)).stat()
            state.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return state.hexdigest()


def collect_static() -> None:
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    root = Path(settings.STATIC_ROOT)
    # Beside the folder, because all files in it are served.
    stamp = root.with_name(f"{root.name}.state")
    state = static_fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == state and root.exists():
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=root.exists())
    stamp.write_text(state, encoding="ascii")
