"""The overview of a tournament, and the acts that change its state."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from tournaments.announcement.forms.tournament import MissingForm, ReasonForm
from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.services import edit, tournaments
from tournaments.announcement.services.checks import missing_before_announcing
from tournaments.announcement.services.sections import fingerprint
from tournaments.board.queries import day_overview, registration_days
from tournaments.cash.queries.refunds import refund_list
from tournaments.common.organisers import UNNAMED
from tournaments.common.roles import MAY_LEAD, MAY_SEE, MAY_TAKE_MONEY
from tournaments.journal.queries.seals import origin_of
from tournaments.machine import jobs
from tournaments.machine.addresses import site_address
from tournaments.machine.mails import can_mail
from tournaments.machine.program import check_files_unchanged
from tournaments.models import Tournament
from tournaments.models.tournament import Section
from tournaments.notices.queries.circulars import ALL, Audiences, Reach, untold_changes
from tournaments.results.queries.outcome import TournamentOutcome
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import act, form_data
from tournaments.web.decisions import decisions_of
from tournaments.web.polling import is_staff_page_current, polled


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    now = timezone.now()
    context = {
        "now": now,
        "sections": [
            (section, ausschreibung_text.section_lines(tournament, section)) for section in Section
        ],
        "origin": origin_of(tournament),
        "manages": request.is_leading,
        "may_change": request.is_leading and not tournament.is_read_only,
        "rules_are_fixed": tournament.is_running,
        **(_missing_facts(request, tournament, now) if tournament.is_draft else {}),
        "registered": registration_days(tournament, now) if tournament.is_announced else None,
        "site": site_address(request),
        **(_untold_context(tournament) if request.is_leading and tournament.takes_people else {}),
        "form": ReasonForm(),
        **_ending_context(request, tournament),
        **(_day_context(request, tournament, now) if tournament.is_running else {}),
        **more,
    }
    return render(request, "tournaments/board/page.html", context, status=status)


def _missing_facts(request: StaffRequest, tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Return the missing facts of a draft: as fields of one form, the others as sentences."""
    missing = missing_before_announcing(tournament, now)
    context: dict[str, Any] = {"missing": [fact for fact in missing if not fact.fields]}
    if request.is_leading and any(fact.fields for fact in missing):
        context["missing_form"] = _missing_form(request, tournament)
        context["fingerprint"] = fingerprint(tournament, Section.GENERAL)
    elif any(fact.fields for fact in missing):
        context["missing"] = missing
    return context


def _missing_form(request: StaffRequest, tournament: Tournament, data: Any = None) -> MissingForm:
    """Return the form, with the owner's name and the account's address as initial values."""
    owner = tournament.owner.name
    organiser = "" if owner == UNNAMED else owner
    usual = {"organiser": organiser, "contact_email": request.user.email}
    return MissingForm(data, tournament=tournament, usual=usual)


