"""The page of one Serie's draw, on which its acts show their refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.seating import DEFAULT_SIZES, single_draw_rematches, table_sizes
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.desk.queries import presence
from tournaments.desk.queries.ranking_members import questions
from tournaments.draw.forms import BeginForm, CardForm, JudgeForm, PublishForm
from tournaments.draw.queries import redraw, report
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.floor import floor_plan
from tournaments.draw.queries.task import allowed_sizes, entrants
from tournaments.draw.queries.unseated import number_list, unseated_persons
from tournaments.draw.services import changes, ranking, rows
from tournaments.models import Draw, Job, Registration, Serie, Tournament
from tournaments.people.queries.naming import hall_readers
from tournaments.results.queries import results
from tournaments.web.access import StaffRequest, own
from tournaments.web.acting import act
from tournaments.web.fields import ReasonForm

TEMPLATE = "tournaments/draw/serie.html"


def find_draft(serie: Serie) -> Draw | None:
    """Return the current draft."""
    draft = serie.draws.filter(status=Draw.Status.DRAFT).first()
    if draft is not None:
        draft.serie = serie
    return draft


def required_draft(tournament: Tournament, number: int) -> Draw:
    """Return the current draft of a Serie; refuses if there is none."""
    draft = find_draft(own(tournament, Serie, number=number))
    if draft is None:
        raise TournamentError(_("Für diese Serie gibt es keinen Entwurf."))
    return draft


def find_job(draft: Draw | None) -> Job | None:
    """Return the job of a draft's draw, with its current state."""
    if draft is None:
        return None
    return Job.objects.filter(kind="draw", params__draw=draft.pk).order_by("-pk").first()


