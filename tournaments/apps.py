"""Django's entry to the event."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

HOOK_MODULES = (
    "archive.job",
    "cash.bank.services.bank",
    "practice.demo.job",
    "desk.online.services.desk",
    "desk.services.ranking_members",
    "desk.services.teams",
    "draw.services.draws",
    "draw.services.seat_mails",
    "notices.services.cancellation_mails",
    "notices.services.circulars",
    "printing.job",
    "printing.store",
)


class TournamentsConfig(AppConfig):
    """Joins the rules to Django's languages."""

    name = "tournaments"
    verbose_name = _("Turniere")

    def ready(self) -> None:
        """Let the rules' sentences be translated."""
        from scoring import texts  # noqa: PLC0415 - apps are loaded before models

        texts.set_translator(gettext)

    @staticmethod
    def import_hook_modules() -> None:
        """Load the rooms that enter something further below; most commands need none.

        Each says how long work of its kind is done, or what it keeps of persons.
        """
        for module in HOOK_MODULES:
            import_module(f"tournaments.{module}")
