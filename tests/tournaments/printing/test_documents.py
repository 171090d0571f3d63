"""Documents of a small day: their content, their codes and their refusals."""

from __future__ import annotations

import pytest

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.ruleset import OptionField, Variant
from scoring.rulesets import ruleset
from tests.factories import COMMAND, make_tournament
from tests.tournaments.journal.helpers import played_tournament
from tests.tournaments.printing.helpers import (
    BASE_URL,
    make_day,
    paper,
    pay,
    unpaid,
    words,
    written,
)
from tests.worlds import world
from tournaments.common.access_keys import player_path, table_code, table_path
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.desk.services import registrations
from tournaments.desk.services.registrations import Payment
from tournaments.journal.sealing import fingerprint
from tournaments.models import LegalText, Person, Registration, Seat, Table, TableAccess
from tournaments.printing.seating import tables_of
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db
played = world(played_tournament)


def test_the_poster_names_time_place_and_startgeld():
    tournament = make_day(organiser="SC Altenburg", iban="DE89370400440532013000")

    poster = words(tournament, "ausschreibung").replace("\xa0", " ")

    for said in (
        "SC Altenburg lädt ein",
        "3. Oktober 2026",
        "14:00 Uhr",
        "Meldeschluss um 13:45 Uhr",
        "Erwachsene 15,00 €",
        "DE89 3704 0044 0532 0130 00",
        "Einspruch gegen Berichtigungen: 15 Minuten.",
    ):
        assert said in poster


def test_a_draft_poster_has_no_code_and_is_marked():
    draft = written(make_day(status="draft"), "ausschreibung")

    assert "Entwurf" in draft.words
    assert "<img" not in draft.prepared.pieces[0].html


def test_list_of_participants_adds_up_what_was_paid():
    tournament = unpaid(3)
    pay(tournament, 2)

    said = words(tournament, "teilnehmerliste").replace("\xa0", " ")

    assert "3 Personen aus 2 Vereinen · bezahlt 15,00 €, offen 30,00 €" in said
    assert "2 Voß, Bernd 1. Kahlaer SC 15,00 € –" in said
    assert "Summe 15,00 € 30,00 €" in said


def test_the_list_of_participants_omits_columns_with_one_value():
    tournament = unpaid(2)
    assert "Nr. Name Verein bezahlt offen " in words(tournament, "teilnehmerliste")

    for number in (1, 2):
        pay(tournament, number)
    assert "Nr. Name Verein bezahlt 1 " in words(tournament, "teilnehmerliste")

    tournament.registrations.filter(number=2).update(
        category=tournament.categories.create(name="Jugend", startgeld_cents=500)
    )
    assert "Nr. Name Verein Gruppe bezahlt" in words(tournament, "teilnehmerliste")


def test_the_report_shows_the_sums_of_the_book():
    tournament = unpaid(4)
    pay(tournament, 1)
    pay(tournament, 3)

    said = words(tournament, "kassenbericht").replace("\xa0", " ")

    assert "Belege 1 bis 2, ohne Lücke." in said
    assert "Startgeld 30,00 € – 30,00 €" in said
    assert "Erwachsene 2 30,00 €" in said
    assert "3 Sommer, Clara 15,00 € 15,00 €" in said
    assert "4 Lang, Dieter 15,00 € 15,00 €" in said


def test_startkarten_link_to_the_own_page():
    tournament = make_day(4)

    said = words(tournament, "startkarten")

    field = list(tournament.registrations.select_related("person").order_by("number"))
    tokens = [player_path(player).strip("/").rpartition("/")[2] for player in field]
    assert [player_access.find_registration(token) for token in tokens] == field
    assert "20 je beendetem Spiel am Tisch zu 4, 15 je beendetem Spiel am Tisch zu 3" in said


def test_the_code_of_a_table_can_be_typed():
    tournament = make_day(4)

    printed = paper(tournament, "spiellisten", serie=1)

    access = TableAccess.objects.get()
    assert printed.codes() == [f"{BASE_URL}{table_path(access)}"]
    assert table_code(access) in printed.text


