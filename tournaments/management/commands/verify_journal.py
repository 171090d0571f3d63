"""Prove the journal whole, or name the first entry that does not hold."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournaments.journal import services as journal
from tournaments.models import JournalChain, JournalEntry


class Command(BaseCommand):
    """Exit 0 and say how much was checked, or exit 1 and say where it breaks."""

    help = "Prüft, dass kein Protokolleintrag geändert, gelöscht oder eingeschoben wurde."

    def handle(self, *args: Any, **options: Any) -> None:
        """Check every chain from its first entry."""
        breaks = list(journal.first_breaks())
        for found in breaks:
            self.stderr.write(
                _("Protokoll {scope}: {sentence}").format(
                    scope=found.scope, sentence=found.sentence
                )
            )
        if breaks:
            sys.exit(1)
        self.stdout.write(
            _("Protokoll vollständig: {entries} Einträge in {chains} Ketten.").format(
                entries=JournalEntry.objects.count(), chains=JournalChain.objects.count()
            )
        )
