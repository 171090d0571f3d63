"""Writing a planned correction: the change, the versions of the list, notices, journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from tournaments.corrections.services.base import CorrectionPlan, TournamentLists
from tournaments.corrections.services.ending import LONGEST_REASON
from tournaments.corrections.services.moves import make_move, write_move
from tournaments.desk.services import exclusions, leaving
from tournaments.journal.acts import Act
from tournaments.lists.services import versions as list_versions
from tournaments.models import Correction, Game, Penalty, Registration, Seat, Spielliste, Tournament
from tournaments.notices.services import cases, notices

Kind = Correction.Kind
Writer = Callable[[Act[Any], Correction, CorrectionPlan], None]


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


def carry_out(
    act: Act[Any], correction: Correction, plan: CorrectionPlan, lists: Sequence[Spielliste]
) -> Correction:
    """Write the plan, and store versions of these lists before and after."""
    if plan.excluded:
        _exclude(act, correction, plan)
    with recorded(act, "correction_done", correction, lists):
        _store_versions(act, lists)
        if plan.kind in _WRITERS:
            _WRITERS[plan.kind](act, correction, plan)
        after = touched_lists(plan)
        _store_versions(act, after)
        own = next(
            (spielliste for spielliste in after if spielliste.pk == correction.spielliste_id), None
        )
        correction.version = own.version if own is not None else None
        was_proposed = correction.status == Correction.Status.PROPOSED
        correction.status = Correction.Status.CARRIED_OUT
        if was_proposed:
            act.store(correction)
        else:
            act.add(correction)
        notices.create_notices(act, correction, _persons_to_tell(correction, plan))
    if plan.kind in (Kind.ENDED, Kind.GOES_ON):
        _update_departures(act, plan)
    cases.decide_by_correction(act, correction)
    return correction


def _update_departures(act: Act[Any], plan: CorrectionPlan) -> None:
    """Record that players left when their list ended, or that they play on if it continues."""
    (data,) = plan.changed
    is_end = plan.kind == Kind.ENDED
    seats = (plan.facts if is_end else plan.before)["ended"]["left"]
    later = Seat.objects.played().filter(serie__number__gt=data.serie)
    registrations = act.tournament.registrations.exclude(seats__in=later).filter(
        pk__in=replace(data, ended_left=seats).left(),
        status__in=Registration.TAKING_PART,
        gone_after=None if is_end else data.serie,
    )
    for registration in registrations:
        if is_end:
            leaving.leave(act, registration.pk, after=data.serie)
        else:
            leaving.come_back(act, registration.pk)


def _persons_to_tell(correction: Correction, plan: CorrectionPlan) -> QuerySet[Registration]:
    """Return the persons whom the correction concerns, or whose prize it changes."""
    prizes = [prize["number"] for prize in correction.effects.get("prizes", ())]
    return correction.tournament.registrations.filter(
        Q(pk__in=plan.concerned) | Q(number__in=prizes)
    )


def _store_versions(act: Act[Any], lists: Iterable[Spielliste]) -> None:
    for spielliste in lists:
        if not spielliste.is_at_the_table:
            act.touch(list_versions.keep(spielliste))


@contextmanager
def recorded(
    act: Act[Any],
    action: str,
    correction: Correction,
    lists: Iterable[Spielliste],
    reason: str = "",
) -> Iterator[None]:
    """Record the changes within the block in an entry for the correction's list.

    Each other list in *lists* gets an entry with the same facts.
    """
    own, why = correction.spielliste or correction, reason or correction.reason
    with act.entry(action, own, why):
        yield
        act.note(before=correction.before, **_facts_of(correction))
    for other in lists:
        if other != own:
            with act.entry(action, other, why):
                act.note(before=correction.before, **_facts_of(correction))


def _facts_of(correction: Correction) -> dict[str, Any]:
    return {
        "correction": correction.number,
        "kind": correction.kind,
        **({"game": correction.game} if correction.game is not None else {}),
        "paragraph": correction.paragraph,
        **correction.after,
        **({"version": correction.version} if correction.version is not None else {}),
    }


def _list_of(plan: CorrectionPlan) -> Spielliste:
    assert plan.spielliste is not None  # noqa: S101 - only called for kinds with a list
    return plan.spielliste


def _store_next_version(act: Act[Any], spielliste: Spielliste) -> None:
    spielliste.version += 1
    act.store(spielliste)


def _write_line(act: Act[Any], _correction: Correction, plan: CorrectionPlan) -> None:
    game = Game.objects.get(spielliste=_list_of(plan), number=plan.facts["game"])
    game.line, game.overridden = plan.facts["line"], plan.overridden
    act.store(game)
    _store_next_version(act, _list_of(plan))


def _write_bonus_size(act: Act[Any], _correction: Correction, plan: CorrectionPlan) -> None:
    _list_of(plan).bonus_size = plan.facts["bonus_size"]
    _store_next_version(act, _list_of(plan))


def _write_status(act: Act[Any], correction: Correction, plan: CorrectionPlan) -> None:
    spielliste = _list_of(plan)
    spielliste.status = plan.facts["status"]
    is_invalid = spielliste.status == Spielliste.Status.INVALID
    spielliste.status_before_invalid = plan.before["status"] if is_invalid else ""
    spielliste.invalid_reason = correction.reason[:LONGEST_REASON] if is_invalid else ""
    _store_next_version(act, spielliste)


def _write_end(act: Act[Any], correction: Correction, plan: CorrectionPlan) -> None:
    spielliste, ended = _list_of(plan), plan.facts["ended"]
    spielliste.ended_games = ended["games"] if ended else None
    spielliste.ended_counts = ended["counts"] if ended else ""
    spielliste.ended_left = ended["left"] if ended else []
    spielliste.ended_reason = correction.reason[:LONGEST_REASON] if ended else ""
    _write_status(act, correction, plan)


def _write_seats(act: Act[Any], _correction: Correction, plan: CorrectionPlan) -> None:
    serie = _list_of(plan).table.serie
    write_move(act, serie, make_move(TournamentLists(act.tournament), serie, plan.facts))


def _write_penalty(act: Act[Any], _correction: Correction, plan: CorrectionPlan) -> None:
    is_given = plan.kind == Kind.PENALTY
    penalty = Penalty.objects.get(pk=plan.facts["penalty"])
    decide_penalty(act, penalty, Penalty.Status.GIVEN if is_given else Penalty.Status.WITHDRAWN)
    # An open list keeps its version, so that a device with unsent games is not refused. After
    # the last game the version is raised, because the signed content has changed.
    if plan.changed[0].status != Spielliste.Status.OPEN:
        _store_next_version(act, _list_of(plan))


def decide_penalty(act: Act[Any], penalty: Penalty, status: Penalty.Status) -> None:
    """Store the decision about Strafpunkte; part of another act."""
    penalty.status = status
    penalty.decided_by, penalty.decided_at = act.actor.user, timezone.now()
    act.store(penalty)


def _exclude(act: Act[Any], correction: Correction, plan: CorrectionPlan) -> None:
    # A separate act with its own entry, therefore before the correction's entry.
    do = exclusions.exclude if plan.kind == Kind.EXCLUSION else exclusions.take_back_exclusion
    do(act, plan.facts["registration"], reason=correction.reason)


_WRITERS: dict[Correction.Kind, Writer] = {
    Kind.LINE: _write_line,
    Kind.SEATS: _write_seats,
    Kind.BONUS_SIZE: _write_bonus_size,
    Kind.INVALID: _write_status,
    Kind.VALID: _write_status,
    Kind.ENDED: _write_end,
    Kind.GOES_ON: _write_end,
    Kind.PENALTY: _write_penalty,
    Kind.PENALTY_WITHDRAWN: _write_penalty,
}
