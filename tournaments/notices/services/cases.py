"""Cases of tables and players, decided by the Spielleitung.

A case is decided once, with a wording (§ 1.2). A list is changed by a correction; a correction
that refers to the case decides it with its reason.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.journal.four_eyes import check_second
from tournaments.models import Case, Correction, Tournament, WayOfTelling
from tournaments.notices.queries.cases import is_decision_of

# Channels that the Spielleitung records; the own page records itself when it is opened.
MANUAL_CHANNELS = (WayOfTelling.ORAL, WayOfTelling.SLIP, WayOfTelling.MAIL)
LONGEST_TEXT = 1000  # of an objection or a decision


def check_manual_channel(how: str) -> None:
    """Refuse with TournamentError a channel that cannot be recorded by hand."""
    if how not in MANUAL_CHANNELS:
        raise TournamentError(
            _("Bitte angeben, wie es mitgeteilt wurde: mündlich, mit Zettel oder per E-Mail.")
        )


DECIDED, TOLD = "case_decided", "decision_told"
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Case, "decide_case", entry=DECIDED)
def decide(act: Act[Case], *, decision: str, now: datetime | None = None) -> Case:
    """Decide a case with the wording for the table or player that asked.

    Raises:
        NotAllowed: if four eyes are required, and the objection is about the actor's decision.
        TournamentError: if the decision is empty or too long.
        Conflict: if it is decided already.
    """
    if act.tournament.four_eyes and is_decision_of(act.row, act.actor.user):
        raise NotAllowed(
            _(
                "Der Einspruch richtet sich gegen Ihre eigene Entscheidung. Bei vier Augen "
                "entscheidet darüber eine zweite Person der Spielleitung."
            )
        )
    if act.tournament.four_eyes:
        for notice in act.row.notices.select_related("correction__created_by"):
            correction = notice.correction
            check_second(
                correction.created_by, act.actor.user, act.tournament, correction.created_at
            )
    decision = decision.strip()
    if not decision:
        raise TournamentError(_("Bitte die Entscheidung und ihren Grund in einem Satz angeben."))
    if len(decision) > LONGEST_TEXT:
        raise TournamentError(
            _("Die Entscheidung hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(decision), most=LONGEST_TEXT
            )
        )
    _check_undecided(act.row)
    _decide(act, act.row, decision, now)
    return act.row


def _decide(act: Act[Any], case: Case, decision: str, now: datetime | None = None) -> None:
    case.decision, case.decided_by = decision, act.actor.user
    case.decided_at = now or timezone.now()
    act.store(case)
    _note(act, case)


def _note(act: Act[Any], case: Case) -> None:
    # The wording may name persons, so it is stored in the case only.
    act.note(kind=case.kind, spielliste=case.spielliste_id, registration=case.registration_id)


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
    """Return a case that a correction will decide; call it under the tournament's lock.

    Raises:
        Conflict: if it is decided already.
    """
    case = Case.objects.select_related("decided_by").get(pk=case_id, tournament=tournament)
    _check_undecided(case)
    return case


def decide_by_correction(act: Act[Any], correction: Correction) -> None:
    """Decide the case that a correction answers; part of the correction's act.

    A case that was decided meanwhile stays unchanged; the correction keeps its reference.
    """
    case = correction.case
    if case is None or case.decided_at is not None:
        return
    is_of_person = correction.spielliste is None or correction.kind in Correction.OF_PENALTIES
    subject = correction.get_kind_display() if is_of_person else _("Die Liste wurde berichtigt")
    decision = _("{what}: {reason} ({correction}, § {paragraph})").format(
        what=subject,
        reason=correction.reason,
        correction=correction,
        paragraph=correction.paragraph,
    )
    with act.entry(DECIDED, case):
        _decide(act, case, decision)
        act.note(correction=correction.number)


@acts.on(Case, "tell_decision", entry=TOLD, by=MAY_CHECK)
def tell(act: Act[Case], *, how: str, now: datetime | None = None) -> Case:
    """Record that the table or player that asked was told the decision.

    Raises:
        WrongStatus: if the case is not decided.
        TournamentError: if the channel cannot be recorded by hand.
        Conflict: if the decision is told already.
    """
    check_manual_channel(how)
    case = act.row
    if case.decided_at is None:
        raise WrongStatus(_("Der Fall ist noch nicht entschieden; es gibt nichts mitzuteilen."))
    if case.told_at is not None:
        raise Conflict(
            _("Die Entscheidung ist schon mitgeteilt: {how} um {time} Uhr.").format(
                how=case.get_told_how_display(),
                time=timezone.localtime(case.told_at).strftime("%H:%M"),
            )
        )
    mark_told(act, case, how=how, now=now)
    return case


def mark_told(act: Act[Any], case: Case, *, how: str, now: datetime | None = None) -> None:
    """Record that a decision was told; part of another act."""
    with act.entry(TOLD, case):
        case.told_at, case.told_how, case.told_by = now or timezone.now(), how, act.actor.user
        act.store(case)
        _note(act, case)
        act.note(how=str(how))
