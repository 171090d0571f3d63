"""Pages for changing one section of an Ausschreibung."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.payments.prizes import MOST_EXPECTED
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tournaments.announcement.forms.bussgeld import BUSSGELD_FORMS, KINDS
from tournaments.announcement.forms.prizes import PrizeForm
from tournaments.announcement.forms.serien import SerienForm
from tournaments.announcement.forms.tariff import ADD_ROW, RankingsForm, TariffForm
from tournaments.announcement.forms.tournament import (
    BankForm,
    GeneralForm,
    ProcedureForm,
    PublicForm,
    ReasonForm,
    TextForm,
)
from tournaments.announcement.queries import ausschreibung_text, examples
from tournaments.announcement.queries import tournaments as queries
from tournaments.announcement.services import edit, tariff
from tournaments.announcement.services.sections import fingerprint
from tournaments.common import rules as common_rules
from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import RUNS
from tournaments.journal.acts import ActFunction
from tournaments.models import Tournament
from tournaments.models.tournament import Section
from tournaments.rulebook.forms.own_rules import CustomRuleSetForm
from tournaments.rulebook.forms.rules import PresetForm, RuleSetChoices
from tournaments.rulebook.queries import rule_set_text
from tournaments.rulebook.queries.rule_set_example import rules_example
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import CONFLICT, UNFIT, posted

PREVIEW = "preview"  # the button that shows an example instead of saving
TELLING = "mitteilen"  # anchor in the overview: whether registered persons are told of a change
SUGGEST = "vorschlag"  # the button that fills in a usual prize plan instead of saving


@dataclass(frozen=True, slots=True)
class SectionPage:
    """Form, example and act of one section."""

    template: str
    form: Callable[[StaffRequest, Tournament], forms.BaseForm]
    act: ActFunction[..., None]
    given: Callable[[Any], dict[str, Any]]  # returns the arguments of the act from a valid form
    more: Callable[[StaffRequest, Tournament, Any], dict[str, Any]] = lambda *_args: {}


def _plain(
    section: Section, form: Callable[..., forms.BaseForm], template: str = ""
) -> SectionPage:
    return SectionPage(
        template=template or "section_plain.html",
        form=_for_tournament(form),
        act=edit.change_fields,
        given=lambda valid: {"section": section, "values": valid.cleaned_data},
    )


def _for_tournament(form: Callable[..., forms.BaseForm]) -> Callable[..., forms.BaseForm]:
    return lambda request, tournament: form(posted(request), tournament=tournament)


def _requested(request: StaffRequest, name: str) -> str:
    """Return a choice of the page, from the form or else from the query."""
    return str(request.POST.get(name) or request.GET.get(name) or "")


# --- Rule set -------------------------------------------------------------------------


def _rules_form(request: StaffRequest, tournament: Tournament) -> forms.BaseForm:
    if "preset" in request.POST:
        return PresetForm(request.POST)
    return RuleSetChoices(posted(request), rule_set=common_rules.rule_set_of(tournament))


def _chosen_rules(form: Any) -> dict[str, Any]:
    data = form.cleaned_data
    return {"rule_set": ruleset(data["preset"]) if "preset" in data else data["rule_set"]}


def _rules_context(_request: StaffRequest, tournament: Tournament, form: Any) -> dict[str, Any]:
    rules = common_rules.rule_set_of(tournament)
    return {
        "rule_set": rules,
        "rule_lines": rule_set_text.details(rules),
        "contracts": rule_set_text.contracts(rules),
        "preset_form": form
        if isinstance(form, PresetForm)
        else PresetForm(initial={"preset": rules.id}),
        "example": _rules_example(rules, form),
        "has_choices": isinstance(form, RuleSetChoices) and bool(form.choice_fields),
    }


def _rules_example(rules: RuleSet, form: Any) -> dict[str, Any] | None:
    """Return an example by the numbers of the form, or by *rules*; None for invalid ones."""
    if form.is_bound:
        return rules_example(form.cleaned_data.get("rule_set", rules)) if form.is_valid() else None
    return rules_example(rules)


# --- Bußgeld --------------------------------------------------------------------------


def _bussgeld_kind(request: StaffRequest, tournament: Tournament) -> str:
    kind = _requested(request, "art")
    return kind if kind in BUSSGELD_FORMS else common_rules.bussgeld_tariff(tournament).kind


def _bussgeld_form(request: StaffRequest, tournament: Tournament) -> forms.BaseForm:
    form_class = BUSSGELD_FORMS[_bussgeld_kind(request, tournament)]
    form = form_class(posted(request), tariff=common_rules.bussgeld_tariff(tournament))
    form.leave_out(max(common_rules.rule_set_of(tournament).table_sizes))
    return form


def _bussgeld_context(request: StaffRequest, tournament: Tournament, form: Any) -> dict[str, Any]:
    kind = _bussgeld_kind(request, tournament)
    stored = common_rules.bussgeld_tariff(tournament)
    shown = stored if stored.kind == kind else None
    if form.is_bound:
        shown = form.cleaned_data.get("tariff") if form.is_valid() else None
    return {
        "kind": kind,
        "kinds": KINDS.items(),
        "stored_kind": stored.kind,
        "example": examples.bussgeld(shown, common_rules.rule_set_of(tournament))
        if shown
        else None,
    }


# --- Prizes ---------------------------------------------------------------------------


def _pot(request: StaffRequest, tournament: Tournament) -> queries.Pot:
    pots = queries.pots(tournament)
    return next((pot for pot in pots if pot.name == _requested(request, "topf")), pots[0])


def _prize_form(request: StaffRequest, tournament: Tournament) -> PrizeForm:
    pot = _pot(request, tournament)
    plan = common_rules.prize_plans(tournament).get(pot.name, examples.EMPTY_PLAN)
    data = posted(request)
    if SUGGEST in request.POST:
        chosen = number_in(request.POST.get("expected_entries", "")) or 0
        plan = replace(plan, expected_entries=chosen if chosen <= MOST_EXPECTED else 0)
        plan = examples.suggested_plan(pot, plan, examples.expected_entries(tournament))
        data = None
    return PrizeForm(data, tournament=tournament, pot=pot.name, plan=plan)


def _prize_context(request: StaffRequest, tournament: Tournament, form: Any) -> dict[str, Any]:
    plan, pot = form.plan, _pot(request, tournament)
    if form.is_bound:
        plan = form.cleaned_data.get("plan") if form.is_valid() else None
    example = None
    if plan and plan.has_prizes:
        entries = plan.expected_entries or examples.expected_entries(tournament)
        example = examples.prizes(plan, pot, entries, tournament.serien.count())
    return {
        "pot": pot,
        "pots": queries.pots(tournament),
        "is_suggested": SUGGEST in request.POST,
        "example": example,
    }


# --- The pages ------------------------------------------------------------------------

PAGES: Mapping[Section, SectionPage] = {
    Section.GENERAL: _plain(Section.GENERAL, GeneralForm, "section_general.html"),
    Section.TEXT: _plain(Section.TEXT, TextForm),
    Section.RULE_SET: SectionPage(
        template="section_rules.html",
        form=_rules_form,
        act=edit.change_rule_set,
        given=_chosen_rules,
        more=_rules_context,
    ),
    Section.SERIEN: SectionPage(
        template="section_serien.html",
        form=_for_tournament(SerienForm),
        act=edit.change_serien,
        given=lambda form: {"lines": form.lines(), "schedule": form.schedule()},
    ),
    Section.STARTGELD: SectionPage(
        template="section_tariff.html",
        form=_for_tournament(TariffForm),
        act=tariff.change_startgeld,
        given=lambda form: {"tariff": form.tariff()},
    ),
    Section.RANKINGS: SectionPage(
        template="section_rankings.html",
        form=_for_tournament(RankingsForm),
        act=tariff.change_rankings,
        given=lambda form: {"lines": form.lines()},
    ),
    Section.BUSSGELD: SectionPage(
        template="section_bussgeld.html",
        form=_bussgeld_form,
        act=edit.change_bussgeld,
        given=lambda form: {"tariff": form.cleaned_data["tariff"]},
        more=_bussgeld_context,
    ),
    Section.PRIZES: SectionPage(
        template="section_prizes.html",
        form=_prize_form,
        act=edit.change_prize_plan,
        given=lambda form: {"pot": form.pot, "plan": form.cleaned_data["plan"]},
        more=_prize_context,
    ),
    Section.BANK: _plain(Section.BANK, BankForm),
    Section.PROCEDURE: _plain(Section.PROCEDURE, ProcedureForm),
    Section.PUBLIC: _plain(Section.PUBLIC, PublicForm),
}


@roles_required(MAY_LEAD)
def section(request: StaffRequest, tournament: Tournament, name: str) -> HttpResponse:
    """Show one section as a form, and store it."""
    if name not in Section.values:
        raise Http404
    return _edit(request, tournament, Section(name), PAGES[Section(name)])


@roles_required(MAY_LEAD)
def custom_rules(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Change the numbers of the rule set, under a name of its own."""
    page = SectionPage(
        template="custom_rules.html",
        form=lambda request, tournament: CustomRuleSetForm(
            posted(request), rule_set=common_rules.rule_set_of(tournament)
        ),
        act=edit.change_rule_set,
        given=_chosen_rules,
        more=_custom_rules_context,
    )
    return _edit(request, tournament, Section.RULE_SET, page)


