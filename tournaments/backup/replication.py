"""The standby laptop: it fetches what changes on the first laptop, and can replace it.

Each fetched state is a backup. It is checked and stored in a folder of its own; only the newest
ones and some older ones stay. This laptop's database is unchanged until it takes over.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from tournaments.backup.database_copy import BackupError
from tournaments.backup.packing import (
    check_version,
    ends_of,
    folder,
    new_path,
    newest_first,
    newest_migration,
    scratch,
    thin_out,
    unpack,
)
from tournaments.backup.restoring import restore
from tournaments.backup.status_file import read_json, write_json
from tournaments.common.errors import failure_of
from tournaments.common.tokens import new_token

SECONDS = 1.0  # between two requests
LONGEST_PAUSE = 30.0  # between two that fail
TIMEOUT = 20.0  # for an answer
CHECK_TIMEOUT = 3.0  # for the check whether the first laptop answers
PATH = "sicherungen/ersatz/"
KIND, END = "-ersatz", ".tar"  # not compressed, so that equal pages have equal bytes
TAKEN_OVER = "uebernommen"
NEWEST, DAYS = 5, 3
CONTENT_TYPE = "application/octet-stream"
MOST_BYTES = 1_000_000  # of an answer about a takeover


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: the portal of a WLAN would get the token."""

    def redirect_request(self, *_request_changes: Any) -> None:
        """Return None: the redirect is the answer."""


# Requests within the hall's network go directly, without the proxy for the internet.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects).open


class NoAnswerError(BackupError):
    """The first laptop does not answer."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Address of the first laptop, and the token for it."""

    url: str  # with a slash at its end
    token: str


def _replica_folder() -> Path:
    path = folder() / "ersatz"
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def connection() -> Connection | None:
    """Return the stored connection to the first laptop, or None."""
    stored = read_json(_replica_folder() / "verbindung.json")
    return Connection(stored["url"], stored["token"]) if stored else None


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
    body = urlencode({"code": code, "port": port, "migration": newest_migration()}).encode()
    try:
        with _open(f"{url}{PATH}anmelden/", body, timeout=TIMEOUT) as answer:
            token = str(json.loads(answer.read(MOST_BYTES))["token"])
    except HTTPError as refusal:
        raise BackupError(_refusal_text(refusal)) from None
    except (OSError, HTTPException, ValueError, KeyError, TypeError) as problem:
        raise BackupError(
            _("Unter {url} antwortet kein Rommé-Turnier ({why}). Stimmt die Adresse?").format(
                url=url, why=getattr(problem, "reason", problem)
            )
        ) from None
    write_json(_replica_folder() / "verbindung.json", {"url": url, "token": token})
    return Connection(url, token)


