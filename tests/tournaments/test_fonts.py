"""The typeface on paper: names from all over Europe, as they are spelt."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
from django.conf import settings

STYLES = Path(settings.BASE_DIR) / "static" / "css" / "print/fonts.css"
FAMILY = '"Source Sans 3", "Source Sans 3 Ext"'


def test_both_font_files_are_embedded_with_distinct_names() -> None:
    from weasyprint import HTML  # noqa: PLC0415 - it takes half a second, and most runs print nothing

    # Under one name WeasyPrint merges the two files, and „Łódź“ is printed as other letters.
    text = f"<p style='font-family: {FAMILY}'>Kühn, Łódź</p>"

    document = HTML(string=text).write_pdf(stylesheets=[str(STYLES)])

    with pikepdf.open(io.BytesIO(document)) as pdf:
        fonts = pdf.pages[0].Resources.Font
        names = sorted(str(font.BaseFont).split("+")[1] for font in fonts.values())
    assert [name.rstrip(",") for name in names] == ["Source-Sans-3", "Source-Sans-3-Ext"]
