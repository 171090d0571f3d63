"""Links from § numbers in a sentence to their paragraphs in the rules of play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from scoring.rulesets import ruleset
from tournaments.common.rules import rule_set_of
from tournaments.common.texts import Paragraph
from tournaments.models import Tournament
from tournaments.rulebook.queries import rules_of_play

# „§ 5.3“, „§§ 1.2, 2.2.6“, „§§ 6.4 und 6.5“
_NAMED = re.compile(r"§ \d+(?:\.\d+)*|§§ \d+(?:\.\d+)*(?:(?:, | und )\d+(?:\.\d+)*)+")
_NUMBER = re.compile(r"(?:§§? )?(\d+(?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class LinkedRules:
    """A page of rules, with the paragraphs on it that can be linked to."""

    url: str
    paragraphs: Mapping[str, Paragraph]
    new_window: bool = True  # opens links in a new tab, so that typed text is not lost

    def linked(self, text: str) -> SafeString:
        """Return *text* as HTML in which each § number is a link to its paragraph."""
        return mark_safe(_NAMED.sub(self._links, conditional_escape(text)))  # noqa: S308

    def _links(self, match: re.Match[str]) -> str:
        return _NUMBER.sub(self._link, match[0])

    def _link(self, match: re.Match[str]) -> str:
        paragraph = self.paragraphs.get(match[1])
        if paragraph is None:
            return match[0]
        return format_html(
            '<a class="paragraph-link" href="{}#{}" title="{}"{}>{}</a>',
            self.url,
            paragraph.anchor,
            paragraph.title,
            mark_safe(' target="_blank"') if self.new_window else "",
            match[0],
        )


def rules_for(tournament: Tournament | None) -> LinkedRules:
    """Return the rules of a tournament; without one those of the Romméordnung."""
    if tournament:
        url = reverse("public:rules", args=[tournament.slug])
        return LinkedRules(url, rules_of_play.by_number(rule_set_of(tournament)))
    order = ruleset("rommeordnung")
    url = reverse("public:rule_set", args=[order.id])
    return LinkedRules(url, rules_of_play.by_number(order))
