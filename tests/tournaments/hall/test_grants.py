"""Points granted beside the hands, ticked in the grid of a paper list."""

from __future__ import annotations

from dataclasses import replace

from scoring.ambiguity import AmbiguousLine
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment
from tournaments.hall.forms.sheet import SheetToCopy
from tournaments.lists.queries.data import ListData
from tournaments.models import Spielliste

OTHER = Adjustment(seat=1, points=30, reason="Absprache")
LINE = AmbiguousLine(finisher=(1,), minus=((0,), (5,), (6,), (7,)), adjustments=(OTHER,))
NONE = ListData(pk=0, status="open", serie=1, table=1, bonus_size=None)
SHEET = SheetToCopy(
    spielliste=Spielliste(), rule_set=ruleset("liverpool"), data=NONE, stored=[LINE], seats=4
)


def test_a_ticked_grant_keeps_other_adjustments():
    assert SHEET.grants(1) == set()

    ticked = SHEET.with_grants(LINE, 1, {0})

    # Place 1 deals game 1, so place 4 sits at the dealer's right.
    kept, given = ticked.adjustments
    assert kept == OTHER
    assert (given.seat, given.points) == (4, -50)
    after = replace(SHEET, stored=[ticked])
    assert after.grants(1) == {0}
    assert after.with_grants(ticked, 1, set()).adjustments == (OTHER,)


def test_an_unstored_game_has_no_grants():
    assert SHEET.grants(2) == set()
    assert SHEET.with_grants(LINE, 2, set()).adjustments == ()