def test_a_table_card_shows_its_number_60_mm_high_on_both_sides():
    cards = paper(make_day(4), "tischkarten", serie=1)

    figures = sorted((top - bottom for bottom, top in cards.heights("1")), reverse=True)

    assert len(cards.pages) == 1
    assert all(figure * 25.4 / 72 >= 60 for figure in figures[:2])
    assert all(figure * 25.4 / 72 < 10 for figure in figures[2:])


def test_a_receipt_is_printed_for_both_sides():
    tournament = unpaid(1)
    receipt = pay(tournament, 1)

    said = words(tournament, "quittung", receipt=receipt.number)

    assert said.count("Quittung, Beleg 1") == 2
    assert "zum Mitgeben" in said
    assert "für die Kasse" in said


def test_both_sides_of_the_receipt_of_a_family_fit_on_one_sheet():
    tournament = unpaid(3, kaution_cents=500)
    first, *others = tournament.registrations.order_by("number")
    together = Payment(together=[registration.pk for registration in others])
    receipt = registrations.pay(COMMAND, first.pk, payment=together)
    LegalText.objects.create(name="belege", text="Markt 1, 04600 Altenburg\nKeine Umsatzsteuer")

    printed = paper(tournament, "quittung", receipt=receipt.number)

    assert len(printed.pages) == 1
    assert printed.text.count("Kaution") == 2 * 3


def test_a_receipt_contains_the_text_of_the_operator():
    tournament = unpaid(1)
    receipt = pay(tournament, 1)
    tax = "Kein Ausweis von Umsatzsteuer, § 19 UStG"
    LegalText.objects.create(name="belege", text=f"Markt 1, 04600 Altenburg\n{tax}")

    said = words(tournament, "quittung", receipt=receipt.number)

    assert said.count("Markt 1, 04600 Altenburg") == said.count(tax) == 2


def test_withdrawn_code_is_not_printed_again():
    tournament = make_day(8)
    access = TableAccess.objects.get(table__number=1)
    access.withdrawn_at = tournament.starts_at
    access.save()

    cards = paper(tournament, "tischkarten", serie=1)

    assert len(cards.codes()) == 1
    assert table_code(access) not in cards.text


def test_plans_hide_people_who_refused():
    tournament = make_day(8)  # the third and the sixth

    by_name = words(tournament, "sitzplan-namen", serie=1)
    by_table = words(tournament, "sitzplan-tische", serie=1)

    assert "Kühn, Anna 1 1 1" in by_name
    assert "S., C. 3 1 3" in by_name
    assert "Clara" not in by_name + by_table
    assert "Frank" not in by_name + by_table
    assert "Tisch 2 1 Eva Öhler 1. Kahlaer SC 5" in by_table


def test_prefilled_list_is_the_usual_paper():
    tournament = make_day(4)

    text = words(tournament, "spiellisten", serie=1)

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


@pytest.mark.parametrize(
    ("rules", "size", "games"),
    [
        pytest.param("progressiv", 5, 15, id="fifteen games, five players"),
        pytest.param("hausregel", 6, 12, id="six players"),
    ],
)
def test_lists_of_other_rule_sets_fit_on_one_page_each(rules: str, size: int, games: int):
    tournament = make_day(size, size=size, rules=rules, nasty=True)

    lists = paper(tournament, "spiellisten", serie=1)

    (page,) = lists.pages
    assert f"muss {games} sein" in page or f"höchstens {games}" in page
    assert "Spielleitung geprüft:" in page


def test_agreed_options_are_printed_on_a_list_with_space():
    (page,) = paper(make_day(5, size=5, rules="progressiv"), "spiellisten", serie=1).pages

    assert "Gekaufte Karten: höchstens 8 Karten" in page
    assert "Abrechnung: " in page


