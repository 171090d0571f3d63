"""Writing a planned correction: the change, the versions of the list, notices, journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import F, Max
from django.utils import timezone

from tournaments.common.actors import Actor
from tournaments.corrections.services.base import CorrectionPlan, Hall
from tournaments.corrections.services.ending import write_end, write_going_on
from tournaments.corrections.services.moves import make_move, write_move
from tournaments.desk.services import exclusions
from tournaments.journal import services as journal
from tournaments.journal.acts import Act
from tournaments.lists.services import versions as list_versions
from tournaments.models import Correction, Game, Penalty, Registration, Spielliste, Tournament
from tournaments.notices.services import cases, notices

Kind = Correction.Kind


def next_number(tournament: Tournament) -> int:
    """Return the number of the tournament's next correction; call it under the lock."""
    last = tournament.corrections.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def touched_lists(plan: CorrectionPlan) -> list[Spielliste]:
    """Return the currently stored lists that a plan changes."""
    keys = [data.pk for data in plan.changed]
    return list(
        Spielliste.objects.filter(pk__in=keys)
        .select_related("table__serie")
        .order_by("table__number")
    )


def carry_out(correction: Correction, plan: CorrectionPlan, actor: Actor) -> Correction:
    """Write the plan, and store the content of the lists before and after."""
    before = touched_lists(plan)
    for spielliste in before:
        if not spielliste.is_at_the_table:
            list_versions.keep(spielliste)
    correction.status = Correction.Status.CARRIED_OUT
    correction.full_clean()
    _WRITERS[plan.kind](correction, plan, actor)
    after = touched_lists(plan)
    for spielliste in after:
        if not spielliste.is_at_the_table:
            list_versions.keep(spielliste)
    own = next((one for one in after if one.pk == correction.spielliste_id), None)
    correction.version = own.version if own is not None else None
    correction.save()
    notices.make(
        correction=correction, registrations=Registration.objects.filter(pk__in=plan.concerned)
    )
    record(correction, actor, "correction_done", others=[one for one in after if one != own])
    cases.decide_by_correction(correction, actor)
    return correction


def record(
    correction: Correction,
    actor: Actor,
    action: str,
    *,
    reason: str = "",
    others: Iterable[Spielliste] = (),
) -> None:
    """Add a journal entry for the correction's list, and one for each other list touched."""
    facts: dict[str, Any] = {
        "correction": correction.number,
        "kind": correction.kind,
        **({"game": correction.game} if correction.game is not None else {}),
        "paragraph": correction.paragraph,
        **correction.after,
        **({"version": correction.version} if correction.version is not None else {}),
    }
    for subject in (correction.spielliste or correction, *others):
        journal.record(
            correction.tournament,
            actor,
            action,
            subject,
            before=correction.before,
            after=facts,
            reason=reason or correction.reason,
        )


def _list_of(correction: Correction) -> Spielliste:
    spielliste = correction.spielliste
    assert spielliste is not None  # noqa: S101 - not called for kinds without a list
    return spielliste


def _raise_version(correction: Correction) -> None:
    Spielliste.objects.filter(pk=_list_of(correction).pk).update(version=F("version") + 1)


def _write_line(correction: Correction, plan: CorrectionPlan, _actor: Actor) -> None:
    Game.objects.filter(spielliste=_list_of(correction), number=plan.facts["game"]).update(
        line=plan.facts["line"], overridden=plan.overridden
    )
    _raise_version(correction)


def _write_bonus_size(correction: Correction, plan: CorrectionPlan, _actor: Actor) -> None:
    Spielliste.objects.filter(pk=_list_of(correction).pk).update(
        bonus_size=plan.facts["bonus_size"]
    )
    _raise_version(correction)


def _write_status(correction: Correction, plan: CorrectionPlan, _actor: Actor) -> None:
    spielliste = Spielliste.objects.get(pk=_list_of(correction).pk)
    is_invalid = plan.kind == Kind.INVALID
    spielliste.status_before_invalid = spielliste.status if is_invalid else ""
    spielliste.status = plan.facts["status"]
    spielliste.invalid_reason = correction.reason[:300] if is_invalid else ""
    spielliste.version += 1
    spielliste.save(update_fields=["status", "status_before_invalid", "invalid_reason", "version"])


def _write_seats(correction: Correction, plan: CorrectionPlan, _actor: Actor) -> None:
    serie = _list_of(correction).table.serie
    write_move(serie, make_move(Hall(correction.tournament), serie, plan.facts))


def _write_penalty(correction: Correction, plan: CorrectionPlan, actor: Actor) -> None:
    is_given = plan.kind == Kind.PENALTY
    penalty = Penalty.objects.get(pk=plan.facts["penalty"])
    penalty.status = Penalty.Status.GIVEN if is_given else Penalty.Status.WITHDRAWN
    penalty.decided_by, penalty.decided_at = actor.user, timezone.now()
    penalty.save(update_fields=["status", "decided_by", "decided_at"])
    # The version of an open list stays, so that a device with games to send is not refused.
    # After the last game it is raised, because the signed content has changed.
    if plan.changed[0].status != Spielliste.Status.OPEN:
        _raise_version(correction)


def _write_exclusion(correction: Correction, plan: CorrectionPlan, actor: Actor) -> None:
    act = Act(correction.tournament, correction.tournament, actor)
    do = exclusions.exclude if plan.kind == Kind.EXCLUSION else exclusions.take_back_exclusion
    do(act, plan.facts["registration"], reason=correction.reason)


_WRITERS: dict[Correction.Kind, Callable[[Correction, CorrectionPlan, Actor], None]] = {
    Kind.LINE: _write_line,
    Kind.SEATS: _write_seats,
    Kind.BONUS_SIZE: _write_bonus_size,
    Kind.INVALID: _write_status,
    Kind.VALID: _write_status,
    Kind.ENDED: write_end,
    Kind.GOES_ON: write_going_on,
    Kind.PENALTY: _write_penalty,
    Kind.PENALTY_WITHDRAWN: _write_penalty,
    Kind.EXCLUSION: _write_exclusion,
    Kind.EXCLUSION_WITHDRAWN: _write_exclusion,
}
