"""CSV files of banks; the samples are fictional, the headings real."""

from __future__ import annotations

from datetime import date

import pytest

from tournaments.cash.bank.services.files import read
from tournaments.cash.bank.services.statements import Statement, Transfer, UnreadableStatement
from tournaments.cash.bank.services.tables import UnknownColumns

IBAN = "DE02120300000000202051"
SPARKASSE = f"""\
"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";\
"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";\
"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";\
"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"{IBAN}";"28.09.26";"28.09.26";"GUTSCHR. UEBERWEISUNG";"Startgeld Nr. 12";"";"";"";"";"";"";\
"Anna Kühn";"DE89370400440532013000";"COBADEFF";"15,00";"EUR";"Umsatz gebucht"
"{IBAN}";"28.09.26";"28.09.26";"LASTSCHRIFT";"Strom";"";"";"";"";"";"";"Stadtwerke";"";"";\
"-1.048,50";"EUR";"Umsatz gebucht"
"{IBAN}";"29.09.26";"29.09.26";"GUTSCHRIFT";"Nr. 3";"";"";"";"";"";"";"Bernd Voß";"";"";"15,00";\
"EUR";"Umsatz vorgemerkt"
"""
VOLKSBANK = f"""\
Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;\
Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;\
BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;\
Waehrung;Saldo nach Buchung
Girokonto;{IBAN};GENODEF1;VR Bank;28.09.2026;28.09.2026;Anna Kühn;DE89370400440532013000;COBADEFF;\
Überweisungsgutschr.;Startgeld Nr. 12;15,00;EUR;1.015,00
Girokonto;{IBAN};GENODEF1;VR Bank;28.09.2026;28.09.2026;Bank;;;Abschluss;Entgelt;-4,90;EUR;1.000,00
Girokonto;{IBAN};GENODEF1;VR Bank;28.09.2026;28.09.2026;Urs;;;Gutschrift;Nr. 4;15,00;CHF;1.000,00
"""
DKB = """\
"Girokonto";"DE02120300000000202051"
"Kontostand vom 30.09.2026:";"1.015,00 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";\
"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
"28.09.26";"28.09.26";"Gebucht";"Anna Kühn";"SC Altenburg";"Startgeld Nr. 12";"Eingang";\
"DE89370400440532013000";"15";"";"";""
"28.09.26";"28.09.26";"Gebucht";"SC Altenburg";"Druckerei";"Karten";"Ausgang";"";"-120,5";"";"";""
"""
ING = """\
Umsatzanzeige;Datei erstellt am: 30.09.2026 10:00

IBAN;DE02 1203 0000 0000 2020 51
Kontoname;Girokonto
Bank;ING
Kunde;SC Altenburg
Zeitraum;01.09.2026 - 30.09.2026
Saldo;1.015,00;EUR

Sortierung;Datum absteigend

In der CSV-Datei finden Sie alle bereits gebuchten Umsätze. Vorgemerktes ist nicht enthalten.

Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;\
Betrag;Währung
28.09.2026;28.09.2026;Anna Kühn;Gutschrift;Startgeld Nr. 12;1.015,00;EUR;15,00;EUR
27.09.2026;27.09.2026;Druckerei;Lastschrift;Karten;1.000,00;EUR;-120,50;EUR
"""
COMDIRECT = """\
;
"Umsätze Girokonto";"Zeitraum: 30 Tage";
"Neuer Kontostand";"1.015,00 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"offen";"--";"Kartenverfügung";"Supermarkt";"-12,00";
"28.09.2026";"28.09.2026";"Übertrag / Überweisung";\
"Auftraggeber: Anna Kühn Buchungstext: Startgeld Nr. 12";"15,00";
"27.09.2026";"27.09.2026";"Lastschrift";"Auftraggeber: Druckerei Buchungstext: Karten";"-120,50";

"Alter Kontostand";"1.000,00 EUR";
"""


@pytest.mark.parametrize(
    ("content", "encoding", "left_out"),
    [
        pytest.param(SPARKASSE, "cp1252", (1, 0, 1), id="Sparkasse"),
        pytest.param(VOLKSBANK, "utf-8", (1, 1, 0), id="Volksbank"),
        pytest.param(DKB, "utf-8-sig", (1, 0, 0), id="DKB"),
        pytest.param(ING, "cp1252", (1, 0, 0), id="ING"),
        pytest.param(COMDIRECT, "cp1252", (1, 0, 1), id="comdirect"),
    ],
)
def test_the_table_of_a_bank_is_known_by_its_headings(content: str, encoding: str, left_out):
    statement = read(content.encode(encoding))

    assert statement.transfers == [
        Transfer(
            booked_on=date(2026, 9, 28),
            amount_cents=1_500,
            remitter="Anna Kühn",
            purpose="Startgeld Nr. 12",
        )
    ]
    assert (statement.debits, statement.foreign, statement.pending) == left_out
    assert statement.accounts <= {IBAN}


def amount_of(text: str, sign: str = "H") -> Statement:
    rows = f"Datum;Name;Zweck;Betrag;Soll/Haben\n28.09.2026;Kühn;Nr. 1;{text};{sign}\n"
    return read(rows.encode())


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("15", 1_500),
        ("15,5", 1_550),
        ("+15,00 €", 1_500),
        ("1.500,00 EUR", 150_000),
        ("1.500", 150_000),
        ("15.00", 1_500),
        ("1,500.00", 150_000),
    ],
)
def test_an_amount_is_read_as_banks_write_it(text: str, cents: int):
    assert [transfer.amount_cents for transfer in amount_of(text).transfers] == [cents]


@pytest.mark.parametrize(
    ("text", "sign"), [("-15,00", ""), ("15,00-", ""), ("\N{MINUS SIGN}15,00", ""), ("15,00", "S")]
)
def test_outgoing_transfers_are_skipped(text: str, sign: str):
    statement = amount_of(text, sign)

    assert (statement.transfers, statement.debits) == ([], 1)


@pytest.mark.parametrize("text", ["15,00,00", "fünfzehn", "1.50.0", "15,005", "10.000.000,00"])
def test_an_unreadable_row_is_named_and_nothing_is_imported(text: str):
    with pytest.raises(UnreadableStatement, match=r"Zeile 2: .*Betrag"):
        amount_of(text)


def test_an_unreadable_day_is_named():
    with pytest.raises(UnreadableStatement, match=r"Zeile 2: .*Buchungstag"):
        read(b"Datum;Name;Betrag\n31.09.2026;K;15,00\n")


def test_unknown_columns_are_chosen_once_and_remembered():
    content = b"Wann;Wer;Wieviel\n28.09.2026;Anna;15,00\n"

    with pytest.raises(UnknownColumns) as unknown:
        read(content)

    assert unknown.value.rows[0] == (1, ["Wann", "Wer", "Wieviel"])