def test_variants_are_printed_on_each_list():
    tournament = make_day(6, size=6, rules="hausregel", nasty=True)
    rules = ruleset("hausregel").with_variants(Variant)
    rules = rules.with_option(OptionField.FINISHER_MAY_HOLD, 7)
    tournament.rule_set = ruleset_to_dict(rules)
    tournament.save()

    (page,) = paper(tournament, "spiellisten", serie=1).pages

    assert "Varianten: a) keine Folge über das Ass hinweg: nie König, Ass, Zwei; b) ein" in page
    assert "c) Rommé melden darf, wer höchstens 7 Punkte in der Hand hat; d)" in page
    assert "Spielleitung geprüft:" in page


def test_blank_lists_are_printed_in_the_requested_number():
    lists = paper(make_day(), "spiellisten-leer", size=3, copies=4)

    assert len(lists.pages) == 4
    assert "Dreiertisch" in lists.pages[3]
    assert "Blatt" not in lists.text.replace("Blatt 1 von 1", "")


@pytest.mark.parametrize(
    ("name", "asked", "refusal"),
    [
        ("sitzplan-namen", {"serie": 2}, "noch nicht bekannt gegeben"),
        ("sitzplan-namen", {"serie": 9}, "gibt es nicht"),
        ("spiellisten", {"serie": 1, "table": 9}, "keinen Tisch 9; der letzte ist Tisch 2"),
        ("tischkarten", {"serie": 1, "table": 9}, "keinen Tisch 9"),
        ("tischkarten", {"serie": 2}, "noch nicht bekannt gegeben"),
        ("spiellisten-gespielt", {"serie": 1, "table": 9}, "keinen Tisch 9"),
        ("spiellisten-gespielt", {"serie": 1, "table": 2}, "An Tisch 2 ist noch kein Spiel"),
        ("preisliste", {}, "keinen Preisplan"),
        ("spiellisten-leer", {"size": 7}, "keine Tische zu 7"),
        ("startkarten", {"number": 99}, "spielt nicht mit"),
        ("quittung", {"receipt": 5}, "gibt es nicht"),
    ],
)
def test_missing_documents_are_refused_with_a_message(
    name: str, asked: dict[str, int], refusal: str
):
    with pytest.raises(TournamentError, match=refusal):
        paper(make_day(), name, **asked)


def test_a_list_without_registrations_is_refused():
    with pytest.raises(TournamentError, match="noch niemand"):
        paper(make_tournament(), "teilnehmerliste")


def test_the_seats_of_more_than_a_thousand_are_read():
    tournament = make_tournament(serien=1)
    serie = tournament.serien.get()
    owner = first_organiser()
    persons = [
        Person(first_name="Anna", last_name=f"Muster{number}", owner=owner)
        for number in range(1004)
    ]
    for person in persons:
        person.tidy()
    category = tournament.categories.get()
    field = Registration.objects.bulk_create(
        Registration(tournament=tournament, person=person, category=category, due_cents=0)
        for person in Person.objects.bulk_create(persons)
    )
    tables = Table.objects.bulk_create(
        Table(serie=serie, number=number) for number in range(1, 252)
    )
    Seat.objects.bulk_create(
        Seat(serie=serie, table=tables[at // 4], number=at % 4 + 1, registration=registration)
        for at, registration in enumerate(field)
    )

    all_tables = tables_of(serie, None)

    assert len(all_tables) == 251
    assert [seat.registration.person.last_name for seat in all_tables[-1].seats.all()] == [
        "Muster1000",
        "Muster1001",
        "Muster1002",
        "Muster1003",
    ]


@pytest.mark.parametrize("name", ["rangliste", "kassenbericht", "protokoll"])
def test_signed_documents_name_the_journal_end_and_its_key(played, name):
    said = words(played, name)

    chain = played.journal_chain
    assert f"Protokoll bis Eintrag {chain.last_number}, Prüfzahl {chain.last_hash[:4]} " in said
    assert f"Siegel der Installation: {fingerprint()}." in said


def test_posted_documents_are_not_outdated_by_every_act(played):
    assert "Prüfzahl" not in words(played, "rangliste-aushang")
