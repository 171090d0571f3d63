"""Tables from any program are read, and written cells are never formulas."""

from __future__ import annotations

import sys
import zipfile
from datetime import date, datetime
from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from tournaments.common.short_texts import clean_line
from tournaments.machine import sheets, workbooks
from tournaments.machine.sheets import UnreadableSheet, csv_bytes, read, xlsx_bytes

TABLE = [(1, ["Nachname", "Vorname"]), (2, ["Kühn", "Anna"])]


def workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def package(**parts: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("Nachname;Vorname\nKühn;Anna\n".encode(), id="UTF-8, semicolons"),
        pytest.param("Nachname;Vorname\r\nKühn;Anna".encode("utf-8-sig"), id="BOM, CRLF"),
        pytest.param("Nachname;Vorname\r\nKühn;Anna\r\n".encode("cp1252"), id="Windows"),
        pytest.param("Nachname\tVorname\r\nKühn\tAnna\r\n".encode("utf-16"), id="Unicode text"),
        pytest.param("Nachname,Vorname\nKühn,Anna\n".encode(), id="commas"),
        pytest.param("Nachname|Vorname\nKühn|Anna\n".encode(), id="bars"),
        pytest.param("sep=|\r\nNachname|Vorname\nKühn|Anna\n".encode(), id="Excel's hint"),
        pytest.param('"Nachname";"Vorname"\n"Kühn";" Anna "\n'.encode(), id="quotes and spaces"),
        pytest.param(workbook(["Nachname", "Vorname"], ["Kühn", "Anna"]), id="XLSX"),
    ],
)
def test_one_table_is_read_alike_from_every_program(content: bytes):
    assert read(content) == TABLE


def test_rows_keep_the_numbers_that_the_spreadsheet_shows():
    csv_rows = read("Mitglieder\n\n\nName;Verein\n;\nKühn;SC\n".encode())
    xlsx_rows = read(workbook(["Mitglieder"], [], [], ["Name", "Verein"], [], ["Kühn", "SC"]))

    assert [number for number, _cells in csv_rows] == [1, 4, 6]
    assert [number for number, _cells in xlsx_rows] == [1, 4, 6]


def test_a_semicolon_wins_over_commas_within_the_cells():
    content = "Name;Verein\nKühn, Anna;SC\nBerg, Karl;SC\n".encode()

    assert read(content)[1] == (2, ["Kühn, Anna", "SC"])


def test_a_quoted_cell_may_hold_the_delimiter_and_a_line_break():
    content = 'Name,Bemerkung\n"Kühn, Anna","rechts\nam Fenster"\n'.encode()

    assert read(content)[1] == (2, ["Kühn, Anna", "rechts am Fenster"])


def test_cells_of_a_workbook_become_text():
    content = workbook(
        [
            "Kühn",
            1950,
            49341.0,
            1e16,
            date(1950, 3, 2),
            datetime(2026, 1, 2, 3, 4),  # noqa: DTZ001  as a workbook has it
            True,
            False,
            None,
            1.5,
        ]
    )

    assert read(content) == [
        (
            1,
            [
                "Kühn",
                "1950",
                "49341",
                "10000000000000000",
                "1950-03-02",
                "2026-01-02T03:04:00",
                "ja",
                "nein",
                "",
                "1.5",
            ],
        )
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "steht nichts", id="empty"),
        pytest.param(b" ;\n;;\n", "steht nichts", id="only delimiters"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "keine Tabelle", id="a picture"),
        pytest.param(b"%PDF-1.7\n\x00\x81\x8d", "keine Tabelle", id="a PDF"),
        pytest.param(b"\x01\x02\xff\x03", "keine Tabelle", id="bytes that are no text"),
        pytest.param(b"\xff\xfea", "keine Tabelle", id="half a letter of UTF-16"),
        pytest.param(b"x" * 200_000, "keine Tabelle", id="a cell without end"),
        pytest.param(b"\xd0\xcf\x11\xe0....", r"alte Excel-Datei \(\.xls\)", id="old Excel"),
        pytest.param(b"PK\x03\x04....", "keine Tabelle", id="a broken archive"),
        pytest.param(package(readme=b"x"), "keine Tabelle", id="another archive"),
        pytest.param(package(content_xml=b"x"), "LibreOffice", id="OpenDocument"),
        pytest.param(package(xl__workbook_xml=b"<"), "beschädigt", id="a broken workbook"),
        pytest.param(b"a" * (sheets.MAX_BYTES + 1), "größer als 2 MB", id="too large a file"),
        pytest.param(b"a\n" * 5002, "höchstens 5000 Zeilen", id="too many rows"),
        pytest.param(b"\n" * 100_001 + b"a", "höchstens 5000 Zeilen", id="too far down"),
        pytest.param(b";" * 60 + b"a", "60 Spalten", id="too many columns"),
    ],
)
def test_an_invalid_table_is_refused_with_a_message(content: bytes, sentence: str):
    with pytest.raises(UnreadableSheet, match=sentence):
        read(content)


