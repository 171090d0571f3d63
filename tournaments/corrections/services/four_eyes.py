"""Approval or rejection of a proposed correction by a second account of the Spielleitung."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import NotAllowed, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.corrections.services.corrections import preview_of
from tournaments.corrections.services.moves import check_versions
from tournaments.corrections.services.writing import (
    carry_out,
    decide_penalty,
    recorded,
    touched_lists,
)
from tournaments.journal.acts import Act, Acts
from tournaments.journal.four_eyes import check_second
from tournaments.models import Correction, Penalty, Spielliste

Kind = Correction.Kind
Status = Correction.Status
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Correction, "approve_correction", entry="correction_done")
def approve(act: Act[Correction]) -> Correction:
    """Carry out another account's proposal after planning and checking it again.

    Raises:
        NotAllowed: if the actor is the proposing account, one linked to it, or none.
        Conflict: if a list has changed since the proposal.
        WrongStatus: if it is not undecided.
        TournamentError: if the proposal is no longer possible.
    """
    correction, user = act.row, act.actor.user
    _check_proposed(correction)
    if user is None or user.pk == correction.created_by_id:
        raise NotAllowed(
            _(
                "Diese Berichtigung haben Sie selbst vorgeschlagen; ausführen muss sie eine "
                "zweite Person der Spielleitung."
            )
        )
    check_second(correction.created_by, user, act.tournament, correction.created_at)
    preview = preview_of(correction)
    lists = touched_lists(preview.plan)
    seen = {int(key): version for key, version in correction.before["versions"].items()}
    if preview.plan.kind not in (Kind.PENALTY, Kind.PENALTY_WITHDRAWN):
        check_versions(lists, seen)
    correction.effects = preview.effects.stored()
    correction.decided_by, correction.decided_at = user, timezone.now()
    return carry_out(act, correction, preview.plan, lists)


@acts.on(
    Correction,
    "reject_correction",
    entry="correction_rejected",
    reason=gettext_lazy("Bitte schreiben, warum die Berichtigung abgelehnt wird."),
)
def reject(act: Act[Correction]) -> Correction:
    """Reject a proposed correction; the proposing account may also do so.

    Raises:
        WrongStatus: if it is not undecided.
    """
    correction = act.row
    _check_proposed(correction)
    correction.status = Status.REJECTED
    correction.decided_by, correction.decided_at = act.actor.user, timezone.now()
    lists = Spielliste.objects.filter(pk__in=correction.touched_lists())
    with recorded(act, "correction_rejected", correction, lists, act.reason):
        act.store(correction)
        if correction.kind == Kind.PENALTY:
            penalty = Penalty.objects.get(pk=correction.after["penalty"])
            decide_penalty(act, penalty, Penalty.Status.REJECTED)
    return correction


def _check_proposed(correction: Correction) -> None:
    if correction.status != Status.PROPOSED:
        raise WrongStatus(
            _("{correction} ist schon {status}.").format(
                correction=correction, status=correction.get_status_display()
            )
        )
