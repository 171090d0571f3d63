"""Changes of seats: two who swap, judged before it is done, and changes that were offered."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_LEAD
from tournaments.draw.forms import JudgeForm, SeatSwapForm, SwapForm
from tournaments.draw.queries import report
from tournaments.draw.services import changes, drafts, swaps
from tournaments.draw.services import rows as seat_rows
from tournaments.draw.views.page import act, find_draft, find_serie, page, required_draft
from tournaments.models import Registration, Serie, Tournament


@roles_required(MAY_LEAD)
def judge(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show what a swap would mean, before it is done; with one person, ask for the other."""
    found = find_serie(tournament, number)
    first = number_in(request.GET.get("first"))
    if "second" not in request.GET and first is not None:
        form = JudgeForm(initial={"first": first})
        return page(request, found, judge_form=form, **_judged(found, first, None))
    form = JudgeForm(request.GET)
    if not form.is_valid():
        return page(request, found, status=422, judge_form=form)
    return page(request, found, judge_form=form, **_judged(found, **form.cleaned_data))


def _judged(serie: Serie, first: int, second: int | None) -> dict[str, Any]:
    """Return what the page shows of two people who may swap."""
    rows = report.published_rows(serie)
    is_published = bool(rows)
    draft = find_draft(serie)
    if not is_published and draft is not None:
        rows = report.rows_of(draft)
    there = {key for row in rows.values() for key in row}
    people = {
        one.number or 0: one
        for one in Registration.objects.filter(pk__in=there).select_related("person")
    }
    nobody = next((number for number in (first, second) if number and number not in people), None)
    if nobody is not None:
        return {"error": _("Startnummer {number} hat hier keinen Platz.").format(number=nobody)}
    if second is None:
        return {"chosen": people[first]}
    if first == second:
        return {"error": _("Tauschen können zwei verschiedene Personen mit Platz.")}
    one, other = people[first], people[second]
    judged = report.Judge(serie)
    now = judged.findings(rows)
    then = judged.findings(report.swapped(rows, one.pk, other.pk))
    form_class = SeatSwapForm if is_published else SwapForm
    return {
        "chosen": one,
        "swap": {
            "pairs": [(one, *_seat(rows, other.pk)), (other, *_seat(rows, one.pk))],
            "lines": report.lines(now, people, then),
            "breaks": bool(then.broken - now.broken),
            "has_games": is_published and _has_games(serie, rows, {one.pk, other.pk}),
            "numbers": f"{first} {second}",
        },
        "swap_form": form_class(initial={"first": first, "second": second}),
    }


def _seat(rows: report.Rows, key: int) -> tuple[int, int]:
    return next((number, list(row).index(key) + 1) for number, row in rows.items() if key in row)


def _has_games(serie: Serie, rows: report.Rows, keys: set[int]) -> bool:
    started = seat_rows.started_tables(serie)
    return any(number in started and keys & set(row) for number, row in rows.items())


def _keys(tournament: Tournament, data: dict[str, Any]) -> dict[str, int]:
    """Return the keys behind the two start numbers of a swap, 0 for one nobody has."""
    wanted = {"first_id": data["first"], "second_id": data["second"]}
    found = tournament.registrations.filter(number__in=wanted.values())
    keys = dict(found.values_list("number", "pk"))
    return {name: keys.get(number, 0) for name, number in wanted.items()}


def _again(serie: Serie, form: SwapForm) -> dict[str, Any]:
    """Return the judgement once more, for a swap that was refused."""
    data = form.cleaned_data
    judged = (
        _judged(serie, data["first"], data["second"]) if {"first", "second"} <= data.keys() else {}
    )
    return {**judged, "swap_form": form}


@require_POST
@roles_required(MAY_LEAD)
def swap(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let two people of a draft change places."""
    found = find_serie(tournament, number)
    form = SwapForm(request.POST)
    return act(
        request,
        found,
        lambda data: drafts.swap(
            draw_id=required_draft(found).pk,
            actor=request.actor,
            **_keys(tournament, data),
        ),
        form=form,
        form_name="swap_form",
        refused=lambda: _again(found, form),
        done=_("Die beiden Plätze sind getauscht."),
    )


@require_POST
@roles_required(MAY_LEAD)
def swap_seats(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let two people change places that everybody knows already."""
    found = find_serie(tournament, number)
    form = SeatSwapForm(request.POST)
    return act(
        request,
        found,
        lambda data: swaps.swap_seats(
            serie_id=found.pk,
            reason=data["reason"],
            override=data["override"],
            actor=request.actor,
            **_keys(tournament, data),
        ),
        form=form,
        form_name="swap_form",
        done=_("Die Plätze sind getauscht. Bitte den beiden ansagen."),
        refused=lambda: _again(found, form),
    )


@require_POST
@roles_required(MAY_LEAD)
def change_seats(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Carry out one of the changes that were offered."""
    found = find_serie(tournament, number)
    return act(
        request,
        found,
        lambda _data: changes.carry_out(
            serie_id=found.pk, key=request.POST.get("change", ""), actor=request.actor
        ),
        done=_("Die Plätze sind geändert. Bitte am Tisch ansagen."),
    )
