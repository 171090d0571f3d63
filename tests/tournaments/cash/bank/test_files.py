"""Bank files: transfers read, skipped and refused.

The samples are fictional; each contains a peculiarity of a format or a bank.
"""

from __future__ import annotations

import re
import zipfile
from contextlib import suppress
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.cash.bank.services import files as bank_files
from tournaments.cash.bank.services.files import read
from tournaments.cash.bank.services.statements import MAX_ENTRIES, Transfer, UnreadableStatement

FILES = Path(__file__).parent / "files"
IBAN = "DE02120300000000202051"


def sample(name: str) -> bytes:
    return (FILES / name).read_bytes()


def zipped(**members: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__MACOSX_", "__MACOSX/"), content)
    return out.getvalue()


def camt(entries: str, version: str = "02", head: str = '<?xml version="1.0"?>') -> bytes:
    return (
        f'{head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version}">'
        f"<BkToCstmrStmt><Stmt><Id>1</Id>{entries}</Stmt></BkToCstmrStmt></Document>"
    ).encode()


def entry(amount: str = "15.00", more: str = "", day: str = "2026-09-28") -> str:
    return (
        f'<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>{day}</Dt></BookgDt>{more}</Ntry>"
    )


def test_camt_version_02_single_transfers_and_a_batch_taken_apart():
    statement = read(sample("camt.053.001.02.xml"))

    assert statement.transfers == [
        Transfer(
            booked_on=date(2026, 9, 28),
            amount_cents=1_500,
            remitter="Anna Kühn",
            purpose="Herbstturnier Startgeld Nr. 12",
            reference=f"{IBAN}|2026092810001|0",
        ),
        # Ordered as 14.10 CHF, arrived as 15.00 €.
        Transfer(
            booked_on=date(2026, 9, 28),
            amount_cents=1_500,
            remitter="Jörg Weiß",
            purpose="Startgeld Jörg Weiß",
        ),
        Transfer(
            booked_on=date(2026, 9, 28),
            amount_cents=3_000,
            remitter="Voß, Bernd",
            purpose="Nr. 3 und 4",
        ),
    ]
    assert (statement.debits, statement.foreign, statement.pending) == (1, 1, 1)
    assert statement.accounts == {IBAN}


def test_camt_052_is_read_like_053_without_pending_transfers():
    statement = sample("camt.053.001.02.xml")
    report = statement.replace(b"camt.053", b"camt.052").replace(b"Stmt>", b"Rpt>")
    report = report.replace(b"BkToCstmrRpt>", b"BkToCstmrAcctRpt>")

    assert read(report) == read(statement)


@pytest.mark.parametrize("version", [b"08", b"13"])
def test_camt_version_08_and_later_with_a_prefix_and_another_encoding(version: bytes):
    statement = read(sample("camt.053.001.08.xml").replace(b"001.08", b"001." + version))

    assert statement.transfers == [
        Transfer(
            booked_on=date(2026, 9, 30),
            amount_cents=1_500,
            remitter="Rüdiger Groß / Käthe Groß",
            purpose="Startnummer 7 Käthe Groß RF18000000000539007547034",
            reference=f"{IBAN}|START-7|0",
        ),
        # Of two in one sum only one amount is known: they stay together.
        Transfer(
            booked_on=date(2026, 9, 30),
            amount_cents=4_000,
            remitter="Uta Böhm / Max Otto",
            purpose="Sammler",
        ),
    ]
    assert (statement.debits, statement.foreign, statement.pending) == (1, 0, 0)


def test_an_archive_is_read_file_by_file():
    statement = read(
        zipped(
            **{
                "a.xml": sample("camt.053.001.02.xml"),
                "b.xml": sample("camt.053.001.08.xml"),
                "__MACOSX_a.xml": b"what a Mac leaves behind",
            }
        )
    )

    assert [transfer.amount_cents for transfer in statement.transfers] == [
        1_500,
        1_500,
        3_000,
        1_500,
        4_000,
    ]
    assert statement.debits == 2


@pytest.mark.parametrize(
    ("more", "remitter", "purpose"),
    [
        pytest.param("", "", "", id="nothing said"),
        pytest.param("<AddtlNtryInf>Einzahlung</AddtlNtryInf>", "", "Einzahlung", id="by the bank"),
        pytest.param(
            "<NtryDtls><TxDtls><RmtInf><Strd><AddtlRmtInf>Nr. 5</AddtlRmtInf></Strd></RmtInf>"
            "</TxDtls></NtryDtls>",
            "",
            "Nr. 5",
            id="structured",
        ),
        pytest.param(
            "<NtryDtls><TxDtls><RltdPties><UltmtDbtr><Nm>Anna Kühn</Nm></UltmtDbtr></RltdPties>"
            "<RmtInf><Ustrd>  Nr.   5\n7 </Ustrd></RmtInf></TxDtls></NtryDtls>",
            "Anna Kühn",
            "Nr. 5 7",
            id="only for whom, and spaces",
        ),
    ],
)
def test_camt_fields_are_optional(more: str, remitter: str, purpose: str):
    (transfer,) = read(camt(entry(more=more))).transfers

    assert (transfer.remitter, transfer.purpose, transfer.reference) == (remitter, purpose, "")


def test_a_batch_with_inconsistent_parts_stays_one_sum():
    part = '<TxDtls><Amt Ccy="EUR">10.00</Amt></TxDtls>'

    statement = read(camt(entry("30.00", f"<NtryDtls>{part}{part}</NtryDtls>")))

    assert [transfer.amount_cents for transfer in statement.transfers] == [3_000]


def test_texts_are_truncated_and_have_no_control_characters():
    more = (
        f"<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>{'N' * 200}</Nm></Dbtr></RltdPties>"
        f"<RmtInf><Ustrd>{'x&#133;' * 300}</Ustrd></RmtInf></TxDtls></NtryDtls>"
    )

    (transfer,) = read(camt(entry(more=more))).transfers

    assert transfer.remitter == "N" * 140
    assert len(transfer.purpose) == 399  # „x x x …“, 400 would end with a space
    assert "\x85" not in transfer.purpose


BILLION_LAUGHS = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
FETCHING = '<?xml version="1.0"?><!DOCTYPE x SYSTEM "http://localhost:9/x.dtd">'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "kein Kontoauszug", id="empty"),
        pytest.param("Nr;Name\r\n1;Kühn\r\n".encode(), "kein Kontoauszug", id="a table"),
        pytest.param(b"%PDF-1.7 ...", "kein Kontoauszug", id="a PDF"),
        pytest.param(b"<html><body>Login</body></html>", "kein Kontoauszug", id="a web page"),
        pytest.param(b"<Document", "XML-Datei ist besch", id="cut off"),
        pytest.param(camt(entry())[:-20], "XML-Datei ist besch", id="cut off at the end"),
        pytest.param(camt(entry(), head=BILLION_LAUGHS), "besch", id="entities"),
        pytest.param(camt(entry(), head=FETCHING), "besch", id="a DTD to fetch"),
        pytest.param(
            camt(entry(), head='<?xml version="1.0" encoding="martian"?>'),
            "XML-Datei ist besch",
            id="an encoding nobody knows",
        ),
        pytest.param(
            camt("").replace(b"<Stmt><Id>1</Id></Stmt>", b""), "ist leer", id="no statement"
        ),
        pytest.param(b"<Document><BkToCstmrAcctRpt/></Document>", "ist leer", id="camt.052"),
        pytest.param(b"<Document><BkToCstmrDbtCdtNtfctn/></Document>", "CAMT.054", id="camt.054"),
        pytest.param(camt(entry("fünfzehn")), "Betrag .* nicht zu lesen", id="no amount"),
        pytest.param(camt(entry("NaN")), "Betrag .* nicht zu lesen", id="not a number"),
        pytest.param(camt(entry("1E5")), "Betrag .* nicht zu lesen", id="a power of ten"),
        pytest.param(camt(entry("-15.00")), "Betrag .* nicht zu lesen", id="negative"),
        pytest.param(camt(entry("15.005")), "Betrag .* nicht zu lesen", id="half a cent"),
        pytest.param(camt(entry("10000000.00")), "Betrag .* nicht zu lesen", id="ten million"),
        pytest.param(camt(entry(day="28.9.2026")), "Buchungstag", id="no day"),
        pytest.param(camt(entry() * (MAX_ENTRIES + 1)), "mehr als 5000", id="too many"),
        pytest.param(
            b":20:X\n:25:1\n:28C:1\n:60F:C260928EUR1,00\n:61:2609280928C15,00NTRFNONREF\n",
            "als „CAMT.053“ .* oder CSV herunterladen, nicht als „MT940“",
            id="MT940",
        ),
        pytest.param(b"PK\x03\x04 not really", "ZIP-Archiv ist besch", id="no archive"),
        pytest.param(zipped(**{"a.txt": b"hello"}), "kein Kontoauszug", id="archive of a text"),
        pytest.param(zipped(**{f"{n}": b"" for n in range(61)}), "zu groß", id="too many files"),
        pytest.param(zipped(a=b"\0" * (20 * 1024 * 1024 + 1)), "zu groß", id="a bomb"),
        pytest.param(zipped(a=camt("<a/>" * 800_001)), "zu viele Angaben", id="elements"),
        pytest.param(
            zipped(a=camt(entry()), b=camt("<a " + 'b=""' * 800_001 + "/>")),
            "zu viele Angaben",
            id="attributes",
        ),
        pytest.param(zipped(a=b"a;b\n" * 1_400_000), "ausgepackt zu groß", id="a long text"),
        pytest.param(zipped(a=zipped(b=b"")), "kein Kontoauszug", id="archive of archives"),
    ],
)
def test_an_invalid_statement_is_refused_with_a_reason(content: bytes, sentence: str):
    with pytest.raises(UnreadableStatement, match=sentence):
        read(content)


