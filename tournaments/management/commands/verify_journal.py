"""Verify the journal's hash chains against the database."""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.management.base import read_input
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.journal import anchors, proof
from tournaments.journal import services as journal
from tournaments.management.base import DatabaseCommand

BROKEN = 1
MOST_BYTES = 2**20  # of a file of anchors


class Command(DatabaseCommand):
    """Exit 0 with the number of checks, 1 with the problems, 2 if it cannot be checked."""

    help = gettext_noop(
        "Prüft, dass am Protokoll nichts verändert wurde und die Daten so sind, wie es sagt."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take files of anchors."""
        parser.add_argument(
            "--anchor",
            nargs="+",
            default=[],
            metavar="JSON",
            help=gettext("Ankerdatei von journal_anchor oder aus einer Sicherung"),
        )

        parser.add_argument(
            "--reseal",
            default="",
            metavar="TEXT",
            help=gettext("versiegelt neu, wenn der Schlüssel der Installation verloren ist"),
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Answer in the active language: people read it, not other programs."""
        self.answer_or_refuse(**options)

    def _reseal(self, reason: str) -> None:
        try:
            journal.reseal(reason=reason, actor=Actor.command("verify_journal"))
        except TournamentError as refusal:
            raise ScoringError(str(refusal)) from None

    def answer_from_database(self, **options: Any) -> str:
        """Return the numbers of checked entries, in sentences.

        Raises:
            ScoringError: if a file of anchors cannot be read, or resealing is refused.
        """
        reason = options["reseal"].strip()
        if reason:
            self._reseal(reason)
        files = [read_input(name, MOST_BYTES) for name in options["anchor"]]
        try:
            breaks = [*proof.of_installation(), *chain.from_iterable(map(anchors.breaks, files))]
        except TournamentError as refusal:
            raise ScoringError(str(refusal)) from None
        for broken in breaks:
            self.stderr.write(
                _("Protokoll {scope}: {sentence}").format(
                    scope=broken.scope, sentence=broken.sentence
                )
            )
        if breaks:
            sys.exit(BROKEN)
        return "".join(f"{sentence}\n" for sentence in proof.summary())
