"""The rules of play of a tournament, with search and links (§§ 1.2, 3.1).

The texts are in ``rulebook/texts``, by name of the rule set. They are for players and
Schiedsrichter; the numbers for scoring are in ``scoring.rulesets``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from scoring.rulesets import offered_rulesets, offered_variants, origin
from tournaments.common import texts
from tournaments.common.names import fold
from tournaments.common.texts import Chapter, Paragraph

ORDER = "rommeordnung"
VARIANTS = "hausregel-variants"  # a chapter for each letter
# Texts that are based on another one: their paragraphs replace those with the same number, and
# their chapters follow.
BASED_ON = {
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
# Rule sets that are played by the Romméordnung, with the text on holding their tournaments.
HELD_BY = {
    ORDER: "spielordnung",
    "wertpunkte": "wertpunkte-spielordnung",
    "wertpunkte-geber": "wertpunkte-spielordnung",
}
LEFT_OUT = {"shanghai-powe": "shanghai"}  # and the one paragraph of it that does not apply

_AFTER_SIGN = re.compile(r"§+\s*([\w.]+)")
_Chapter = TypeVar("_Chapter", bound=Chapter)


@dataclass(frozen=True, slots=True)
class PenaltyProposal:
    """Strafpunkte that a paragraph proposes, with the text of the reason."""

    points: int
    when: str
    reason: str


def chosen_options(rule_set: RuleSet) -> list[str]:
    """Return the chosen options of an organiser, by chapter of VARIANTS.

    The letters of "Romme Regeln" are five names and two numbers (``scoring.ruleset.Variant``).
    """
    if not offered_variants(rule_set):
        return []
    names = [variant.value for variant in rule_set.variants]
    names += ["c"] if rule_set.finisher_may_hold else []
    names += ["g"] if rule_set.round(1).extra_cards is None else []
    return sorted(names)


def chapters(rule_set: RuleSet) -> list[Chapter]:
    """Return the chapters for a rule set, with the organiser's options and the general rules."""
    base = origin(rule_set)
    if base is None:
        return _general_rules()
    if base.id in HELD_BY:
        return [*_text_chapters(base.id), *_text_chapters(HELD_BY[base.id])]
    return [*_with_options(_text_chapters(base.id), chosen_options(rule_set)), *_general_rules()]


def _text_chapters(name: str) -> list[Chapter]:
    chapters = texts.chapters("rulebook", name)
    if name not in BASED_ON:
        return list(chapters)
    left_out = LEFT_OUT.get(name)
    like = [
        chapter
        for chapter in _text_chapters(BASED_ON[name])
        if left_out not in texts.paragraphs([chapter])
    ]
    others = texts.paragraphs(chapter for chapter in chapters if not chapter.title)
    return [*_replaced(like, others), *(chapter for chapter in chapters if chapter.title)]


def _replaced(chapters: Iterable[Chapter], others: Mapping[str, Paragraph]) -> list[Chapter]:
    """Return chapters in which paragraphs are replaced by those of *others* with their number."""
    return [
        replace(
            chapter,
            paragraphs=tuple(
                others.get(paragraph.number, paragraph) for paragraph in chapter.paragraphs
            ),
        )
        for chapter in chapters
    ]


def _with_options(chapters: Sequence[Chapter], names: Iterable[str]) -> list[Chapter]:
    """Return chapters with the organiser's options at their numbers or in a last chapter."""
    variants = {
        chapter.title: chapter.paragraphs for chapter in texts.chapters("rulebook", VARIANTS)
    }
    marked = {
        paragraph.number: replace(paragraph, is_chosen=True)
        for name in names
        for paragraph in variants[name]
    }
    known = texts.paragraphs(chapters)
    further = tuple(paragraph for number, paragraph in marked.items() if number not in known)
    replaced = _replaced(chapters, marked)
    if not further:
        return replaced
    return [*replaced, Chapter(title=_("Für dieses Turnier vereinbart"), paragraphs=further)]


def _general_rules() -> list[Chapter]:
    """Return the rules of the Romméordnung that apply to tournaments with any rule set.

    Only these have Strafpunkte, so the last chapter refers to their paragraphs, with notes on
    other rule sets.
    """
    *held_by, breaches = _text_chapters("elsewhere")
    order = texts.paragraphs(_text_chapters(ORDER))
    named = tuple(
        replace(
            order[paragraph.number], unclear=(*order[paragraph.number].unclear, *paragraph.unclear)
        )
        for paragraph in breaches.paragraphs
    )
    return [
        replace(chapter, title=f"{_('Romméordnung')}: {chapter.title}")
        for chapter in (*held_by, replace(breaches, paragraphs=named))
    ]


def by_number(rule_set: RuleSet) -> dict[str, Paragraph]:
    """Return the paragraphs of the Romméordnung that apply, by number: "5.3"."""
    return {
        paragraph.number: paragraph
        for chapter in chapters(rule_set)
        for paragraph in chapter.paragraphs
        if paragraph.label.startswith("§")
    }


def proposals(rule_set: RuleSet) -> list[tuple[Paragraph, PenaltyProposal]]:
    """Return the Strafpunkte proposed by paragraphs, except those changed by the organiser."""
    return [
        (paragraph, PenaltyProposal(int(points), when, reason))
        for paragraph in by_number(rule_set).values()
        for points, when, reason in paragraph.rows
        if int(points) in (rule_set.penalties or {int(points)})
    ]


def has_own_numbers(rule_set: RuleSet) -> bool:
    """Return whether the organiser changed numbers that may differ from a text."""
    return rule_set.id not in {rules.id for rules in offered_rulesets()}


def search(chapters: Iterable[_Chapter], typed: str) -> list[_Chapter]:
    """Return the paragraphs that have every word of *typed*; all of them if it is empty.

    A number finds its paragraph and those below it, for instance „5“ all of § 5. With „§“ it finds
    only these; otherwise also paragraphs with the number in the text, such as „40 Augen“.
    """
    numbers = [word.rstrip(".").lower() for word in _AFTER_SIGN.findall(typed)]
    words = fold(_AFTER_SIGN.sub(" ", typed).replace("§", " ")).split()
    return [
        replace(chapter, paragraphs=matches)
        for chapter in chapters
        if (
            matches := tuple(
                paragraph
                for paragraph in chapter.paragraphs
                if all(_is_below(paragraph, number) for number in numbers)
                and all(_has(word, chapter, paragraph) for word in words)
            )
        )
    ]


def _is_below(paragraph: Paragraph, number: str) -> bool:
    own_number = paragraph.number.lower()
    return own_number == number or own_number.startswith(f"{number}.")


def _has(word: str, chapter: Chapter, paragraph: Paragraph) -> bool:
    text = fold(f"{chapter.title} {paragraph.words()}")
    if not word[0].isdigit():
        return word in text
    alone = rf"(?<![\d.]){re.escape(word.rstrip('.'))}(?!\d)"
    return _is_below(paragraph, word.rstrip(".")) or re.search(alone, text) is not None
