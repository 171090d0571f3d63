"""What leads to the rules of play: the paragraphs that a sentence names."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournaments.announcement.queries.paragraph_links import Rules, rules_for

register = template.Library()


@register.simple_tag(takes_context=True)
def sentence(context: Context, text: str) -> SafeString:
    """Show a refusal or a finding; „§ 5.3“ in it leads to the rules of the page's tournament."""
    shown = conditional_escape(text)
    if "§" not in shown:
        return shown
    return _rules_at(context).linked(shown)


def _rules_at(context: Context) -> Rules:
    found: Rules | None = context.get("paragraph_rules")
    return found or rules_for(context.get("tournament"))
