"""Every document of the extreme day: nothing is cut, no page is superfluous, data are correct."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pikepdf
import pytest
from django.urls import resolve
from pikepdf import Name

from tests.tournaments.printing.extreme_day import GOODS, REASON, TEAM, NastyDay
from tests.tournaments.printing.helpers import (
    BASE_URL,
    LONG_CLUB,
    LONG_NAME,
    NASTY,
    TIME,
    opened,
    squeezed,
    tags,
)
from tournaments.printing.documents import DOCUMENTS
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db

# Fifteen people at tables of six, six and three.
PAGES = {
    "ausschreibung": 1,
    "spielregeln": 3,
    "turniertag": 1,  # to pin up: never more
    "handbuch": 21,
    "teilnehmerliste": 1,
    "nachricht": 1,
    "ich-bin-da": 1,
    "startkarten": 2,  # fourteen participants, eight to a page
    "auskunft": 1,
    "quittung": 1,
    "rueckzahlungen": 1,  # a row high enough to be signed in for each
    "kassenbericht": 2,
    "druckpaket": 10,  # both plans, three cards, three lists of which two go on
    "sitzplan-namen": 1,
    "sitzplan-tische": 1,
    "tischkarten": 3,
    "spiellisten": 5,  # the sums of six with such names have their own page
    "spiellisten-leer": 1,
    "spiellisten-gespielt": 6,  # the sums of each have their own page
    "berichtigungen": 7,  # six at the corrected table, and the excluded player
    "rangliste-aushang": 1,
    "rangliste": 1,
    "saison": 1,
    "preisliste": 1,
    "wahlliste": 1,
    "urkunden": 3,
    "protokoll": 2,
}
BORDER = 2  # points from the letters of a cell to the line above them
WITHOUT_FOOT = {"startkarten", "urkunden"}  # cut up, or framed
WITH_ALL_NAMES = {
    "rueckzahlungen",
    "teilnehmerliste",
    "kassenbericht",
    "tischkarten",
    "spiellisten",
    "spiellisten-gespielt",
    "rangliste",
    "protokoll",
}
WITH_ALL_CLUBS = {"teilnehmerliste": 15, "startkarten": 14, "spiellisten": 15, "rangliste": 14}


def test_every_document_is_printed_here():
    assert PAGES.keys() == DOCUMENTS.keys()


@pytest.mark.parametrize("name", PAGES)
def test_documents_have_no_needless_page(nasty_day: NastyDay, name: str):
    assert len(nasty_day.papers[name].pages) == PAGES[name]


@pytest.mark.parametrize("name", PAGES)
def test_no_text_is_too_small(nasty_day: NastyDay, name: str):
    assert not any(nasty_day.papers[name].small_print())


def test_no_page_of_the_manual_is_half_empty(nasty_day: NastyDay):
    _contents, *pages, _last = nasty_day.papers["handbuch"].filled()

    assert min(pages) > 0.6


@pytest.mark.parametrize("name", sorted(PAGES.keys() - WITHOUT_FOOT))
def test_every_page_names_its_document_and_time(nasty_day: NastyDay, name: str):
    pages = nasty_day.papers[name].pages

    for page in pages:
        assert squeezed(LONG_NAME) in squeezed(page)
        assert squeezed(TIME) in squeezed(page)
    feet = [re.findall(r"(?:Seite|Blatt) (\d+) von (\d+)", page)[-1] for page in pages]
    if name != "druckpaket":  # each of its documents is counted by itself
        total = str(len(pages))
        assert feet == [(str(number), total) for number in range(1, len(pages) + 1)]
    else:
        assert feet == [*[("1", "1")] * 2, *_of(3), *_of(5)]


def _of(pages: int) -> Iterator[tuple[str, str]]:
    return ((str(number), str(pages)) for number in range(1, pages + 1))


@pytest.mark.parametrize("name", sorted(WITH_ALL_NAMES))
def test_no_name_is_cut(nasty_day: NastyDay, name: str):
    said = squeezed(nasty_day.papers[name].text)

    for person in NASTY:
        first, _, last = person.partition(" ")
        assert squeezed(person) in said or squeezed(f"{last}, {first}") in said


@pytest.mark.parametrize(("name", "clubs"), WITH_ALL_CLUBS.items())
def test_no_club_is_cut(nasty_day: NastyDay, name: str, clubs: int):
    assert squeezed(nasty_day.papers[name].text).count(squeezed(LONG_CLUB)) == clubs


def test_the_club_on_a_startkarte_is_above_the_blank_lines(nasty_day: NastyDay):
    cards = nasty_day.papers["startkarten"]

    clubs = cards.heights("1887")  # the end of their name
    tables = cards.heights("Serie")
    assert len(clubs) == len(tables) == 14
    for (club, _top), (_bottom, table) in zip(clubs, tables, strict=True):
        assert club > table + BORDER


def test_printed_codes_are_readable_and_open_their_page(nasty_day: NastyDay):
    papers = nasty_day.papers

    assert sorted(papers["startkarten"].codes()) == sorted(nasty_day.cards)
    for name in ("tischkarten", "spiellisten", "druckpaket"):
        assert set(papers[name].codes()) == set(nasty_day.tables)
    assert len(set(nasty_day.tables)) == 3
    (poster,) = papers["ausschreibung"].codes()
    views = {
        resolve(address.removeprefix(BASE_URL)).view_name
        for address in (*nasty_day.cards, *nasty_day.tables, poster)
    }
    assert views == {"player:page", "table:page", "public:tournament"}
    # The day is no longer in the database, so its codes are invalid.
    assert player_access.find_registration(nasty_day.cards[0].strip("/").rpartition("/")[2]) is None


@pytest.mark.parametrize(
    ("page", "said"),
    [
        # Game, contract, dealer, and for each seat points and running sum.
        (0, "1 2 Sätze zu 3 1 0 0 21 21 13 13 14 14 15 15 16 16"),
        (0, "5 2 Sätze zu 3, 1 Folge zu 4 5 57 150 52 147 53 132 54 126 0 120 56 180"),
        (0, "14 1 Satz zu 5, 1 Folge zu 5, 1 Paar 2 141 857 0 841"),
        # Seat 1 finishes games 1, 7 and 13: 1200 − 210 + 12 · 1, and 6 more by correction.
        (1, "A Minuspunkte 1008 993 966 1112 1105 1098"),
        (1, "B beendete Spiele 3 3 3 2 2 2 C B × 20 60 60 60 40 40 40"),
        (1, "F Strafpunkte – – – 100 – – G Gutschriften – – −50 – – –"),
        (1, "Ergebnis 948 933 856 1172 1065 1058 Platz am Tisch 3. 2. 1. 6. 5. 4."),
        (1, "Summe B = 15, wie gespielt."),
        (1, f"Spiel 1, Punkte von Platz 2: vorher 12, jetzt 21. Grund: {REASON}"),
        (1, "Strafpunkte für Nr. 4: vorher 0, jetzt 100."),
        (3, "Ergebnis 942 924 856 1072 1065 1058"),
        # The table of three: 1200 − 350 + 10 · 1, less five games at 15.
        (4, "Dreiertisch (15 je beendetem Spiel)"),
        (5, "A Minuspunkte 860 820 780 B beendete Spiele 5 5 5 C B × 15 75 75 75"),
        (5, "G Gutschriften – – −50 Ergebnis 785 745 655 Platz am Tisch 3. 2. 1."),
    ],
)
def test_played_lists_contain_the_games(nasty_day: NastyDay, page: int, said: str):
    assert said in nasty_day.papers["spiellisten-gespielt"].pages[page]


def test_a_continued_list_is_marked_and_repeats_its_header(nasty_day: NastyDay):
    first, second, *_others = nasty_day.papers["spiellisten-gespielt"].pages

    assert "Summen und Unterschriften auf dem nächsten Blatt." in first
    assert "Spielleitung geprüft:" not in first
    for page in (first, second):
        assert "Spielliste · Serie 1 · Tisch 1" in page
        assert squeezed("4 · Maximilian Kühne-Wüstenrot") in squeezed(page)


def test_ranking_has_ties_and_leaves_the_excluded_out(nasty_day: NastyDay):
    said = nasty_day.papers["rangliste"].text

    assert re.search(r"1\. von Hohenstein-Müllerburg, Hans-Joachim Nr\. 15 .* 655 5 0 655", said)
    assert re.search(r" 4\. von Hohenstein[^0-9]+Nr\. 3 .*? 856 3 0 856", said)
    assert re.search(r" 4\. von Hohenstein[^0-9]+Nr\. 9 .*? in allem gleich 856 3 0 856", said)
    assert " 14. Kühne-Wüstenrot, Maximilian Nr. 4 " in said
    assert "Nr. 12 " not in said
    # 948 + 933 + 856 + 1172
    assert re.search(
        re.escape(TEAM) + ".* 3909 11 0 3909", nasty_day.papers["rangliste-aushang"].text
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ausschreibung", GOODS),
        ("teilnehmerliste", "14 Personen aus 1 Verein · bezahlt 225,00 €, offen 0,00 €"),
        ("teilnehmerliste", "Bärbel-Sieglinde (ausgeschlossen)"),
        ("quittung", "Startgeld 15 · von Hohenstein-Müllerburg, Hans-Joachim 15,00 €"),
        ("kassenbericht", "Belege 1 bis 15, ohne Lücke."),
        ("kassenbericht", "Startgeld 225,00 € – 225,00 €"),
        ("sitzplan-namen", "H., H. 15 3 3"),
        ("sitzplan-tische", "Tisch 3 1 Wilhelmine-Charlotte Freifrau von und zu Übelacker-"),
        ("spiellisten-leer", "Sechsertisch (20 je beendetem Spiel)"),
        ("spiellisten-leer", "Platz 1 Platz 2 Platz 3 Platz 4 Platz 5 Platz 6"),
        ("berichtigungen", "Ihre Punkte in Serie 1: vorher 942, jetzt 948."),
        ("berichtigungen", "Nr. 12 in der Rangliste ausgeschlossen"),
        ("preisliste", f"2. Platz Gesamtwertung: {GOODS}"),
        ("preisliste", "zusammen 100,00 €"),
        ("spiellisten-gespielt", "Spiel 4, Platz 3: −50 Punkte, genau abgehoben"),
        ("startkarten", "weniger 20 je beendetem Spiel am Tisch zu 4, 5 oder 6, 15 je beendetem"),
        ("rangliste-aushang", "steht hier mit Startnummer und Initialen"),
        ("urkunden", "1. Platz mit 655 Punkten"),
        ("protokoll", "Berichtigung 4 ausgeführt"),
    ],
)
def test_documents_contain_the_stored_data(nasty_day: NastyDay, name: str, said: str):
    text = nasty_day.papers[name].text.replace("\xa0", " ")

    assert squeezed(said) in squeezed(text)


@pytest.mark.parametrize(
    "name", ["startkarten", "spiellisten", "spiellisten-gespielt", "rangliste", "rangliste-aushang"]
)
def test_list_card_and_ranking_explain_the_points(nasty_day: NastyDay, name: str):
    assert "Ergebnis = " in nasty_day.papers[name].text


def fonts_of(pdf: pikepdf.Pdf) -> set[str]:
    names = set()
    for page in pdf.pages:
        for font in page.Resources.get(Name.Font, {}).values():
            descendant = font.DescendantFonts[0]
            assert Name.FontFile2 in descendant.FontDescriptor or (
                Name.FontFile3 in descendant.FontDescriptor
            )
            names.add(str(font.BaseFont).partition("+")[2])
    return names


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_pdf_has_title_language_tags_and_the_project_s_fonts(nasty_day: NastyDay, document):
    printed = nasty_day.papers[document.name]

    with opened(printed) as pdf:
        metadata = pdf.open_metadata()
        names = list(tags(pdf.Root.StructTreeRoot.K[0]))

        assert metadata["dc:title"].startswith(printed.title)
        assert str(pdf.Root.Lang) == "de"
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert bool(pdf.Root.MarkInfo.Marked)
        assert len(pdf.trailer.ID) == 2
        assert "/H1" in names or document.name == "startkarten"  # a card is too small for one
        for page in pdf.pages:
            assert Name.StructParents in page.obj
        families = {re.sub(r"(-(Bold|Semi|Light))*,?$", "", name) for name in fonts_of(pdf)}
        # Łódźka comes from the file of further letters.
        assert families <= {"Source-Sans-3", "Source-Sans-3-Ext"}
        assert "Source-Sans-3" in families


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_signed_documents_are_archivable_and_all_others_accessible(nasty_day: NastyDay, document):
    kept = {
        "quittung",
        "rueckzahlungen",
        "kassenbericht",
        "spiellisten-gespielt",
        "berichtigungen",
        "rangliste",
        "preisliste",
        "protokoll",
    }

    with opened(nasty_day.papers[document.name]) as pdf:
        metadata = pdf.open_metadata()

        if document.name in kept:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
            assert Name.OutputIntents in pdf.Root
            pictures = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
            assert not any(picture.get(Name.Interpolate, False) for picture in pictures)
        else:
            assert metadata["pdfuaid:part"] == "1"


def test_tables_and_pictures_of_a_list_are_tagged_as_such(nasty_day: NastyDay):
    with opened(nasty_day.papers["spiellisten"]) as pdf:
        names = list(tags(pdf.Root.StructTreeRoot.K[0]))

    # Of three lists: one table of 2 + 15 rows and one of 10, and the code with its label. Two of
    # them continue: on another page with heading, code, and names repeated.
    assert names.count("/H1") == 3 + 2
    assert names.count("/Table") == 3 * 2
    assert names.count("/Figure") == 3 + 2
    assert names.count("/TR") == 3 * (2 + 15 + 10) + 2


def test_bundle_has_a_bookmark_for_each_document(nasty_day: NastyDay):
    with opened(nasty_day.papers["druckpaket"]) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == [
            "Sitzplan Serie 1 nach Namen",
            "Sitzplan Serie 1 nach Tischen",
            "Tischkarten Serie 1",
            "Spiellisten Serie 1",
        ]
