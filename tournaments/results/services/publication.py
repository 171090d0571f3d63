"""Releasing a ranking that was held back until the prize-giving."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Tournament

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Tournament, "release_results", entry="results_released")
def release_results(act: Act[Tournament]) -> Tournament:
    """Release the whole ranking to the public.

    Raises:
        WrongStatus: if it is released already.
    """
    if act.row.results_released_at is not None:
        raise WrongStatus(_("Die Ergebnisse sind schon freigegeben."))
    act.row.results_released_at = timezone.now()
    return act.store(act.row)


@acts.on(Tournament, "hold_back_results", entry="results_held_back")
def hold_back_results(act: Act[Tournament]) -> Tournament:
    """Undo a release.

    Raises:
        WrongStatus: if nothing was released.
    """
    if act.row.results_released_at is None:
        raise WrongStatus(_("Die Ergebnisse sind nicht freigegeben."))
    act.row.results_released_at = None
    return act.store(act.row)
