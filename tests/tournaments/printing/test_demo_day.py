"""Every document of the tournament to look at, read again and held against its data."""

from __future__ import annotations

import re

import pytest
from django.urls import resolve

from tests.tournaments.printing.demo_day import CORRECTED, OF_THREE, PUNISHED, DemoDay
from tests.tournaments.printing.helpers import BASE_URL, opened, squeezed, tags
from tournaments.printing.documents import DOCUMENTS

pytestmark = pytest.mark.django_db

# Forty-seven people at eleven tables of four and one of three. Documents with a fixed number of
# pages, or a page for each person or table, are counted on the extreme day (test_nasty.py).
PAGES = {
    "teilnehmerliste": 2,
    "kassenbericht": 2,
    "sitzplan-namen": 1,
    "sitzplan-tische": 1,
    "rangliste-aushang": 1,
    "rangliste": 2,
    "protokoll": 15,  # 41 rows to a page
}
# In the middle of the day some documents are refused with a message.
REFUSED = {
    "berichtigungen": "Niemand muss",
    "ich-bin-da": "nicht eingeschaltet",
    "nachricht": "gibt es nicht",
    "rueckzahlungen": "wenn das Turnier abgesagt ist",
    "saison": "zu keiner Saison",
    "wahlliste": "nichts zum Wählen",
    "preisliste": "sobald alle ihre Listen geprüft sind",
    "urkunden": "sobald die Wertung feststeht",
}


def test_every_document_is_written_or_refused_with_its_reason(demo_day: DemoDay):
    # Of the bundle each document is there; played lists are kept by their tables, and the manual
    # is the same in every tournament: test_nasty.py prints it.
    elsewhere = {"druckpaket", "spiellisten-gespielt", "handbuch"}

    assert {*demo_day.papers, *demo_day.refusals, *elsewhere} == DOCUMENTS.keys()
    assert demo_day.papers.keys() >= set(DOCUMENTS["druckpaket"].bundle)
    assert demo_day.refusals.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert reason in demo_day.refusals[name]


@pytest.mark.once
def test_documents_have_as_many_pages_as_their_people_need(demo_day: DemoDay):
    assert {name: len(demo_day.papers[name].paper.pages) for name in PAGES} == PAGES


def test_the_list_of_participants_contains_each_player_once(demo_day: DemoDay):
    said = demo_day.papers["teilnehmerliste"].words

    assert len(demo_day.people) == 47
    for number, name, club in demo_day.people:
        assert len(re.findall(re.escape(f" {number} {name} {club} "), said)) == 1


def test_startkarte_can_be_printed_alone(demo_day: DemoDay):
    card = demo_day.papers["startkarten"]

    assert card.paper.title == "Startkarte 47"
    assert len(card.paper.codes()) == 1
    assert "Waltraud Süß" in card.words


def test_the_report_contains_the_till(demo_day: DemoDay):
    said = demo_day.papers["kassenbericht"].words

    assert f"Bestand {demo_day.in_cash} 0,00".replace("\xa0", " ") in said


def test_plans_show_each_player_at_their_seat(demo_day: DemoDay):
    by_name = demo_day.papers["sitzplan-namen"].words
    by_table = demo_day.papers["sitzplan-tische"].words

    assert len(demo_day.seats) == 47
    for name, number, table, seat, may_be_shown in demo_day.seats:
        assert f" {number} {table} {seat} " in by_name
        shown = name if may_be_shown else "".join(f"{part[0]}. " for part in name.split())
        assert squeezed(f"{seat} {shown}") in squeezed(by_table)
        assert may_be_shown or name not in by_name + by_table


def test_list_and_card_of_a_table_have_its_three_people(demo_day: DemoDay):
    listed = squeezed(demo_day.papers["spiellisten"].words)
    card = demo_day.papers["tischkarten"].words

    at_table = [seat for seat in demo_day.seats if seat[2] == OF_THREE]
    assert len(at_table) == 3
    for name, number, _table, seat, _shown in at_table:
        assert squeezed(f"{seat} · {name} Nr. {number}") in listed
        assert f"{name} Nr. {number}" in card
    on_list, on_card = (
        demo_day.papers[name].paper.codes() for name in ("spiellisten", "tischkarten")
    )
    assert on_list == on_card
    assert len(on_card) == 1


@pytest.mark.parametrize("table", [CORRECTED, PUNISHED, OF_THREE])
def test_played_lists_have_the_points_that_count(demo_day: DemoDay, table: int):
    said = demo_day.lists[table].words.replace("\N{MINUS SIGN}", "-")

    assert f"Ergebnis {' '.join(str(points) for points in demo_day.results[table])} " in said
    assert f"Stand {demo_day.hashes[table]}" in said


@pytest.mark.once
def test_the_code_of_a_played_list_opens_its_page(demo_day: DemoDay):
    (code,) = demo_day.lists[OF_THREE].paper.codes()

    stored = resolve(code.removeprefix(BASE_URL))
    assert (stored.view_name, stored.kwargs["serie"], stored.kwargs["table"]) == (
        "checking:list",
        1,
        OF_THREE,
    )


def test_list_that_was_corrected_names_the_version_that_was_signed(demo_day: DemoDay):
    said = demo_day.lists[CORRECTED].words

    signed = re.search(r"Unterschrieben wurde Stand (.{9}); berichtigt wurde danach", said)
    assert signed
    assert signed.group(1) != demo_day.hashes[CORRECTED]
    assert "Unterschrieben wurde" not in demo_day.lists[OF_THREE].words


def test_the_printed_ranking_equals_the_computed_one(demo_day: DemoDay):
    said = demo_day.papers["rangliste"].words.replace("\N{MINUS SIGN}", "-")

    assert len(demo_day.ranking) == 47
    for rank, name, points in demo_day.ranking:
        assert re.search(rf"{rank}\. {re.escape(name)} Nr\. .*?{points} \d+ \d+ {points} ", said)


def test_journal_has_every_entry(demo_day: DemoDay):
    said = demo_day.papers["protokoll"].words

    assert demo_day.entries > 500
    rows = re.findall(r"(?:Was|[.)]) (\d+) \d\d\.\d\d\.\d{4} \d\d:\d\d ", said)
    assert {int(row) for row in rows} == set(range(1, demo_day.entries + 1))


@pytest.mark.once
def test_the_journal_has_continuous_numbers_and_tags(demo_day: DemoDay):
    pages = demo_day.papers["protokoll"].paper.pages

    feet = [re.findall(r"Seite (\d+) von (\d+)", page) for page in pages]
    assert feet == [[(str(number), "15")] for number in range(1, 16)]
    assert [page.count("Nr. Zeit Wer Was") for page in pages] == [1] * 15
    with opened(demo_day.papers["protokoll"].paper) as pdf:
        names = list(tags(pdf.Root.StructTreeRoot.K[0]))
        assert names.count("/H1") == 1
        assert names.count("/TR") == demo_day.entries + 15  # a head on each page
