"""Pages to correct a list, and to approve or reject a proposed correction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.reading.validation import from_json
from tournaments.common.digits import number_in
from tournaments.common.errors import InvalidInput, TournamentError
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.corrections.forms.correcting import BonusSizeForm, CorrectionForm
from tournaments.corrections.forms.ending import EndForm, EndingReasons
from tournaments.corrections.forms.line import LineForm
from tournaments.corrections.links import crumbs_of, list_url, named_case
from tournaments.corrections.services import corrections, four_eyes
from tournaments.corrections.services.corrections import Preview
from tournaments.lists.queries import changes as text
from tournaments.models import Correction, Registration, Spielliste, Tournament
from tournaments.notices.queries.cases import undecided_of
from tournaments.notices.queries.effects import Effects
from tournaments.web.access import StaffRequest, or_404, own, own_list, roles_required
from tournaments.web.acting import CONFLICT, UNFIT, act, form_data
from tournaments.web.fields import ReasonForm

Kind = Correction.Kind
TEMPLATE = "tournaments/corrections/correct.html"


def shown_effects(preview: Preview) -> dict[str, Any]:
    """Return the context of a preview for the templates."""
    plan = preview.plan
    return {
        "preview": preview,
        "changes": text.describe(plan.kind, plan.before, plan.facts),
        "effects": preview.effects,
        "people": people_of(preview.effects),
        "warnings": [problem.message for problem in plan.warnings],
    }


def effects_or_refusal(look: Callable[[], Preview]) -> dict[str, Any]:
    """Return the context of a preview, or its refusal as ``refusal``."""
    try:
        return shown_effects(look())
    except TournamentError as refusal:
        return {"refusal": str(refusal)}


def people_of(effects: Effects) -> dict[int, Registration]:
    """Return the registrations named in the effects by key."""
    keys = [person.registration for person in effects.persons]
    return Registration.objects.select_related("person").in_bulk(keys)


def add_stored_message(request: StaffRequest, correction: Correction) -> None:
    """Add a message about the result of a correction."""
    if correction.status == Correction.Status.PROPOSED:
        messages.info(
            request,
            _("{correction} ist vorgeschlagen und wartet auf die zweite Person.").format(
                correction=correction
            ),
        )
        return
    messages.success(request, _("{correction} ist gespeichert.").format(correction=correction))
    if correction.case_id is not None:
        messages.info(request, _("Der Fall ist damit entschieden. Bitte noch mitteilen."))


# --- One list -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The differences between the kinds of correction."""

    kind: Correction.Kind
    title: str | Promise
    make_form: Callable[[StaffRequest, Spielliste, Any], CorrectionForm]


def _cases(request: StaffRequest, spielliste: Spielliste) -> dict[str, Any]:
    """Return the form arguments for the cases of a list and the one in the address."""
    return {"cases": list(undecided_of(spielliste)), "tied": named_case(request)}


def _line_form(request: StaffRequest, spielliste: Spielliste, data: Any) -> CorrectionForm:
    number = or_404(number_in(request.GET.get("spiel")))
    game = get_object_or_404(spielliste.games, number=number)
    seats = list(spielliste.table.seats.select_related("registration__person").order_by("number"))
    moved = spielliste.spans.filter(last_game__gte=number).select_related("registration__person")
    played_by = {span.seat: span.registration for span in moved.order_by("-last_game")}
    for seat in seats:
        seat.registration = played_by.get(seat.number, seat.registration)  # of this game
    form = LineForm(
        data,
        rule_set=rule_set_of(spielliste.table.serie.tournament),
        seats=seats,
        game=game.number,
        line=game.line,
        override="override" in (data or {}),
        initial={"version": spielliste.version},
        **_cases(request, spielliste),
    )
    cell, points = f"minus_{request.GET.get('platz', '')}", request.GET.get("punkte", "")
    if cell in form.fields and points:
        form.initial[cell] = points
    return form


def _bonus_form(request: StaffRequest, spielliste: Spielliste, data: Any) -> CorrectionForm:
    return BonusSizeForm(
        data,
        rule_set=rule_set_of(spielliste.table.serie.tournament),
        size=spielliste.bonus_size or spielliste.table.seats.count(),
        initial={"version": spielliste.version},
        **_cases(request, spielliste),
    )


def _status_form(request: StaffRequest, spielliste: Spielliste, data: Any) -> CorrectionForm:
    initial = {"version": spielliste.version}
    return CorrectionForm(data, initial=initial, **_cases(request, spielliste))


