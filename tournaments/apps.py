"""Django's configuration of the app."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

HOOK_MODULES = (
    "archive.archive_job",
    "cash.bank.services.bank",
    "practice.demo.demo_job",
    "desk.online.services.desk",
    "desk.services.ranking_members",
    "desk.services.teams",
    "draw.services.draws",
    "draw.services.seat_mails",
    "notices.services.cancellation_mails",
    "notices.services.circulars",
    "printing.print_job",
    "printing.store",
)


class TournamentsConfig(AppConfig):
    """Connects the texts of the rules with Django's translations."""

    name = "tournaments"
    verbose_name = _("Turniere")

    def ready(self) -> None:
        """Set the translator of the rules' texts."""
        from scoring import texts  # noqa: PLC0415 - apps are loaded before models

        texts.set_translator(gettext)

    @staticmethod
    def import_hook_modules() -> None:
        """Import the modules that register hooks; most commands need none.

        The hooks are the work of jobs, and the deletion of personal data.
        """
        for module in HOOK_MODULES:
            import_module(f"tournaments.{module}")
