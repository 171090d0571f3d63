"""Every document, tame and nasty: what it says, how many pages, where its codes lead."""

from __future__ import annotations

import re

import pytest

from tests.factories import COMMAND, make_tournament
from tests.tournaments.printing.helpers import (
    BASE_URL,
    LONG_CLUB,
    LONG_NAME,
    NASTY,
    TIME,
    make_day,
    paper,
)
from tournaments.access_keys import player_path, table_code, table_path
from tournaments.errors import TournamentError
from tournaments.models import Receipt, Registration, TableAccess, Tournament
from tournaments.printing.documents import DOCUMENTS
from tournaments.services import player_access, registrations
from tournaments.services.registrations import Payment

pytestmark = pytest.mark.django_db

# Pages of a nasty day: 12 people at three tables of four, everything as long as it gets.
NASTY_PAGES = {
    "ausschreibung": 1,
    "teilnehmerliste": 1,
    "startkarten": 2,
    "kassenbericht": 1,
    "druckpaket": 7,
    "sitzplan-namen": 1,
    "sitzplan-tische": 1,
    "tischkarten": 2,
    "spiellisten": 3,
    "spiellisten-leer": 1,
}

WITH_NAMES = {"teilnehmerliste", "startkarten", "kassenbericht", "tischkarten", "spiellisten"}
WITH_CLUBS = {"teilnehmerliste", "startkarten", "spiellisten"}


def squeezed(text: str) -> str:
    """Return *text* without spaces: where a line ends is not what these tests are about."""
    return re.sub(r"[\s-]+", "", text)


def pay(tournament: Tournament, number: int) -> Receipt:
    registration = tournament.registrations.get(number=number)
    return registrations.pay(registration_id=registration.pk, payment=Payment(), actor=COMMAND)


def unpaid(players: int, **fields: bool) -> Tournament:
    tournament = make_day(players, **fields)
    tournament.registrations.update(status=Registration.Status.REGISTERED)
    return tournament


def asked_by(name: str) -> dict[str, int]:
    return {"serie": 1} if "serie" in DOCUMENTS[name].asks else {}


@pytest.mark.parametrize(("name", "pages"), NASTY_PAGES.items(), ids=str)
def test_a_nasty_day_needs_no_page_more_than_it_must(name: str, pages: int):
    tournament = make_day(12, nasty=True, serien=6)

    printed = paper(tournament, name, **asked_by(name))

    assert len(printed.pages) == pages
    for page in printed.pages:
        if name == "startkarten":
            continue  # cut up, so they have no foot
        assert squeezed(LONG_NAME) in squeezed(page)
        assert squeezed(TIME) in squeezed(page)
        assert re.search(r"(Seite|Blatt) \d+ von \d+", page)
    if name in WITH_NAMES:
        assert_no_name_is_cut(squeezed(printed.text), clubs=name in WITH_CLUBS)


def assert_no_name_is_cut(said: str, *, clubs: bool) -> None:
    for person in NASTY:
        first, _, last = person.partition(" ")
        assert squeezed(person) in said or squeezed(f"{last}, {first}") in said
    if clubs:
        assert said.count(squeezed(LONG_CLUB)) == 12


def test_poster_says_when_where_and_for_how_much():
    tournament = make_day(organiser="SC Altenburg", iban="DE89370400440532013000")

    poster = paper(tournament, "ausschreibung")

    for words in (
        "SC Altenburg lädt ein",
        "3. Oktober 2026",
        "14:00 Uhr",
        "Meldeschluss um 13:45 Uhr",
        "Erwachsene 15,00 €",
        "DE89 3704 0044 0532 0130 00",
        "Einspruch gegen Berichtigungen: 15 Minuten.",
    ):
        assert words in poster.text.replace("\xa0", " ")
    assert poster.codes() == [f"{BASE_URL}/t/{tournament.slug}/"]


def test_draft_of_a_poster_leads_nowhere_and_says_what_it_is():
    poster = paper(make_day(status="draft"), "ausschreibung")

    assert "Entwurf" in poster.text
    assert poster.codes() == []


def test_list_of_participants_adds_up_what_was_paid():
    tournament = unpaid(3)
    pay(tournament, 2)

    said = paper(tournament, "teilnehmerliste").text.replace("\xa0", " ")

    assert "3 Personen aus 2 Vereinen · bezahlt 15,00 €, offen 30,00 €" in said
    assert "2 Voß, Bernd 1. Kahlaer SC Erwachsene 15,00 € –" in said
    assert "Summe 15,00 € 30,00 €" in said


def test_receipt_is_the_one_of_the_book():
    tournament = unpaid(4, nasty=True)
    receipt = pay(tournament, 1)

    printed = paper(tournament, "quittung", receipt=receipt.number)

    said = printed.text.replace("\xa0", " ")
    assert printed.title == "Quittung, Beleg 1"
    assert len(printed.pages) == 1
    assert "Startgeld 1 · Freifrau von und zu Übelacker" in said
    assert "Summe 15,00 €" in said
    assert "Betrag dankend erhalten" in said


def test_report_of_the_book_shows_its_sums():
    tournament = unpaid(4)
    pay(tournament, 1)
    pay(tournament, 3)

    said = paper(tournament, "kassenbericht").text.replace("\xa0", " ")

    assert "Belege 1 bis 2, ohne Lücke." in said
    assert "Startgeld 30,00 € – 30,00 €" in said
    assert "Erwachsene 2 30,00 €" in said
    assert "3 Sommer, Clara 15,00 € 15,00 €" in said
    assert "4 Lang, Dieter 15,00 € 15,00 €" in said


