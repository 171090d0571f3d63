"""The rules of play of a tournament, to be read, searched and linked to (§§ 1.2, 3.1).

The texts are in ``rulebook/texts`` in our own words, by name of the rule set. The numbers for
scoring are in ``scoring.rulesets``; these texts are for players and Schiedsrichter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from scoring.rulesets import offered, origin, variants_offered
from tournaments.common import texts
from tournaments.common.names import fold
from tournaments.common.texts import Chapter, Paragraph

ORDER = "rommeordnung"
VARIANTS = "hausregel-variants"  # a chapter for each letter
# Texts that are based on another: a paragraph replaces the one with the same number there,
# further chapters follow.
LIKE = {
    "elsewhere": "spielordnung",
    "liverpool": "contract",
    "may-i": "contract",
    "progressiv": "contract",
    "shanghai": "contract",
    "shanghai-kolsov": "shanghai",
    "shanghai-powe": "shanghai",
    "wertpunkte": ORDER,
    "wertpunkte-geber": "wertpunkte",
    "wertpunkte-spielordnung": "spielordnung",
}
# Rule sets that are played by the Romméordnung, with the text of how their tournaments are held.
HELD_BY = {
    ORDER: "spielordnung",
    "wertpunkte": "wertpunkte-spielordnung",
    "wertpunkte-geber": "wertpunkte-spielordnung",
}
WITHOUT = {"shanghai-powe": "shanghai"}  # and the one paragraph of it that does not apply

_AFTER_SIGN = re.compile(r"§+\s*([\w.]+)")
_Chapter = TypeVar("_Chapter", bound=Chapter)


@dataclass(frozen=True, slots=True)
class PenaltyProposal:
    """Strafpunkte that a paragraph proposes, with the text of the reason."""

    points: int
    when: str
    reason: str


def chosen(rule_set: RuleSet) -> list[str]:
    """Return the options that an organiser chose, by chapter of VARIANTS.

    The letters of "Romme Regeln" are five names and two numbers (``scoring.ruleset.Variant``).
    """
    if not variants_offered(rule_set):
        return []
    names = [one.value for one in rule_set.variants]
    names += ["c"] if rule_set.finisher_may_hold else []
    names += ["g"] if rule_set.round(1).extra_cards is None else []
    return sorted(names)


def chapters(rule_set: RuleSet) -> list[Chapter]:
    """Return the chapters for a rule set, with the organiser's options and the general rules."""
    known = origin(rule_set)
    if known is None:
        return _elsewhere()
    if known.id in HELD_BY:
        return [*_written(known.id), *_written(HELD_BY[known.id])]
    return [*_with_chosen(_written(known.id), chosen(rule_set)), *_elsewhere()]


def _written(name: str) -> list[Chapter]:
    found = texts.chapters("rulebook", name)
    if name not in LIKE:
        return list(found)
    left_out = WITHOUT.get(name)
    like = [one for one in _written(LIKE[name]) if left_out not in texts.paragraphs([one])]
    others = texts.paragraphs(one for one in found if not one.title)
    return [*_changed(like, others), *(one for one in found if one.title)]


def _changed(found: Iterable[Chapter], others: Mapping[str, Paragraph]) -> list[Chapter]:
    """Return chapters with paragraphs replaced by those of *others* with the same number."""
    return [
        replace(
            chapter, paragraphs=tuple(others.get(one.number, one) for one in chapter.paragraphs)
        )
        for chapter in found
    ]


def _with_chosen(found: Sequence[Chapter], names: Iterable[str]) -> list[Chapter]:
    """Return chapters with the organiser's options: in their place, or in a chapter at the end."""
    variants = {one.title: one.paragraphs for one in texts.chapters("rulebook", VARIANTS)}
    marked = {one.number: replace(one, is_chosen=True) for name in names for one in variants[name]}
    known = texts.paragraphs(found)
    further = tuple(one for number, one in marked.items() if number not in known)
    there = _changed(found, marked)
    if not further:
        return there
    return [*there, Chapter(title=_("Für dieses Turnier vereinbart"), paragraphs=further)]


def _elsewhere() -> list[Chapter]:
    """Return the rules of the Romméordnung that apply to tournaments with any rule set.

    Only these have Strafpunkte, so the last chapter refers to their paragraphs, with what is
    unclear for other rule sets.
    """
    *held_by, breaches = _written("elsewhere")
    order = texts.paragraphs(_written(ORDER))
    named = tuple(
        replace(order[one.number], unclear=(*order[one.number].unclear, *one.unclear))
        for one in breaches.paragraphs
    )
    return [
        replace(one, title=f"{_('Romméordnung')}: {one.title}")
        for one in (*held_by, replace(breaches, paragraphs=named))
    ]


def by_number(rule_set: RuleSet) -> dict[str, Paragraph]:
    """Return the paragraphs of the Romméordnung that apply, by number: "5.3"."""
    return {
        one.number: one
        for chapter in chapters(rule_set)
        for one in chapter.paragraphs
        if one.label.startswith("§")
    }


def proposals(rule_set: RuleSet) -> list[tuple[Paragraph, PenaltyProposal]]:
    """Return the Strafpunkte that paragraphs propose, except those that the organiser changed."""
    return [
        (paragraph, PenaltyProposal(int(points), when, reason))
        for paragraph in by_number(rule_set).values()
        for points, when, reason in paragraph.rows
        if int(points) in (rule_set.penalties or {int(points)})
    ]


def has_own_numbers(rule_set: RuleSet) -> bool:
    """Return whether the organiser changed numbers that may differ from a text."""
    return rule_set.id not in {one.id for one in offered()}


def search(found: Iterable[_Chapter], typed: str) -> list[_Chapter]:
    """Return the paragraphs that have every word of *typed*; all of them if it is empty.

    A number finds its paragraph and those below it, „5“ all of § 5. With „§“ it finds only these;
    without, also paragraphs with the number in the text, as „40 Augen“.
    """
    numbers = [word.rstrip(".").lower() for word in _AFTER_SIGN.findall(typed)]
    words = fold(_AFTER_SIGN.sub(" ", typed).replace("§", " ")).split()
    return [
        replace(chapter, paragraphs=kept)
        for chapter in found
        if (
            kept := tuple(
                one
                for one in chapter.paragraphs
                if all(_is_below(one, number) for number in numbers)
                and all(_has(word, chapter, one) for word in words)
            )
        )
    ]


def _is_below(one: Paragraph, number: str) -> bool:
    mine = one.number.lower()
    return mine == number or mine.startswith(f"{number}.")


def _has(word: str, chapter: Chapter, one: Paragraph) -> bool:
    text = fold(f"{chapter.title} {one.words()}")
    if not word[0].isdigit():
        return word in text
    alone = rf"(?<![\d.]){re.escape(word.rstrip('.'))}(?!\d)"
    return _is_below(one, word.rstrip(".")) or re.search(alone, text) is not None
