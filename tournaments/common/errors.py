"""Refusals of the program, and failures of its environment: German sentences to be shown."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from shutil import disk_usage
from typing import Self

from django.conf import settings
from django.db import Error as DatabaseProblem
from django.db import InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.errors import Problem


class TournamentError(Exception):
    """The refusal of an act; the message names the error, its place, and the remedy."""


class NotAllowed(TournamentError):
    """The person has no role that may do this."""


class WrongStatus(TournamentError):
    """The object is in a state in which the act is not allowed."""


class Conflict(TournamentError):
    """The data was changed in the meantime; the page must show the current state."""


class _WithProblems(TournamentError):
    """Input that is invalid or doubtful; each problem has its place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))

    @classmethod
    def at(cls, where: str, message: str) -> Self:
        """Return the refusal of one problem at its place."""
        return cls([Problem(where, message)])


class InvalidInput(_WithProblems):
    """Invalid input; ``problems`` names every problem."""


class DoubtfulInput(_WithProblems):
    """Improbable input; the sender may confirm it and send it again."""


class ReplacedProgramError(Exception):
    """The program was updated while it runs; it must be restarted."""


# --- Failures of the environment -----------------------------------------------------------------
#
# These are no bugs, and they lose no confirmed data: each act is one transaction, which is
# rolled back.


@dataclass(frozen=True, slots=True)
class Failure:
    """A kind of failure, with its text for the user."""

    status: HTTPStatus
    title: str | Promise
    advice: str | Promise

    def __str__(self) -> str:
        return f"{self.title}. {self.advice}"


FULL = Failure(
    HTTPStatus.INSUFFICIENT_STORAGE,
    _("Der Datenträger ist voll"),
    _(
        "Auf dem Rechner, auf dem das Programm läuft, ist kein Platz mehr. Bitte dort Dateien "
        "löschen oder auf einen Stick verschieben; danach geht es ohne Neustart weiter."
    ),
)
READ_ONLY = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Auf den Datenträger kann nicht geschrieben werden"),
    _(
        "Ansehen geht, ändern nicht. Bitte auf dem Rechner, auf dem das Programm läuft, nachsehen, "
        "ob der Ordner mit den Daten schreibgeschützt ist; danach geht es ohne Neustart weiter."
    ),
)
PASSIVE = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Die Datenbank nimmt gerade keine Änderungen an"),
    _(
        "Ansehen geht, ändern nicht. Vielleicht ist das Programm mit einem Ersatzserver verbunden. "
        "Bitte dem Betreiber sagen; er lässt DATABASE_URL auf den Server zeigen, der schreiben "
        "darf."
    ),
)
BUSY = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Die Datenbank ist gerade beschäftigt"),
    _(
        "Ein anderer Vorgang hält sie länger fest als üblich. Bitte in einer halben Minute noch "
        "einmal versuchen."
    ),
)
GONE = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Die Datenbank antwortet nicht"),
    _(
        "Bitte nachsehen, ob sie läuft und zu erreichen ist. Sobald sie wieder da ist, geht es "
        "ohne Neustart weiter."
    ),
)
DAMAGED = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Die Datenbank ist nicht zu lesen"),
    _(
        "Ihre Datei fehlt, ist beschädigt oder liegt schreibgeschützt. Bitte das Programm beenden, "
        "den Datenträger prüfen und, wenn sie beschädigt ist, die letzte Sicherung zurückholen "
        "(Befehl „restore“)."
    ),
)

REPLACED = Failure(
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Das Programm wurde aktualisiert"),
    _(
        "Es läuft noch so, wie es vor der Aktualisierung war; Drucken, Auslosen und Archive gehen "
        "erst wieder nach einem Neustart. Bitte das Programm beenden und neu starten: Was "
        "gespeichert ist, bleibt."
    ),
)

_OF_SYSTEM = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_CANTOPEN: DAMAGED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_IOERR: DAMAGED,
}
NEEDED = 1024**2  # free bytes, without which SQLite cannot go on
_PRIMARY = 0xFF  # above these bits SQLite gives the cause
# By class or code of the standard: no resources, read-only, idle for too long, locked, ended, gone.
_OF_POSTGRESQL = {
    "53100": FULL,
    "25006": PASSIVE,
    "25P03": BUSY,
    "40": BUSY,
    "55P03": BUSY,
    "57014": BUSY,
    "08": GONE,
    "53": GONE,
    "57P": GONE,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}


def _of_sqlite(problem: sqlite3.Error) -> Failure | None:
    code = getattr(problem, "sqlite_errorcode", 0) & _PRIMARY
    if code == sqlite3.SQLITE_IOERR and disk_usage(settings.DATA_DIR).free < NEEDED:
        return FULL  # some of these SQLite reports as I/O errors, for instance for shared memory
    return _OF_SQLITE.get(code)


def failure_of(problem: BaseException | None) -> Failure | None:
    """Return the failure that an exception means; None for a bug."""
    if isinstance(problem, ReplacedProgramError):
        return REPLACED
    if isinstance(problem, OSError):
        return _OF_SYSTEM.get(problem.errno or 0)
    if not isinstance(problem, DatabaseProblem | sqlite3.Error):
        return None
    cause = problem if isinstance(problem, sqlite3.Error) else problem.__cause__
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause)
    code = getattr(cause, "sqlstate", None)
    if cause is None or code is None:  # without an answer of the server
        is_away = cause is not None and isinstance(problem, OperationalError | InterfaceError)
        return GONE if is_away else None
    return next((its for start, its in _OF_POSTGRESQL.items() if code.startswith(start)), None)
