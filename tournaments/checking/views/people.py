"""Pages about players: Strafpunkte, exclusion and wrong places."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.checking.forms import PenaltyForm
from tournaments.checking.services import exclusions, penalties
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.corrections.forms.correcting import CorrectionForm, MoveForm
from tournaments.corrections.links import crumbs_of, list_url, named_case
from tournaments.corrections.services import corrections, effects
from tournaments.corrections.services import moves as corrections_moves
from tournaments.corrections.services.base import Facts, TournamentLists, people_of
from tournaments.corrections.services.moves import Move
from tournaments.corrections.views import add_stored_message, effects_or_refusal, shown_effects
from tournaments.corrections.views import people_of as people_of_effects
from tournaments.draw.queries import seating
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Correction, Penalty, Registration, Serie, Spielliste, Tournament
from tournaments.notices.queries.cases import undecided_in
from tournaments.rulebook.queries import rules_of_play
from tournaments.web.access import StaffRequest, own, own_list, roles_required
from tournaments.web.acting import CONFLICT, UNFIT, act, form_data, posted, refused_on
from tournaments.web.fields import ReasonForm

# --- Strafpunkte ----------------------------------------------------------------------------------


def _player_choices(spielliste: Spielliste) -> list[tuple[int, str]]:
    tournament = spielliste.table.serie.tournament
    (data,) = load_lists(tournament, only=[spielliste.pk])
    people = Registration.objects.select_related("person").in_bulk(people_of(data))
    return [
        (key, f"{people[key].number} · {people[key].person.full_name}") for key in people_of(data)
    ]


def _penalties_page(
    request: StaffRequest,
    tournament: Tournament,
    serie: int,
    table: int,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    spielliste = own_list(tournament, serie, table)
    is_leading = request.is_leading
    rows = spielliste.penalties.select_related(
        "registration__person", "proposed_by", "decided_by"
    ).order_by("pk")
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "form": PenaltyForm(
            people=_player_choices(spielliste), initial=_initial_penalty(request, tournament)
        ),
        "reason_form": ReasonForm(),
        "penalties": [(penalty, _effects_of(penalty) if is_leading else {}) for penalty in rows],
        "waits": any(penalty.status == Penalty.Status.PROPOSED for penalty in rows),
        "is_leading": is_leading,
        "closed": (penalties.give_at_once if is_leading else penalties.propose).refusal(spielliste),
        "crumbs": crumbs_of(spielliste, (_("Strafpunkte"), "")),
        **more,
    }
    return render(request, "tournaments/checking/penalties.html", context, status=status)


def _initial_penalty(request: StaffRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the initial values for the paragraph and points in the address."""
    return next(
        (
            {"points": proposal.points, "paragraph": paragraph.number, "reason": proposal.reason}
            for paragraph, proposal in rules_of_play.proposals(rule_set_of(tournament))
            if paragraph.number == request.GET.get("paragraph")
            and str(proposal.points) == request.GET.get("punkte")
        ),
        {},
    )


def _effects_of(penalty: Penalty) -> dict[str, Any]:
    """Return the effects of giving proposed Strafpunkte; empty for decided ones."""
    if penalty.status != Penalty.Status.PROPOSED:
        return {}
    return effects_or_refusal(lambda: corrections.preview_penalty(penalty))


@roles_required(MAY_CHECK)
@refused_on(_penalties_page, to="checking:penalties", keys=("serie", "table"))
def penalties_(
    request: StaffRequest, tournament: Tournament, serie: int, table: int
) -> str | HttpResponse:
    """Show the Strafpunkte of a list; a Schiedsrichter proposes, the Spielleitung gives."""
    if request.method != "POST":
        return _penalties_page(request, tournament, serie, table)
    spielliste = own_list(tournament, serie, table)
    form = PenaltyForm(request.POST, people=_player_choices(spielliste))
    data = form_data(request, form)
    facts: dict[str, Any] = {
        "registration_id": data["registration"],
        "points": data["points"],
        "reason": data["reason"],
        "paragraph": data["paragraph"],
    }
    if not request.is_leading:
        penalties.propose(request.actor, spielliste.pk, **facts)
        return _("Vorgeschlagen. Die Spielleitung entscheidet über die Strafpunkte.")
    preview = corrections.preview_penalty(form.penalty(spielliste))
    if request.POST.get("shown", "") != preview.shown:
        more = {"form": form, **shown_effects(preview)}
        return _penalties_page(request, tournament, serie, table, **more)
    add_stored_message(request, penalties.give_at_once(request.actor, spielliste.pk, **facts))
    return ""


def _page_of_penalty(
    request: StaffRequest, tournament: Tournament, key: int, **shown: Any
) -> HttpResponse:
    table = own(tournament, Penalty, pk=key).spielliste.table
    return _penalties_page(
        request, tournament, table.serie.number, table.number, decided=key, **shown
    )


def _back_to_list(penalty: Penalty) -> HttpResponse:
    return redirect(list_url(penalty.spielliste, "penalties"))


@act(MAY_LEAD, _page_of_penalty, of=Penalty)
def give(request: StaffRequest, penalty: Penalty) -> HttpResponse:
    """Give Strafpunkte that were proposed."""
    add_stored_message(request, penalties.give(request.actor, penalty.pk))
    return _back_to_list(penalty)


@act(MAY_LEAD, _page_of_penalty, of=Penalty)
def reject(request: StaffRequest, penalty: Penalty) -> HttpResponse:
    """Reject proposed Strafpunkte."""
    reason = form_data(request, ReasonForm(request.POST), "reason_form")["reason"]
    penalties.reject(request.actor, penalty.pk, reason=reason)
    messages.success(request, _("Es gibt keine Strafpunkte."))
    return _back_to_list(penalty)


