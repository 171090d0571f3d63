"""Print the command that starts a standby laptop, or shut the standby laptop out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.management.base import SpokenCommand
from tournaments.backup import services as backup
from tournaments.backup import standby
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.machine.addresses import own_address


class Command(SpokenCommand):
    """For the operator at the machine; a server has no page for it."""

    help = gettext_noop("Gibt den Befehl aus, mit dem ein zweiter Rechner bereitsteht.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address of this machine, or that nothing may be fetched any more."""
        parser.add_argument(
            "--base-url",
            default=own_address(),
            help=gettext("Adresse, unter der das Programm erreicht wird"),
        )
        parser.add_argument(
            "--end", action="store_true", help=gettext("den Rechner trennen, der bereitsteht")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the code."""
        actor = Actor.command("standby_code")
        if options["end"]:
            backup.shut_out(actor=actor)
            self.stdout.write(_("Kein Laptop steht mehr bereit."))
            return
        address = options["base_url"].rstrip("/")
        try:
            code = backup.show_code(actor=actor)
        except TournamentError as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(settings.TYPED("standby", FROM=address, CODE=code))
        self.stderr.write(standby.loss_warning())