def page(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    *,
    serie: Serie | None = None,  # if already fetched
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Return the page of a Serie, or its changing part for htmx."""
    serie = serie or own(tournament, Serie, number=number)
    context: dict[str, Any] = {
        "serie": serie,
        "is_leading": request.is_leading,
        "judge_form": JudgeForm(),
        **more,
    }
    published = queries.seated_tables(serie)
    drawn = redraw.draws_of(serie, is_seated=bool(published))
    if published and not (drawn.draft and request.is_leading):
        context |= _published_context(serie, drawn, published, is_leading=request.is_leading)
        if "neu" in request.GET or "begin_form" in more:
            context |= _redraw_context(serie, drawn)
    else:
        context |= _draft_context(serie, drawn, context)
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    return render(request, template, {**context, **more}, status=status)


def _published_context(
    serie: Serie,
    drawn: redraw.SerieDraws,
    tables: list[queries.SeatedTable],
    *,
    is_leading: bool,
) -> dict[str, Any]:
    draw = drawn.published
    context: dict[str, Any] = {
        "is_published": True,
        "published": draw,
        "tables": tables,
        "hall": floor_plan(serie.tournament, queries.tables_by_number(tables)),
        "names": queries.by_name(tables),
        "unnamed": queries.count_unnamed(tables, hall_readers(serie.tournament)),
    }
    if draw is not None:
        context["proof"] = queries.proof_of(draw)
    context["replaced"] = drawn.replaced
    if is_leading:
        context["may_change"] = not rows.is_final(serie)
        context["gaps"] = changes.current_gaps(serie) if context["may_change"] else []
        context["may_repeat"] = context["may_change"] and redraw.first_started_table(serie) is None
        if draw is not None and context["may_change"]:
            context["crossings"] = _crossings(draw, registrations_by_number(tables).values())
    return context


def _redraw_context(serie: Serie, drawn: redraw.SerieDraws) -> dict[str, Any]:
    """Return the context of the form for a redraw of published seats."""
    return {
        "begin_form": BeginForm(serie=serie, drawn=drawn),
        "unverified": _unverified(serie),
        **_absentee_context(serie),
    }


def _draft_context(
    serie: Serie, drawn: redraw.SerieDraws, context: Mapping[str, Any]
) -> dict[str, Any]:
    tournament, draft = serie.tournament, drawn.draft
    field = entrants(tournament, serie.day)
    players = len(field)
    parts: dict[str, Any] = {
        "begin_form": BeginForm(serie=serie, drawn=drawn, initial={"method": serie.seating}),
        "discarded": serie.draws.filter(status=Draw.Status.DISCARDED).count(),
        "refusal": _sizes_refusal(tournament, players),
        "singly": _plan_comparison(serie, players),
        "unverified": _unverified(serie),
    }
    if context["is_leading"]:
        parts |= {**_absentee_context(serie), "gone": presence.departed_registrations(tournament)}
    if draft is None:
        if context["is_leading"]:
            parts |= {**_presence_context(serie), "questions": questions(tournament)}
        return parts
    draft.serie = serie
    parts |= {"is_repeated": drawn.is_seated, "drop_form": ReasonForm(prefix="drop")}
    parts |= {"draft": draft, "job": find_job(draft), "proof": queries.proof_of(draft)}
    # Only the Spielleitung may see a draft before it is published, except for cards drawn
    # openly in the hall.
    if not context["is_leading"] and draft.method != Serie.Seating.CARDS:
        return parts
    tables = queries.drafted_tables(draft, tournament)
    missing = [
        (table.number, place.number)
        for table in tables
        for place in table.places
        if place.registration is None
    ]
    parts |= {
        "tables": tables,
        "hall": floor_plan(tournament, queries.tables_by_number(tables)),
        "missing": missing,
        "card_form": CardForm(),
        "is_untouched": not drawn.needs_reason,
    }
    if missing:
        parts |= _missing_cards_context(draft)
    if tables and context["is_leading"]:
        parts |= _report_context(serie, draft, tables)
        parts["left"] = _departed(draft, tables, field, parts["unticked"])
        if not missing:
            parts |= _presence_context(serie, draft)
    return parts


def _absentee_context(serie: Serie) -> dict[str, Any]:
    """Return the registrations that are not ticked off, and whether no player is ticked off."""
    absentees = list(presence.absentees(serie.tournament, serie.day))
    return {
        "unticked": absentees,
        "ticks_nobody": bool(absentees) and not presence.present_counter(serie.tournament).is_used,
    }


def _presence_context(serie: Serie, draft: Draw | None = None) -> dict[str, Any]:
    """Return the present persons, the seated ones (before a draw: entrants), and the others."""
    tournament = serie.tournament
    field = [] if draft else entrants(tournament, serie.day)
    rows = draft.seats if draft else [[player.pk for player in field]]
    seated = {key for row in rows for key in row}
    without = unseated_persons(serie, seated)
    return {
        "presence": presence.present_counter(tournament),
        "players": len(seated),
        "unplaced": without,
        "unplaced_numbers": number_list(without),
    }


def _missing_cards_context(draft: Draw) -> dict[str, Any]:
    seated = {key for row in draft.seats for key in row}
    field = entrants(draft.serie.tournament, draft.serie.day)
    without = [player for player in field if player.pk not in seated]
    return {"without_card": without, "fixed": [row for row in without if row.fixed_table]}


def _departed(
    draft: Draw,
    tables: list[queries.SeatedTable],
    field: Iterable[Registration],
    unticked: Iterable[Registration],
) -> list[Registration]:
    """Return the seated players who left the field, or were unticked after the draw."""
    may_play = {player.pk for player in field}
    at = draft.created_at
    departed = {absent.pk for absent in unticked if absent.unticked_at and absent.unticked_at > at}
    seated = registrations_by_number(tables).values()
    return [player for player in seated if player.pk not in may_play or player.pk in departed]


def _report_context(serie: Serie, draft: Draw, tables: list[queries.SeatedTable]) -> dict[str, Any]:
    findings = report.SeatingReview(serie).findings(report.rows_of(draft))
    people = registrations_by_number(tables)
    return {
        "report": report.compare_measures(findings, people),
        "near_clubs": report.near_clubs(people.values()),
        "publish_form": PublishForm(needs_reason=bool(findings.broken)),
        "needs_reason": bool(findings.broken),
        "crossings": _crossings(draft, people.values()),
    }


def _crossings(draw: Draw, people: Iterable[Registration]) -> list[dict[str, Any]]:
    names = {player.pk: player.person.full_name for player in people}
    return [
        {"name": names[key], "table": table, "before": before, "after": after}
        for key, table, before, after in draw.crossings
        if key in names
    ]


def registrations_by_number(tables: list[queries.SeatedTable]) -> dict[int, Registration]:
    """Return all registrations at the tables by start number."""
    return {
        place.registration.number or 0: place.registration
        for table in tables
        for place in table.places
        if place.registration is not None
    }


def _sizes_refusal(tournament: Tournament, players: int) -> str:
    try:
        table_sizes(players, allowed_sizes(tournament))
    except ScoringError as refusal:
        return str(refusal)
    return ""


def _plan_comparison(serie: Serie, players: int) -> dict[str, int]:
    """Return the rematches of single draws and of one plan for all Serien, if known."""
    if serie.number > 1 or allowed_sizes(serie.tournament) != DEFAULT_SIZES:
        return {}
    series = serie.tournament.serien.count()
    if (players, series) not in single_draw_rematches():
        return {}
    together, singly = single_draw_rematches()[players, series]
    return {"players": players, "series": series, "together": together, "singly": singly}


def _unverified(serie: Serie) -> str:
    if serie.number == 1:
        return ""
    return ranking.in_words(results.unverified_tables(serie.tournament, upto=serie.number - 1))


# Decorators of the acts on the page, and of those for the Spielleitung only.
page_act = act(MAY_TAKE_MONEY, page, to="draw:serie", keys=("number",))
lead_act = partial(act, MAY_LEAD, page, to="draw:serie", keys=("number",))
