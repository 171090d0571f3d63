"""One word for one thing: the English sentences use the words of ``docs/glossary.md``."""

from __future__ import annotations

import gettext
import re

import pytest
from django.conf import settings

from tests import written

GLOSSARY = (settings.BASE_DIR / "docs" / "glossary.md").read_text(encoding="utf-8")
TABLE = GLOSSARY.partition("## On the pages in English")[2].partition("\n## ")[0]
WORDS = dict(re.findall(r"^\| (?!German|---)([^|]+) \| ([^|]+) \|$", TABLE, re.MULTILINE))


@pytest.fixture(scope="module")
def translated() -> list[tuple[str, str]]:
    """Every German sentence with its English one, in the code and in texts; each plural form."""
    path = settings.BASE_DIR / "locale" / "en" / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        catalogue = vars(gettext.GNUTranslations(file))["_catalog"]
    ids = ((key[0] if isinstance(key, tuple) else key, said) for key, said in catalogue.items())
    return [*((one.rpartition("\x04")[2], said) for one, said in ids), *written.translated()]


def test_the_glossary_has_its_words():
    assert WORDS["Startgeld"] == "entry fee, fee"
    assert len(WORDS) >= 40  # the table was read


@pytest.mark.parametrize("german", WORDS)
def test_a_word_of_the_field_has_its_english_word(german: str, translated: list[tuple[str, str]]):
    wanted = WORDS[german].split(", ")
    with_it = [(one, said) for one, said in translated if german in one]

    others = [both for both in with_it if not any(word in both[1].lower() for word in wanted)]

    assert with_it
    assert others == []
