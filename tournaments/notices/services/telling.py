"""Shared checks for telling a correction or a decision."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.models import WayOfTelling

# Channels recorded by the Spielleitung; the own page is recorded when it is opened.
BY_HAND = (WayOfTelling.ORAL, WayOfTelling.SLIP, WayOfTelling.MAIL)
LONGEST_TEXT = 1000  # of an objection or a decision


def check_by_hand(how: str) -> None:
    """Refuse with TournamentError a channel that cannot be recorded by hand."""
    if how not in BY_HAND:
        raise TournamentError(
            _("Bitte angeben, wie es mitgeteilt wurde: mündlich, mit Zettel oder per E-Mail.")
        )