def _custom_rules_context(
    _request: StaffRequest, tournament: Tournament, form: Any
) -> dict[str, Any]:
    rules = common_rules.rule_set_of(tournament)
    return {"rule_set": rules, "example": _rules_example(rules, form)}


def _edit(
    request: StaffRequest, tournament: Tournament, section: Section, page: SectionPage
) -> HttpResponse:
    form = page.form(request, tournament)
    is_fixed = tournament.status not in page.act.rule.when.tournament
    is_saving = request.method == "POST" and not {ADD_ROW, PREVIEW, SUGGEST} & set(request.POST)
    reason = None
    if tournament.status in RUNS.tournament and not is_fixed:
        reason = ReasonForm(request.POST) if is_saving else ReasonForm(initial=request.POST.dict())
    context: dict[str, Any] = {
        "form": form,
        "reason_form": reason,
        "section": section,
        # A page with refused values keeps the fingerprint of the old facts.
        "fingerprint": request.POST.get("fingerprint") or fingerprint(tournament, section),
    }
    status: int = 200
    if is_saving:
        is_valid = form.is_valid() and (reason is None or reason.is_valid())
        if is_valid and (answer := _store(request, tournament, section, page, context)):
            return answer
        status = CONFLICT if is_valid else UNFIT
    context |= {
        "is_fixed": is_fixed,
        "sections": Section,
        "crumbs": [
            (_("Ausschreibung"), reverse("setup:tournament", args=[tournament.slug])),
            (str(section.label), ""),
        ],
        **page.more(request, tournament, form),
    }
    return render(request, f"tournaments/announcement/{page.template}", context, status=status)


