"""Liverpool Rommé: Contract Rommé with a reward for cutting exactly."""

from __future__ import annotations

from dataclasses import replace

from scoring.ruleset import Grant, Receiver, gettext_noop
from scoring.rulesets import contract

RULE_SET = replace(
    contract.RULE_SET,
    id="liverpool",
    name="Liverpool Rommé",
    source="Contract Rommé, Liverpool",
    grants=(
        Grant(
            name=gettext_noop("genau abgehoben"),
            points=-50,
            receiver=Receiver.RIGHT_OF_DEALER,
        ),
    ),
)
