"""Pages of rules of play, for a tournament or for a rule set of the program."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scoring.errors import ScoringError
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tournaments.rulebook.queries import rule_set_text, rules_of_play
from tournaments.rulebook.queries.paragraph_links import LinkedRules
from tournaments.web.access import public
from tournaments.web.compression import cached_page, program_version
from tournaments.web.frame import public_frame, search_text

PAGE = "tournaments/rulebook/rules.html"


@cached_page(program_version)
@public
def rule_set(request: HttpRequest, rule_set_id: str) -> HttpResponse:
    """Show a rule set of the program with its rules of play, without a tournament."""
    try:
        rules = ruleset(rule_set_id)
    except ScoringError as unknown:
        raise Http404 from unknown
    url = reverse("public:rule_set", args=[rule_set_id])
    lines = rule_set_text.details(rules)
    return rules_page(request, rules, url, lines=lines, **public_frame(request))


def rules_page(request: HttpRequest, rules: RuleSet, url: str, **frame: Any) -> HttpResponse:
    """Show the rules of play, or those found by a search."""
    typed = search_text(request)
    chapters = rules_of_play.search(rules_of_play.chapters(rules), typed)
    context = {
        **frame,
        "rule_set": rules,
        "url": url,
        "typed": typed,
        "chapters": chapters,
        "number": sum(len(chapter.paragraphs) for chapter in chapters),
        "has_own_numbers": rules_of_play.has_own_numbers(rules),
        "paragraph_rules": LinkedRules(url, rules_of_play.by_number(rules), new_window=False),
        "contracts": rule_set_text.contracts(rules),
    }
    template = f"{PAGE}#found" if getattr(request, "htmx", False) else PAGE
    return render(request, template, context)
