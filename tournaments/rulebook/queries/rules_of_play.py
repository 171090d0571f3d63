"""The rules of play of a tournament, to be read, searched and linked to (§§ 1.2, 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from scoring.rulesets import origin, variants_offered
from tournaments.common.names import fold
from tournaments.rulebook.play import (
    contract,
    hausregel,
    preisromme,
    progressiv,
    rommeordnung,
    shanghai,
    traditionell,
)
from tournaments.rulebook.play.base import Chapter, Paragraph, Play, Proposal, with_chosen

# By the rule set that comes with the program, or that a tournament's own was made from.
PLAYS: dict[str, Play] = {
    "rommeordnung": rommeordnung.PLAY,
    "hausregel": hausregel.PLAY,
    "preisromme-1987": preisromme.PLAY,
    "traditionell": traditionell.PLAY,
    "contract": contract.PLAY,
    "liverpool": contract.LIVERPOOL,
    "may-i": contract.MAY_I,
    "shanghai": shanghai.PLAY,
    "shanghai-powe": shanghai.POWE,
    "shanghai-kolsov": shanghai.KOLSOV,
    "progressiv": progressiv.PLAY,
}

_AFTER_SIGN = re.compile(r"§+\s*([\w.]+)")


def chosen(rule_set: RuleSet) -> list[str]:
    """Return what an organiser chose, by the names that a family has in its ``variants``.

    The letters of "Romme Regeln" are five names and two numbers (``scoring.ruleset.Variant``).
    """
    if not variants_offered(rule_set):
        return []
    names = [one.value for one in rule_set.variants]
    names += ["c"] if rule_set.finisher_may_hold else []
    names += ["g"] if rule_set.round(1).extra_cards is None else []
    return sorted(names)


def chapters(rule_set: RuleSet) -> tuple[Chapter, ...]:
    """Return how a rule set is played, with what the organiser chose, and what holds besides."""
    known = origin(rule_set)
    if known is None:
        return rommeordnung.ELSEWHERE
    play = PLAYS[known.id]
    found = with_chosen(
        play.chapters,
        (one for name in chosen(rule_set) for one in play.variants.get(name, ())),
        _("Für dieses Turnier vereinbart"),
    )
    return found if known.id == "rommeordnung" else (*found, *rommeordnung.ELSEWHERE)


def by_number(rule_set: RuleSet) -> dict[str, Paragraph]:
    """Return the paragraphs of the Romméordnung that hold, by number: "5.3"."""
    return {
        one.number: one
        for chapter in chapters(rule_set)
        for one in chapter.paragraphs
        if one.sign == "§"
    }


def proposals(rule_set: RuleSet) -> list[tuple[Paragraph, Proposal]]:
    """Return the Strafpunkte that paragraphs name, but for those an organiser set otherwise."""
    return [
        (paragraph, one)
        for paragraph in by_number(rule_set).values()
        for one in paragraph.proposals
        if one.points in (rule_set.penalties or {one.points})
    ]


def has_own_numbers(rule_set: RuleSet) -> bool:
    """Return whether the organiser set numbers that a text may name otherwise."""
    return rule_set.id not in PLAYS


def search(found: Iterable[Chapter], typed: str) -> list[Chapter]:
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
