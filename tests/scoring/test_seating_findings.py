"""Findings of a seating: broken aims and the players concerned."""

from __future__ import annotations

import pytest

from scoring.seating import Player, examine

HISTORY = [[(1, 2, 3, 4), (5, 6, 7)]]


def field(count, **groups):
    return [
        Player(id=number, club=groups.get(f"club{number}"), team=groups.get(f"team{number}"))
        for number in range(1, count + 1)
    ]


def test_a_perfect_plan_has_no_findings():
    findings = examine({1: (1, 2, 3, 4)}, field(4))

    assert findings == type(findings)()
    assert not findings.broken


def test_rematches_are_named_once_with_the_smaller_number_first():
    findings = examine({1: (4, 5, 1, 6)}, field(7), history=[*HISTORY, *HISTORY])

    assert findings.rematches == ((1, 4), (5, 6))


def test_broken_separations_and_fixed_tables_are_counted():
    tables = {1: (1, 2, 3, 4), 2: (5, 6, 7, 8)}

    findings = examine(
        tables, field(8), fixed_tables={1: 1, 5: 1, 8: 3, 9: 1}, apart=[(3, 2), (1, 8)]
    )

    assert findings.apart == ((2, 3),)
    assert findings.away == (5, 8)  # 9 does not play this Serie
    assert findings.broken == {(2, 3), 5, 8}


@pytest.mark.parametrize(
    ("allowed", "tables", "again"),
    [
        pytest.param((4, 3), {1: (1, 5, 2, 6), 2: (3, 4, 7)}, (7,), id="§ 2.1.1 three"),
        pytest.param((3, 4), {1: (1, 5, 2, 6), 2: (3, 4, 7)}, (7,), id="three goes round"),
        pytest.param((5, 4), {1: (1, 2, 5, 6), 2: (3, 4, 7)}, (1, 2), id="four is the exception"),
    ],
)
def test_repeats_at_exceptional_tables_are_named(allowed, tables, again):
    assert examine(tables, field(7), allowed=allowed, history=HISTORY).again == again


def test_club_mates_and_neighbours_are_named():
    players = field(4, club1="A", club2="A", club3="A", team3="T", team4="T")

    findings = examine({1: (1, 4, 2, 3)}, players)

    assert findings.clubmates == ((1, 2), (1, 3), (2, 3))
    assert findings.beside == ((1, 3), (2, 3))  # § 2.1.2: places 4 and 1, 3 and 4
    assert findings.teammates == ((3, 4),)


def test_repeats_of_place_1_are_named():
    assert examine({1: (5, 1, 2, 6)}, field(7), history=HISTORY).first_again == (5,)


def test_guests_without_an_entry_in_the_field_have_no_club():
    assert examine({1: (1, 2, 98, 99)}, field(2)).clubmates == ()