@act(MAY_LEAD, _page_of_penalty, of=Penalty)
def withdraw(request: StaffRequest, penalty: Penalty) -> HttpResponse:
    """Withdraw given Strafpunkte."""
    reason = form_data(request, ReasonForm(request.POST), "reason_form")["reason"]
    add_stored_message(
        request,
        penalties.withdraw(request.actor, penalty.pk, reason=reason, case_id=named_case(request)),
    )
    return _back_to_list(penalty)


# --- Exclusion (§ 1.4) --------------------------------------------------------------------------


@roles_required(MAY_LEAD)
def exclusion(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Exclude a player, or take that back, after showing the effects."""
    registration = get_object_or_404(
        Registration.objects.select_related("person"), tournament=tournament, number=number
    )
    registration.tournament = tournament
    is_excluded = registration.status == Registration.Status.EXCLUDED
    form = CorrectionForm(posted(request), initial={"version": 0})
    context: dict[str, Any] = {
        "registration": registration,
        "is_excluded": is_excluded,
        "is_leading": request.is_leading,
        "closed": exclusions.exclude.refusal(registration),
        "form": form,
    }
    status: int = 200
    if request.method == "POST" and form.is_valid():
        act = exclusions.take_back if is_excluded else exclusions.exclude
        try:
            correction = act(
                request.actor,
                registration.pk,
                reason=form.cleaned_data["reason"],
                paragraph=form.cleaned_data["paragraph"],
                shown=request.POST.get("shown", ""),
                case_id=named_case(request),
            )
        except TournamentError as refusal:
            context["error"], status = str(refusal), CONFLICT
        else:
            add_stored_message(request, correction)
            return redirect("checking:correction", tournament.slug, correction.number)
    elif request.method == "POST":
        status = UNFIT
    context |= effects_or_refusal(lambda: exclusions.preview(registration))
    return render(request, "tournaments/checking/exclusion.html", context, status=status)


# --- Wrong places -------------------------------------------------------------------------------


def _move_preview(serie: Serie, facts: Facts) -> tuple[Move, dict[str, Any]]:
    hall = TournamentLists(serie.tournament)
    move = corrections_moves.make_move(hall, serie, facts)
    concerned: dict[int, None] = {}
    for data in (*(hall.list_data(spielliste) for spielliste in move.lists), *move.changed):
        concerned.update(dict.fromkeys(people_of(data)))
    changes = effects.compare(
        serie.tournament,
        serie=serie.number,
        changed=move.changed,
        concerned=concerned,
        lists=hall.lists,
    )
    versions = {spielliste.pk: spielliste.version for spielliste in move.lists}
    return move, {
        "move": move,
        "effects": changes,
        "people": people_of_effects(changes),
        "warnings": [problem.message for problem in move.warnings],
        "versions": versions,
        "shown": changes.digest(
            {**facts, "versions": {str(pk): version for pk, version in versions.items()}}
        ),
    }


@roles_required(MAY_LEAD)
def move(request: StaffRequest, tournament: Tournament, serie: int) -> HttpResponse:
    """Move players whose places differ from the lists."""
    chosen = own(tournament, Serie, number=serie)
    form = MoveForm(posted(request), cases=list(undecided_in(chosen)), tied=named_case(request))
    context: dict[str, Any] = {"form": form}
    status: int = 200
    form.full_clean()
    if request.method == "POST" and form.cells_are_valid():
        facts: dict[str, Any] = {"games": form.cleaned_data["games"]}
        try:
            facts["places"] = corrections_moves.places_of_rings(
                chosen, form.cleaned_data["numbers"]
            )
            planned, shown = _move_preview(chosen, facts)
            if form.is_valid() and request.POST.get("shown", "") == shown["shown"]:
                return _move(request, chosen, planned, facts, form)
            context |= shown
        except TournamentError as refusal:
            context["error"], status = str(refusal), CONFLICT
    if request.method == "POST" and not form.is_valid():
        status = UNFIT
    context |= {
        "serie": chosen,
        "is_leading": request.is_leading,
        "closed": corrections_moves.move_at_the_tables.refusal(chosen),
        "tables": seating.seated_tables(chosen),
        "crumbs": [
            (str(chosen), reverse("checking:serie", args=[tournament.slug, chosen.number])),
            (_("Plätze berichtigen"), ""),
        ],
    }
    return render(request, "tournaments/corrections/move.html", context, status=status)


def _move(
    request: StaffRequest, serie: Serie, planned: Move, facts: Facts, form: MoveForm
) -> HttpResponse:
    actor = request.actor
    versions = {spielliste.pk: spielliste.version for spielliste in planned.lists}
    reason = form.cleaned_data["reason"]
    if planned.is_at_the_tables and form.case_id is not None:
        raise TournamentError(
            _(
                "Von diesen Listen ist noch keine unterschrieben: Der Wechsel ist keine "
                "Berichtigung und entscheidet keinen Fall. Bitte „keinen“ wählen."
            )
        )
    if planned.is_at_the_tables:
        corrections_moves.move_at_the_tables(
            actor, serie.pk, facts=facts, reason=reason, versions=versions
        )
        messages.success(request, _("Die Plätze sind geändert. Bitte an den Tischen ansagen."))
    else:
        signed = next(spielliste for spielliste in planned.lists if not spielliste.is_at_the_table)
        correction = corrections.correct_list(
            actor,
            signed.pk,
            kind=Correction.Kind.SEATS,
            facts=facts,
            reason=reason,
            paragraph=form.cleaned_data["paragraph"],
            versions=versions,
            case_id=form.case_id,
        )
        add_stored_message(request, correction)
    return redirect("checking:serie", serie.tournament.slug, serie.number)
