"""Base of the commands for other programs: bytes in, JSON out, refusals as JSON.

A command writes its answer to standard output and exits with 0. A refusal is written to
standard error, every problem with its place, and the exit code is 2. Bytes are written,
not text, so that names are the same in every locale; the sentences are German in every
language of the web pages.
"""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from django.core.management.base import BaseCommand, CommandParser, OutputWrapper, no_translations
from django.utils.translation import gettext

from scoring.errors import Problem, ScoringError
from scoring.reading.strict_json import dump, problems_to_json
from scoring.texts import _

REFUSED = 2
STANDARD_INPUT = "-"


class SpokenCommand(BaseCommand):
    """A command whose help is in the language of the user."""

    requires_system_checks = ()  # they would load every page
    # Options of Django, in English and for programmers: they work, but the help hides them.
    suppressed_base_arguments = {  # noqa: RUF012 - Django's, and nothing adds to it
        *("--version", "--verbosity", "--settings", "--pythonpath"),
        *("--traceback", "--no-color", "--force-color"),
    }

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        """Return the parser of the options."""
        self.help = gettext(self.help)
        return super().create_parser(prog_name, subcommand, **options)


class JsonCommand(SpokenCommand, ABC):
    """A command that answers in JSON or refuses."""

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the answer in German, or every problem and exit with 2."""
        self.answer_or_refuse(**options)

    def answer_or_refuse(self, **options: Any) -> None:
        """Write the answer in the active language, or every problem and exit with 2."""
        try:
            answer = self.answer(**options)
        except ScoringError as refusal:
            self._refuse(refusal.problems)
        if not _write(self.stdout, answer):
            self._refuse([Problem("", _("Die Antwort konnte nicht geschrieben werden."))])

    @abstractmethod
    def answer(self, **options: Any) -> str:
        """Return the answer for standard output.

        Raises:
            ScoringError: with every problem.
        """

    def _refuse(self, problems: Iterable[Problem]) -> NoReturn:
        _write(self.stderr, dump({"errors": problems_to_json(problems)}))
        sys.exit(REFUSED)


class FileCommand(JsonCommand, ABC):
    """A command that answers to one file; it needs no database."""

    most_bytes: ClassVar[int] = 2**20  # an endless input must not fill the memory

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file to read."""
        parser.add_argument(
            "file",
            nargs="?",
            default=STANDARD_INPUT,
            metavar="JSON",
            help=gettext("JSON-Datei; ohne oder mit „-“ wird die Standardeingabe gelesen"),
        )

    def answer(self, **options: Any) -> str:
        """Read the file and return the result."""
        return dump(self.compute(read_input(options["file"], self.most_bytes)))

    @abstractmethod
    def compute(self, data: bytes) -> object:
        """Return the result for the file, ready for JSON.

        Raises:
            ScoringError: with every problem of the file.
        """


def read_input(name: str, most_bytes: int) -> bytes:
    """Return the content of a file, or of standard input for ``-``.

    Raises:
        ScoringError: if it cannot be read or is longer than *most_bytes*.
    """
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(most_bytes + 1) if sys.stdin else b""
        else:
            with Path(name).open("rb") as file:
                data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise ScoringError(_read_problem(name, error)) from None
    if len(data) > most_bytes:
        raise ScoringError(
            _("Die Eingabe ist zu lang: Erlaubt sind {limit} Bytes.").format(limit=most_bytes)
        )
    return data


def _read_problem(name: str, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return _("Die Datei „{name}“ gibt es nicht.").format(name=name)
    if isinstance(error, IsADirectoryError):
        return _("„{name}“ ist ein Ordner und keine Datei.").format(name=name)
    if isinstance(error, PermissionError):
        return _("Die Datei „{name}“ darf nicht gelesen werden.").format(name=name)
    return _("Die Datei „{name}“ kann nicht gelesen werden.").format(name=name)


def _write(stream: OutputWrapper, text: str) -> bool:
    """Write *text* as UTF-8; return whether that was possible."""
    if not hasattr(stream, "closed"):  # Python has no such stream if it was closed from outside
        return False
    # A file name may have bytes that are no UTF-8; Python keeps them as lone surrogates.
    data = text.encode(errors="replace")
    try:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(data.decode(), ending="")
        else:
            buffer.write(data)
        stream.flush()
    except OSError:
        # The reader has gone or the disk is full. The rest of the buffer is discarded:
        # otherwise Python would write it again at exit and report an error.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return False
    return True
