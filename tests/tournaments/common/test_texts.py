"""Texts in Markdown: how they are read, and that both languages say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from django.utils import translation

from tests.markdown_texts import chapters, files, sentences, translated
from tests.tournaments.test_english import GERMAN
from tournaments.common import texts
from tournaments.common.texts import Chapter, Paragraph, Picture

WRITTEN = """Before *all*
of it.

# First

Who it is for

1. Begin
   now
2. End

## § 5.3 Dealt wrongly

One \\* star,
two lines.

- **Too many cards?** Deal anew,
  at once.
- **Too few** The same.

![What is seen](desk)

> Not said.

> Nor this.

## III.7 An example

| Points | Reason |
|---|---|
| 100 | Laid down |
| 150 | |

## A word (variant a) {#may-i}

![Phone](phone "phone")
"""


@pytest.fixture
def written(monkeypatch, tmp_path) -> tuple[Chapter, ...]:
    monkeypatch.setattr(texts, "_ROOMS", tmp_path)
    folder = tmp_path / "room" / "texts" / "de"
    folder.mkdir(parents=True)
    (folder / "text.md").write_text(WRITTEN, encoding="utf-8")
    (folder / "wrong.md").write_text("## Neither number nor word", encoding="utf-8")
    return chapters("room", "text", "de")


def test_a_text_is_read_as_headings_with_their_bodies(written: tuple[Chapter, ...]):
    before, first = written

    assert before == Chapter(text=("Before all of it.",))
    assert (first.title, first.text, first.steps) == (
        "First",
        ("Who it is for",),
        ("Begin now", "End"),
    )
    assert first.paragraphs == (
        Paragraph(
            title="Dealt wrongly",
            number="5.3",
            label="§ 5.3",
            text=("One * star, two lines.",),
            cases=(
                ("Too many cards?", "Deal anew, at once."),
                ("Too few", "The same."),
            ),
            unclear=("Not said.", "Nor this."),
            picture=Picture(name="desk", alt="What is seen", kind="page"),
        ),
        Paragraph(
            title="An example",
            number="III.7",
            label="III.7",
            rows=(("100", "Laid down"), ("150", "")),
        ),
        Paragraph(
            title="A word (variant a)",
            number="may-i",
            picture=Picture(name="phone", alt="Phone", kind="phone"),
        ),
    )
    assert [paragraph.anchor for paragraph in first.paragraphs] == ["p-5-3", "p-iii-7", "p-may-i"]


def test_every_text_can_be_searched(written: tuple[Chapter, ...]):
    rule = written[1].paragraphs[0]

    assert rule.words() == (
        "§ 5.3 Dealt wrongly One * star, two lines. Too many cards? Deal anew, at once. "
        "Too few The same. Not said. Nor this."
    )


@pytest.mark.usefixtures("written")
def test_a_heading_needs_an_anchor():
    with pytest.raises(LookupError, match="Neither number nor word"):
        chapters("room", "wrong", "de")


@pytest.mark.usefixtures("written")
def test_texts_default_to_german():
    with translation.override(None):
        assert texts.read_unparsed("room", "wrong") == "## Neither number nor word"


def shape(paragraphs: Iterable[Paragraph]) -> list[object]:
    """Return the structure that both languages share."""
    return [
        (
            re.sub(r"^No\.", "Nr.", paragraph.label),
            paragraph.number,
            bool(paragraph.title),
            [
                len(part)
                for part in (
                    paragraph.text,
                    paragraph.steps,
                    paragraph.cases,
                    paragraph.unclear,
                    paragraph.rows,
                )
            ],
            paragraph.picture and (paragraph.picture.name, paragraph.picture.kind),
            shape(paragraph.paragraphs) if isinstance(paragraph, Chapter) else [],
        )
        for paragraph in paragraphs
    ]


def test_every_text_exists_in_each_language():
    assert len(files("de")) >= 30
    assert files("en") == files("de")


@pytest.mark.parametrize(("room", "name"), files("de"))
def test_both_languages_have_the_same_parts(room: str, name: str):
    german, english = (chapters(room, name, language) for language in ("de", "en"))

    assert shape(german) == shape(english)


def test_both_languages_have_the_same_placeholders():
    place = re.compile(r"\{\w+\}")

    different = [
        both
        for both in translated()
        if sorted(place.findall(both[0])) != sorted(place.findall(both[1]))
    ]

    assert different == []


@pytest.mark.parametrize(("room", "name"), files("en"))
def test_no_english_text_contains_german(room: str, name: str):
    said = sentences(chapters(room, name, "en"))

    assert [sentence for sentence in said if GERMAN.search(sentence)] == []
