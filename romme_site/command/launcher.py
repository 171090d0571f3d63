"""Start the program by a double click: its page opens in the browser, without any question."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from romme_site.command import serving
from romme_site.command.arguments import parser
from romme_site.command.language import gettext as _
from tournaments.machine import operating_system


def _start() -> None:
    """Start, and open the page of this computer; if the program runs already, only open it."""
    serving.set_up()
    from django.conf import settings  # noqa: PLC0415 - needs the settings

    from tournaments.machine import addresses  # noqa: PLC0415

    with operating_system.locked(Path(settings.DATA_DIR, ".gestartet"), wait=False) as is_first:
        if is_first:
            serving.start(lambda: webbrowser.open(addresses.computer_page_url()))
        elif serving.answers("127.0.0.1", addresses.noted_port()):
            webbrowser.open(addresses.computer_page_url())
        # Otherwise the first one is still starting and will open it.


def main(words: Sequence[str]) -> int:
    """Start the program unless it runs; in its own window, wait so that a refusal can be read."""
    parser("open").parse_args(words)
    os.environ.setdefault("DEMO", "first")
    operating_system.set_console_title(_("Rommé-Turnier läuft: dieses Fenster offen lassen"))
    code = serving.run_to_exit_code(_start)
    if code == serving.CANNOT_START and sys.stdin.isatty():
        input(_("Die Eingabetaste schließt dieses Fenster."))
    return code
