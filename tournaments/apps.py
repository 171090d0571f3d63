"""Django's entry to the event."""

from django.apps import AppConfig
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Joins the rules to Django's languages."""

    name = "tournaments"
    verbose_name = _("Turniere")

    def ready(self) -> None:
        """Let the rules' sentences be translated, and know every kind of long work."""
        from scoring import texts  # noqa: PLC0415 - apps are loaded before models
        from tournaments.archive import job as archive_job  # noqa: F401, PLC0415 - says how too
        from tournaments.draw.services import draws  # noqa: F401, PLC0415 - says how a job draws
        from tournaments.printing import job  # noqa: F401, PLC0415 - says how a job prints

        texts.set_translator(gettext)
