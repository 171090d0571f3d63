"""Pages for creating a tournament."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.ruleset import RuleSet
from scoring.rulesets import offered_rulesets, ruleset
from tournaments.accounts.queries import may_begin_trial
from tournaments.announcement.forms.tournament import NewTournamentForm, StartForm
from tournaments.announcement.queries import tournaments as queries
from tournaments.announcement.services import tournaments
from tournaments.announcement.services.copying import copy_tournament
from tournaments.common.organisers import IMPLIED_ROLES, implied_roles, rights_by_organiser
from tournaments.common.roles import MAY_APPOINT, MAY_LEAD
from tournaments.machine.addresses import moved_warning
from tournaments.machine.certificate import certificate_warning
from tournaments.models import Organiser, Role, Tournament
from tournaments.rulebook.queries import rule_set_text
from tournaments.web.access import StaffRequest, account_required, chosen_organiser, role_labels
from tournaments.web.acting import FormStorage, posted

PER_PAGE = 20


@account_required
def tournaments_page(request: StaffRequest) -> HttpResponse:
    """Show the tournaments in which the account has a role."""
    page = Paginator(queries.of_user(request.user), PER_PAGE).get_page(request.GET.get("page"))
    held = rights_by_organiser(request.user)
    real = {
        role
        for organiser in held
        if not organiser.is_practice
        for role in implied_roles(held[organiser])
    }
    made_up = {organiser.pk for organiser in held if organiser.is_practice}
    implied = {
        organiser.pk: implied_roles(held[organiser] & IMPLIED_ROLES.keys()) for organiser in held
    }
    tries = request.user.memberships.filter(tournament__is_trial_run=True)
    rows, leads = [], False
    for each in queries.with_counts(request.user, page.object_list):
        roles = {membership.role for membership in each.memberships.all()} | implied[each.owner_id]
        leads |= bool(roles & MAY_LEAD)
        # A Veranstalter may do everything, so no other role is named.
        named = role_labels(roles & MAY_APPOINT or roles)
        is_made_up = each.owner_id in made_up
        rows.append({"tournament": each, "is_made_up": is_made_up, "roles": named})
    context = {
        "page": page,
        "rows": rows,
        "leads": leads,
        "may_create": Role.VERANSTALTER in real,
        # Not by role, because possibly no account has one in it.
        "has_demo": request.user.is_admin
        and Tournament.objects.filter(owner__is_practice=True, is_trial_run=False).exists(),
        "operator_warning": request.user.is_admin and (certificate_warning() or moved_warning()),
        "may_try": may_begin_trial(request.user, real) and not tries.exists(),
    }
    return render(request, "tournaments/announcement/tournaments.html", context)


def organiser_for_new(request: StaffRequest) -> Organiser:
    """Return the organiser at hand, for which the account makes a tournament or season."""
    organisers = tournaments.organisers_for_new(request.user)
    if not organisers:
        raise PermissionDenied(str(tournaments.MAY_NOT_CREATE))
    request.at_hand = chosen_organiser(request.user, organisers)
    return request.at_hand


@account_required
def new(request: StaffRequest) -> HttpResponse:
    """Show the models for a new tournament: a rule set, or an earlier tournament."""
    organiser_for_new(request)
    context = {
        "rule_sets": [(each, rule_set_text.summary(each)) for each in offered_rulesets()],
        "earlier": queries.copyable_tournaments(request.user)[:20],
    }
    return render(request, "tournaments/announcement/new.html", context)


@account_required
def new_from_rules(request: StaffRequest, rule_set_id: str) -> HttpResponse:
    """Make a tournament by one of the rule sets."""
    owner = organiser_for_new(request)
    rules = _rule_set_or_404(rule_set_id)
    form = NewTournamentForm(posted(request), rule_set=rules)
    with FormStorage(form) as storing:
        if form.is_valid():
            data = form.cleaned_data
            tournament = tournaments.create_tournament(
                owner=owner,
                name=data["name"],
                starts_at=data["starts_at"],
                rule_set=data["rule_set"],
                serien=data["serien"],
                startgeld_cents=data["startgeld_cents"],
                seating=queries.usual_seating(owner),
                actor=request.actor,
            )
            messages.success(request, _("Das Turnier ist als Entwurf angelegt."))
            return redirect("setup:tournament", tournament.slug)
    context = {"rule_set": rules, "summary": rule_set_text.summary(rules), "form": form}
    template = "tournaments/announcement/new_from_rules.html"
    return render(request, template, context, status=storing.status)


def _rule_set_or_404(rule_set_id: str) -> RuleSet:
    try:
        return ruleset(rule_set_id)
    except ScoringError as error:
        raise Http404(str(error)) from error


@account_required
def new_from_copy(request: StaffRequest, slug: str) -> HttpResponse:
    """Make a tournament like an earlier one."""
    owner = organiser_for_new(request)
    source = get_object_or_404(queries.copyable_tournaments(request.user), slug=slug)
    usual = {"name": source.name, "start_time": timezone.localtime(source.starts_at).time()}
    form = StartForm(posted(request), initial=usual)
    with FormStorage(form) as storing:
        if form.is_valid():
            tournament = copy_tournament(
                owner=owner,
                tournament_id=source.pk,
                name=form.cleaned_data["name"],
                starts_at=form.cleaned_data["starts_at"],
                actor=request.actor,
            )
            messages.success(
                request,
                _(
                    "Das Turnier ist als Entwurf angelegt. Bitte Beträge, Jahrgänge und Fristen "
                    "prüfen."
                ),
            )
            return redirect("setup:tournament", tournament.slug)
    context = {"source": source, "form": form}
    template = "tournaments/announcement/new_from_copy.html"
    return render(request, template, context, status=storing.status)
