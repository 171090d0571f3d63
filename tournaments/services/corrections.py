"""The Spielleitung corrects what is signed (§§ 2.2.5, 2.2.6): seen first, then stored.

Every correction is planned (:mod:`corrections_plans`), shown with its effects, and only
then written: with its reason and paragraph, kept beside what the list said before, and
with a notice for everybody concerned. Where the tournament asks for four eyes it waits for
a second account, and is planned and judged anew when that one approves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.errors import Conflict, NotAllowed, TournamentError, WrongStatus
from tournaments.models import Correction, Penalty, Spielliste, Tournament
from tournaments.queries.corrections import touched
from tournaments.services import cases, effects
from tournaments.services.corrections_base import Facts, Hall, Plan, load_list
from tournaments.services.corrections_moves import check_versions
from tournaments.services.corrections_plans import make_plan, plan_penalty_to_be
from tournaments.services.corrections_writing import (
    carry_out,
    next_number,
    record,
    touched_lists,
)
from tournaments.services.effects import Effects
from tournaments.services.locks import lock_tournament

Kind = Correction.Kind
Status = Correction.Status
LONGEST_REASON = 500
LONGEST_PARAGRAPH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a correction would do; ``shown`` is handed back when it is stored."""

    plan: Plan
    effects: Effects
    shown: str


# --- Before it is stored --------------------------------------------------------------------


def preview(
    *, tournament: Tournament, kind: Correction.Kind, facts: Facts, spielliste_id: int | None = None
) -> Preview:
    """Return what a correction would change, without changing anything.

    Raises:
        TournamentError: what storing it would refuse, the version apart.
    """
    spielliste = load_list(spielliste_id) if spielliste_id is not None else None
    return _preview(Hall(tournament), kind, spielliste, facts)


def preview_of(correction: Correction) -> Preview:
    """Return what approving a proposed correction would do as things are now."""
    return preview(
        tournament=correction.tournament,
        kind=Kind(correction.kind),
        facts=correction.after,
        spielliste_id=correction.spielliste_id,
    )


def preview_penalty(penalty: Penalty) -> Preview:
    """Return what Strafpunkte would do that nobody has proposed yet; they are not stored.

    Raises:
        WrongStatus: if the list is invalid, or its Serie closed.
    """
    spielliste = load_list(penalty.spielliste_id)
    hall = Hall(spielliste.table.serie.tournament)
    return _with_effects(hall, plan_penalty_to_be(hall, spielliste, penalty))


def _preview(
    hall: Hall, kind: Correction.Kind, spielliste: Spielliste | None, facts: Facts
) -> Preview:
    return _with_effects(hall, make_plan(hall, kind, spielliste, facts))


def _with_effects(hall: Hall, plan: Plan) -> Preview:
    found = effects.compare(
        hall.tournament,
        serie=plan.serie,
        changed=plan.changed,
        concerned=plan.concerned,
        lists=hall.lists,
        excluded=plan.excluded,
    )
    return Preview(plan=plan, effects=found, shown=found.digest(plan.facts))


# --- Storing or proposing -------------------------------------------------------------------


