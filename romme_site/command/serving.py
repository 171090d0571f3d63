"""Start the program: bring the database up to date, print the addresses, serve.

Options and environment set ``PORT`` (8000), ``HOST`` (0.0.0.0: every device in the hall),
``WORKERS`` (1), ``THREADS`` (chosen by the database), ``PATIENCE`` (20: seconds after which a
stalled request is refused), ``DEMO`` (``1`` makes the practice tournament without asking,
``first`` only in a new installation, ``0`` neither makes it nor asks). With ``TLS_CERT`` and
``TLS_KEY`` it serves https, and redirects from ``HTTP_PORT`` (80) if the system allows it.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import time
from argparse import SUPPRESS, BooleanOptionalAction
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any, NamedTuple

from romme_site.command import language
from romme_site.command.arguments import parser
from romme_site.command.django_setup import set_up_django
from romme_site.command.https_redirect import redirect
from romme_site.command.language import gettext as _
from romme_site.command.open_files import raise_open_files
from romme_site.command.static_collection import collect_static
from romme_site.command.watcher import running_watcher
from romme_site.paths import PROGRAM, command_to_type
from tournaments.machine import operating_system

PATIENCE = "20"
LOOK_SECONDS = 1.0  # between checks whether the program should end
CANNOT_START = 2  # exit code
SECONDS_TO_LET_GO = 30.0  # in which ended workers release the port
OTHER_FILES = 128  # open files besides connections: the program's own, its databases, uploads


class CannotStartError(Exception):
    """The program cannot be started; the message has the reason and the remedy."""


class ShutdownRequests(NamedTuple):
    """The times of the last actions that end the program, in seconds."""

    restored: float
    ended: float

    @classmethod
    def last(cls) -> ShutdownRequests:
        """Return the times stored in the folder of the backups."""
        from tournaments.backup import restoring, status_file  # noqa: PLC0415 - needs the settings

        return cls(restoring.last_restored(), status_file.last(status_file.ENDED))


def _port(name: str = "PORT", otherwise: str = "8000") -> int:
    value = os.environ.get(name) or otherwise
    if not (value.isascii() and value.isdigit() and 0 < int(value) < 65536):
        raise CannotStartError(
            _("{name} ist „{given}“; möglich ist eine Zahl von 1 bis 65535.").format(
                name=name, given=value
            )
        )
    return int(value)


def _require_free(host: str, port: int, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        with socket.socket() as probe:
            try:
                operating_system.listen_exclusively(probe, host, port)
            except OSError as problem:
                if time.monotonic() >= end:
                    raise CannotStartError(_port_problem(problem, host, port)) from None
            else:
                return
        time.sleep(LOOK_SECONDS)


def _port_problem(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return _(
            "Port {port} ist schon belegt, vielleicht läuft das Programm bereits; "
            "bitte das andere beenden oder einen anderen wählen: {command}"
        ).format(port=port, command=command_to_type("run", PORT=port + 1))
    if problem.errno == errno.EACCES:
        return _("Port {port} ist dem System vorbehalten; bitte etwa: {command}").format(
            port=port, command=command_to_type("run", PORT=8000)
        )
    return _("Das Programm kann auf {host}, Port {port}, nicht starten: {why}.").format(
        host=host, port=port, why=problem.strerror
    )


def set_up() -> None:
    """Load Django in the language of the system.

    Raises:
        CannotStartError: if a setting is missing or invalid.
    """
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    try:
        set_up_django()
        language.activate()
    except ImproperlyConfigured as problem:
        raise CannotStartError(str(problem)) from None


def _migrate() -> bool:
    """Bring the database up to date; return whether it is new."""
    from django.core.management import CommandError  # noqa: PLC0415
    from django.db import DatabaseError, connections  # noqa: PLC0415

    from tournaments.common.errors import failure_of  # noqa: PLC0415
    from tournaments.management import database  # noqa: PLC0415

    try:
        if other := database.save_other_version():
            sentence = _("Bisher lief hier Version {version}. Ihr Stand ist gesichert: {file}")
            print(sentence.format(version=other[0], file=other[1]), flush=True)
        is_new = database.bring_up_to_date(
            lambda: print(_("Bringe die Datenbank auf den neuesten Stand."), flush=True)
        )
        database.note_version()
    except CommandError as problem:
        raise CannotStartError(str(problem)) from None
    except (DatabaseError, OSError) as problem:
        failure = failure_of(problem)
        if failure is None:
            raise
        raise CannotStartError(f"{failure} ({' '.join(str(problem).split())})") from None
    finally:
        connections.close_all()
    return is_new


def _offer_demo() -> None:
    """Ask, at the first start, whether to make the practice tournament."""
    from django.core.management import call_command  # noqa: PLC0415

    wish = os.environ.get("DEMO")
    if not wish and sys.stdin.isatty():
        wish = "1"
        question = _("Zum Ansehen ein Übungsturnier mit Spielern und Listen anlegen? [J/n]")
        answer = input(f"{question} ")
        if answer.strip().lower() in {"n", "nein", "no"}:
            wish = "0"
    if wish in {"1", "first"}:
        call_command("demo")
    else:
        sentence = _("Ein Übungsturnier zum Ansehen gibt es jederzeit mit: {command}")
        print(sentence.format(command=command_to_type("run", DEMO=1)), flush=True)


def _addresses(host: str, port: int) -> list[str]:
    from romme_site import env  # noqa: PLC0415 - reads the environment when it is imported

    if env.IS_SERVER:
        sentence = _("Adresse: {url}   (hinter einem Webserver: {host}:{port})")
        return [sentence.format(url=f"{env.PUBLIC_URL}/", host=host, port=port)]
    if env.TLS:
        return [_("Adresse: {url}").format(url=f"{env.PUBLIC_URL}/"), *_https_lines(host, port)]
    if host not in {"0.0.0.0", "127.0.0.1", "localhost"}:  # noqa: S104 - only compared
        return [_("Adresse: {url}").format(url=f"http://{host}:{port}/")]
    lines = [_("Auf diesem Rechner:        {url}").format(url=f"http://localhost:{port}/")]
    if host == "0.0.0.0":  # noqa: S104
        address = operating_system.lan_address()
        if address:
            url = f"http://{address}:{port}/"
            lines.append(_("Für alle im selben Netz:   {url}").format(url=url))
        else:
            lines.append(_("Kein Netz gefunden: Nur dieser Rechner erreicht das Programm."))
    return lines


def _https_lines(host: str, own_port: int) -> list[str]:
    """Redirect from http; return further lines about https for the console."""
    from romme_site import env  # noqa: PLC0415
    from tournaments.machine.certificate import certificate_warning  # noqa: PLC0415

    port = _port("HTTP_PORT", "80")
    if port != own_port and redirect(host, port, env.PUBLIC_URL):
        sentence = _("Wer http:// tippt, kommt über Port {port} dorthin.")
    else:
        sentence = _("Wer http:// tippt, kommt nicht dorthin: Port {port} ist nicht zu haben.")
    warning = certificate_warning()
    return [sentence.format(port=port), *([warning] if warning else [])]


def answers(host: str, port: int) -> bool:
    """Return whether connections are accepted."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def call_when_listening(then: Callable[[], object], host: str, port: int) -> threading.Thread:
    """Call *then* from a thread as soon as connections are accepted."""
    to = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - only compared

    def wait() -> None:
        pause = threading.Event()
        while not answers(to, port):
            pause.wait(0.05)
        then()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    return waiting


