"""Print a link for setting a new password of an account."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.management.base import SpokenCommand
from tournaments.accounts import services as accounts
from tournaments.accounts.views.account import password_reset_path
from tournaments.common.actors import Actor
from tournaments.machine.addresses import address_for_links
from tournaments.models import User


class Command(SpokenCommand):
    """For the operator at the machine; the link is valid as long as Django's settings say."""

    help = gettext_noop("Gibt einen Link aus, über den ein Konto ein neues Kennwort bekommt.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the account and the address under which the program is reached."""
        parser.add_argument("username", help=gettext("Anmeldename des Kontos"))
        parser.add_argument(
            "--base-url",
            default=address_for_links(),
            help=gettext("Adresse, unter der das Programm erreicht wird"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the link."""
        try:
            user = User.objects.get_by_natural_key(options["username"])
        except User.DoesNotExist:
            raise CommandError(
                _("Ein Konto mit dem Anmeldenamen „{name}“ gibt es nicht.").format(
                    name=options["username"]
                )
            ) from None
        accounts.note_password_link(user_id=user.pk, actor=Actor.command("password_link"))
        self.stdout.write(options["base_url"].rstrip("/") + password_reset_path(user))