def _end_form(request: StaffRequest, spielliste: Spielliste, data: Any) -> CorrectionForm:
    at_table = spielliste.table.seats.select_related("registration__person").order_by("number")
    seats, rule_set = list(at_table), rule_set_of(spielliste.table.serie.tournament)
    return EndForm(
        data,
        seats=seats,
        games=spielliste.games.count(),
        most=rule_set.games_at(len(seats)) - 1 if spielliste.on_paper else None,
        initial={"version": spielliste.version, "why": EndingReasons.TIME},
        **_cases(request, spielliste),
    )


PAGES = {
    "line": _Page(kind=Kind.LINE, title=gettext_lazy("Zeile berichtigen"), make_form=_line_form),
    "bonus_size": _Page(
        kind=Kind.BONUS_SIZE,
        title=gettext_lazy("Tischgröße für den Bonus"),
        make_form=_bonus_form,
    ),
    "invalid": _Page(
        kind=Kind.INVALID,
        title=gettext_lazy("Für ungültig erklären"),
        make_form=_status_form,
    ),
    "end": _Page(
        kind=Kind.ENDED, title=gettext_lazy("Liste vorzeitig beenden"), make_form=_end_form
    ),
    "go_on": _Page(
        kind=Kind.GOES_ON, title=gettext_lazy("Ende zurücknehmen"), make_form=_status_form
    ),
    "valid": _Page(
        kind=Kind.VALID, title=gettext_lazy("Wieder für gültig erklären"), make_form=_status_form
    ),
}


@roles_required(MAY_LEAD)
def correct(
    request: StaffRequest, tournament: Tournament, serie: int, table: int, what: str
) -> HttpResponse:
    """Correct one list: show the effects, then store the correction."""
    spielliste = own_list(tournament, serie, table)
    page = PAGES[what]
    data = request.POST if request.method == "POST" else None
    form = page.make_form(request, spielliste, data)
    if request.method == "POST" and "preview" in request.POST:
        return _preview(request, spielliste, page, form)
    if request.method == "POST":
        return _store(request, spielliste, page, form)
    more: dict[str, Any] = {}
    if form.initial.keys() - {"version"} or not form.cells():
        # The values are in the address, or the form has none.
        more = _initial_effects(request, spielliste, page, form)
    return _render(request, spielliste, page, form, **more)


def _initial_effects(
    request: StaffRequest, spielliste: Spielliste, page: _Page, form: CorrectionForm
) -> dict[str, Any]:
    data = {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}
    filled = page.make_form(request, spielliste, data)
    filled.full_clean()
    return _effects_of(spielliste, page, filled)


def _effects_of(spielliste: Spielliste, page: _Page, form: CorrectionForm) -> dict[str, Any]:
    if not form.cells_are_valid():
        return {}
    return effects_or_refusal(lambda: _preview_of_form(spielliste, page, form))


def _preview_of_form(spielliste: Spielliste, page: _Page, form: CorrectionForm) -> Preview:
    return corrections.preview(
        tournament=spielliste.table.serie.tournament,
        kind=page.kind,
        facts=form.facts(),
        spielliste_id=spielliste.pk,
    )


def _preview(
    request: StaffRequest, spielliste: Spielliste, page: _Page, form: CorrectionForm
) -> HttpResponse:
    """Return only the effects, while the form is filled in."""
    form.full_clean()
    context: dict[str, Any] = {"spielliste": spielliste}
    status: int = UNFIT
    if form.cells_are_valid():
        try:
            context |= shown_effects(_preview_of_form(spielliste, page, form))
            status = 200
        except TournamentError as refusal:
            context["refusal"] = str(refusal)
            context["may_override"] = isinstance(refusal, InvalidInput)
    else:
        wrong = [error for name in form.errors if name != "reason" for error in form.errors[name]]
        context["refusal"] = " ".join(map(str, wrong))
    return render(request, f"{TEMPLATE}#effects", context, status=status)