def _setup_link() -> list[str]:
    """Return the link for making the first account, as long as there is none."""
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    from tournaments.models import User  # noqa: PLC0415

    lines = []
    if not User.objects.filter(is_demo=False).exists():
        sentence = _("Das erste Konto entsteht über diesen Link (gilt einmal, einen Tag lang):")
        link = StringIO()
        call_command("setup_link", stdout=link)
        lines = ["", sentence, link.getvalue().strip()]
    connections.close_all()
    return lines


def _takeover_sentence() -> str:
    """Check whether another laptop has taken over from this one; return the sentence for it."""
    from django.db import connections  # noqa: PLC0415

    from tournaments.backup import generations, standby  # noqa: PLC0415

    standby.check_takeover()
    connections.close_all()
    return str(generations.refusal()) if generations.is_replaced() else ""


def _load() -> Any:
    operating_system.end_with_parent()  # also while it is loaded
    from romme_site.rsgi import application  # noqa: PLC0415 - in the worker only

    return application


def _serve(host: str, port: int, connections: int, before: ShutdownRequests) -> None:
    """Serve until the program is ended or a backup is restored after the times *before*.

    Each worker has at most *connections*.

    One worker is enough for a hall, and its cache is shared by all pages. A connection whose
    request head does not arrive in time is closed. A worker that does not end within three
    seconds is killed, because it sometimes waits needlessly.
    """
    from granian import Granian  # noqa: PLC0415 - other commands do not serve
    from granian.constants import HTTPModes, SSLProtocols  # noqa: PLC0415
    from granian.http import HTTP1Settings  # noqa: PLC0415
    from granian.log import LogLevels  # noqa: PLC0415

    from romme_site import env  # noqa: PLC0415

    cert, key = env.TLS or (None, None)
    os.environ["PATIENCE"] = patience = os.environ.get("PATIENCE") or PATIENCE
    server = Granian(
        "romme_site.rsgi:application",
        address=host,
        port=port,
        workers=int(os.environ.get("WORKERS") or 1),
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=round(float(patience) * 1000)),
        ssl_cert=cert,
        ssl_key=key,
        ssl_protocol_min=SSLProtocols.tls12,  # for tablets of ten years ago
        websockets=False,
        backlog=2048,
        backpressure=connections,
        log_level=LogLevels.warning,
        respawn_failed_workers=True,
        workers_kill_timeout=3,
    )
    end = server.signal_handler_interrupt
    threading.Thread(target=_end_after, args=(before, end), daemon=True).start()
    operating_system.on_console_close(end)
    server.serve(target_loader=_load, wrap_loader=False)


