"""The desk page compares names like its form does, for any input."""

from __future__ import annotations

from tests.js.node import ask_node
from tournaments.desk.forms.desk import split_name

TYPED = (
    "kühn, anna, SC Altenburg",
    "anna von berg",
    "Müller Hannelore",
    "müller-lüdenscheid, anna-lena",
    "  Sommer ,, SC Gera",
    "o'brien, séan, a, b",
    "ÖZIL, MESUT",
    "kühn",
    " ",
    ",",
    "ß, ı",
    "li\u00a0wei chen",
)


def test_the_page_splits_names_as_the_form_does():
    assert ask_node("names.js", TYPED) == [split_name(typed) for typed in TYPED]
