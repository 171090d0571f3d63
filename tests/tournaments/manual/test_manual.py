"""The manual: both languages agree with the program, and pages link to their chapters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from scripts.messages import CATALOGUE, WITH_SENTENCES
from scripts.pictures import LANGUAGES, PLAYED, RUNNING, SIZES
from tests.agreement.reading import text
from tests.clients import Client, at, logged_in
from tests.factories import make_member, make_tournament
from tests.markdown_texts import translated
from tests.tournaments.access_matrix import ADDRESSES
from tests.tournaments.test_english import german_on
from tournaments.common import texts
from tournaments.common.texts import Paragraph
from tournaments.manual.contents import PAGES, chapters, slug_about
from tournaments.manual.search import search
from tournaments.models import Role

URLS = (
    at("manual:contents"),
    at("manual:day"),
    *(at("manual:chapter", slug) for slug in PAGES),
)
ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr "(.*)"$', re.M)
PLACE = re.compile(r"%\(\w+\)s")
LABEL = {"de": re.compile("„([^“]+)“"), "en": re.compile("“([^”]+)”")}


def sections() -> Iterator[Paragraph]:
    """All sections."""
    return chain.from_iterable(chapter.paragraphs for chapter in chapters())


def said_elsewhere() -> str:
    """All code and templates."""
    root = Path(settings.BASE_DIR)
    files = chain.from_iterable((root / top).rglob("*.*") for top in WITH_SENTENCES)
    return "\n".join(
        file.read_text(encoding="utf-8")
        for file in files
        if file.suffix in {".py", ".html", ".txt"}
    )


def labels_of_the_program(named: Collection[str]) -> dict[str, set[str]]:
    """Return the labels on pages and documents with their English, one for each meaning."""
    catalogue = Path(settings.BASE_DIR, CATALOGUE).read_text(encoding="utf-8")
    elsewhere = said_elsewhere()
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for entry in ENTRY.findall(catalogue):
        german, english = map(filled_in, entry, ("Serie", "Round"))
        if german in named and all(part in elsewhere for part in PLACE.split(entry[0])):
            labels[german].add(english)
    return labels


def filled_in(label: str, word: str) -> str:
    """Return a label with its placeholders filled in."""
    return label.replace("%(serie)s", f"{word} 1").replace("%(next)s", f"{word} 2")


def test_every_quoted_label_exists_in_both_languages():
    said = [
        (LABEL["de"].findall(german), LABEL["en"].findall(english))
        for german, english in translated("manual")
    ]
    labels = labels_of_the_program({*chain.from_iterable(german for german, _ in said)})

    wrong = []
    for german, english in said:
        known = [label for label in german if labels[label] & {*english}]
        if known != german or len(english) != len(german):
            wrong.append((german, english))

    assert wrong == []


@pytest.mark.parametrize("language", settings.LANGUAGES)
def test_pictures_of_the_manual_are_complete_and_used(language: tuple[str, str]):
    named = {
        section.picture.name: section.picture.kind for section in sections() if section.picture
    }
    taken = {
        *(picture.name for picture in (*RUNNING, *PLAYED)),
        "phone",
        "wall",
        "list",
        "computer",
    }
    files = Path(settings.BASE_DIR, "static", "manual", language[0]).iterdir()

    assert {file.name for file in files} == {f"{name}.webp" for name in named}
    assert set(named) == taken
    assert {kind: texts.SIZES[kind] for kind in SIZES} == SIZES
    assert language[0] in LANGUAGES


def test_every_room_of_the_staff_has_its_chapter():
    pages = [page for about in PAGES.values() for page in about]
    names = {address.name for address in ADDRESSES}
    without = {
        address.name for address in ADDRESSES if address.access and address.access.kind != "public"
    }

    assert {path for path in without if slug_about(path) is None} == set()
    assert {*pages} <= names | {name.partition(":")[0] for name in names}
    assert len({*pages}) == len(pages)


def test_anchors_and_addresses_are_used_once():
    for chapter in chapters():
        anchors = [paragraph.anchor for paragraph in chapter.paragraphs]
        assert len(set(anchors)) == len(anchors)
    assert "turniertag" not in PAGES


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_chapter_shows_all_its_texts(language: str):
    client = Client(headers={"accept-language": language})
    with translation.override(language):
        chapters_in_language = chapters()

    for chapter in chapters_in_language:
        page = text(client.read(at("manual:chapter", chapter.slug)))
        for section in chapter.paragraphs:
            for part in (*section.text, *section.steps, *chain(*section.cases)):
                assert text(part) in page, (chapter.slug, section.title)


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_link_of_the_manual_works(language: str):
    client = Client(headers={"accept-language": language})
    pages = {url: client.read(url) for url in URLS}

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
    assert len(links) > len(URLS)
    assert broken == []


@pytest.mark.parametrize("url", URLS)
def test_no_english_page_of_the_manual_contains_german(url: str):
    page = Client(headers={"accept-language": "en"}).read(url)

    assert german_on(page) == []


def test_the_search_finds_sections_by_their_words_in_each_language():
    def found(typed: str) -> list[str]:
        return [section.content.anchor for section in search(typed).sections]

    with translation.override("de"):
        assert found("wlan fällt")[0] == "p-wlan"
        assert found("Einhorn") == []
    with translation.override("en"):
        assert found("wi-fi fails")[0] == "p-wlan"


def test_a_search_without_scripts_shows_results_and_a_way_back():
    page = Client().read(at("manual:contents"), {"q": "Kaution"})
    content = page.partition("<main")[2]

    assert "1 Abschnitt passt zu „Kaution“." in content
    assert 'href="/handbuch/vorbereiten/#p-geld"' in content
    assert "Kartengeld und\nKaution" in content or "Kartengeld und Kaution" in content  # the answer
    assert 'href="/handbuch/notfall/"' not in content
    assert 'href="/handbuch/"' in content


def test_an_empty_search_shows_all_chapters():
    page = Client().read(at("manual:contents"), {"q": "Einhorn"}).partition("<main")[2]

    assert "Zu „Einhorn“ steht hier nichts." in page
    assert 'href="/handbuch/notfall/"' in page


def test_an_unknown_chapter_is_not_found():
    assert Client().get(at("manual:chapter", "einhorn")).status_code == 404


@pytest.mark.django_db
def test_a_page_links_to_the_search_with_its_chapter_first():
    tournament = make_tournament()
    client = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    page = client.read(at("checking:lists", tournament), follow=True)
    manual = client.read("/handbuch/?zu=pruefung").partition("<main")[2]

    assert page.count('href="/handbuch/?zu=pruefung"') == 2  # in the menu and at the foot
    assert manual.index('type="search"') < manual.index('href="/handbuch/pruefung/"')
    assert manual.index('href="/handbuch/pruefung/"') < manual.index('href="/handbuch/klaeren/"')


@pytest.mark.django_db
def test_public_pages_link_to_the_manual_in_the_footer():
    page = Client().read("/")

    assert re.findall(r'href="(/handbuch/[^"]*)"', page) == ["/handbuch/?zu=vorbereiten"]


@pytest.mark.parametrize("zu", ["einhorn", "", "../pruefung"])
def test_an_unknown_chapter_is_not_listed_first(zu: str):
    assert "Zu der Seite von eben" not in Client().read("/handbuch/", {"zu": zu})
