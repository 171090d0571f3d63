"""Make the practice tournament, once."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.accounts.services import end_demo_accounts
from tournaments.common.actors import Actor
from tournaments.management.database import bring_up_to_date
from tournaments.models import User
from tournaments.practice.demo import removal
from tournaments.practice.demo.day import PracticeDay


class Command(SpokenCommand):
    """Makes all of it or nothing; a second call only prints again how to open it."""

    help = gettext_noop("Legt ein Übungsturnier mit 47 Personen an, dessen zweite Serie läuft.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the tournament and print how to open it."""
        bring_up_to_date()
        if removal.tournaments().exists():
            self.stdout.write(_("Das Übungsturnier gibt es schon."))
        else:
            with transaction.atomic():
                tournament = PracticeDay(self.stdout.write).run()
            self.stdout.write(_("„{name}“ ist da.").format(name=tournament.name))
        successor = User.objects.filter(is_demo=False, is_admin=True, is_active=True).first()
        if successor is not None:
            with transaction.atomic():
                end_demo_accounts(successor=successor, actor=Actor.command("demo"))
            self.stdout.write(_("Geleitet wird es von {name}.").format(name=successor.name))
            return
        self.stdout.write(_("Zum Ansehen genügt ein Knopf auf der Startseite."))
