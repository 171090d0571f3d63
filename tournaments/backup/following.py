"""The standby laptop: it fetches what changes on the first laptop, and can replace it.

Each fetched state is a backup. It is checked and kept in a folder of its own; only the newest ones
and some older ones stay. This laptop's database is unchanged until it takes over.
"""

from __future__ import annotations

import json
import tempfile
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.backup import changes, generations
from tournaments.backup.copying import BackupError
from tournaments.backup.keeping import read_json, write_json
from tournaments.backup.packing import UNFINISHED, ends_of, folder, free_name, thin_out, unpack
from tournaments.backup.restoring import restore
from tournaments.common.tokens import new_token

SECONDS = 1.0  # between two requests
PATIENCE = 10.0  # for an answer
LOOK = 3.0  # for the check whether the first laptop answers
PATH = "sicherungen/ersatz/"
KIND, END = "-ersatz", ".tar"  # not compressed, so that pages that are the same look the same
TAKEN_OVER = "uebernommen"
NEWEST, DAYS = 5, 3
BYTES = "application/octet-stream"
MOST_BYTES = 1_000_000  # of an answer about a takeover

# Requests within the hall's network go directly, without the proxy for the internet.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@dataclass(frozen=True, slots=True)
class Connection:
    """Address of the first laptop, and the token for it."""

    url: str  # with a slash at its end
    token: str


def _shelf() -> Path:
    path = folder() / "ersatz"
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def connection() -> Connection | None:
    """Return the stored connection to the first laptop, or None."""
    known = read_json(_shelf() / "verbindung.json")
    return Connection(known["url"], known["token"]) if known else None


def connect(url: str, code: str, port: int) -> Connection:
    """Exchange the code that the first laptop shows for the token; store the connection.

    Args:
        url: of the first laptop, as ``http://192.168.1.10:8000``.
        code: as shown on its page.
        port: at which this laptop will be reached.

    Raises:
        BackupError: if it cannot be reached, or refuses.
    """
    url = f"{url.rstrip('/')}/"
    body = urlencode({"code": code, "port": port}).encode()
    try:
        with _open(f"{url}{PATH}anmelden/", body, timeout=PATIENCE) as answer:
            token = json.load(answer)["token"]
    except HTTPError as refusal:
        raise BackupError(_said_by(refusal)) from None
    except (OSError, ValueError, KeyError) as problem:
        raise BackupError(
            _("Unter {url} antwortet kein Rommé-Turnier ({why}). Stimmt die Adresse?").format(
                url=url, why=getattr(problem, "reason", problem)
            )
        ) from None
    write_json(_shelf() / "verbindung.json", {"url": url, "token": token})
    return Connection(url, token)


def _said_by(refusal: HTTPError) -> str:
    try:
        return str(json.load(refusal)["refused"])
    except (ValueError, KeyError):
        return _("Der erste Laptop antwortet mit {status}.").format(status=refusal.code)


def answers(first: Connection) -> bool:
    """Whether the first laptop still answers."""
    try:
        with _open(f"{first.url}{PATH}stand/", timeout=LOOK):
            return True
    except HTTPError:
        return True  # refused for want of a token, but there is an answer
    except OSError:
        return False


def fetch(first: Connection, known: str) -> tuple[str, Path | None]:
    """Fetch what changed since the state *known*; return the name and file of the newer one.

    Args:
        first: the laptop to ask.
        known: name of the newest state here; "" to fetch everything.

    Returns:
        The name to ask with next, and the file; None if nothing changed.

    Raises:
        BackupError: if the first laptop refuses, or what came is damaged.
        OSError: if it does not answer.
    """
    headers = {"Authorization": f"Bearer {first.token}", "If-None-Match": known}
    headers["Content-Type"] = BYTES
    states = _states() if known else []
    older = states[0].read_bytes() if states else b""
    question = urllib.request.Request(  # noqa: S310
        f"{first.url}{PATH}stand/", changes.checksums(older), headers
    )
    try:
        with _open(question, timeout=PATIENCE) as answer:
            name, sent = answer.headers["ETag"], answer.read()
            if answer.status == HTTPStatus.NO_CONTENT:
                return name, None
    except HTTPError as refusal:
        raise BackupError(_said_by(refusal)) from None
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=_shelf()) as scratch:
        came = Path(scratch) / "stand"
        came.touch(mode=0o600)
        came.write_bytes(changes.apply(sent, older))
        unpack(came, Path(scratch))
        path = free_name(_shelf(), KIND, END)
        came.replace(path)
    thin_out(_shelf(), KIND, newest=NEWEST, days=DAYS)
    return name, path


