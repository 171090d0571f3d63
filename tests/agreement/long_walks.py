"""A night of walks, started by ``scripts/days.py``; ``make test`` does not read it."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from tests.agreement.arguments import acts_of_the_program
from tests.agreement.checks import CHECKS, READ
from tests.agreement.places import PLACES
from tests.agreement.small_worlds import WORLDS
from tests.agreement.walk import SEPARATOR, Disagreement, Step, Walk, play, replay

# Acts that no walk can do, with the reason.
NOT_COMING = {
    "note_bought": "the Romméordnung lets no cards be bought",
    "copy_bought": "the Romméordnung lets no cards be bought",
}


@pytest.mark.django_db
@pytest.mark.skipif(not os.environ.get("DAYS"), reason="asked for with DAYS")
def test_a_night_of_days_comes_to_no_disagreement():
    done, refused, steps = Counter[str](), Counter[str](), 0
    wrong: list[Disagreement] = []

    def tell(walk: Walk) -> None:
        nonlocal steps
        done.update(walk.done)
        refused.update(walk.refused)
        steps += len(walk.steps)

    first, days = int(os.environ["FIRST_DAY"]), int(os.environ["DAYS"])
    for seed in range(first, first + days):
        kind = Random(seed).choice([*WORLDS, "lists"])
        for found in play(kind, seed, CHECKS, told=tell):
            wrong.append(found)
            print(f"{kind} {seed}: {found.kind}: {found.detail}", flush=True)
        if (seed - first) % 10 == 9:
            print(f"{seed - first + 1} of {days} days, {len(wrong)} wrong", flush=True)

    never = sorted(acts_of_the_program().keys() - done.keys() - NOT_COMING.keys())
    silent = [name for name in PLACES if not READ.get(name)]
    print(f"\n{days} days, {steps} acts, {sum(refused.values())} refused; {len(wrong)} wrong")
    print("acts: " + ", ".join(f"{name} {count}" for name, count in done.most_common()))
    print(f"facts read: {READ}\nnever came: {never}\nread nothing: {silent}")
    assert not wrong
    assert not silent
    assert days < 200 or not never


@pytest.mark.django_db
@pytest.mark.skipif(not os.environ.get("AGAIN"), reason="asked for with --again")
def test_a_walk_again():
    begin, *steps = os.environ["AGAIN"].split(SEPARATOR)
    kind, seed = begin.split(":")

    found = replay(kind, int(seed), [Step.read(step) for step in steps], CHECKS)

    for one in found:
        print(f"{one.kind}: {one.detail}")
    assert not found