def _store(
    request: StaffRequest, spielliste: Spielliste, page: _Page, form: CorrectionForm
) -> HttpResponse:
    if not form.is_valid():
        more = _effects_of(spielliste, page, form)
        return _render(request, spielliste, page, form, status=UNFIT, **more)
    shown = request.POST.get("shown", "")
    try:
        if not shown:
            # The first submit shows the effects, the second one stores the correction.
            context = shown_effects(_preview_of_form(spielliste, page, form))
            return _render(request, spielliste, page, form, asked=True, **context)
        correction = corrections.correct_list(
            request.actor,
            spielliste.pk,
            kind=page.kind,
            facts=form.facts(),
            reason=form.cleaned_data["reason"],
            paragraph=form.cleaned_data["paragraph"],
            versions={spielliste.pk: form.cleaned_data["version"]},
            case_id=form.case_id,
            shown=shown,
        )
    except corrections.UnseenValues:
        # Submitted before the page showed the effects of these values.
        context = _effects_of(spielliste, page, form)
        return _render(request, spielliste, page, form, asked=True, **context)
    except InvalidInput as refusal:
        return _override_page(request, spielliste, page, refusal)
    except TournamentError as refusal:
        return _conflict_page(request, spielliste, page, str(refusal))
    add_stored_message(request, correction)
    return redirect(list_url(spielliste))


def _override_page(
    request: StaffRequest, spielliste: Spielliste, page: _Page, refusal: InvalidInput
) -> HttpResponse:
    """Show the problems beside their cells, and offer to override with a reason."""
    data = request.POST.copy()
    data.setdefault("override", "")
    form = page.make_form(request, spielliste, data)
    form.full_clean()
    form.show_problems(refusal.problems)
    return _render(request, spielliste, page, form, status=UNFIT, is_impossible=True)


def _conflict_page(
    request: StaffRequest, spielliste: Spielliste, page: _Page, refusal: str
) -> HttpResponse:
    """Show the current values beside the typed ones; the user must submit again."""
    serie = spielliste.table.serie
    now = own_list(serie.tournament, serie.number, spielliste.table.number)
    data = request.POST.copy()
    data["version"] = str(now.version)
    form = page.make_form(request, now, data)
    form.full_clean()
    more = {**_effects_of(now, page, form), "error": refusal, "refusal": ""}
    return _render(request, now, page, form, status=CONFLICT, **more)


def _render(
    request: StaffRequest,
    spielliste: Spielliste,
    page: _Page,
    form: CorrectionForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    seat = request.GET.get("platz", "")
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "form": form,
        "is_leading": request.is_leading,
        "closed": corrections.correct_list.refusal(spielliste),
        "page": page,
        "is_line": page.kind == Kind.LINE,
        "focus": f"minus_{seat}" if f"minus_{seat}" in form.fields else "",
        "points_given": bool(request.GET.get("punkte")),
        "crumbs": crumbs_of(spielliste, (str(page.title), "")),
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


# --- One correction ------------------------------------------------------------------------------


@roles_required(MAY_CHECK)
def correction(
    request: StaffRequest, tournament: Tournament, number: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show a correction: its changes, reason, actor, effects and notices."""
    correction = _find(tournament, number)
    effects = from_json(correction.effects, Effects)
    context: dict[str, Any] = {
        "correction": correction,
        "changes": text.changes(correction),
        "effects": effects,
        "people": people_of(effects),
        "notices": correction.notices.select_related("registration__person").order_by(
            "registration__number"
        ),
        "is_leading": request.is_leading,
        "is_own": correction.created_by_id == request.user.pk,
        "reason_form": ReasonForm(),
        **more,
    }
    if correction.status == Correction.Status.PROPOSED:
        context |= effects_or_refusal(lambda: corrections.preview_of(correction))
    return render(request, "tournaments/corrections/correction.html", context, status=status)


def _find(tournament: Tournament, number: int) -> Correction:
    rows = Correction.objects.select_related(
        "spielliste__table__serie", "created_by", "decided_by", "case"
    )
    return own(tournament, rows, number=number)


@act(MAY_LEAD, correction, of=_find)
def approve(request: StaffRequest, proposal: Correction) -> HttpResponse:
    """Carry out a correction proposed by another account."""
    add_stored_message(request, four_eyes.approve(request.actor, proposal.pk))
    return redirect("checking:correction", request.tournament.slug, proposal.number)


@act(MAY_LEAD, correction, to="checking:correction", keys=("number",), of=_find)
def reject(request: StaffRequest, proposal: Correction) -> str:
    """Reject a proposed correction."""
    reason = form_data(request, ReasonForm(request.POST), "reason_form")["reason"]
    four_eyes.reject(request.actor, proposal.pk, reason=reason)
    return _("{correction} ist abgelehnt.").format(correction=proposal)
