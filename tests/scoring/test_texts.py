"""The sentences of the rules pass through the registered translator."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scoring import texts


@pytest.fixture(autouse=True)
def translator_kept() -> Iterator[None]:
    kept = texts._translate
    yield
    texts.set_translator(kept)


def test_sentences_are_german_without_a_translator():
    texts.set_translator()

    assert texts._("Die Eingabe ist leer.") == "Die Eingabe ist leer."


def test_sentences_pass_through_the_translator():
    texts.set_translator({"Die Eingabe ist leer.": "The input is empty."}.__getitem__)

    assert texts._("Die Eingabe ist leer.") == "The input is empty."
