"""Corrections of signed lists by the Spielleitung (§§ 2.2.5, 2.2.6): previewed, then stored.

Every correction is planned (``plans``), shown with its effects, and then written: with reason,
paragraph, the previous content of the list, and a notice for every player concerned. With four
eyes it waits for a second account (``four_eyes``), whose approval plans and checks it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.corrections.services import effects
from tournaments.corrections.services.base import CorrectionPlan, Facts, TournamentLists, load_list
from tournaments.corrections.services.moves import check_versions
from tournaments.corrections.services.plans import make_plan, plan_new_penalty
from tournaments.corrections.services.writing import carry_out, next_number, recorded, touched_lists
from tournaments.journal.acts import Act, Acts
from tournaments.models import Case, Correction, Penalty, Serie, Spielliste, Tournament
from tournaments.notices.queries.effects import Effects
from tournaments.notices.services import cases

Kind = Correction.Kind
Status = Correction.Status
LONGEST_PARAGRAPH = 20
NO_REASON = gettext_lazy("Eine Berichtigung braucht einen Grund.")
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


class UnseenValues(Conflict):
    """The effects that were shown belong to other values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The effects of a correction; ``shown`` identifies them when it is stored."""

    plan: CorrectionPlan
    effects: Effects
    shown: str


# --- Preview --------------------------------------------------------------------------------


def preview(
    *, tournament: Tournament, kind: Correction.Kind, facts: Facts, spielliste_id: int | None = None
) -> Preview:
    """Return the effects of a correction without storing it.

    Raises:
        TournamentError: as for storing it, except for the version.
    """
    spielliste = load_list(spielliste_id) if spielliste_id is not None else None
    hall = TournamentLists(tournament)
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
    """Return the effects of new Strafpunkte without storing them.

    Raises:
        WrongStatus: if the list is invalid, or its Serie closed.
    """
    spielliste = load_list(penalty.spielliste_id)
    hall = TournamentLists(spielliste.table.serie.tournament)
    return _with_effects(hall, plan_new_penalty(hall, spielliste, penalty))


def _with_effects(hall: TournamentLists, plan: CorrectionPlan) -> Preview:
    changes = effects.compare(
        hall.tournament,
        serie=plan.serie,
        changed=plan.changed,
        concerned=plan.concerned,
        lists=hall.lists,
        excluded=plan.excluded,
    )
    return Preview(plan=plan, effects=changes, shown=changes.digest(plan.facts))


# --- Storing or proposing -------------------------------------------------------------------


@acts.on(Spielliste, "correct_list", reason=NO_REASON)
def correct_list(
    act: Act[Spielliste],
    *,
    kind: Correction.Kind,
    facts: Facts,
    paragraph: str = "",
    versions: Mapping[int, int] | None = None,
    case_id: int | None = None,
    shown: str | None = None,
    is_seconded: bool = False,
) -> Correction:
    """Carry out the correction of a list, or propose it if four eyes are required.

    Args:
        facts: the new values, as the plan of this kind reads them.
        paragraph: of the Romméordnung; empty for the default of the plan.
        versions: of the touched lists, as the actor saw them; None for kinds that do not
            depend on the lines, such as Strafpunkte.
        case_id: key of the request or objection that the correction decides.
        shown: identifies the preview that was seen; None if no preview is required.
        is_seconded: whether another account has proposed the same.

    Raises:
        UnseenValues: if the seen effects belong to other values.
        Conflict: if a list or the effects have changed, another correction of the list waits
            for its second person, or the case is decided.
        TournamentError: if the plan refuses.
    """
    if versions is not None:
        # Versions first: after other changes the refusal of the plan could mislead.
        check_versions([act.row], versions)
    hall = TournamentLists(act.tournament)
    return store(
        act,
        _with_effects(hall, make_plan(hall, kind, act.row, facts)),
        paragraph=paragraph,
        versions=versions,
        case=cases.undecided_case(act.tournament, case_id) if case_id is not None else None,
        shown=shown,
        is_seconded=is_seconded,
    )


def store(
    act: Act[Any],
    preview: Preview,
    *,
    paragraph: str = "",
    versions: Mapping[int, int] | None = None,
    case: Case | None = None,
    shown: str | None = None,
    is_seconded: bool = False,
) -> Correction:
    """Carry out or propose a planned correction; part of an act, as :func:`correct_list`."""
    tournament, plan, user = act.tournament, preview.plan, act.actor.user
    _check_paragraph(paragraph)
    _check_nothing_waits(tournament, plan)
    lists = touched_lists(plan)
    if versions is not None:
        check_versions(lists, versions)
    if shown is not None and shown != preview.shown:
        if not preview.effects.is_of(plan.facts, shown):
            raise UnseenValues(
                _(
                    "Die gezeigte Wirkung gehört noch zu anderen Angaben. Bitte noch einmal "
                    "ansehen und dann speichern."
                )
            )
        raise Conflict(
            _(
                "Die Wirkung ist inzwischen eine andere als die angezeigte. Bitte noch einmal "
                "ansehen und dann speichern."
            )
        )
    correction = Correction(
        tournament=tournament,
        number=next_number(tournament),
        spielliste=plan.spielliste,
        kind=plan.kind,
        game=plan.game,
        before={
            **plan.before,
            "versions": {str(spielliste.pk): spielliste.version for spielliste in lists},
        },
        after=plan.facts,
        reason=act.reason,
        paragraph=paragraph.strip() or plan.paragraph,
        effects=preview.effects.stored(),
        case=case,
        created_by=user,
    )
    if not tournament.four_eyes or is_seconded:
        return carry_out(act, correction, plan, lists)
    if user is None:
        raise NotAllowed(
            _("Bei vier Augen muss jede Berichtigung von einem Konto vorgeschlagen werden.")
        )
    correction.status = Status.PROPOSED
    with recorded(act, "correction_proposed", correction, lists):
        act.add(correction)
    return correction


def correct_line(
    by: Actor,
    spielliste_id: int,
    *,
    game: int,
    line: Mapping[str, Any],
    reason: str,
    paragraph: str = "",
    version: int,
    override_reason: str = "",
) -> Correction:
    """Correct one line of a signed list; *line* is in the interchange format.

    Raises:
        InvalidInput: if the line is impossible and *override_reason* is empty.
        Conflict, WrongStatus, TournamentError: as :func:`correct_list`.
    """
    return correct_list(
        by,
        spielliste_id,
        kind=Kind.LINE,
        facts={"game": game, "line": line, "override": override_reason},
        reason=reason,
        paragraph=paragraph,
        versions={spielliste_id: version},
    )


@acts.on(Serie, "end_lists", reason=NO_REASON)
def end_lists(act: Act[Serie], *, ends: Mapping[int, int | None]) -> list[Correction]:
    """End several lists of a Serie together, because the time is over.

    Args:
        ends: keys of the lists; paper lists have their number of games, others None: they end
            after the last game entered.

    Raises:
        TournamentError: if a list cannot be ended; then none is ended.
    """
    lists = Spielliste.objects.filter(table__serie=act.row, pk__in=ends).order_by("table__number")
    return [
        correct_list(
            act,
            spielliste.pk,
            kind=Kind.ENDED,
            facts={"ended": {"games": ends[spielliste.pk] or spielliste.games.count(), "left": []}},
            reason=act.reason,
        )
        for spielliste in lists
    ]


# --- Shared by all corrections ------------------------------------------------------------


def _check_paragraph(paragraph: str) -> None:
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
