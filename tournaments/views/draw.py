"""The draw: choosing how, drawing, looking, swapping, making it known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.errors import ScoringError
from scoring.seating.sizes import table_sizes
from tournaments.access import StaffRequest, roles_required
from tournaments.actors import Actor
from tournaments.errors import TournamentError
from tournaments.forms.draw import BeginForm, CardForm, SeatSwapForm, SwapForm
from tournaments.models import Draw, Job, Role, Serie, Tournament
from tournaments.queries import seating as queries
from tournaments.queries.desk import tables_in_words
from tournaments.services import drafts, draw_cards, draws, jobs, seat_changes, seat_swaps
from tournaments.services.draw_task import allowed_sizes, entrants

TEMPLATE = "tournaments/draw/serie.html"
LEADING = {Role.VERANSTALTER.value, Role.SPIELLEITUNG.value}
CARDS = (Role.SPIELLEITUNG, Role.KASSE)


@roles_required(*CARDS)
def serien(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the Serien and what is to be done next."""
    players = len(entrants(tournament))
    context = {
        "rows": queries.overview(tournament),
        "players": players,
        "tables": tables_in_words(players, allowed_sizes(tournament)),
    }
    return render(request, "tournaments/draw/serien.html", context)


def _serie(tournament: Tournament, number: int) -> Serie:
    serie = get_object_or_404(Serie, tournament=tournament, number=number)
    serie.tournament = tournament
    return serie


def _draft(serie: Serie) -> Draw | None:
    return serie.draws.filter(status=Draw.Status.DRAFT).first()


def _context(request: StaffRequest, serie: Serie, **more: Any) -> dict[str, Any]:
    tournament = serie.tournament
    draft = _draft(serie)
    is_leading = bool(request.roles & LEADING)
    # What a draft has drawn is the Spielleitung's alone until it is made known; cards on
    # the table are seen by everybody in the hall anyway.
    may_see = draft is not None and (is_leading or draft.method == Serie.Seating.CARDS)
    drafted = queries.drafted_tables(draft, tournament) if draft and may_see else []
    published = queries.seated_tables(serie)
    tables = published or drafted
    missing = sum(place.registration is None for table in drafted for place in table.places)
    job = _job(draft)
    return {
        "serie": serie,
        "draft": draft,
        "job": job,
        "tables": tables,
        "names": queries.by_name(tables),
        "is_published": bool(published),
        "published": serie.draws.filter(status=Draw.Status.PUBLISHED).first(),
        "discarded": serie.draws.filter(status=Draw.Status.DISCARDED).count(),
        "missing": missing,
        "without_card": _without_card(tournament, draft) if draft and missing else [],
        "is_leading": is_leading,
        "begin_form": BeginForm(initial={"method": serie.seating}),
        "card_form": CardForm(),
        "swap_form": SwapForm(),
        "seat_swap_form": SeatSwapForm(),
        "gaps": seat_changes.gaps(serie) if published and is_leading else [],
        "refusal": _sizes_refusal(tournament),
        "crossings": _crossings(draft, tournament),
        **more,
    }


def _job(draft: Draw | None) -> Job | None:
    if draft is None:
        return None
    job = Job.objects.filter(kind="draw", params__draw=draft.pk).order_by("-pk").first()
    return jobs.look_after(job) if job is not None else None


def _without_card(tournament: Tournament, draft: Draw) -> list[Any]:
    seated = {key for row in draft.seats for key in row}
    return [one for one in entrants(tournament) if one.pk not in seated]


def _sizes_refusal(tournament: Tournament) -> str:
    try:
        table_sizes(len(entrants(tournament)), allowed_sizes(tournament))
    except ScoringError as refusal:
        return str(refusal)
    return ""


def _crossings(draft: Draw | None, tournament: Tournament) -> list[dict[str, Any]]:
    if draft is None or not draft.crossings:
        return []
    known = tournament.registrations.select_related("person").in_bulk()
    return [
        {"registration": known[key], "table": table, "before": before, "after": after}
        for key, table, before, after in draft.crossings
    ]


def _page(request: StaffRequest, serie: Serie, *, status: int = 200, **more: Any) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    return render(request, template, _context(request, serie, **more), status=status)


