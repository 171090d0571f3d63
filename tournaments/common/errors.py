"""What the program refuses, and what fails around it: German sentences to be shown as they are."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

from django.db import Error as DatabaseProblem
from django.db import InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.errors import Problem


class TournamentError(Exception):
    """An act that is refused; the message says what is wrong, where, and what to do."""


class NotAllowed(TournamentError):
    """The person has no role that may do this."""


class WrongStatus(TournamentError):
    """The thing is in a state in which this cannot be done."""


class Conflict(TournamentError):
    """Somebody else was faster; the page must show what is there now."""


class _WithProblems(TournamentError):
    """Something entered that does not go, or hardly; each problem has its place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))

    @classmethod
    def at(cls, where: str, message: str) -> Self:
        """Return the refusal of one thing at its place."""
        return cls([Problem(where, message)])


class Refused(_WithProblems):
    """What was entered cannot be; ``problems`` names everything that is wrong."""


class Doubtful(_WithProblems):
    """What was entered hardly can be; send it again as confirmed if it is right."""


# --- What fails around the program ---------------------------------------------------------------
#
# Nothing of it is a mistake of the program, and nothing that was confirmed is lost by it: each act
# is one transaction, which is undone.


@dataclass(frozen=True, slots=True)
class Failure:
    """A kind of failure, as it is told to whoever is waiting for an answer."""

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
_PRIMARY = 0xFF  # SQLite tells apart, above these bits, how it came to it
# By class or code of the standard: no connection, no resources, locked, ended, read-only.
_OF_POSTGRESQL = {
    "53100": FULL,
    "25006": READ_ONLY,
    "40": BUSY,
    "55P03": BUSY,
    "57014": BUSY,
    "08": GONE,
    "53": GONE,
    "57P": GONE,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}


def failure_of(problem: BaseException | None) -> Failure | None:
    """Return which failure an exception tells of; None for a mistake of the program."""
    if isinstance(problem, OSError):
        return _OF_SYSTEM.get(problem.errno or 0)
    if not isinstance(problem, DatabaseProblem):
        return None
    cause = problem.__cause__
    if isinstance(cause, sqlite3.Error):
        return _OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & _PRIMARY)
    code = getattr(cause, "sqlstate", None)
    if cause is None or code is None:  # nobody was there who could have given one
        is_away = cause is not None and isinstance(problem, OperationalError | InterfaceError)
        return GONE if is_away else None
    return next((its for start, its in _OF_POSTGRESQL.items() if code.startswith(start)), None)