@transaction.atomic
def correct(
    *,
    tournament_id: int,
    kind: Correction.Kind,
    facts: Facts,
    reason: str,
    paragraph: str = "",
    actor: Actor,
    spielliste_id: int | None = None,
    versions: Mapping[int, int] | None = None,
    case_id: int | None = None,
    shown: str | None = None,
    is_seconded: bool = False,
) -> Correction:
    """Carry a correction out, or propose it where the tournament asks for four eyes.

    Args:
        tournament_id: key of the tournament.
        kind: what is corrected.
        facts: what it is to be, as the plan of this kind reads it.
        reason: why, for everybody to read.
        paragraph: of the Romméordnung; empty takes the one that fits.
        case_id: the request or objection that it answers, and decides once carried out.
        actor: somebody of the Spielleitung.
        spielliste_id: the list, or None for an exclusion.
        versions: of the lists touched, as they were seen; None for what does not depend
            on the lines, such as Strafpunkte.
        shown: of the preview that was seen; None where nobody has to have seen one.
        is_seconded: somebody else has asked for the same already.

    Raises:
        Conflict: if a list or the effects have changed since they were seen, another
            correction of the list waits for its second person, or the case is decided.
        TournamentError: if the reason is missing, or the plan refuses.
    """
    tournament = lock_tournament(tournament_id)
    _check_why(reason, paragraph)
    spielliste = load_list(spielliste_id) if spielliste_id is not None else None
    if spielliste is not None and versions is not None:
        # First of all: what somebody else has changed may make the plan look senseless.
        check_versions([spielliste], versions)
    found = _preview(Hall(tournament), kind, spielliste, facts)
    _check_nothing_waits(tournament, found.plan)
    if versions is not None:
        check_versions(touched_lists(found.plan), versions)
    if shown is not None and shown != found.shown:
        raise Conflict(
            _(
                "Die Wirkung ist inzwischen eine andere als die angezeigte. Bitte noch einmal "
                "ansehen und dann speichern."
            )
        )
    correction = Correction(
        tournament=tournament,
        number=next_number(tournament),
        spielliste=spielliste,
        kind=kind,
        game=found.plan.game,
        before={
            **found.plan.before,
            "versions": {str(one.pk): one.version for one in touched_lists(found.plan)},
        },
        after=found.plan.facts,
        reason=reason.strip(),
        paragraph=paragraph.strip() or found.plan.paragraph,
        effects=found.effects.to_json(),
        case=cases.undecided_case(tournament, case_id) if case_id is not None else None,
        created_by=actor.user,
    )
    if tournament.four_eyes and not is_seconded:
        _check_second_is_possible(actor)
        correction.status = Status.PROPOSED
        correction.full_clean()
        correction.save()
        others = [one for one in touched_lists(found.plan) if one != spielliste]
        record(correction, actor, "correction_proposed", others=others)
        return correction
    return carry_out(correction, found.plan, actor)


def correct_list(
    *,
    spielliste_id: int,
    kind: Correction.Kind,
    facts: Facts,
    reason: str,
    paragraph: str = "",
    version: int,
    actor: Actor,
    shown: str | None = None,
    case_id: int | None = None,
) -> Correction:
    """Correct one list as :func:`correct` does; *version* is the one that was seen."""
    spielliste = load_list(spielliste_id)
    return correct(
        tournament_id=spielliste.table.serie.tournament_id,
        kind=kind,
        facts=facts,
        reason=reason,
        paragraph=paragraph,
        actor=actor,
        spielliste_id=spielliste_id,
        versions={spielliste_id: version},
        shown=shown,
        case_id=case_id,
    )


def correct_line(
    *,
    spielliste_id: int,
    game: int,
    line: Mapping[str, Any],
    reason: str,
    paragraph: str = "",
    version: int,
    actor: Actor,
    override_reason: str = "",
) -> Correction:
    """Correct one line of a signed list; *line* is in the interchange format.

    Raises:
        Refused: if the line cannot be and *override_reason* does not say why it stands.
        Conflict, WrongStatus, TournamentError: as of :func:`correct`.
    """
    return correct_list(
        spielliste_id=spielliste_id,
        kind=Kind.LINE,
        facts={"game": game, "line": line, "override": override_reason},
        reason=reason,
        paragraph=paragraph,
        version=version,
        actor=actor,
    )


def correct_bonus_size(
    *,
    spielliste_id: int,
    bonus_size: int | None,
    reason: str,
    paragraph: str = "",
    version: int,
    actor: Actor,
) -> Correction:
    """Set the size of table that counts for the bonus (§ 3.2.1); None: the number of seats."""
    return correct_list(
        spielliste_id=spielliste_id,
        kind=Kind.BONUS_SIZE,
        facts={"bonus_size": bonus_size},
        reason=reason,
        paragraph=paragraph,
        version=version,
        actor=actor,
    )


def declare_invalid(
    *, spielliste_id: int, reason: str, paragraph: str = "", version: int, actor: Actor
) -> Correction:
    """Declare a list invalid (§ 2.2.6): it brings no result to anybody at the table."""
    return correct_list(
        spielliste_id=spielliste_id,
        kind=Kind.INVALID,
        facts={},
        reason=reason,
        paragraph=paragraph,
        version=version,
        actor=actor,
    )