@roles_required(*CARDS)
def serie(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one Serie: to be drawn, as a draft, or as it was made known."""
    return _page(request, _serie(tournament, number))


def _act(
    request: StaffRequest,
    serie: Serie,
    act: Callable[[dict[str, Any]], object],
    *,
    form: forms.Form | None = None,
    form_name: str = "",
    done: str = "",
) -> HttpResponse:
    if form is not None and not form.is_valid():
        return _page(request, serie, status=422, **{form_name: form})
    try:
        act(form.cleaned_data if form is not None else {})
    except TournamentError as refusal:
        more = {form_name: form} if form is not None else {}
        return _page(request, serie, status=409, error=str(refusal), **more)
    if done:
        messages.success(request, done)
    return redirect("draw:serie", serie.tournament.slug, serie.number)


@require_POST
@roles_required(Role.SPIELLEITUNG)
def begin(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Fix the field and the hash of the seed."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda data: draws.begin(
            serie_id=found.pk,
            method=data["method"],
            reason=data["reason"],
            actor=Actor.account(request.user),
        ),
        form=BeginForm(request.POST),
        form_name="begin_form",
    )


def _required_draft(serie: Serie) -> Draw:
    draft = _draft(serie)
    if draft is None:
        raise TournamentError(_("Für diese Serie gibt es keinen Entwurf."))
    return draft


@require_POST
@roles_required(Role.SPIELLEITUNG)
def carry_out(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Have the seats drawn, in a process of its own."""
    found = _serie(tournament, number)

    def act(_data: dict[str, Any]) -> object:
        draft = _required_draft(found)
        running = _job(draft)
        if running is not None and not running.is_over:
            return running
        return jobs.start(
            kind="draw",
            actor=Actor.account(request.user),
            tournament=tournament,
            draw=draft.pk,
        )

    return _act(request, found, act)


@require_POST
@roles_required(*CARDS)
def card(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Write down a card that was drawn."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda data: draw_cards.enter_card(
            draw_id=_required_draft(found).pk,
            number=data["number"],
            table=data["table"],
            seat=data["seat"],
            actor=Actor.account(request.user),
        ),
        form=CardForm(request.POST),
        form_name="card_form",
    )


@require_POST
@roles_required(Role.SPIELLEITUNG)
def fill_up(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Draw the cards that are missing."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda _data: draw_cards.fill_up(
            draw_id=_required_draft(found).pk, actor=Actor.account(request.user)
        ),
    )


@require_POST
@roles_required(Role.SPIELLEITUNG)
def crossing(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Seat club mates across (§ 2.1.2)."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda _data: drafts.apply_crossing(
            draw_id=_required_draft(found).pk, actor=Actor.account(request.user)
        ),
        done=_("Vereinsmitglieder sitzen über Kreuz, soweit es geht (§ 2.1.2)."),
    )


@require_POST
@roles_required(Role.SPIELLEITUNG)
def swap(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let two people change places."""
    found = _serie(tournament, number)

    def act(data: dict[str, Any]) -> object:
        first, second = _keys(tournament, data)
        return drafts.swap(
            draw_id=_required_draft(found).pk,
            first_id=first,
            second_id=second,
            actor=Actor.account(request.user),
        )

    return _act(request, found, act, form=SwapForm(request.POST), form_name="swap_form")


def _keys(tournament: Tournament, data: dict[str, Any]) -> tuple[int, int]:
    """Return the keys behind the two start numbers of a swap, 0 for one nobody has."""
    wanted = [data["first"], data["second"]]
    keys = {one.number: one.pk for one in tournament.registrations.filter(number__in=wanted)}
    return keys.get(wanted[0], 0), keys.get(wanted[1], 0)


@require_POST
@roles_required(Role.SPIELLEITUNG)
def swap_seats(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let two people change places that everybody knows already."""
    found = _serie(tournament, number)

    def act(data: dict[str, Any]) -> object:
        first, second = _keys(tournament, data)
        return seat_swaps.swap_seats(
            serie_id=found.pk,
            first_id=first,
            second_id=second,
            reason=data["reason"],
            actor=Actor.account(request.user),
        )

    return _act(
        request,
        found,
        act,
        form=SeatSwapForm(request.POST),
        form_name="seat_swap_form",
        done=_("Die Plätze sind getauscht. Bitte den beiden ansagen."),
    )


@require_POST
@roles_required(Role.SPIELLEITUNG)
def change_seats(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Carry out one of the changes that were offered."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda _data: seat_changes.carry_out(
            serie_id=found.pk,
            key=request.POST.get("change", ""),
            actor=Actor.account(request.user),
        ),
        done=_("Die Plätze sind geändert. Bitte am Tisch ansagen."),
    )


@require_POST
@roles_required(Role.SPIELLEITUNG)
def publish(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Make the seats known everywhere at once."""
    found = _serie(tournament, number)
    return _act(
        request,
        found,
        lambda _data: draws.publish(
            draw_id=_required_draft(found).pk, actor=Actor.account(request.user)
        ),
        done=_("Die Sitzordnung ist bekannt gegeben."),
    )
