"""The pages of the draw: choosing the method, drawing, publishing."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.queries.counters import tables_in_words
from tournaments.desk.queries.presence import present_counter
from tournaments.desk.services import changes, registrations
from tournaments.desk.services.registrations import Payment
from tournaments.draw.forms import BeginForm, GiveSeatForm, PublishForm
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.redraw import draws_of
from tournaments.draw.queries.task import allowed_sizes, entrants
from tournaments.draw.services import drafts, draws, redraw
from tournaments.draw.views.page import find_job, lead_act, page, required_draft
from tournaments.machine import jobs
from tournaments.models import Draw, Registration, Serie, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import form_data
from tournaments.web.fields import ReasonForm


@roles_required(MAY_TAKE_MONEY)
def serien(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the Serien and the next step."""
    rows = queries.overview(tournament)
    to_come, state = next((row for row in rows if row[1] != "published"), (None, ""))
    day = to_come.day if to_come else tournament.days.number
    players = len(entrants(tournament, day))
    context = {
        "rows": rows,
        "next": to_come,
        "is_drafted": state == "draft",
        "is_leading": request.is_leading,
        "players": players,
        "presence": present_counter(tournament),
        "tables": tables_in_words(players, allowed_sizes(tournament)),
    }
    return render(request, "tournaments/draw/serien.html", context)


@roles_required(MAY_TAKE_MONEY)
def serie(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one Serie: not drawn, as a draft, or published."""
    return page(request, tournament, number)


@lead_act(of=Serie)
def begin(request: StaffRequest, serie: Serie) -> str:
    """Fix the field and the hash of the seed."""
    data = form_data(
        request, BeginForm(request.POST, serie=serie, drawn=draws_of(serie)), "begin_form"
    )
    draws.begin(request.actor, serie.pk, **data)
    return ""


@lead_act(of=required_draft)
def carry_out(request: StaffRequest, draft: Draw) -> str:
    """Start drawing the seats in a job."""
    running = find_job(draft)
    if running is None or running.is_over:
        jobs.start(kind="draw", actor=request.actor, tournament=request.tournament, draw=draft.pk)
    return ""


@lead_act(of=required_draft)
def end_search(_request: StaffRequest, draft: Draw) -> str:
    """End the search with the best plan found so far."""
    running = find_job(draft)
    if running is not None:
        draws.end_search(job_id=running.pk)
    return ""


@lead_act(of=required_draft)
def drop(request: StaffRequest, draft: Draw) -> str:
    """Discard the draft of a redraw; the published seats stay."""
    data = form_data(request, ReasonForm(request.POST, prefix="drop"), "drop_form")
    redraw.drop_draft(request.actor, draft.pk, reason=data["reason"])
    return _("Der Entwurf ist verworfen. Die bekannten Plätze gelten weiter.")


@lead_act(of=required_draft)
def crossing(request: StaffRequest, draft: Draw) -> str:
    """Seat club mates „über Kreuz“ (§ 2.1.2)."""
    drafts.apply_crossing(request.actor, draft.pk)
    return _("Vereinsmitglieder sitzen über Kreuz, soweit es geht (§ 2.1.2).")


@lead_act(of=required_draft)
def publish(request: StaffRequest, draft: Draw) -> str:
    """Publish the seats."""
    data = form_data(request, PublishForm(request.POST), "publish_form")
    draws.publish(request.actor, draft.pk, reason=data["reason"], without=data["without"])
    return _("Die Sitzordnung ist bekannt gegeben.")


@lead_act(of=Serie)
def give_seat(request: StaffRequest, serie: Serie) -> str:
    """Take the open Startgeld of a present person, or allow a later payment."""
    data = form_data(request, GiveSeatForm(request.POST), "give_seat_form")
    registration = own(serie.tournament, Registration, pk=data["registration"])
    if data["way"] == "later":
        changes.let_pay_later(request.actor, registration.pk)
        return _("{registration} bekommt einen Platz und zahlt später.").format(
            registration=registration
        )
    payment = Payment(amount_cents=data["cents"], seen_open_cents=data["cents"])
    receipt = registrations.pay(request.actor, registration.pk, payment=payment)
    return _("{registration}: {amount} kassiert, {receipt}.").format(
        registration=registration, amount=euro(data["cents"]), receipt=receipt
    )
