"""Print the one-time link by which the first account is made."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.management.base import SpokenCommand
from tournaments.accounts.services import make_setup_link
from tournaments.common.actors import Actor
from tournaments.machine.addresses import address_for_links
from tournaments.models import User


class Command(SpokenCommand):
    """Prints nothing but the link; nothing at all once there is an account."""

    help = gettext_noop("Gibt den Link aus, über den das erste Konto entsteht.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address under which the program is reached."""
        parser.add_argument(
            "--base-url",
            default=address_for_links(),
            help=gettext("Adresse, unter der das Programm erreicht wird"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the link."""
        if User.objects.filter(is_demo=False).exists():
            self.stderr.write(_("Es gibt schon ein Konto; ein Link wird nicht mehr gebraucht."))
            return
        token = make_setup_link(actor=Actor.command("setup_link"))
        path = reverse("account:setup", args=[token])
        self.stdout.write(options["base_url"].rstrip("/") + path)