def _ending_context(request: StaffRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the result of a closed tournament, or the refunds of a cancelled one."""
    if not (tournament.is_closed or tournament.is_called_off):
        return {}
    may_copy = request.is_leading and not tournament.is_trial_run
    context: dict[str, Any] = {
        "may_copy": may_copy and bool(tournaments.organisers_for_new(request.user))
    }
    if tournament.is_called_off:
        pays = request.roles & MAY_TAKE_MONEY
        return {**context, "due": refund_list(tournament) if pays else None}
    closed_at = tournament.closings.aggregate(last=Max("closed_at"))["last"]
    seasons = list(tournament.seasons.order_by("name"))
    return {
        **context,
        "outcome": TournamentOutcome(tournament),
        "closed_at": closed_at,
        "seasons": seasons,
    }


def _untold_context(tournament: Tournament) -> dict[str, Any]:
    """Return the changes to notify of, and the number of registered persons with mail."""
    changes = untold_changes(tournament)
    everybody = Audiences(tournament).receivers().get(ALL, ()) if changes else ()
    return {
        "changes": [change.what for change in changes] if everybody else [],
        "with_mail": Reach.of(everybody).persons_by_mail if everybody else 0,
    }


def _day_context(request: StaffRequest, tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Return the board of a running tournament.

    It shows the decisions itself, so that the page frame does not.
    """
    decisions = decisions_of(request.user, tournament) if request.is_leading else None
    board = day_overview(tournament, request.roles, decisions, now)
    return {"board": board, "decisions": None}


@polled(is_staff_page_current)
@roles_required(MAY_SEE)
def tournament_page(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the next steps and the Ausschreibung; for a polling page only the day."""
    if not request.htmx:
        return _page(request, tournament)
    if not tournament.is_running:
        return HttpResponseClientRefresh()
    now = timezone.now()
    context = {"now": now, **_day_context(request, tournament, now)}
    return render(request, "tournaments/board/_day.html", context)


_overview_act = act(MAY_LEAD, _page, to="setup:tournament")
_BACK = {"desk": "desk:desk", "draw": "draw:serien"}  # pages that require the announcement


@_overview_act
def complete(request: StaffRequest, tournament: Tournament) -> str:
    """Store the missing facts of a draft, and announce the tournament on request."""
    form = _missing_form(request, tournament, request.POST)
    values = form_data(request, form, "missing_form")
    seen = request.POST.get("fingerprint", "")
    edit.change_fields(
        request.actor, tournament.pk, seen=seen, section=Section.GENERAL, values=values
    )
    if "announce" not in request.POST:
        return _("Gespeichert: {section}.").format(section=Section.GENERAL.label)
    tournaments.announce(request.actor, tournament.pk)
    return _("Das Turnier ist ausgeschrieben. Die Ausschreibung ist jetzt öffentlich.")


@_overview_act
def announce(request: StaffRequest, tournament: Tournament) -> str | HttpResponse:
    """Publish the Ausschreibung; redirect to the page that required it."""
    tournaments.announce(request.actor, tournament.pk)
    sentence = _("Das Turnier ist ausgeschrieben. Die Ausschreibung ist jetzt öffentlich.")
    if (back := _BACK.get(request.POST.get("back", ""))) is None:
        return sentence
    messages.success(request, sentence)
    return redirect(back, tournament.slug)


@_overview_act
def back_to_draft(request: StaffRequest, tournament: Tournament) -> str:
    """Take the Ausschreibung back."""
    tournaments.back_to_draft(request.actor, tournament.pk)
    return _("Das Turnier ist wieder ein Entwurf und nicht mehr öffentlich.")


@_overview_act
def start(request: StaffRequest, tournament: Tournament) -> str:
    """Start the tournament."""
    tournaments.start(request.actor, tournament.pk)
    return _("Das Turnier läuft. Sein Regelwerk steht jetzt fest.")


@_overview_act
def call_off(request: StaffRequest, tournament: Tournament) -> str:
    """Call the tournament off, and mail all players with an address."""
    reason = form_data(request, ReasonForm(request.POST))["reason"]
    check_files_unchanged()  # otherwise no mail would be sent
    tournaments.call_off(request.actor, tournament.pk, reason=reason)
    _queue_mails(request, tournament)
    return _("Das Turnier ist abgesagt. Wer bezahlt hat, steht bei den Rückzahlungen.")


@_overview_act
def undo_calling_off(request: StaffRequest, tournament: Tournament) -> str:
    """Undo the cancellation, and mail all players again."""
    reason = form_data(request, ReasonForm(request.POST))["reason"]
    check_files_unchanged()
    tournaments.undo_calling_off(request.actor, tournament.pk, reason=reason)
    _queue_mails(request, tournament)
    return _("Die Absage ist zurückgenommen.")


def _queue_mails(request: StaffRequest, tournament: Tournament) -> None:
    if can_mail():
        jobs.start(kind=tournaments.MAILS, actor=request.actor, tournament=tournament)
