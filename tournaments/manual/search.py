"""The search of the manual, which finds sections by questions in free words.

Sections have further words that are not in their text (``asked`` of a paragraph); ``search.txt``
beside the chapters has synonyms and stop words. Rare words weigh more than common ones, a title
more than a text, and a whole phrase of ``asked`` most. If no section has all the words, the
sections with the most of them are shown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from math import log
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language

from tournaments.common.names import fold
from tournaments.common.texts import Paragraph
from tournaments.manual.contents import ManualChapter, chapters

MOST = 10  # sections shown
NEAR = 0.5  # of the best weight: such sections are shown even if they lack a word
TITLE, CHAPTER, TEXT = 6.0, 2.0, 1.0  # weight of a word by its place
PHRASE = 6.0  # for each word of a phrase of ``asked``, if the question has all of them
INSIDE = 0.6  # for a part of a longer word, such as „karte“ in „Startkarte“
SAME = 0.8  # for a synonym
SHORT = 4  # letters: shorter words are only found as a whole
ALIKE = 0.8  # similarity of a misspelt word
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=\w{4})(?:ern|em|en|er|es|ed|ing|e|n|s|t)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualSection:
    """A section of the manual in its chapter, with the weights of its words."""

    chapter: ManualChapter
    content: Paragraph
    words: Mapping[str, float]
    phrases: tuple[frozenset[str], ...]  # the stems of the phrases of ``asked``

    def weight(self, word: str) -> float:
        """Return the weight of a word; 0 if it does not occur."""
        stem = _stem(word)
        return max((self.words[own] * _likeness(stem, word, own) for own in self.words), default=0)

    def phrase_weight(self, stems: frozenset[str]) -> float:
        """Return the weight of the longest phrase whose words are all in the question."""
        return PHRASE * max((len(phrase) for phrase in self.phrases if phrase <= stems), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIndex:
    """The manual in one language, prepared for searching."""

    sections: tuple[ManualSection, ...]
    silent: frozenset[str]  # stop words
    groups: tuple[frozenset[str], ...]  # synonyms

    def alternatives(self, word: str) -> dict[str, float]:
        """Return the weights of a word and its synonyms."""
        stem = _stem(word)
        same = {
            other: SAME
            for group in self.groups
            if any(stem == _stem(member) for member in group)
            for other in group
        }
        return {**same, word: 1.0}


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The sections found, the best first, and whether the best has all the words."""

    sections: tuple[ManualSection, ...] = ()
    has_all: bool = True


def search(typed: str) -> SearchAnswer:
    """Return the sections that fit best to the typed words."""
    index = _index(get_language() or settings.LANGUAGE_CODE)
    said = _WORD.findall(fold(typed))
    words = [word for word in said if word not in index.silent] or said
    weighed = [_weights(index, word) for word in dict.fromkeys(words)]
    stems = frozenset(map(_stem, words))
    totals = [
        sum(weights) and sum(weights) + section.phrase_weight(stems)
        for section, *weights in zip(index.sections, *weighed, strict=True)
    ]
    best = max(totals, default=0)
    if not best:
        return SearchAnswer()
    have_all = [all(weights) for weights in zip(*weighed, strict=True)]
    order = sorted(range(len(totals)), key=lambda at: -totals[at])
    places = [at for at in order if have_all[at] or totals[at] >= NEAR * best]
    return SearchAnswer(tuple(index.sections[at] for at in places[:MOST]), have_all[order[0]])


def _weights(index: SearchIndex, word: str) -> list[float]:
    """Return the weight of a word in each section; a word without matches counts as misspelt."""
    weights = _occurrences(index, index.alternatives(word))
    if not any(weights):
        stems = {stem for section in index.sections for stem in section.words}
        stems.update(member for group in index.groups for member in group)
        likely = get_close_matches(word, stems, n=1, cutoff=ALIKE)
        weights = _occurrences(index, index.alternatives(likely[0])) if likely else weights
    number = sum(weight > 0 for weight in weights)
    rarity = log(1 + len(weights) / number) if number else 0
    return [weight * rarity for weight in weights]


def _occurrences(index: SearchIndex, words: Mapping[str, float]) -> list[float]:
    return [
        max(section.weight(word) * share for word, share in words.items())
        for section in index.sections
    ]


def _stem(word: str) -> str:
    return _ENDING.sub("", word)


def _likeness(stem: str, word: str, other: str) -> float:
    """Return 1 for another form of the word, less for a part of another word, otherwise 0."""
    if stem == _stem(other):
        return 1
    if len(word) < SHORT or stem not in other:
        return 0
    return INSIDE


@cache
def _index(language: str) -> SearchIndex:
    """Prepare the chapters in the active language."""
    silent, *groups = _synonyms(language)
    return SearchIndex(
        sections=tuple(
            ManualSection(
                chapter=chapter,
                content=paragraph,
                words=_words(chapter, paragraph),
                phrases=tuple(_phrases(paragraph, silent)),
            )
            for chapter in chapters()
            for paragraph in chapter.paragraphs
        ),
        silent=silent,
        groups=tuple(groups),
    )


def _words(chapter: ManualChapter, section: Paragraph) -> dict[str, float]:
    weights: defaultdict[str, float] = defaultdict(float)
    questions = " ".join(section.asked)
    places = ((section.title, TITLE), (questions, TITLE), (chapter.title, CHAPTER))
    for text, weight in (*places, (section.words(), TEXT)):
        for word in {*_WORD.findall(fold(text))}:
            weights[word] += weight
    return dict(weights)


def _phrases(section: Paragraph, silent: frozenset[str]) -> Iterable[frozenset[str]]:
    for phrase in ", ".join((section.title, *section.asked)).split(","):
        stems = frozenset(_stem(word) for word in _WORD.findall(fold(phrase)) if word not in silent)
        if stems:
            yield stems


def _synonyms(language: str) -> Iterable[frozenset[str]]:
    """Return the groups of ``search.txt``, one in each line; the first are the stop words."""
    file = Path(__file__).with_name("texts") / language / "search.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    return [frozenset(_WORD.findall(fold(line))) for line in lines if line]
