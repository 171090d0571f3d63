"""Checking in at the door of the hall, by start number and the player's own short code."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.access_keys import is_code_of
from tournaments.common.actors import Actor
from tournaments.common.code_throttling import GuessLimit, TooManyGuesses
from tournaments.common.errors import TournamentError
from tournaments.desk.services.presence import check_in, demand_day
from tournaments.models import Registration, Tournament


def check_in_by_code(
    tournament: Tournament, *, number: int, code: str, address: str, now: datetime | None = None
) -> Registration:
    """Check in the player with a start number.

    A wrong code is stored for some minutes and refused, so this must not run in a transaction.
    Codes are checked on the day only, so that there are no weeks for guessing.

    Raises:
        WrongStatus: if it is not the day, or the player does not take part.
        TooManyGuesses: if there were too many wrong codes for this start number.
        TournamentError: if the code is not that of the start number.
    """
    now = now or timezone.now()
    demand_day(tournament, now)
    guessing = GuessLimit(number=number, tournament=tournament, address=address, for_player=True)
    if guessing.is_too_much(now):
        raise TooManyGuesses(
            _(
                "Für die Startnummer {number} wurden zu viele falsche Codes eingegeben. Bitte den "
                "Link aus der E-Mail zur Meldung öffnen, der geht weiterhin, oder am Tisch der "
                "Anmeldung melden."
            ).format(number=number)
        )
    registration = tournament.registrations.filter(number=number).first()
    if registration is None or not is_code_of(registration, code):
        guessing.note_wrong(now)
        raise TournamentError(
            _(
                "Startnummer und Code passen nicht zusammen. Beides steht in der E-Mail zur "
                "Meldung und auf der Seite, die ihr Link öffnet."
            )
        )
    return check_in(Actor.player(registration), registration.pk, now=now)