def _refusal_text(refusal: HTTPError) -> str:
    try:
        return str(json.loads(refusal.read(MOST_BYTES))["refused"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return _("Der erste Laptop antwortet mit {status}.").format(status=refusal.code)


def is_answering(first: Connection) -> bool:
    """Whether the first laptop still answers."""
    try:
        with _open(f"{first.url}{PATH}stand/", timeout=CHECK_TIMEOUT):
            return True
    except HTTPError:
        return True  # a refusal is an answer
    except (OSError, HTTPException):
        return False


def fetch(first: Connection, newest: str) -> tuple[str, Path | None]:
    """Fetch the changes since the state *newest*; return the name and file of the newer state.

    Args:
        first: the laptop to ask.
        newest: name of the newest state here; "" to fetch everything.

    Returns:
        The name for the next request, and the file; None if nothing changed.

    Raises:
        NoAnswerError: if it does not answer.
        BackupError: if it refuses, or the state is damaged or of a later version.
        OSError: if it cannot be stored.
    """
    older = next(iter(_states()), None) if newest else None
    newest = newest if older else ""
    with scratch(_replica_folder()) as place:
        came, is_whole = place / "stand", False
        while not is_whole:
            name, sent = _request_changes(first, newest, older)
            if sent is None:
                return name, None
            came.touch(mode=0o600)
            is_whole = changes.apply(sent, older, came)
            if not is_whole:
                newest, older = "", came.replace(place / "angefangen")
        unpack(came, place)
        check_version(came)
        path = new_path(_replica_folder(), KIND, END)
        came.replace(path)
    thin_out(_replica_folder(), KIND, newest=NEWEST, days=DAYS)
    return name, path


def _request_changes(
    first: Connection, newest: str, older: Path | None
) -> tuple[str, bytes | None]:
    """Return the name of the newer state, and its changes; None if there are none."""
    headers = {"Authorization": f"Bearer {first.token}", "Content-Type": CONTENT_TYPE}
    question = urllib.request.Request(  # noqa: S310
        f"{first.url}{PATH}stand/",
        changes.checksums(older),
        {**headers, "If-None-Match": newest},
    )
    try:
        with _open(question, timeout=TIMEOUT) as answer:
            name, sent = answer.headers["ETag"], answer.read()
    except HTTPError as refusal:
        raise BackupError(_refusal_text(refusal)) from None
    except (OSError, HTTPException) as problem:
        raise NoAnswerError(str(getattr(problem, "reason", problem))) from None
    if not name:
        raise BackupError(_("Unter {url} antwortet ein anderes Gerät.").format(url=first.url))
    return name, None if answer.status == HTTPStatus.NO_CONTENT else sent


def _states() -> list[Path]:
    """Return the fetched states, the last fetched first."""
    return newest_first(_replica_folder().glob(f"*{KIND}.tar*"))


def replicate(first: Connection, say: Callable[[str], None]) -> None:
    """Fetch the changes every second and report it, until this laptop takes over.

    No answer of the first laptop and no failure here ends it: it starts again.
    """
    newest, reported, pause = "", "", SECONDS
    (_replica_folder() / TAKEN_OVER).unlink(missing_ok=True)
    while not (_replica_folder() / TAKEN_OVER).exists():
        try:
            newest, path = fetch(first, newest)
            sentence, pause = "", SECONDS
            if path or reported:
                say(_("{time} Uhr: auf dem neuesten Stand.").format(time=_clock()))
            if path and (minutes := _minutes_apart(path)):
                sentence = _("Die Uhren beider Laptops gehen {n} Minuten auseinander.")
                sentence = sentence.format(n=minutes)
        except NoAnswerError as problem:
            sentence, pause = _no_answer_text(problem), SECONDS
        except Exception as problem:  # noqa: BLE001 - nothing may end the following
            sentence = _failure_text(problem)
            # Fetch everything, after a pause: the state here may be another one.
            newest, pause = "", min(2 * pause, LONGEST_PAUSE)
        if sentence not in {"", reported}:
            say(_("{time} Uhr: {what}").format(time=_clock(), what=sentence))
        reported = sentence
        sleep(pause)


def _no_answer_text(problem: NoAnswerError) -> str:
    return _(
        "Der erste Laptop antwortet nicht ({why}). Ist er aus, hier in einem zweiten Fenster "
        "übernehmen mit: {command}"
    ).format(why=problem, command=settings.TYPED("takeover"))


def _failure_text(problem: Exception) -> str:
    if isinstance(problem, BackupError):
        return str(problem)
    why = failure_of(problem) or problem
    return _("Auf diesem Laptop lässt sich nichts ablegen: {why}").format(why=why)


def _minutes_apart(path: Path) -> int:
    """Return by how many minutes the clock of the first laptop differs; 0 for a few seconds."""
    at = ends_of(path).get("at")
    span = abs(timezone.now() - datetime.fromisoformat(at)) if at else timedelta()
    return span // timedelta(minutes=1)


def own_takeover() -> dict[str, Any]:
    """Return generation and time of the takeover by this laptop, and the ends it began with.

    Empty if this laptop has not taken over.
    """
    return read_json(_replica_folder() / TAKEN_OVER)


def fetch_takeover(url: str) -> dict[str, Any]:
    """Return the statement of the laptop at *url* on its takeover.

    Empty if there was none, or no laptop with the key of this installation answers.
    """
    question = new_token()
    address = f"{url.rstrip('/')}/{PATH}uebernahme/?{urlencode({'frage': question})}"
    try:
        with _open(address, timeout=CHECK_TIMEOUT) as answer:
            content = json.loads(answer.read(MOST_BYTES))
        statement = dict(content["said"])
        is_proved = constant_time_compare(generations.seal(question, statement), content["seal"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return {}
    return statement if is_proved else {}


def _clock() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S}"


def take_over(*, force: bool = False, older: bool = False) -> tuple[Path, str]:
    """Restore the newest state on this laptop; return its file and its time.

    Args:
        force: even if the first laptop still answers.
        older: use an older state if the newest cannot be restored.

    Raises:
        BackupError: if no state can be restored, or the first laptop still answers.
        OSError: if it cannot be written here.
    """
    first = connection()
    if first is not None and not force and is_answering(first):
        raise BackupError(
            _(
                "Der erste Laptop ({url}) antwortet noch. Zwei dürfen nicht zugleich laufen: bitte "
                "dort beenden. Lässt er sich nicht beenden, aber vom Netz trennen: {command}"
            ).format(url=first.url, command=settings.TYPED("takeover", FORCE=1))
        )
    states, skipped = _states(), list[str]()
    for path in states if older else states[:1]:
        try:
            restore(path, action=generations.TAKEN_OVER)
        except BackupError as problem:
            skipped.append(f"{path.name}: {problem}")
            continue
        ends = ends_of(path)
        statement = {"generation": generations.current(), "at": timezone.now().isoformat()}
        statement["chains"] = {scope: number for scope, (number, _hash) in ends["chains"].items()}
        write_json(_replica_folder() / TAKEN_OVER, statement)
        return path, str(ends["at"])
    if not states:
        raise BackupError(
            _("Von einem ersten Laptop ist noch nichts da. Angefangen wird mit: {command}").format(
                command=settings.TYPED("standby", FROM="…")
            )
        )
    raise BackupError(_refused_takeover(skipped, 0 if older else len(states) - 1, force=force))


def _refused_takeover(skipped: list[str], older_count: int, *, force: bool) -> str:
    lines = [
        _("Dieser Stand lässt sich nicht übernehmen: {why}").format(why=why) for why in skipped
    ]
    if older_count:
        command = settings.TYPED("takeover", **({"FORCE": 1} if force else {}), OLDER=1)
        older = _(
            "Ältere Stände gibt es: {number}. Soll einer davon genommen werden, der neueste "
            "zuerst, fehlt, was danach geschah: {command}"
        )
        lines.append(older.format(number=older_count, command=command))
    return "\n".join(lines)
