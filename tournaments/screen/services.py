"""What the beamer shows, set at control."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Screen, Serie


@transaction.atomic
def show(
    *,
    tournament_id: int,
    shows: str,
    seconds: int,
    actor: Actor,
    serie: Serie | None = None,
    message: str = "",
) -> Screen:
    """Have the beamer show something else; it follows within seconds.

    A closed tournament can be shown too, as at the prize-giving.

    Raises:
        TournamentError: if a value is not possible, or the Serie is another tournament's.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    if serie is not None and serie.tournament_id != tournament.pk:
        raise TournamentError(_("Diese Serie gehört zu einem anderen Turnier."))
    screen = Screen.objects.filter(tournament=tournament).first() or Screen(tournament=tournament)
    screen.shows, screen.serie = shows, serie
    screen.seconds, screen.message = seconds, message.strip()
    try:
        screen.full_clean()
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    screen.save()
    journal.record(
        tournament,
        actor,
        "screen_set",
        tournament,
        # A message may well name somebody; that there was one is enough for the record.
        after={"shows": shows, "serie": serie.number if serie else None, "seconds": seconds},
    )
    return screen
