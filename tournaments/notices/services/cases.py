"""Cases of tables and players: the Spielleitung decides, and the decision is told.

A case is decided once, with its wording (§ 1.2). A change of a list is a correction of its own;
a correction that refers to the case decides it with its reason.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.locks import lock_owner
from tournaments.journal import services as journal
from tournaments.models import Case, Correction, Tournament, User
from tournaments.notices.services.telling import LONGEST_TEXT, check_by_hand


@transaction.atomic
def decide(*, case_id: int, decision: str, by: User, now: datetime | None = None) -> Case:
    """Decide a case; the wording is told to the table or player that asked.

    Raises:
        TournamentError: if the decision is empty or too long.
        Conflict: if it was decided already.
    """
    tournament, case = lock_owner(Case.objects.select_related("decided_by"), case_id)
    decision = decision.strip()
    if not decision:
        raise TournamentError(_("Bitte die Entscheidung und ihren Grund in einem Satz angeben."))
    if len(decision) > LONGEST_TEXT:
        raise TournamentError(
            _("Die Entscheidung hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(decision), most=LONGEST_TEXT
            )
        )
    _check_undecided(case)
    case.decided_at = now or timezone.now()
    case.decided_by = by
    case.decision = decision
    case.save(update_fields=["decided_at", "decided_by", "decision"])
    _record(tournament, case, Actor.account(by), action="case_decided")
    return case


def _check_undecided(case: Case) -> None:
    if case.decided_at is not None:
        raise Conflict(
            _("Dieser Fall ist schon entschieden, um {time} Uhr von {name}: {decision}").format(
                time=timezone.localtime(case.decided_at).strftime("%H:%M"),
                name=case.decided_by or _("der Spielleitung"),
                decision=case.decision,
            )
        )


def undecided_case(tournament: Tournament, case_id: int) -> Case:
    """Return a case that a correction is to decide; call it under the tournament's lock.

    Raises:
        Conflict: if it was decided already.
    """
    case = Case.objects.select_related("decided_by").get(pk=case_id, tournament=tournament)
    _check_undecided(case)
    return case


def decide_by_correction(correction: Correction, actor: Actor) -> None:
    """Decide the case that a correction answers; part of the correction's act.

    A case that was decided otherwise meanwhile stays so; the correction keeps its reference.
    """
    if correction.case_id is None:
        return
    case = Case.objects.get(pk=correction.case_id)
    if case.decided_at is not None:
        return
    case.decided_at = timezone.now()
    case.decided_by = actor.user
    case.decision = _("Die Liste wurde berichtigt: {reason} ({correction}, § {paragraph})").format(
        reason=correction.reason, correction=correction, paragraph=correction.paragraph
    )
    case.save(update_fields=["decided_at", "decided_by", "decision"])
    _record(
        correction.tournament,
        case,
        actor,
        action="case_decided",
        correction=correction.number,
    )


@transaction.atomic
def tell(*, case_id: int, how: str, by: User, now: datetime | None = None) -> Case:
    """Record that the decision was told to the table or player that asked.

    Raises:
        WrongStatus: if there is no decision yet.
        TournamentError: if the channel cannot be recorded by hand.
        Conflict: if it was told already.
    """
    check_by_hand(how)
    tournament, case = lock_owner(Case.objects.select_related("decided_by"), case_id)
    if case.decided_at is None:
        raise WrongStatus(_("Der Fall ist noch nicht entschieden; es gibt nichts mitzuteilen."))
    if case.told_at is not None:
        raise Conflict(
            _("Die Entscheidung ist schon mitgeteilt: {how} um {time} Uhr.").format(
                how=case.get_told_how_display(),
                time=timezone.localtime(case.told_at).strftime("%H:%M"),
            )
        )
    mark_told(tournament, case, how=how, actor=Actor.account(by), now=now)
    return case


def mark_told(
    tournament: Tournament,
    case: Case,
    *,
    how: str,
    actor: Actor,
    now: datetime | None = None,
) -> None:
    """Record that a decision was told; part of an act that has locked the tournament."""
    case.told_at, case.told_how, case.told_by = now or timezone.now(), how, actor.user
    case.save(update_fields=["told_at", "told_how", "told_by"])
    _record(tournament, case, actor, action="decision_told", how=str(how))


def _record(
    tournament: Tournament, case: Case, actor: Actor, *, action: str, **facts: str | int
) -> None:
    # The wording is stored in the case only, because it may name persons.
    journal.record(
        tournament,
        actor,
        action,
        case,
        after={
            "kind": case.kind,
            "spielliste": case.spielliste_id,
            "registration": case.registration_id,
            **facts,
        },
    )
