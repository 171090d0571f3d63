"""Saying something to everybody in the hall at once."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Tournament

MOST_MINUTES = 240  # what was said longer ago is no news


@transaction.atomic
def say(*, tournament_id: int, words: str, actor: Actor, minutes: int | None = None) -> Tournament:
    """Put words on every wall, table page and own page; they take the place of earlier ones.

    Args:
        tournament_id: the tournament, which may be closed: the prize-giving comes after it.
        words: at most 200 characters.
        actor: somebody of the Spielleitung.
        minutes: how long they stay; None means until somebody takes them back.

    Raises:
        TournamentError: if there are no words, too many, or the minutes are not possible.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    tournament.words = " ".join(words.split())
    if not tournament.words:
        raise TournamentError(_("Bitte eingeben, was alle im Saal lesen sollen."))
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise TournamentError(
            _("Eine Durchsage steht 1 bis {most} Minuten, oder bis sie jemand beendet.").format(
                most=MOST_MINUTES
            )
        )
    try:
        tournament.clean_fields(
            exclude=[each.name for each in tournament._meta.fields if each.name != "words"]
        )
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    now = timezone.now()
    tournament.words_since = now
    tournament.words_until = None if minutes is None else now + timedelta(minutes=minutes)
    tournament.save(update_fields=["words", "words_since", "words_until"])
    # Words may well name somebody; that there were some is enough for the record.
    journal.record(tournament, actor, "words_said", tournament, after={"minutes": minutes})
    return tournament


@transaction.atomic
def take_back(*, tournament_id: int, actor: Actor) -> Tournament:
    """Take the words away again, everywhere.

    Raises:
        WrongStatus: if there are none; somebody else was quicker.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    if not tournament.words:
        raise WrongStatus(_("Es steht keine Durchsage mehr da."))
    tournament.words, tournament.words_since, tournament.words_until = "", None, None
    tournament.save(update_fields=["words", "words_since", "words_until"])
    journal.record(tournament, actor, "words_taken_back", tournament)
    return tournament
