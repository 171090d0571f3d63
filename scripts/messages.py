"""Collects the sentences of the program for translation, and compiles the catalogues.

    python -m scripts.messages          after sentences changed: adds new ones untranslated
    python -m scripts.messages --check  lists untranslated and uncompiled sentences

German sentences are the message ids. The compiled catalogue is committed beside its source, since
an installation has no gettext.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITH_SENTENCES = ("romme_site", "scoring", "templates", "tournaments")
CATALOGUE = Path("locale/en/LC_MESSAGES/django.po")
OF_PYTHON = Path("locale/de/LC_MESSAGES/argparse.po")
# The day of the last collection would be in every change.
_DAY = re.compile(rb'^"POT-Creation-Date:.*\n', re.MULTILINE)


def _collect(folder: Path) -> None:
    # A sentence is found by searching for it; names of files would be a third of the catalogue.
    options = ("--locale", "en", "--no-location", "--no-obsolete", "--no-wrap")
    run = (sys.executable, "-m", "django", "makemessages", *options, "--verbosity", "0")
    subprocess.run(run, cwd=folder, check=True)
    source = folder / CATALOGUE
    # msgmerge guesses the English of similar sentences; a guess is removed, not kept as fuzzy.
    unguessed = ("msgattrib", "--clear-fuzzy", "--clear-previous", "--empty", "--no-wrap")
    subprocess.run((*unguessed, "-o", str(source), str(source)), check=True)
    source.write_bytes(_DAY.sub(b"", source.read_bytes()))


def _compile(source: Path, to: Path) -> None:
    run = ("msgfmt", "--check-format", "--check-header", "-o", str(to), str(source))
    subprocess.run(run, check=True)


def _copy(folder: Path) -> None:
    for name in WITH_SENTENCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / CATALOGUE).parent.mkdir(parents=True)
    shutil.copy(ROOT / CATALOGUE, folder / CATALOGUE)


def _untranslated(source: Path) -> str:
    run = ("msgattrib", "--no-obsolete", "--untranslated", str(source))
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def _read(compiled: Path) -> str:
    run = ("msgunfmt", "--sort-output", str(compiled))
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def update() -> None:
    """Bring the catalogue up to date, and compile its translations."""
    with tempfile.TemporaryDirectory(prefix="romme-messages-") as name:
        _copy(Path(name))
        _collect(Path(name))
        shutil.copyfile(Path(name) / CATALOGUE, ROOT / CATALOGUE)
    for source in (ROOT / CATALOGUE, ROOT / OF_PYTHON):
        _compile(source, source.with_suffix(".mo"))


def problems() -> list[str]:
    """Return what is missing, as messages; no file of the project is changed."""
    with tempfile.TemporaryDirectory(prefix="romme-messages-") as name:
        folder = Path(name)
        _copy(folder)
        _collect(folder)
        missing = _untranslated(folder / CATALOGUE)
        compiled = folder / "django.mo"
        _compile(folder / CATALOGUE, compiled)
        complaints = [f"Nicht übersetzt:\n{missing}"] if missing else []
        if _read(compiled) != _read((ROOT / CATALOGUE).with_suffix(".mo")):
            complaints.append("Der Katalog ist nicht auf dem Stand: bitte „make messages“.")
    return complaints


def main() -> int:
    """Update, or check; 1 if something is missing."""
    if "--check" not in sys.argv[1:]:
        update()
        return 0
    complaints = problems()
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