def test_startkarten_lead_to_the_page_of_their_person():
    tournament = make_day(11)

    cards = paper(tournament, "startkarten")

    field = list(tournament.registrations.select_related("person").order_by("number"))
    assert sorted(cards.codes()) == sorted(f"{BASE_URL}{player_path(one)}" for one in field)
    tokens = [player_path(one).strip("/").rpartition("/")[2] for one in field]
    assert [player_access.find(token) for token in tokens] == field
    assert "20 je beendetem Spiel am Tisch zu 4, 15 je beendetem Spiel am Tisch zu 3" in cards.text


def test_one_startkarte_alone():
    cards = paper(make_day(11), "startkarten", number=7)

    assert len(cards.codes()) == 1
    assert "Anna Kühn" in cards.text
    assert cards.title == "Startkarte 7"


@pytest.mark.parametrize("name", ["tischkarten", "spiellisten"])
def test_codes_of_the_tables_open_their_lists(name: str):
    tournament = make_day(11)

    printed = paper(tournament, name, serie=1)

    accesses = list(TableAccess.objects.order_by("table__number"))
    assert sorted(printed.codes()) == sorted(f"{BASE_URL}{table_path(one)}" for one in accesses)
    assert len(printed.codes()) == 3
    for access in accesses:
        assert table_code(access) in printed.text


def test_withdrawn_code_is_not_printed_again():
    tournament = make_day(8)
    access = TableAccess.objects.get(table__number=1)
    access.withdrawn_at = tournament.starts_at
    access.save()

    cards = paper(tournament, "tischkarten", serie=1)

    assert len(cards.codes()) == 1
    assert table_code(access) not in cards.text


def test_plans_name_only_who_consented():
    tournament = make_day(8)  # the third and the sixth did not

    by_name = paper(tournament, "sitzplan-namen", serie=1)
    by_table = paper(tournament, "sitzplan-tische", serie=1)

    assert "Kühn, Anna 1 1 1" in by_name.text
    assert "C. S. 3 1 3" in by_name.text
    assert "Clara" not in by_name.text + by_table.text
    assert "Frank" not in by_name.text + by_table.text
    assert "Tisch 2 1 Eva Öhler 1. Kahlaer SC 5" in by_table.text


def test_prefilled_list_is_the_usual_paper():
    tournament = make_day(4)

    text = paper(tournament, "spiellisten", serie=1).pages[0]

    assert "Spielliste · Serie 1 · Tisch 1" in text
    assert "Vierertisch (20 je beendetem Spiel)" in text
    assert "1 · Anna Kühn Nr. 1 · SC Altenburg 2 · Bernd Voß Nr. 2 · 1. Kahlaer SC" in text
    # Number and dealer of the twelve games; place 1 deals the first (§ 5.9).
    assert "1 1 2 2 3 3 4 4 5 1 6 2 7 3 8 4 9 1 10 2 11 3 12 4" in text
    for line in (
        "A Minuspunkte",
        "B beendete Spiele",
        "C B × 20",
        "D Handrommé",
        "E D × 50",
        "F Strafpunkte",
        "Ergebnis = A + F − C − E.",
        "Summe B = ______, muss 12 sein.",
        "Anna Kühn (Listenführung)",
        "Spielleitung geprüft:",
    ):
        assert line in text


def test_list_of_a_table_of_three_takes_its_own_bonus():
    tournament = make_day(3, size=3)

    text = paper(tournament, "spiellisten", serie=1).text

    assert "Dreiertisch (15 je beendetem Spiel)" in text
    assert "C B × 15" in text


@pytest.mark.parametrize(
    ("rules", "size", "games"),
    [
        pytest.param("progressiv", 5, 15, id="fifteen games, five players"),
        pytest.param("hausregel", 6, 12, id="six players"),
        pytest.param("traditionell", 6, 12, id="six players, 10 cards"),
        pytest.param("shanghai-kolsov", 5, 10, id="ten games"),
    ],
)
def test_lists_of_other_rule_sets_fit_on_one_page_each(rules: str, size: int, games: int):
    tournament = make_day(size * 2, size=size, rules=rules, nasty=True)

    lists = paper(tournament, "spiellisten", serie=1)

    assert len(lists.pages) == 2
    for page in lists.pages:
        assert f"muss {games} sein" in page or f"höchstens {games}" in page
        assert "Spielleitung geprüft:" in page


def test_supply_of_blank_lists():
    lists = paper(make_day(), "spiellisten-leer", size=3, copies=4)

    assert len(lists.pages) == 4
    assert "Dreiertisch" in lists.pages[3]
    assert "Blatt" not in lists.text.replace("Blatt 1 von 1", "")


@pytest.mark.parametrize(
    ("name", "asked", "refusal"),
    [
        ("sitzplan-namen", {"serie": 2}, "noch nicht bekannt gegeben"),
        ("sitzplan-namen", {"serie": 9}, "gibt es nicht"),
        ("spiellisten", {"serie": 1, "table": 9}, "keinen Tisch 9"),
        ("spiellisten-leer", {"size": 7}, "keine Tische zu 7"),
        ("startkarten", {"number": 99}, "spielt nicht mit"),
        ("quittung", {"receipt": 5}, "gibt es nicht"),
    ],
)
def test_what_is_not_there_is_refused_in_words(name: str, asked: dict[str, int], refusal: str):
    with pytest.raises(TournamentError, match=refusal):
        paper(make_day(), name, **asked)


def test_nobody_registered_is_said():
    with pytest.raises(TournamentError, match="noch niemand"):
        paper(make_tournament(), "teilnehmerliste")
