"""The limit of open files, which bounds the number of connections."""

from __future__ import annotations

from romme_site.command.language import gettext as _
from tournaments.machine import operating_system

OPEN_FILES = 8192  # the limit to set; each connection is one
ENOUGH_FILES = 2048  # for 1,000 open pages, and as many connections of an attack


def raise_open_files() -> int:
    """Raise the limit of open files and return it; print a warning if it is low."""
    files = operating_system.allow_open_files(OPEN_FILES)
    if files < ENOUGH_FILES:
        print(
            _(
                "Das System erlaubt nur {soft} offene Dateien und Verbindungen; für 1.000 offene "
                "Seiten braucht das Programm {enough}. Es läuft, aber ein voller Saal kann "
                "Fehler sehen. Abhilfe: „ulimit -n {wanted}“ vor dem Start, als Dienst "
                "„LimitNOFILE={wanted}“."
            ).format(soft=files, enough=ENOUGH_FILES, wanted=OPEN_FILES),
            flush=True,
        )
    return files
