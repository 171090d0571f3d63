"""The check of local names: it finds both words wherever a name is bound, and nothing else."""

from __future__ import annotations

import pytest

from scripts.local_names import IN_SCRIPT, IN_TEMPLATE, bindings, bindings_in_text


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("one = 1", id="assignment"),
        pytest.param("for number, one in pairs: pass", id="loop"),
        pytest.param("[one.pk for one in receipts]", id="comprehension"),
        pytest.param("def pay(one): pass", id="parameter"),
        pytest.param("lambda one: one.pk", id="lambda"),
        pytest.param("if (one := first()): pass", id="walrus"),
        pytest.param("with opened() as one: pass", id="with"),
        pytest.param("match row:\n case [one]: pass", id="match"),
        pytest.param("try: pass\nexcept OSError as one: pass", id="except"),
    ],
)
def test_a_name_that_says_nothing_is_found_wherever_it_is_bound(source):
    assert [name for _line, name in bindings(source)] == ["one"]


@pytest.mark.parametrize(
    "source",
    ["pages.one()", "sums(one=1)", "receipt.one = 1", "'one'", "someone = 1", "found_at = 1"],
)
def test_a_name_of_others_is_no_binding(source):
    assert not list(bindings(source))


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        (IN_SCRIPT, "\nconst one = rows[0];"),
        (IN_SCRIPT, "\nfor (const one of rows) {}"),
        (IN_SCRIPT, "\nrows.map((one) => one.number)"),
        (IN_SCRIPT, "\nrows.map((one, at) => at)"),
        (IN_TEMPLATE, "\n{% for one in rows %}"),
        (IN_TEMPLATE, "\n{% for key, one in rows %}"),
        (IN_TEMPLATE, "\n{% include 'row.html' with one=row %}"),
    ],
)
def test_scripts_and_templates_are_read_as_well(pattern, source):
    assert list(bindings_in_text(source, pattern)) == [(2, "one")]


@pytest.mark.parametrize("source", ['"one of them"', "someone => 1", "rows.one", "// one more"])
def test_words_in_a_script_are_no_binding(source):
    assert not list(bindings_in_text(source, IN_SCRIPT))
