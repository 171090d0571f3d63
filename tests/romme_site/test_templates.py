"""Rendered templates: a paragraph number never wraps away from its sign."""

from __future__ import annotations

import pytest
from django.template import engines
from django.template.loader import render_to_string

from romme_site.templates import keep_paragraphs_whole

NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>(§ 1.5)</p>", f"<p>(§{NBSP}1.5)</p>", id="a sentence"),
        pytest.param("§§ 1.2, 2.2.6", f"§§{NBSP}1.2, 2.2.6", id="two paragraphs"),
        pytest.param("§ <a>3</a>", f"§{NBSP}<a>3</a>", id="a link"),
        pytest.param('<input value="§ 1">', '<input value="§ 1">', id="what was typed"),
        pytest.param(
            "<textarea>\n§ 1 <b</textarea> § 2",
            f"<textarea>\n§ 1 <b</textarea> §{NBSP}2",
            id="what was typed in several lines",
        ),
        pytest.param('<script>"§ 1"</script>', '<script>"§ 1"</script>', id="data of a script"),
        pytest.param("Wort oder §", "Wort oder §", id="the sign alone"),
    ],
)
def test_a_paragraph_stays_on_the_line_of_its_sign(html: str, expected: str):
    assert keep_paragraphs_whole(html) == expected


def test_pages_and_components_keep_paragraphs_on_one_line():
    code = engines["django"].from_string("<p>{{ said }}</p>")
    part = render_to_string("components/error.html", {"error": "Zu spät (§ 99)."})

    assert code.render({"said": "Zu spät (§ 99)."}) == f"<p>Zu spät (§{NBSP}99).</p>"
    assert f"Zu spät (§{NBSP}99)." in part