def _store(
    request: StaffRequest,
    tournament: Tournament,
    section: Section,
    page: SectionPage,
    context: dict[str, Any],
) -> HttpResponse | None:
    """Store the valid form; a refusal goes into *context*, with the facts stored now."""
    reason: ReasonForm | None = context["reason_form"]
    values = page.given(context["form"])
    if reason is not None:
        values["reason"] = reason.cleaned_data["reason"]
    try:
        page.act(request.actor, tournament.pk, seen=request.POST.get("fingerprint", ""), **values)
    except Conflict as refusal:
        tournament.refresh_from_db()
        now = ausschreibung_text.section_lines(tournament, section)
        # Having read the facts stored now, the account may replace them.
        context |= {
            "error": str(refusal),
            "now_stored": now,
            "fingerprint": fingerprint(tournament, section),
        }
        return None
    except TournamentError as refusal:
        tournament.refresh_from_db()
        context["error"] = str(refusal)
        return None
    messages.success(request, _("Gespeichert: {section}.").format(section=section.label))
    if values.get("values", {}).get("four_eyes") is False:
        tournament.refresh_from_db(fields=["fewer_eyes_by"])
        if tournament.fewer_eyes_by_id is not None:
            messages.warning(
                request,
                _(
                    "Vier Augen gelten weiter, bis eine zweite Person der Spielleitung sie hier "
                    "auch aufhebt."
                ),
            )
    overview = reverse("setup:tournament", args=[tournament.slug])
    # The question whether registered persons are told is at the top.
    is_told = tournament.takes_people and section in {Section.GENERAL, Section.SERIEN}
    return redirect(f"{overview}#{TELLING if is_told else section.value}")
