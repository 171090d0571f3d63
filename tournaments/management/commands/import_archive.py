"""Import a tournament from one file (``docs/formats.md`` 3)."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import CommandParser
from django.utils.translation import gettext, gettext_noop

from scoring.management.base import FileCommand, read_input
from scoring.reading.strict_json import dump
from tournaments.archive.importing import import_archive
from tournaments.common.actors import Actor
from tournaments.journal.proof import origin_sentences
from tournaments.management.base import DatabaseCommand, find_organiser

MEGABYTE = 2**20


class Command(DatabaseCommand, FileCommand):
    """Store all of it or nothing."""

    help = gettext_noop("Liest ein Turnier ein, das export_archive geschrieben hat.")
    most_bytes: ClassVar[int] = 256 * MEGABYTE

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, and whether it may take the place of a tournament."""
        super().add_arguments(parser)
        parser.add_argument(
            "--replace",
            action="store_true",
            help=gettext("tritt an die Stelle des Turniers mit demselben Kurznamen"),
        )
        parser.add_argument(
            "--organiser",
            metavar="NAME",
            help=gettext("der Veranstalter, dem es gehört; ohne Angabe der erste"),
        )

    def answer_from_database(self, **options: Any) -> str:
        """Import the file and return a summary.

        Raises:
            ScoringError: with every problem of the file.
        """
        self.replace = options["replace"]
        self.owner = find_organiser(options["organiser"]) if options["organiser"] else None
        return dump(self.compute(read_input(options["file"], self.most_bytes)))

    def compute(self, data: bytes) -> object:
        """Return the tournament's slug and the numbers of registrations and Serien."""
        tournament = import_archive(
            data,
            actor=Actor.command("import_archive"),
            replace=self.replace,
            owner=self.owner,
        )
        for sentence in origin_sentences(tournament):
            self.stderr.write(sentence)
        return {
            "tournament": tournament.slug,
            "registrations": tournament.registrations.count(),
            "series": tournament.serien.count(),
        }