def test_an_archive_with_a_false_size_is_refused():
    honest = zipped(a=b"\0" * 100_000)
    size = (100_000).to_bytes(4, "little")
    assert honest.count(size) == 2

    with pytest.raises(UnreadableStatement, match=r"besch|kein Kontoauszug"):
        read(honest.replace(size, (10).to_bytes(4, "little")))


def test_an_archive_with_a_password_is_refused():
    content = bytearray(zipped(a=sample("camt.053.001.02.xml")))
    content[6] |= 1  # the flag for encryption in the file's own head …
    content[content.index(b"PK\x01\x02") + 8] |= 1  # … and in the list

    with pytest.raises(UnreadableStatement, match="Kennwort"):
        read(bytes(content))


def test_the_format_is_recognised_by_content_alone():
    assert bank_files.read(b"  \n" + camt(entry())).transfers  # spaces before the XML
    assert bank_files.read(camt(entry()).decode().encode("utf-16")).transfers


SAMPLES = [path.read_bytes() for path in sorted(FILES.iterdir())]


@settings(max_examples=300, deadline=None)
@given(
    sample=st.sampled_from(SAMPLES),
    at=st.integers(min_value=0, max_value=6_000),
    length=st.integers(min_value=0, max_value=60),
    new=st.one_of(
        st.binary(max_size=12),
        st.sampled_from([b"<Ntry>", b"&amp;", b"9" * 40, b"\x00"]),
    ),
)
def test_a_damaged_file_is_read_or_refused(sample: bytes, at: int, length: int, new: bytes):
    at %= len(sample)

    with suppress(UnreadableStatement):
        for transfer in read(sample[:at] + new + sample[at + length :]).transfers:
            assert 0 <= transfer.amount_cents < 10**9
            assert len(transfer.remitter) <= 140
            assert len(transfer.purpose) <= 400
            assert not re.search(r"[\x00-\x1f\x7f-\x9f]", transfer.remitter + transfer.purpose)
