"""The manual: both languages say the same of what is there, and a page leads to its chapter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scripts.messages import CATALOGUE, WITH_SENTENCES
from scripts.pictures import LANGUAGES, PLAYED, RUNNING, SIZES
from tests.factories import make_member, make_tournament
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.test_english import german_on
from tournaments.manual import base
from tournaments.manual.base import Topic
from tournaments.manual.contents import CHAPTERS, chapter_of, search
from tournaments.models import Role
from tournaments.rulebook.play.base import Text

PAGES = (
    reverse("manual:contents"),
    reverse("manual:day"),
    *(reverse("manual:chapter", args=[one.slug]) for one in CHAPTERS),
)
ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr "(.*)"$', re.M)
PLACE = re.compile(r"%\(\w+\)s")
MANUAL = Path(base.__file__).parent
LABEL = {"de": re.compile("„([^“]+)“"), "en": re.compile("“([^”]+)”")}


def topics() -> Iterator[Topic]:
    """All sections."""
    for one in chain.from_iterable(chapter.paragraphs for chapter in CHAPTERS):
        assert isinstance(one, Topic)
        yield one


def texts() -> Iterator[Text]:
    """All that the manual says."""
    for chapter in CHAPTERS:
        yield from (chapter.title, chapter.who, *chapter.day)
    for one in topics():
        yield from (one.title, *one.text, *one.steps, *([one.picture.alt] if one.picture else []))
        yield from chain.from_iterable((case.when, case.then) for case in one.cases)


def said_elsewhere() -> str:
    """All code and templates but the manual's own."""
    root = Path(settings.BASE_DIR)
    files = chain.from_iterable((root / top).rglob("*.*") for top in WITH_SENTENCES)
    return "\n".join(
        file.read_text(encoding="utf-8")
        for file in files
        if file.suffix in {".py", ".html", ".txt"} and MANUAL not in file.parents
    )


def labels_of_the_program(named: Collection[str]) -> dict[str, set[str]]:
    """Which of these stand on pages and documents: their English, one for each meaning."""
    catalogue = Path(settings.BASE_DIR, CATALOGUE).read_text(encoding="utf-8")
    elsewhere = said_elsewhere()
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for entry in ENTRY.findall(catalogue):
        german, english = map(filled_in, entry, ("Serie", "Round"))
        if german in named and all(part in elsewhere for part in PLACE.split(entry[0])):
            labels[german].add(english)
    return labels


def filled_in(label: str, word: str) -> str:
    """A label as it stands on a page."""
    return label.replace("%(serie)s", f"{word} 1").replace("%(next)s", f"{word} 2")


def test_every_label_is_one_of_the_program_in_both_languages():
    said_in = {}
    for language, label in LABEL.items():
        with translation.override(language):
            said_in[language] = [label.findall(str(text)) for text in texts()]
    labels = labels_of_the_program({*chain.from_iterable(said_in["de"])})

    wrong = []
    for german, english in zip(said_in["de"], said_in["en"], strict=True):
        said = [label for label in german if labels[label] & {*english}]
        if said != german or len(english) != len(german):
            wrong.append((german, english))

    assert wrong == []


@pytest.mark.parametrize("language", settings.LANGUAGES)
def test_every_picture_is_there_and_no_other(language: tuple[str, str]):
    named = {one.picture.name: one.picture.kind for one in topics() if one.picture}
    taken = {*(one.name for one in (*RUNNING, *PLAYED)), "phone", "wall", "list"}
    files = Path(settings.BASE_DIR, "static", "manual", language[0]).iterdir()

    assert {file.name for file in files} == {f"{name}.webp" for name in named}
    assert set(named) == taken
    assert {kind: base.SIZES[kind] for kind in SIZES} == SIZES
    assert language[0] in LANGUAGES


def test_every_room_of_the_staff_has_its_chapter():
    pages = {page for chapter in CHAPTERS for page in chapter.pages}
    names = {one.name for one in ADDRESSES}
    without = {one.name for one in ADDRESSES if one.access and one.access.kind != "public"}

    assert {one for one in without if chapter_of(one) is None} == set()
    assert pages <= names | {name.partition(":")[0] for name in names}
    assert len(pages) == sum(len(chapter.pages) for chapter in CHAPTERS)


def test_anchors_and_addresses_are_used_once():
    for chapter in CHAPTERS:
        anchors = [one.anchor for one in chapter.paragraphs]
        assert len(set(anchors)) == len(anchors)
    slugs = {one.slug for one in CHAPTERS}
    assert len(slugs) == len(CHAPTERS)
    assert "turniertag" not in slugs


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_link_of_the_manual_leads_somewhere(language: str):
    client = Client(headers={"accept-language": language})
    pages = {url: client.get(url).content.decode() for url in PAGES}

    links = {
        link.partition("?")[0]
        for page in pages.values()
        for link in re.findall(r"<main.*?</main>", page, re.S)[0:1]
        for link in re.findall(r'href="(/handbuch/[^"]*)"', link)
    }
    broken = [
        link
        for link in links
        if (url := link.partition("#")[0]) not in pages
        or ("#" in link and f'id="{link.partition("#")[2]}"' not in pages[url])
    ]
    assert len(links) > len(PAGES)
    assert broken == []


@pytest.mark.parametrize("url", PAGES)
def test_no_page_of_the_manual_says_anything_in_german(url: str):
    page = Client(headers={"accept-language": "en"}).get(url).content.decode()

    assert german_on(page) == []


def test_the_search_finds_sections_by_their_words_in_each_language():
    def found(typed: str) -> list[str]:
        return [one.anchor for chapter in search(typed) for one in chapter.paragraphs]

    with translation.override("de"):
        assert found("wlan fällt") == ["p-wlan"]
        assert found("Einhorn") == []
    with translation.override("en"):
        assert found("wi-fi fails") == ["p-wlan"]


def test_a_search_without_scripts_shows_what_fits_and_the_way_back():
    page = Client().get(reverse("manual:contents"), {"q": "stornieren"}).content.decode()

    assert "1 Abschnitt passt zu „stornieren“." in page
    assert 'href="/handbuch/abschluss/#p-stornieren"' in page
    assert 'href="/handbuch/notfall/"' not in page.partition("<main")[2]


def test_a_chapter_that_there_is_not_is_not_found():
    assert Client().get(reverse("manual:chapter", args=["einhorn"])).status_code == 404


@pytest.mark.django_db
def test_a_page_leads_to_its_chapter():
    tournament = make_tournament()
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(reverse("checking:lists", args=[tournament.slug]), follow=True)

    assert page.content.decode().count('href="/handbuch/pruefung/"') == 1


@pytest.mark.django_db
def test_strangers_have_the_manual_at_the_foot():
    page = Client().get("/").content.decode()

    assert re.findall(r'href="(/handbuch/[^"]*)"', page) == ["/handbuch/vorbereiten/"]
