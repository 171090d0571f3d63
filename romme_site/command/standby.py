"""The standby laptop: follow the first laptop, and take over.

Ctrl+C ends following. After taking over, the laptop is the server, on the port of the first one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from romme_site.command import language, serving
from romme_site.command.arguments import parser
from romme_site.command.django_setup import set_up_django
from romme_site.command.language import gettext as _

# Commands that add an address to the machine. Windows drops the address from the router unless it
# is told to keep both.
_COMMANDS = {
    "linux": ("sudo ip address add {host}/24 dev $(ls /sys/class/net | grep -m1 '^[ew]')",),
    "darwin": ("sudo ifconfig en0 alias {host} 255.255.255.0",),
    "win32": (
        "$net = Get-NetAdapter -Physical | where Status -eq Up | select -First 1 -Expand Name",
        "netsh interface ipv4 set interface $net dhcpstaticipcoexistence=enabled",
        "netsh interface ipv4 add address $net {host} 255.255.255.0",
    ),
}


def _follow(url: str, code: str) -> None:
    from tournaments.backup import replication  # noqa: PLC0415
    from tournaments.backup.database_copy import BackupError  # noqa: PLC0415

    connection = replication.connection()
    if code:
        port = int(os.environ.get("PORT") or urlsplit(url).port or 8000)  # as after taking over
        connection = replication.connect(url, code, port)
    if connection is None:
        raise BackupError(
            _(
                "Wem soll dieser Laptop folgen? Den Befehl dafür zeigt der erste unter "
                "„Sicherungen“."
            )
        )
    serving.collect_only()  # slow steps, done before taking over
    sentence = _("Dieser Laptop folgt {url} und steht bereit. Beenden mit Strg+C.")
    print(sentence.format(url=connection.url), flush=True)
    replication.replicate(connection, lambda line: print(line, flush=True))


def _take_over(*, force: bool, older: bool) -> None:
    from tournaments.backup import replication  # noqa: PLC0415

    path, at = replication.take_over(force=force, older=older)
    print(_("Übernommen ist der Stand von {at}: {file}").format(at=at, file=path), flush=True)
    first = replication.connection()
    if first is not None:
        parts = urlsplit(first.url)
        os.environ["PORT"] = os.environ.get("PORT") or str(parts.port or 8000)
        print("\n".join(_address(parts.hostname or "")), flush=True)
    serving.restart()


def _address(host: str) -> list[str]:
    """Return lines with the commands that give this laptop the address of the first one."""
    try:
        ip_address(host)
    except ValueError:
        sentence = _("Damit alle Geräte weitermachen, „{host}“ im Router hierher zeigen lassen.")
        return [f"  {sentence.format(host=host)}"]
    off = _("Der erste Laptop muss dafür aus sein und bleiben.")
    sentence = _(
        "Damit alle Geräte von selbst weitermachen, bekommt dieser Laptop die alte Adresse dazu:"
    )
    if sys.platform == "win32":
        sentence += " " + _("(PowerShell, „Als Administrator ausführen“)")
    commands = _COMMANDS.get(sys.platform, _COMMANDS["linux"])
    return [
        f"  {sentence}",
        *(f"    {command.format(host=host)}" for command in commands),
        f"  {off}",
    ]


def _run(act: Callable[[], None]) -> int:
    try:
        set_up_django()
        language.activate()
        from django.db import DatabaseError  # noqa: PLC0415

        from tournaments.common.errors import TournamentError, failure_of  # noqa: PLC0415
    except ImproperlyConfigured as problem:
        print(problem, file=sys.stderr)
        return 1
    try:
        act()
    except (TournamentError, serving.CannotStartError, DatabaseError, OSError) as problem:
        print(failure_of(problem) or problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


def follow_main(words: Sequence[str]) -> int:
    """Follow the first laptop; without a code, use the pairing of an earlier call."""
    reading = parser("standby")
    reading.add_argument(
        "url", nargs="?", default="", metavar=_("ADRESSE"), help=_("Adresse des ersten Laptops")
    )
    reading.add_argument(
        "code",
        nargs="?",
        default="",
        metavar="CODE",
        help=_("zeigt der erste; nur beim ersten Mal"),
    )
    options = reading.parse_args(words)
    return _run(partial(_follow, options.url, options.code))


def take_over_main(words: Sequence[str]) -> int:
    """Become the server; with ``--force`` even if the first laptop still answers."""
    reading = parser("takeover")
    reading.add_argument(
        "--force",
        action="store_true",
        help=_("auch wenn der erste noch antwortet, aber vom Netz getrennt ist"),
    )
    reading.add_argument(
        "--older",
        action="store_true",
        help=_("einen älteren Stand, wenn sich der neueste nicht übernehmen lässt"),
    )
    options = reading.parse_args(words)
    return _run(partial(_take_over, force=options.force, older=options.older))
