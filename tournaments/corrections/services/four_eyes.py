"""Approval or rejection of a proposed correction by a second account of the Spielleitung."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.reading.records import to_json
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.common.locks import lock_owner
from tournaments.corrections.services.corrections import preview_of
from tournaments.corrections.services.moves import check_versions
from tournaments.corrections.services.writing import carry_out, record, touched_lists
from tournaments.models import Correction, Penalty, Spielliste

Kind = Correction.Kind
Status = Correction.Status


@transaction.atomic
def approve(*, correction_id: int, actor: Actor) -> Correction:
    """Carry out a correction proposed by another account, planned and checked again.

    Raises:
        NotAllowed: if the actor is the account that proposed it, or no account.
        Conflict: if a list has changed since the proposal.
        WrongStatus: if it does not wait for a decision.
        TournamentError: if the proposal is no longer possible.
    """
    correction = _locked_proposal(correction_id)
    if actor.user is None or actor.user.pk == correction.created_by_id:
        raise NotAllowed(
            _(
                "Diese Berichtigung haben Sie selbst vorgeschlagen; ausführen muss sie eine "
                "zweite Person der Spielleitung."
            )
        )
    found = preview_of(correction)
    seen = {int(key): version for key, version in correction.before["versions"].items()}
    if found.plan.kind not in (Kind.PENALTY, Kind.PENALTY_WITHDRAWN):
        check_versions(touched_lists(found.plan), seen)
    correction.effects = to_json(found.effects)
    correction.decided_by = actor.user
    correction.decided_at = timezone.now()
    return carry_out(correction, found.plan, actor)


@transaction.atomic
def reject(*, correction_id: int, reason: str, actor: Actor) -> Correction:
    """Reject a proposed correction; the account that proposed it may do so, too.

    Raises:
        WrongStatus: if it does not wait for a decision.
        TournamentError: if no reason is given.
    """
    correction = _locked_proposal(correction_id)
    if not reason.strip():
        raise TournamentError(_("Bitte schreiben, warum die Berichtigung abgelehnt wird."))
    correction.status = Status.REJECTED
    correction.decided_by = actor.user
    correction.decided_at = timezone.now()
    correction.save(update_fields=["status", "decided_by", "decided_at"])
    if correction.kind == Kind.PENALTY:
        Penalty.objects.filter(pk=correction.after["penalty"]).update(
            status=Penalty.Status.REJECTED,
            decided_by=actor.user,
            decided_at=correction.decided_at,
        )
    others = Spielliste.objects.filter(
        pk__in=correction.touched_lists() - {correction.spielliste_id}
    )
    record(correction, actor, "correction_rejected", reason=reason, others=others)
    return correction


def _locked_proposal(correction_id: int) -> Correction:
    _tournament, correction = lock_owner(Correction.objects.all(), correction_id)
    if correction.status != Status.PROPOSED:
        raise WrongStatus(
            _("{correction} ist schon {status}.").format(
                correction=correction, status=correction.get_status_display()
            )
        )
    return correction
