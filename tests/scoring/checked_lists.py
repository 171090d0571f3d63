"""Lines and lists for the checks, and their findings."""

from __future__ import annotations

from dataclasses import replace

from scoring.ambiguity import AmbiguousLine
from scoring.checks import check_line, check_list
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment

ROMMEORDNUNG = ruleset("rommeordnung")
CONTRACT = ruleset("contract")
LIVERPOOL = ruleset("liverpool")
HAUSREGEL = ruleset("hausregel")
# No source has both; an organiser's own rules may.
BOTH = replace(HAUSREGEL, name="Eigene Regel", ends_without_finisher=True)


def line(finisher, *minus, handromme=False, adjustments=()):
    """Write a line as the interchange format has it: a list is an entry with readings."""

    def readings(entry):
        return tuple(entry) if isinstance(entry, list) else (entry,)

    return AmbiguousLine(
        finisher=readings(finisher),
        minus=tuple(readings(entry) for entry in minus),
        handromme=readings(handromme),
        adjustments=adjustments,
    )


def look(written, rule_set=ROMMEORDNUNG, *, seats=None, number=3, earlier=()):
    return check_line(
        written,
        rule_set=rule_set,
        seats=seats or len(written.minus),
        number=number,
        earlier=earlier,
    )


def places(findings):
    return [problem.where for problem in findings.problems]


GOOD = line(1, 0, 23, 45, 12)


def cut(seat=2, points=-50, reason="genau abgehoben"):
    return Adjustment(seat=seat, points=points, reason=reason)


def doubts(findings):
    assert findings.problems == []
    return [(doubt.where, doubt.message) for doubt in findings.warnings]


def look_at_list(lines, rule_set=ROMMEORDNUNG, *, seats=4, penalties=(), where=""):
    return check_list(lines, rule_set=rule_set, seats=seats, penalties=penalties, where=where)
