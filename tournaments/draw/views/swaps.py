"""Changes of seats: swaps of two players with a preview, and suggested changes."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_LEAD
from tournaments.draw.forms import JudgeForm, SeatSwapForm, SwapForm
from tournaments.draw.queries import report
from tournaments.draw.services import changes, drafts, swaps
from tournaments.draw.services import rows as seat_rows
from tournaments.draw.views.page import find_draft, lead_act, page, required_draft
from tournaments.models import Draw, Registration, Serie, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import UNFIT, act, form_data


@roles_required(MAY_LEAD)
def judge(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the effects of a swap in advance; with one player, ask for the other."""
    serie = own(tournament, Serie, number=number)
    first = number_in(request.GET.get("first"))
    if "second" not in request.GET and first is not None:
        form = JudgeForm(initial={"first": first})
        return page(
            request,
            tournament,
            number,
            serie=serie,
            judge_form=form,
            **_effects(serie, first, None),
        )
    form = JudgeForm(request.GET)
    if not form.is_valid():
        return page(request, tournament, number, serie=serie, status=UNFIT, judge_form=form)
    effects = _effects(serie, **form.cleaned_data)
    return page(request, tournament, number, serie=serie, judge_form=form, **effects)


def _effects(serie: Serie, first: int, second: int | None) -> dict[str, Any]:
    """Return the context for the swap of two players."""
    rows = report.published_rows(serie)
    draft = find_draft(serie)
    is_published = bool(rows) and draft is None
    if draft is not None:
        rows = report.rows_of(draft)
    seated = {key for row in rows.values() for key in row}
    people = {
        registration.number or 0: registration
        for registration in Registration.objects.filter(pk__in=seated).select_related("person")
    }
    named = (first,) if second is None else (first, second)
    unseated = next((number for number in named if number not in people), None)
    if unseated is not None:
        return {"error": _("Startnummer {number} hat hier keinen Platz.").format(number=unseated)}
    if second is None:
        return {"chosen": people[first]}
    if first == second:
        return {"error": _("Tauschen können zwei verschiedene Personen mit Platz.")}
    player, partner = people[first], people[second]
    review = report.SeatingReview(serie)
    now = review.findings(rows)
    then = review.findings(report.swapped(rows, player.pk, partner.pk))
    form_class = SeatSwapForm if is_published else SwapForm
    return {
        "chosen": player,
        "swap": {
            "pairs": [(player, *_seat(rows, partner.pk)), (partner, *_seat(rows, player.pk))],
            "lines": report.compare_measures(now, people, then),
            "breaks": bool(then.broken - now.broken),
            "has_games": is_published and _has_games(serie, rows, {player.pk, partner.pk}),
            "numbers": f"{first} {second}",
        },
        "swap_form": form_class(initial={"first": first, "second": second}),
    }


def _seat(rows: report.Rows, key: int) -> tuple[int, int]:
    return next((number, list(row).index(key) + 1) for number, row in rows.items() if key in row)


def _has_games(serie: Serie, rows: report.Rows, keys: set[int]) -> bool:
    started = seat_rows.started_tables(serie)
    return any(number in started and keys & set(row) for number, row in rows.items())


def _keys(tournament: Tournament, data: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of the registrations of a swap; 0 for an unknown start number."""
    numbers = {"first_id": data["first"], "second_id": data["second"]}
    registrations = tournament.registrations.filter(number__in=numbers.values())
    keys = dict(registrations.values_list("number", "pk"))
    return {name: keys.get(number, 0) for name, number in numbers.items()}


def _refusal_page(
    request: StaffRequest, tournament: Tournament, number: int, **shown: Any
) -> HttpResponse:
    """Return the page with the effects, for a swap that was refused."""
    form: SwapForm | None = shown.get("swap_form")
    numbers = form.cleaned_data if form is not None else {}
    effects = {}
    if {"first", "second"} <= numbers.keys():
        serie = own(tournament, Serie, number=number)
        effects = _effects(serie, numbers["first"], numbers["second"])
    return page(request, tournament, number, **{**effects, **shown})


_swap_act = partial(act, MAY_LEAD, _refusal_page, to="draw:serie", keys=("number",))


@_swap_act(of=required_draft)
def swap(request: StaffRequest, draft: Draw) -> str:
    """Swap two players of a draft."""
    keys = _keys(request.tournament, form_data(request, SwapForm(request.POST), "swap_form"))
    drafts.swap(request.actor, draft.pk, **keys)
    return _("Die beiden Plätze sind getauscht.")


@_swap_act(of=Serie)
def swap_seats(request: StaffRequest, serie: Serie) -> str:
    """Swap the published seats of two players."""
    data = form_data(request, SeatSwapForm(request.POST), "swap_form")
    swaps.swap_seats(
        request.actor,
        serie.pk,
        reason=data["reason"],
        override=data["override"],
        **_keys(request.tournament, data),
    )
    return _("Die Plätze sind getauscht. Bitte den beiden ansagen.")


@lead_act(of=Serie)
def change_seats(request: StaffRequest, serie: Serie) -> str:
    """Carry out one of the suggested changes."""
    changes.carry_out(request.actor, serie.pk, key=request.POST.get("change", ""))
    return _("Die Plätze sind geändert. Bitte am Tisch ansagen.")
