"""The number of pages of documents that grow with people, and how full they are.

Documents with a page for each table, card or person are counted on the extreme day (test_nasty.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.tournaments.printing.helpers import Paper, paper
from tests.tournaments.printing.sized_day import SERIEN, make_sized_day

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ASKED: Mapping[str, Mapping[str, Any]] = {
    "teilnehmerliste": {},
    "startkarten": {},
    "sitzplan-namen": {"serie": SERIEN},
    "sitzplan-tische": {"serie": SERIEN},
    "rangliste-aushang": {"ranking": "einzel"},
    "rangliste": {"ranking": "einzel"},
    "preisliste": {},
    "kassenbericht": {},
}
# By number of people, in the order above.
PAGES = {
    12: (1, 2, 1, 1, 1, 1, 1, 1),
    25: (1, 4, 1, 1, 1, 1, 1, 2),
    48: (2, 6, 1, 1, 2, 2, 1, 2),
    100: (3, 13, 2, 3, 3, 3, 2, 4),
}
PLANS = ("sitzplan-namen", "sitzplan-tische")


@pytest.mark.parametrize("people", PAGES)
def test_documents_use_the_fewest_sheets(people: int):
    tournament = make_sized_day(people)

    papers = {name: paper(tournament, name, **asked) for name, asked in ASKED.items()}

    sheets = {name: len(printed.pages) for name, printed in papers.items()}
    assert sheets == dict(zip(ASKED, PAGES[people], strict=True))
    assert not any(any(printed.small_print()) for printed in papers.values())
    for name in PLANS:  # they hang on a wall: read from far, in letters as large as there is room
        assert papers[name].filled()[0] > 0.7
    assert is_on_one_page_if_possible(papers["kassenbericht"], people)


def is_on_one_page_if_possible(report: Paper, people: int) -> bool:
    """Return whether the people are on one page, if they fit on one."""
    first, *others = (page.count(" 15,00 € 15,00 €") for page in report.pages)
    return people > 34 or (first in {0, people} and not any(others[1:]))