def _end_after(before: ShutdownRequests, end: Callable[[], None]) -> None:
    """Call *end* as soon as the times differ from *before*."""
    while ShutdownRequests.last() == before:
        time.sleep(LOOK_SECONDS)
    end()


def restart() -> None:
    """Replace this process by a new one, because a backup has restored other keys."""
    os.environ["DEMO"] = "0"
    operating_system.exec_command([*PROGRAM, "run"])
    start(patience=SECONDS_TO_LET_GO)


def start(then: Callable[[], object] = lambda: None, *, patience: float = 0) -> None:
    """Serve until the program ends. Call *then* when it accepts connections.

    If the port is taken, wait up to *patience* seconds for it.

    Raises:
        CannotStartError: if the port is taken, a setting is missing or no database answers.
    """
    host = os.environ.get("HOST") or "0.0.0.0"  # noqa: S104 - phones in the hall are the point
    port = _port()
    _require_free(host, port, patience)
    files = raise_open_files()
    set_up()
    from tournaments.machine.addresses import note_port  # noqa: PLC0415 - needs the settings

    note_port(port)
    before = ShutdownRequests.last()
    is_new = _migrate()
    collect_static()
    if is_new or os.environ.get("DEMO") == "1":
        _offer_demo()
    replaced = _takeover_sentence()
    with running_watcher():
        lines = ["", *_addresses(host, port), *_setup_link(), "", _("Beenden mit Strg+C."), ""]
        lines += [replaced, ""] if replaced else []
        text = "\n".join(f"  {line}".rstrip() for line in lines)
        call_when_listening(lambda: (print(text, flush=True), then()), host, port)
        _serve(host, port, max(1, files - OTHER_FILES), before)
    if ShutdownRequests.last().restored != before.restored:
        print(_("Eine Sicherung wurde zurückgeholt. Das Programm beginnt mit ihr neu."), flush=True)
        restart()


def collect_only() -> None:
    """Collect the static files without starting the server; used to build the container image."""
    set_up()
    collect_static()


def main(words: Sequence[str]) -> int:
    """Start the server; options take precedence over the environment."""
    reading = parser("run")
    reading.add_argument("--port", metavar="N", help=_("Port; ohne Angabe 8000"))
    reading.add_argument("--host", metavar="IP", help=_("Adresse; ohne Angabe jede"))
    reading.add_argument(
        "--demo",
        action=BooleanOptionalAction,
        help=_("ein Übungsturnier zum Ansehen anlegen, oder nicht danach fragen"),
    )
    reading.add_argument("--collect-only", action="store_true", help=SUPPRESS)
    options = reading.parse_args(words)
    wishes = {"PORT": options.port, "HOST": options.host}
    wishes["DEMO"] = None if options.demo is None else str(int(options.demo))
    os.environ.update({name: wish for name, wish in wishes.items() if wish is not None})
    return run_to_exit_code(collect_only if options.collect_only else start)


def run_to_exit_code(act: Callable[[], object]) -> int:
    """Call *act*, and return the exit code of the program."""
    try:
        act()
    except CannotStartError as problem:
        print(problem, file=sys.stderr)
        return CANNOT_START
    except KeyboardInterrupt:
        return 130
    return 0
