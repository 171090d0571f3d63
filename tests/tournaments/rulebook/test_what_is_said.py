"""The rules page agrees with its sources: required words literally, and every number."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import translation

from scoring.rulesets import ruleset
from tests.clients import Client, at
from tests.tournaments.rulebook.paragraph_words import SAID
from tournaments import rulebook
from tournaments.common import texts
from tournaments.common.texts import Paragraph
from tournaments.rulebook.queries import rules_of_play

ORDER = ruleset("rommeordnung")
NAMES = sorted(SAID)
_NAMED = re.compile(r"§§? ?[\dIVX.]+(?:(?:,| und| and) [\dIVX.]+)*|\bIII\.\d")


def said(paragraph: Paragraph) -> str:
    """Return a paragraph without its heading, on one line."""
    content = replace(paragraph, label="", title="")
    return " ".join(content.words().split())


def numbers(text: str) -> set[str]:
    """Return the numbers in a text, without those of paragraphs."""
    return set(re.findall(r"\d+", _NAMED.sub("", text)))


def paragraphs(name: str) -> dict[str, Paragraph]:
    return texts.paragraphs(texts.chapters("rulebook", name))


def test_every_text_has_its_expected_words():
    folder = Path(rulebook.__file__).parent / "texts" / "de"

    assert sorted(file.stem for file in folder.glob("*.md")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_paragraph_contains_its_expected_words(name: str):
    paragraph = paragraphs(name)

    assert sorted(paragraph) == sorted(SAID[name])
    missing = {
        number: [words for words in SAID[name][number] if words not in said(part)]
        for number, part in paragraph.items()
    }
    assert {number: words for number, words in missing.items() if words} == {}


@pytest.mark.parametrize("name", NAMES)
def test_paragraphs_contain_expected_numbers_only(name: str):
    others = {
        number: numbers(said(paragraph)) - numbers(" ".join(SAID[name][number]))
        for number, paragraph in paragraphs(name).items()
    }

    assert {number: missing for number, missing in others.items() if missing} == {}


@pytest.mark.parametrize("name", NAMES)
def test_english_paragraphs_contain_the_same_numbers(name: str):
    german = {number: numbers(said(paragraph)) for number, paragraph in paragraphs(name).items()}
    with translation.override("en"):
        english = {
            number: numbers(said(paragraph)) for number, paragraph in paragraphs(name).items()
        }

    assert english == german


def test_the_strafpunkte_of_the_text_are_those_of_the_rule_set():
    proposed = [proposal.points for _paragraph, proposal in rules_of_play.proposals(ORDER)]

    assert tuple(proposed) == ORDER.penalties == (100, 150)
    paragraph = paragraphs("rommeordnung")["8.3"]
    told = [re.findall(r"\d+", then) for _when, then in paragraph.cases]
    assert told == [[str(points)] for points in ORDER.penalties]
    assert [when.removeprefix("Die Person ") for when, _then in paragraph.cases] == [
        proposal.when for _paragraph, proposal in rules_of_play.proposals(ORDER)
    ]


def test_bonus_cards_and_values_of_the_text_are_those_of_the_rule_set():
    paragraph = {
        number: said(paragraph) for number, paragraph in paragraphs("rommeordnung").items()
    }

    assert ORDER.handromme is not None
    assert numbers(paragraph["3.2.1"]) == {str(points) for points in ORDER.bonus_per_game.values()}
    assert numbers(paragraph["3.2.2"]) == {str(ORDER.handromme.bonus)}
    assert str(ORDER.packs[4].size) in numbers(paragraph["4.1"])
    assert str(ORDER.round(1).cards_dealt) in numbers(paragraph["5.7"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("6.3", "mindestens 40 Augen"),
        ("8.3", "150 Strafpunkte"),
        ("2.2.1", "Eingetragen werden Minuspunkte"),
    ],
)
def test_the_page_shows_the_expected_words(client: Client, number: str, words: str):
    url = at("public:rule_set", ORDER.id)

    page = client.read(url, {"q": f"§ {number}"})

    assert words in " ".join(page.split())
