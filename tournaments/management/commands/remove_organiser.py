"""Remove an organiser with all its data, or all others."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.management.base import SpokenCommand
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.management.base import find_organiser
from tournaments.management.database import bring_up_to_date
from tournaments.models import Organiser
from tournaments.operator import removal


class Command(SpokenCommand):
    """For the operator at the machine; no page does it."""

    help = gettext_noop("Entfernt einen Veranstalter mit allen seinen Daten, für immer.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name, twice where it is meant, and whether it is the one to keep."""
        parser.add_argument("name", metavar="NAME", help=gettext("wie auf der Seite „Betrieb“"))
        parser.add_argument(
            "--all-but",
            action="store_true",
            help=gettext("entfernt alle anderen und lässt diesen übrig"),
        )
        parser.add_argument(
            "--really", metavar="NAME", help=gettext("derselbe Name noch einmal; sonst nur Anzahl")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove, or say what would be removed."""
        actor, name = Actor.command("remove_organiser"), options["name"]
        try:
            bring_up_to_date()
            named = find_organiser(name)
            others = Organiser.objects.exclude(pk=named.pk).select_related("parent__parent")
            leaving = list(others) if options["all_but"] else [named]
            with transaction.atomic():
                # Members before the federation that they belong to.
                for organiser in sorted(leaving, key=_depth, reverse=True):
                    gone = removal.remove(organiser, actor=actor)
                    line = _(
                        "{name}: {tournaments} Turniere, {persons} Personen, {accounts} Konten"
                    )
                    self.stdout.write(line.format(name=organiser.name, **gone))
                transaction.set_rollback(options["really"] != name)
        except (ScoringError, TournamentError) as refusal:
            raise CommandError(str(refusal)) from None
        is_done = options["really"] == name
        sentence = _("Entfernt.") if is_done else _("Nichts entfernt; dazu bitte --really NAME.")
        self.stdout.write(sentence)


def _depth(organiser: Organiser) -> int:
    return 0 if organiser.parent is None else 1 + _depth(organiser.parent)
