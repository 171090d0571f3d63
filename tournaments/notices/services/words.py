"""Words: announcements of the Spielleitung to the whole hall."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import ALWAYS
from tournaments.journal.acts import Act, Acts
from tournaments.models import Tournament

MOST_MINUTES = 240  # longest duration of words
acts = Acts(MAY_LEAD, ALWAYS)  # the prize-giving is after the closing


@acts.on(Tournament, "say_words", entry="words_said")
def say(act: Act[Tournament], *, words: str, minutes: int | None = None) -> Tournament:
    """Show words on every wall, table page and own page, in place of earlier ones.

    Words may name a person, so they are not in the journal.

    Args:
        act: on a tournament that may be closed.
        words: at most 200 characters.
        minutes: their duration; None means until they are taken back.

    Raises:
        TournamentError: if the words are empty or too long, or the minutes are invalid.
    """
    tournament = act.row
    tournament.words = " ".join(words.split())
    if not tournament.words:
        raise TournamentError(_("Bitte eingeben, was alle im Saal lesen sollen."))
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise TournamentError(
            _("Eine Durchsage steht 1 bis {most} Minuten, oder bis sie jemand beendet.").format(
                most=MOST_MINUTES
            )
        )
    now = timezone.now()
    tournament.words_since = now
    tournament.words_until = None if minutes is None else now + timedelta(minutes=minutes)
    try:
        act.store(tournament)
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    act.note(minutes=minutes)
    return tournament


@acts.on(Tournament, "take_back_words", entry="words_taken_back")
def take_back(act: Act[Tournament]) -> Tournament:
    """Remove the words everywhere.

    Raises:
        WrongStatus: if there are none.
    """
    if not act.row.words:
        raise WrongStatus(_("Es steht keine Durchsage mehr da."))
    act.row.words, act.row.words_since, act.row.words_until = "", None, None
    return act.store(act.row)
