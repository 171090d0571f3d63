"""Pages for everybody: which tournaments there are, and what each announces."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tournaments.accounts.queries import DEMO_ACCOUNTS, demo_accounts, may_look
from tournaments.announcement.queries import ausschreibung_text, calendar
from tournaments.announcement.queries import tournaments as queries
from tournaments.common import rules as common_rules
from tournaments.machine.addresses import absolute
from tournaments.models import Season, Tournament, User
from tournaments.rulebook.queries import rule_set_text, rules_of_play
from tournaments.rulebook.queries.paragraph_links import Rules
from tournaments.web.access import greet_staff, kept_nowhere, named, public, roles_of

PAST_PER_PAGE = 20
LONGEST_SEARCH = 80
RULES = "tournaments/announcement/rules.html"


def public_frame(request: HttpRequest) -> dict[str, Any]:
    """Return what the header of a public page shows: the way home, and to one's work."""
    link = (
        {"label": _("Meine Turniere"), "url": reverse("setup:tournaments")}
        if request.user.is_authenticated
        else {"label": _("Login für Helfer"), "url": reverse("account:login")}
    )
    return {"home_url": reverse("public:start"), "header_links": [link]}


def find_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament that whoever asks may see.

    Raises:
        Http404: if there is none, or it is a draft and the asker has no role in it.
    """
    tournament = named(slug)
    if queries.is_public(tournament):
        return tournament
    if isinstance(request.user, User) and roles_of(request.user, tournament):
        return tournament
    raise Http404


@public
def start(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that run, that come, and that were."""
    now = timezone.now()
    current = queries.current(now)
    past = Paginator(queries.past(now), PAST_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **public_frame(request),
        "first": [(each, queries.register_url(each, now)) for each in current.first],
        "later": current.later,
        "page_obj": past,
        "may_look": may_look(),
        "looks": [(each.username, DEMO_ACCOUNTS[each.username][2]) for each in demo_accounts()],
    }
    return render(request, "tournaments/announcement/start.html", context)


@public
def tournament_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the Ausschreibung of a tournament."""
    tournament = find_tournament(request, slug)
    now = timezone.now()
    context = {
        **public_frame(request),
        "tournament": tournament,
        **ausschreibung_text.poster(tournament),
        "register_url": queries.register_url(tournament, now),
        "seasons": Season.objects.filter(tournaments=tournament),
    }
    return render(request, "tournaments/announcement/public.html", context)


@public
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how a tournament is played and counted: to everybody, the tables and the staff."""
    tournament = find_tournament(request, slug)
    is_staff = greet_staff(request, tournament)
    answer = _rules_page(
        request,
        common_rules.rule_set_of(tournament),
        reverse("public:rules", args=[slug]),
        lines=ausschreibung_text.counted(tournament),
        **({} if is_staff else public_frame(request)),
        tournament=tournament,
        crumbs=[
            {"label": _("Ausschreibung"), "url": reverse("public:tournament", args=[slug])},
            {"label": _("Regelwerk"), "url": ""},
        ],
    )
    return kept_nowhere(answer) if is_staff else answer


@public
def rule_set(request: HttpRequest, rule_set_id: str) -> HttpResponse:
    """Show how a rule set of the program is played and counted, outside of any tournament."""
    try:
        found = ruleset(rule_set_id)
    except ScoringError as unknown:
        raise Http404 from unknown
    url = reverse("public:rule_set", args=[rule_set_id])
    lines = rule_set_text.details(found)
    return _rules_page(request, found, url, lines=lines, **public_frame(request))


def _rules_page(request: HttpRequest, rules: RuleSet, url: str, **frame: Any) -> HttpResponse:
    typed = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    found = rules_of_play.search(rules_of_play.chapters(rules), typed)
    context = {
        **frame,
        "rule_set": rules,
        "url": url,
        "typed": typed,
        "chapters": found,
        "number": sum(len(chapter.paragraphs) for chapter in found),
        "has_own_numbers": rules_of_play.has_own_numbers(rules),
        "paragraph_rules": Rules(url, rules_of_play.by_number(rules), new_window=False),
        "contracts": rule_set_text.contracts(rules),
    }
    template = f"{RULES}#found" if getattr(request, "htmx", False) else RULES
    return render(request, template, context)


@public
def calendar_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand out the tournament as an entry for a calendar."""
    tournament = find_tournament(request, slug)
    path = reverse("public:tournament", args=[tournament.slug])
    content = calendar.calendar_file(
        tournament,
        url=absolute(request, path),
        now=timezone.now(),
    )
    return HttpResponse(
        content,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{tournament.slug}.ics"'},
    )
