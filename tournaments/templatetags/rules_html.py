"""Links to the rules of play: paragraphs in a sentence, and paragraphs for Strafpunkte."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournaments.common.rules import rule_set_of
from tournaments.models import Tournament
from tournaments.rulebook.queries import rules_of_play
from tournaments.rulebook.queries.paragraph_links import LinkedRules, rules_for

register = template.Library()


@register.simple_tag(takes_context=True)
def sentence(context: Context, text: str) -> SafeString:
    """Show a refusal or a finding; „§ 5.3“ in it links to the rules of the page's tournament."""
    shown = conditional_escape(text)
    if "§" not in shown:
        return shown
    return _rules_at(context).linked(shown)


def _rules_at(context: Context) -> LinkedRules:
    rules: LinkedRules | None = context.get("paragraph_rules")
    return rules or rules_for(context.get("tournament"))


@register.inclusion_tag("components/rules_of_call.html", takes_context=True)
def rules_of_call(context: Context, serie: int, table: int) -> dict[str, Any]:
    """Link from a call or a case to the rules, and to prepared Strafpunkte."""
    tournament: Tournament = context["tournament"]
    proposals = rules_of_play.proposals(rule_set_of(tournament))
    return {"tournament": tournament, "serie": serie, "table": table, "proposals": proposals}