def _states() -> list[Path]:
    """Return the fetched states, the newest first."""
    return sorted(_shelf().glob(f"*{KIND}.tar*"), reverse=True)


def follow(first: Connection, say: Callable[[str], None]) -> None:
    """Fetch every second what changed and report it, until this laptop takes over."""
    known, is_silent = "", False
    (_shelf() / TAKEN_OVER).unlink(missing_ok=True)
    while not (_shelf() / TAKEN_OVER).exists():
        try:
            known, path = fetch(first, known)
            if path or is_silent:
                say(_("{time} Uhr: auf dem neuesten Stand.").format(time=_clock()))
            is_silent = False
        except (BackupError, OSError) as problem:
            if not is_silent:
                why = getattr(problem, "reason", problem)
                say(
                    _(
                        "{time} Uhr: Der erste Laptop antwortet nicht ({why}). Ist er aus, hier "
                        "in einem zweiten Fenster übernehmen mit: {command}"
                    ).format(time=_clock(), why=why, command=settings.TYPED("takeover"))
                )
            is_silent = True
            if isinstance(problem, BackupError):
                known = ""  # everything, in case that what is here is another state
        sleep(SECONDS)


def takeover() -> dict[str, Any]:
    """Return generation and time of the takeover by this laptop, and the ends it began with.

    Empty if this laptop has not taken over.
    """
    return read_json(_shelf() / TAKEN_OVER)


def takeover_at(url: str) -> dict[str, Any]:
    """Return what the laptop at *url* says of its takeover.

    Empty if there was none, or nobody answers there who has the key of this installation.
    """
    question = new_token()
    asked = f"{url.rstrip('/')}/{PATH}uebernahme/?{urlencode({'frage': question})}"
    try:
        with _open(asked, timeout=LOOK) as answer:
            found = json.loads(answer.read(MOST_BYTES))
        said = dict(found["said"])
        is_proved = constant_time_compare(generations.seal(question, said), found["seal"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return {}
    return said if is_proved else {}


def _clock() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S}"


def take_over(*, force: bool = False) -> tuple[Path, str]:
    """Restore the newest undamaged state on this laptop; return its file and when it was saved.

    Raises:
        BackupError: if no undamaged state was fetched, or the first laptop still answers.
    """
    first = connection()
    if first is not None and not force and answers(first):
        raise BackupError(
            _(
                "Der erste Laptop ({url}) antwortet noch. Zwei dürfen nicht zugleich laufen: bitte "
                "dort beenden. Lässt er sich nicht beenden, aber vom Netz trennen: {command}"
            ).format(url=first.url, command=settings.TYPED("takeover", FORCE=1))
        )
    for path in _states():
        try:
            restore(path, action=generations.TAKEN_OVER)
        except BackupError:
            continue  # then the one before is tried
        ends = ends_of(path)
        said = {"generation": generations.present(), "at": timezone.now().isoformat()}
        said["chains"] = {scope: number for scope, (number, _hash) in ends["chains"].items()}
        write_json(_shelf() / TAKEN_OVER, said)
        return path, str(ends["at"])
    raise BackupError(
        _("Von einem ersten Laptop ist noch nichts da. Angefangen wird mit: {command}").format(
            command=settings.TYPED("standby", FROM="…")
        )
    )
