"""Letting everybody see what was held back until the prize-giving."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Tournament


@transaction.atomic
def release_results(*, tournament_id: int, actor: Actor) -> Tournament:
    """Show the whole ranking to everybody from now on.

    Raises:
        WrongStatus: if it is released already.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.results_released_at is not None:
        raise WrongStatus(_("Die Ergebnisse sind schon freigegeben."))
    tournament.results_released_at = timezone.now()
    tournament.save(update_fields=["results_released_at"])
    journal.record(tournament, actor, "results_released", tournament)
    return tournament


@transaction.atomic
def hold_back_results(*, tournament_id: int, actor: Actor) -> Tournament:
    """Take a release back, as after pressing the button too early.

    Raises:
        WrongStatus: if nothing was released.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.results_released_at is None:
        raise WrongStatus(_("Die Ergebnisse sind nicht freigegeben."))
    tournament.results_released_at = None
    tournament.save(update_fields=["results_released_at"])
    journal.record(tournament, actor, "results_held_back", tournament)
    return tournament
