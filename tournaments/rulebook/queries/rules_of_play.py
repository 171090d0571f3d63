"""The rules of play of a tournament, to be read, searched and linked to (§§ 1.2, 3.1).

They stand in ``rulebook/texts`` in our own words, by the name of the rule set. What the program
counts by itself stands in ``scoring.rulesets``; here is what people at a table and
Schiedsrichter go by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from scoring.rulesets import all_rulesets, origin, variants_offered
from tournaments.common import texts
from tournaments.common.names import fold
from tournaments.common.texts import Chapter, Paragraph

ORDER = "rommeordnung"
VARIANTS = "hausregel-variants"  # a chapter for each letter
# Texts that say only what is different from another: a paragraph takes the place of the one of
# the same number there, chapters of their own follow.
LIKE = {
    "elsewhere": "spielordnung",
    "liverpool": "contract",
    "may-i": "contract",
    "progressiv": "contract",
    "shanghai": "contract",
    "shanghai-kolsov": "shanghai",
    "shanghai-powe": "shanghai",
}
WITHOUT = {"shanghai-powe": "shanghai"}  # and the one paragraph of it that does not hold

_AFTER_SIGN = re.compile(r"§+\s*([\w.]+)")
_Chapter = TypeVar("_Chapter", bound=Chapter)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Strafpunkte that a paragraph names, with the reason as it would be written."""

    points: int
    when: str
    reason: str


def chosen(rule_set: RuleSet) -> list[str]:
    """Return what an organiser chose, by the chapters of VARIANTS.

    The letters of "Romme Regeln" are five names and two numbers (``scoring.ruleset.Variant``).
    """
    if not variants_offered(rule_set):
        return []
    names = [one.value for one in rule_set.variants]
    names += ["c"] if rule_set.finisher_may_hold else []
    names += ["g"] if rule_set.round(1).extra_cards is None else []
    return sorted(names)


def chapters(rule_set: RuleSet) -> list[Chapter]:
    """Return how a rule set is played, with what the organiser chose, and what holds besides."""
    known = origin(rule_set)
    if known is None:
        return _elsewhere()
    if known.id == ORDER:
        return [*_written(ORDER), *_written("spielordnung")]
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
    """Return chapters with *others* in the place of those of the same number."""
    return [
        replace(
            chapter, paragraphs=tuple(others.get(one.number, one) for one in chapter.paragraphs)
        )
        for chapter in found
    ]


def _with_chosen(found: Sequence[Chapter], names: Iterable[str]) -> list[Chapter]:
    """Return chapters with what an organiser chose: in its place, or in a chapter at the end."""
    variants = {one.title: one.paragraphs for one in texts.chapters("rulebook", VARIANTS)}
    marked = {one.number: replace(one, is_chosen=True) for name in names for one in variants[name]}
    known = texts.paragraphs(found)
    further = tuple(one for number, one in marked.items() if number not in known)
    there = _changed(found, marked)
    if not further:
        return there
    return [*there, Chapter(title=_("Für dieses Turnier vereinbart"), paragraphs=further)]


def _elsewhere() -> list[Chapter]:
    """Return what holds whatever is played: tournaments are held by the Romméordnung.

    It alone has Strafpunkte, so the last chapter names paragraphs of it, with what is unclear
    about them elsewhere.
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
    """Return the paragraphs of the Romméordnung that hold, by number: "5.3"."""
    return {
        one.number: one
        for chapter in chapters(rule_set)
        for one in chapter.paragraphs
        if one.label.startswith("§")
    }


def proposals(rule_set: RuleSet) -> list[tuple[Paragraph, Proposal]]:
    """Return the Strafpunkte that paragraphs name, but for those an organiser set otherwise."""
    return [
        (paragraph, Proposal(int(points), when, reason))
        for paragraph in by_number(rule_set).values()
        for points, when, reason in paragraph.rows
        if int(points) in (rule_set.penalties or {int(points)})
    ]


def has_own_numbers(rule_set: RuleSet) -> bool:
    """Return whether the organiser set numbers that a text may name otherwise."""
    return rule_set.id not in {one.id for one in all_rulesets()}


def search(found: Iterable[_Chapter], typed: str) -> list[_Chapter]:
    """Return the paragraphs that have every word of *typed*; all of them if it is empty.

    A number finds its paragraph and those below it, „5“ all of § 5. After „§“ it finds nothing
    else; without, also what has it in its text, as „40 Augen“.
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