def declare_valid(
    *, spielliste_id: int, reason: str, paragraph: str = "", version: int, actor: Actor
) -> Correction:
    """Let an invalid list count again, in the state in which it was."""
    return correct_list(
        spielliste_id=spielliste_id,
        kind=Kind.VALID,
        facts={},
        reason=reason,
        paragraph=paragraph,
        version=version,
        actor=actor,
    )


# --- Four eyes --------------------------------------------------------------------------------


@transaction.atomic
def approve(*, correction_id: int, actor: Actor) -> Correction:
    """Carry out what somebody else proposed, planned and judged as things are now.

    Raises:
        NotAllowed: if it is the account that proposed it, or none at all.
        Conflict: if a list has changed since the proposal.
        WrongStatus: if it does not wait for anybody.
        TournamentError: if what was proposed cannot be any more.
    """
    correction = _locked_proposal(correction_id)
    if actor.user is None or actor.user.pk == correction.created_by_id:
        raise NotAllowed(
            _(
                "Diese Berichtigung haben Sie selbst vorgeschlagen; ausführen muss sie eine "
                "zweite Person der Spielleitung."
            )
        )
    spielliste = None
    if correction.spielliste_id is not None:
        spielliste = load_list(correction.spielliste_id)
    hall = Hall(correction.tournament)
    found = _preview(hall, Kind(correction.kind), spielliste, correction.after)
    seen = {int(key): version for key, version in correction.before["versions"].items()}
    if found.plan.kind not in (Kind.PENALTY, Kind.PENALTY_WITHDRAWN):
        check_versions(touched_lists(found.plan), seen)
    correction.effects = found.effects.to_json()
    correction.decided_by = actor.user
    correction.decided_at = timezone.now()
    return carry_out(correction, found.plan, actor)


@transaction.atomic
def reject(*, correction_id: int, reason: str, actor: Actor) -> Correction:
    """Turn down a proposed correction; who proposed it may take it back so.

    Raises:
        WrongStatus: if it does not wait for anybody.
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
    others = Spielliste.objects.filter(pk__in=touched(correction) - {correction.spielliste_id})
    record(correction, actor, "correction_rejected", reason=reason, others=others)
    return correction


def _locked_proposal(correction_id: int) -> Correction:
    found = Correction.objects.only("tournament_id").get(pk=correction_id)
    tournament = lock_tournament(found.tournament_id)
    correction = Correction.objects.get(pk=correction_id)
    correction.tournament = tournament
    if correction.status != Status.PROPOSED:
        raise WrongStatus(
            _("{correction} ist schon {status}.").format(
                correction=correction, status=correction.get_status_display()
            )
        )
    return correction


def _check_second_is_possible(actor: Actor) -> None:
    if actor.user is None:
        raise NotAllowed(
            _("Bei vier Augen muss jede Berichtigung von einem Konto vorgeschlagen werden.")
        )


# --- What every correction needs ----------------------------------------------------------


def _check_why(reason: str, paragraph: str) -> None:
    if not reason.strip():
        raise TournamentError(_("Eine Berichtigung braucht einen Grund."))
    if len(reason.strip()) > LONGEST_REASON:
        raise TournamentError(
            _("Der Grund darf höchstens {most} Zeichen haben.").format(most=LONGEST_REASON)
        )
    if len(paragraph.strip()) > LONGEST_PARAGRAPH:
        raise TournamentError(
            _("Der Paragraph darf höchstens {most} Zeichen haben.").format(most=LONGEST_PARAGRAPH)
        )


def _check_nothing_waits(tournament: Tournament, plan: Plan) -> None:
    lists = {data.pk for data in plan.changed}
    persons = set(plan.excluded)
    for waiting in tournament.corrections.filter(status=Status.PROPOSED):
        if waiting.spielliste_id is None:
            if waiting.after["registration"] not in persons:
                continue
        elif not touched(waiting) & lists:
            continue
        raise Conflict(
            _(
                "{correction} wartet noch auf die zweite Person. Bitte erst darüber entscheiden."
            ).format(correction=waiting)
        )
