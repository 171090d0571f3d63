"""One word for one thing: the English sentences use the words of ``docs/glossary.md``."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import markdown_texts
from tests.factories import make_member, make_registration, make_tournament
from tournaments.common.tokens import hash_token
from tournaments.models import Role, Tournament

TOKEN = "abcdefghijklmnopqrstuvwxyz_12345"

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
    return [
        *((message.rpartition("\x04")[2], said) for message, said in ids),
        *markdown_texts.translated(),
    ]


def test_the_glossary_table_is_read():
    assert WORDS["Startgeld"] == "entry fee, fee"
    assert len(WORDS) >= 40  # the table was read


@pytest.mark.parametrize("german", WORDS)
def test_a_german_term_has_its_english_translation(german: str, translated: list[tuple[str, str]]):
    wanted = WORDS[german].split(", ")
    with_it = [(message, said) for message, said in translated if german in message]

    others = [both for both in with_it if not any(word in both[1].lower() for word in wanted)]

    assert with_it
    assert others == []


BUTTONS = (
    (lambda tournament: reverse("journal:page", args=[tournament.slug]), "Filter"),
    (lambda tournament: reverse("cash:book", args=[tournament.slug]), "Filter"),
    (lambda tournament: reverse("closing:page", args=[tournament.slug]), "Will not be played"),
    (lambda _tournament: reverse("player:page", args=[TOKEN]), "Got it"),
)


@pytest.mark.django_db
@pytest.mark.parametrize(("page", "said"), BUTTONS)
def test_english_buttons_name_their_act(
    client: Client, page: Callable[[Tournament], str], said: str
):
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    make_registration(tournament, token_hash=hash_token(TOKEN))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    shown = client.get(page(tournament), headers={"accept-language": "en"}).content.decode()

    assert re.search(rf"<(button|summary)[^>]*>\s*{said}\s*</", shown)
