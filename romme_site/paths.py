"""The folders of the program's own files and of its data, and its version.

In a wheel, templates, styles and translations are inside this package; in a checkout, beside it.
"""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

from romme_site import __version__

_PACKAGE = Path(__file__).resolve().parent
IS_INSTALLED = (_PACKAGE / "templates").is_dir()
BASE_DIR = _PACKAGE if IS_INSTALLED else _PACKAGE.parent
# The command that starts the program as a subprocess. It works in any folder and imports nothing
# from it.
PROGRAM = (sys.executable, "-X", "utf8", "-P", str(_PACKAGE / "__main__.py"))
# A wheel that was made between two releases names its commit.
VERSION = metadata.version("romme-turnier") if IS_INSTALLED else __version__
_OPTIONS = {"PORT": "--port {}", "DEMO": "--demo", "FORCE": "--force", "OLDER": "--older"}


def home() -> Path:
    """Return the folder of ``.env``, and of the data unless ``DATA_DIR`` names another one."""
    if not IS_INSTALLED:
        return BASE_DIR
    from platformdirs import user_data_path  # noqa: PLC0415 - a checkout needs none

    return user_data_path("romme-turnier", appauthor=False)


def data() -> Path:
    """Return the folder of the data if ``DATA_DIR`` names none."""
    return home() if IS_INSTALLED else BASE_DIR / "data"


def command_to_type(what: str, **given: object) -> str:
    """Return the command to type, for messages: ``make run PORT=8080`` in a checkout.

    A container image sets ``CALLED_BY`` to the prefix that runs a command in the container. There
    the program runs already, so the practice tournament is made by a command of its own.
    """
    called = os.environ.get("CALLED_BY") or ("romme-turnier" if IS_INSTALLED else "")
    if not called:
        return " ".join(["make", what, *(f"{name}={value}" for name, value in given.items())])
    if called != "romme-turnier" and "DEMO" in given:
        return f"{called} demo"
    words = [_OPTIONS.get(name, "{}").format(value) for name, value in given.items()]
    return " ".join([called, *([what] if what != "run" else []), *words])
