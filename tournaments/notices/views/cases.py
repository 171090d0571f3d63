"""Pages of cases, with their lists."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.announcement.forms.tournament import ReasonForm
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.lists.queries.data import is_correctable
from tournaments.models import Case, Correction, Penalty, Registration, Tournament
from tournaments.notices.forms import DecisionForm
from tournaments.notices.queries import cases as queries
from tournaments.notices.queries.notice_texts import NoticeText
from tournaments.notices.queries.notices import objected_notice
from tournaments.notices.services import cases
from tournaments.web.access import StaffRequest, or_404, roles_required
from tournaments.web.acting import act, form_data

PER_PAGE = 30


@require_safe
@roles_required(MAY_CHECK)
def listing(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the undecided and the decided cases."""
    page = Paginator(queries.decided(tournament), PER_PAGE).get_page(request.GET.get("page"))
    context = {"open": queries.undecided(tournament), "page": page}
    return render(request, "tournaments/notices/cases.html", context)


@require_safe
@roles_required(MAY_CHECK)
def case(
    request: StaffRequest, tournament: Tournament, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show one case beside its list."""
    case = or_404(queries.find(tournament, pk))
    if case.spielliste is not None:
        case.spielliste.table.serie.tournament = tournament
    may_decide = request.is_leading and not cases.decide.refusal(case)
    about = objected_notice(case)
    serie = case.spielliste.table.serie if case.spielliste else None
    must_be_other = tournament.four_eyes and queries.is_decision_of(case, request.user)
    context = {
        "about": about,
        "penalty": _given_penalty(about),
        "is_excluded": about is not None
        and about.correction.kind == Correction.Kind.EXCLUSION
        and about.registration.status == Registration.Status.EXCLUDED,
        "reason_form": ReasonForm(),
        "must_be_other": must_be_other,
        "may_lead": may_decide,
        "closed": TAKES_PEOPLE.refusal(tournament, serie),
        "serie": serie,
        "is_leading": request.is_leading,
        "case": case,
        "sheet": queries.sheet_of(case.spielliste) if case.spielliste else None,
        "corrections": case.corrections.order_by("number"),
        "may_decide": may_decide and not must_be_other,
        "may_correct": may_decide
        and case.decided_at is None
        and case.spielliste is not None
        and is_correctable(case.spielliste),
        "form": DecisionForm(),
        **more,
    }
    return render(request, "tournaments/notices/case.html", context, status=status)


def _given_penalty(about: NoticeText | None) -> Penalty | None:
    """Return the Strafpunkte that an objection is about, while they count."""
    if about is None or about.correction.kind != Correction.Kind.PENALTY:
        return None
    penalties = Penalty.objects.filter(status=Penalty.Status.GIVEN)
    return penalties.filter(pk=about.correction.after["penalty"]).first()


@act(MAY_LEAD, case, to="notices:page", of=Case)
def decide(request: StaffRequest, case: Case) -> str:
    """Decide a case."""
    decision = form_data(request, DecisionForm(request.POST))["decision"]
    cases.decide(request.actor, case.pk, decision=decision)
    return _("Entschieden. Bitte noch mitteilen.")


@act(MAY_CHECK, case, to="notices:page", of=Case)
def tell(request: StaffRequest, case: Case) -> str:
    """Record that a decision was told."""
    cases.tell(request.actor, case.pk, how=request.POST.get("how", ""))
    return _("Die Entscheidung ist als mitgeteilt eingetragen.")
