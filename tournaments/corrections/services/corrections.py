"""Corrections of signed lists by the Spielleitung (§§ 2.2.5, 2.2.6): previewed, then stored.

Every correction is planned (:mod:`corrections_plans`), shown with its effects, and only
then written: with reason, paragraph, the previous content of the list, and a notice for
every player concerned. If the tournament requires four eyes, it waits for a second
account (:mod:`four_eyes`), and is planned and checked again when that one approves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.reading.records import to_json
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.locks import lock_serie, lock_tournament
from tournaments.corrections.services import effects
from tournaments.corrections.services.base import CorrectionPlan, Facts, Hall, load_list
from tournaments.corrections.services.moves import check_versions
from tournaments.corrections.services.plans import make_plan, plan_penalty_to_be
from tournaments.corrections.services.writing import carry_out, next_number, record, touched_lists
from tournaments.models import Correction, Penalty, Spielliste, Tournament
from tournaments.notices.queries.effects import Effects
from tournaments.notices.services import cases

Kind = Correction.Kind
Status = Correction.Status
LONGEST_REASON = 500
LONGEST_PARAGRAPH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The effects of a correction; ``shown`` is passed back when it is stored."""

    plan: CorrectionPlan
    effects: Effects
    shown: str


# --- Preview --------------------------------------------------------------------------------


def preview(
    *, tournament: Tournament, kind: Correction.Kind, facts: Facts, spielliste_id: int | None = None
) -> Preview:
    """Return what a correction would change, without changing anything.

    Raises:
        TournamentError: as when storing it, except for the version.
    """
    spielliste = load_list(spielliste_id) if spielliste_id is not None else None
    hall = Hall(tournament)
    return _with_effects(hall, make_plan(hall, kind, spielliste, facts))


def preview_of(correction: Correction) -> Preview:
    """Return the current effects of approving a proposed correction."""
    return preview(
        tournament=correction.tournament,
        kind=Kind(correction.kind),
        facts=correction.after,
        spielliste_id=correction.spielliste_id,
    )


def preview_penalty(penalty: Penalty) -> Preview:
    """Return the effects of Strafpunkte that are not proposed yet, without storing them.

    Raises:
        WrongStatus: if the list is invalid, or its Serie closed.
    """
    spielliste = load_list(penalty.spielliste_id)
    hall = Hall(spielliste.table.serie.tournament)
    return _with_effects(hall, plan_penalty_to_be(hall, spielliste, penalty))


def _with_effects(hall: Hall, plan: CorrectionPlan) -> Preview:
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
    """Carry a correction out, or propose it if the tournament requires four eyes.

    Args:
        tournament_id: key of the tournament.
        kind: of the correction.
        facts: the new values, as the plan of this kind reads them.
        reason: public.
        paragraph: of the Romméordnung; empty for the default of the plan.
        case_id: key of the request or objection that it decides once carried out.
        actor: an account of the Spielleitung.
        spielliste_id: key of the list, or None for an exclusion.
        versions: of the lists touched, as they were seen; None for kinds that do not depend
            on the lines, such as Strafpunkte.
        shown: of the preview that was seen; None if no preview is required.
        is_seconded: another account has proposed the same already.

    Raises:
        Conflict: if a list or the effects have changed since they were seen, another
            correction of the list waits for its second person, or the case is decided.
        TournamentError: if the reason is missing, or the plan refuses.
    """
    tournament = lock_tournament(tournament_id)
    _check_why(reason, paragraph)
    spielliste = load_list(spielliste_id) if spielliste_id is not None else None
    if spielliste is not None and versions is not None:
        # Check versions first: after other changes the plan may be refused misleadingly.
        check_versions([spielliste], versions)
    hall = Hall(tournament)
    found = _with_effects(hall, make_plan(hall, kind, spielliste, facts))
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
        effects=to_json(found.effects),
        case=cases.undecided_case(tournament, case_id) if case_id is not None else None,
        created_by=actor.user,
    )
    if tournament.four_eyes and not is_seconded:
        if actor.user is None:
            raise NotAllowed(
                _("Bei vier Augen muss jede Berichtigung von einem Konto vorgeschlagen werden.")
            )
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
        Refused: if the line is impossible and *override_reason* is empty.
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


@transaction.atomic
def end_lists(
    *, serie_id: int, ends: Mapping[int, int | None], reason: str, actor: Actor
) -> list[Correction]:
    """End several lists of a Serie at once, because the time is up.

    Args:
        serie_id: key of the Serie.
        ends: keys of the lists, with the number of games for those on paper; None for those on
            a device, which end after the last game entered.
        reason: for all of them.
        actor: an account of the Spielleitung.

    Raises:
        TournamentError: if one of them cannot be ended; then none is.
    """
    tournament, serie = lock_serie(serie_id)
    lists = Spielliste.objects.filter(table__serie=serie, pk__in=ends).order_by("table__number")
    return [
        correct(
            tournament_id=tournament.pk,
            kind=Kind.ENDED,
            facts={"ended": {"games": ends[one.pk] or one.games.count(), "left": []}},
            reason=reason,
            actor=actor,
            spielliste_id=one.pk,
        )
        for one in lists
    ]


# --- Shared by all corrections ------------------------------------------------------------


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


def _check_nothing_waits(tournament: Tournament, plan: CorrectionPlan) -> None:
    lists = {data.pk for data in plan.changed}
    persons = set(plan.excluded)
    for waiting in tournament.corrections.filter(status=Status.PROPOSED):
        if waiting.spielliste_id is None:
            if waiting.after["registration"] not in persons:
                continue
        elif not waiting.touched_lists() & lists:
            continue
        raise Conflict(
            _(
                "{correction} wartet noch auf die zweite Person. Bitte erst darüber entscheiden."
            ).format(correction=waiting)
        )
