"""Strafpunkte (§ 8.3): proposed by a Schiedsrichter, given by the Spielleitung."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.states import NOT_STRUCK_OUT, TAKES_PEOPLE
from tournaments.corrections.services import corrections, four_eyes
from tournaments.corrections.services.base import people_of
from tournaments.corrections.services.writing import decide_penalty
from tournaments.journal.acts import Act, Acts
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Correction, Penalty, Spielliste

LAID_OUT = 100  # if the player had laid out cards
NOT_LAID_OUT = 150
PARAGRAPH = "8.3"
MOST = 9_999
LONGEST_REASON = 300
NO_REASON = gettext_lazy("Strafpunkte brauchen einen Grund (§ 8.3).")
acts = Acts(MAY_LEAD, TAKES_PEOPLE)

Status = Penalty.Status


@acts.on(Spielliste, "propose_penalty", entry="penalty_proposed", by=MAY_CHECK, reason=NO_REASON)
def propose(
    act: Act[Spielliste], *, registration_id: int, points: int, paragraph: str = PARAGRAPH
) -> Penalty:
    """Propose Strafpunkte for a player on a list; they count when they are given.

    Raises:
        TournamentError: if the points are missing, or the player is not on the list.
        Conflict: if the same Strafpunkte with the same reason exist.
        WrongStatus: if the list is invalid.
    """
    _check(act.row, registration_id, points, act.reason)
    penalty = Penalty(
        spielliste=act.row,
        registration_id=registration_id,
        points=points,
        reason=act.reason,
        paragraph=paragraph.strip() or PARAGRAPH,
        proposed_by=act.actor.user,
    )
    act.add(penalty)
    act.note(
        penalty=penalty.pk,
        registration=registration_id,
        points=points,
        paragraph=penalty.paragraph,
    )
    return penalty


def _check(spielliste: Spielliste, registration_id: int, points: int, reason: str) -> None:
    if not 1 <= points <= MOST:
        raise TournamentError(
            _("Strafpunkte sind eine Zahl von 1 bis {most}, nicht {points}.").format(
                most=MOST, points=points
            )
        )
    if len(reason) > LONGEST_REASON:
        raise TournamentError(
            _("Der Grund darf höchstens {most} Zeichen haben.").format(most=LONGEST_REASON)
        )
    if spielliste.status == Spielliste.Status.INVALID:
        raise WrongStatus(
            _("Die Liste von {table} ist ungültig; Strafpunkte zählen auf ihr nicht.").format(
                table=spielliste.table
            )
        )
    tournament = spielliste.table.serie.tournament
    (data,) = load_lists(tournament, only=[spielliste.pk])
    if registration_id not in people_of(data):
        raise TournamentError(
            _("Strafpunkte bekommt, wer auf der Liste von {table} steht.").format(
                table=spielliste.table
            )
        )
    stored = Penalty.objects.filter(
        spielliste=spielliste,
        registration=registration_id,
        points=points,
        reason=reason,
        status__in=[Status.PROPOSED, Status.GIVEN],
    ).first()
    if stored is not None:
        raise Conflict(
            _("Diese Strafpunkte stehen mit demselben Grund schon da: {status}.").format(
                status=stored.get_status_display()
            )
        )


@acts.on(Penalty, "give_penalty")
def give(act: Act[Penalty]) -> Correction:
    """Give proposed Strafpunkte.

    With four eyes, a proposal by another account counts as the first pair; a proposal by the
    same account waits for a second one.

    Raises:
        WrongStatus: if they are decided, or the list is invalid.
    """
    penalty, user = act.row, act.actor.user
    by = penalty.proposed_by_id
    return corrections.correct_list(
        act,
        penalty.spielliste_id,
        kind=Correction.Kind.PENALTY,
        facts={"penalty": penalty.pk},
        reason=penalty.reason,
        paragraph=penalty.paragraph,
        is_seconded=by is not None and user is not None and by != user.pk,
    )


@acts.on(Spielliste, "give_penalty_at_once", reason=NO_REASON)
def give_at_once(
    act: Act[Spielliste], *, registration_id: int, points: int, paragraph: str = PARAGRAPH
) -> Correction:
    """Give Strafpunkte without a proposal; raises as :func:`propose`."""
    penalty = propose(
        act,
        act.row.pk,
        registration_id=registration_id,
        points=points,
        reason=act.reason,
        paragraph=paragraph,
    )
    return give(act, penalty.pk)


@acts.on(
    Penalty,
    "reject_penalty",
    when=TAKES_PEOPLE.with_states(*NOT_STRUCK_OUT),
    reason=gettext_lazy("Bitte schreiben, warum es keine Strafpunkte gibt."),
)
def reject(act: Act[Penalty]) -> Penalty:
    """Reject proposed Strafpunkte.

    Raises:
        WrongStatus: if they are decided.
    """
    penalty = act.row
    if penalty.status != Status.PROPOSED:
        raise WrongStatus(
            _("Diese Strafpunkte sind schon {status}.").format(status=penalty.get_status_display())
        )
    waiting = penalty.spielliste.corrections.filter(
        status=Correction.Status.PROPOSED,
        kind=Correction.Kind.PENALTY,
        after__penalty=penalty.pk,
    ).first()
    if waiting is not None:
        four_eyes.reject(act, waiting.pk, reason=act.reason)
        penalty.refresh_from_db()
        return penalty
    with act.entry("penalty_rejected", penalty.spielliste, act.reason):
        decide_penalty(act, penalty, Status.REJECTED)
        act.note(penalty=penalty.pk, registration=penalty.registration_id)
    return penalty


@acts.on(Penalty, "withdraw_penalty", reason=corrections.NO_REASON)
def withdraw(act: Act[Penalty], *, paragraph: str = "", case_id: int | None = None) -> Correction:
    """Withdraw given Strafpunkte; this decides the case *case_id*, if given.

    Raises:
        Conflict: if the case is decided already.
        WrongStatus: if they are not given.
    """
    return corrections.correct_list(
        act,
        act.row.spielliste_id,
        kind=Correction.Kind.PENALTY_WITHDRAWN,
        facts={"penalty": act.row.pk},
        reason=act.reason,
        paragraph=paragraph,
        case_id=case_id,
    )