def test_a_zip_bomb_is_refused_with_a_message():
    content = package(xl__workbook_xml=b"0" * 33 * 1024 * 1024)
    assert len(content) < sheets.MAX_BYTES

    with pytest.raises(UnreadableSheet, match="ausgepackt zu groß"):
        read(content)


def part_of_workbook(name: str, *, at: bytes, more: bytes) -> bytes:
    """Return a workbook with *more* before *at* in one of its parts."""
    out = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(workbook(["Name"], ["Kühn"]))) as honest,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for part in honest.namelist():
            content = honest.read(part)
            archive.writestr(part, content.replace(at, more + at) if part == name else content)
    return out.getvalue()


def test_unbounded_formats_are_refused_before_reading(monkeypatch):
    content = part_of_workbook("xl/styles.xml", at=b"</cellXfs>", more=b"<xf/>" * 400_000)
    assert len(content) < 10_000
    monkeypatch.setattr(workbooks, "read_in_subprocess", None)  # is not asked

    with pytest.raises(UnreadableSheet, match="zu viel außer den Zeilen"):
        read(content)


# Of the limits of a process only that on waiting is there on Windows.
limits_processes = pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process")


@pytest.mark.parametrize(
    ("limit", "most"),
    [
        pytest.param("MOST_CPU_SECONDS", 1, id="computing", marks=limits_processes),
        pytest.param("MOST_SECONDS", 2, id="waiting"),
    ],
)
def test_a_slow_workbook_is_stopped_with_its_process(monkeypatch, limit, most):
    sheet = "xl/worksheets/sheet1.xml"
    content = part_of_workbook(sheet, at=b"</sheetData>", more=b"<row>" * 2_000_000)
    monkeypatch.setattr(workbooks, limit, most)

    with pytest.raises(UnreadableSheet, match="zu viel außer den Zeilen"):
        read(content)


@limits_processes
def test_a_workbook_is_limited_in_memory(monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_MEMORY", 128 * 2**20)
    sheet = "xl/worksheets/sheet1.xml"
    content = part_of_workbook(sheet, at=b"</sheetData>", more=b"<row>" * 400_000)

    with pytest.raises(UnreadableSheet, match="zu viel außer den Zeilen"):
        read(content)


def test_one_text_repeated_in_all_cells_is_refused(monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_TEXT", 99)
    content = workbook(*[["x" * 10] * 2 for _row in range(5)])

    with pytest.raises(OverflowError):
        list(workbooks.rows_of(content, most_rows=10, most_columns=2))


def test_a_second_workbook_waits_without_blocking_pages(settings):
    with (
        workbooks.READ_LOCK,
        pytest.raises(UnreadableSheet, match="wird eine andere Excel-Datei gelesen"),
    ):
        read(workbook(["Name"]))

    assert read(workbook(["Name"])) == [(1, ["Name"])]


def test_exactly_5000_rows_below_the_headings_are_read():
    assert len(read(b"Name\n" + b"a\n" * 5000)) == 5001


DANGEROUS = ['=HYPERLINK("http://x")', "+49 341 1", "-1", "@SUM(A1)", "\t=x", "\r=x", "＝1+1"]


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_of_a_csv_file_is_a_formula(text: str):
    content = csv_bytes([["Name", text]]).decode("utf-8-sig")

    assert f"'{text.strip()[0]}" in content


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_of_a_workbook_is_a_formula(text: str):
    book = load_workbook(BytesIO(xlsx_bytes("Personen", [["Name"], [text]])))
    assert book.active is not None
    cell = book.active["A2"]

    assert cell.data_type == "s"
    assert cell.value == text.strip()
    assert cell.quotePrefix


def test_csv_files_have_bom_and_semicolons_for_german_excel():
    content = csv_bytes([["Nachname", "Jahr"], ["Kühn; Anna", 1950], ["Öl", None]])

    assert content == 'Nachname;Jahr\r\n"Kühn; Anna";1950\r\nÖl;\r\n'.encode("utf-8-sig")


LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp", "Cn"])
CELL = st.text(LETTERS, max_size=12).map(clean_line).filter(lambda text: text and text[0] != "'")


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5))
@example([(",", ","), (",", ",")])  # split by commas, two rows of three have most cells
def test_written_csv_is_read_back_unchanged(rows: list[tuple[str, str]]):
    table = [["Nachname", "Bemerkung"], *(list(row) for row in rows)]

    back = [[sheets.unguard(cell) for cell in cells] for _number, cells in read(csv_bytes(table))]

    assert back == table
