"""Random days: after any acts, all places agree and the invariants hold.

``make days DAYS=500`` plays other days for a night.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.agreement.places import PLACES
from tests.agreement.play import DONE, SEPARATOR, TOLD, explained
from tests.agreement.signatures import acts_of_the_program
from tests.agreement.small_worlds import WORLDS
from tests.agreement.walk import Step

# Each takes 5 to 18 seconds of one core. PostgreSQL plays the first of each kind.
WALKS = {"draft": (0,), "queue": (0,), "desk": (0, 1), "draw": (0, 1), "lists": (0, 1, 2)}
WALKS |= {"prizes": (0, 1, 3), "day": (0,)}
DAYS, FIRST = int(os.environ.get("DAYS", "0")), int(os.environ.get("FIRST_DAY", "1000"))
ENOUGH = 200  # walks in which every act comes
# Acts that no walk can do, with the reason.
NOT_COMING = {
    "note_bought": "the Romméordnung lets no cards be bought",
    "copy_bought": "the Romméordnung lets no cards be bought",
}
PLAYED: list[str] = []


def walks() -> Iterator[Any]:
    """Yield kinds and seeds of each run of the tests or of a night, or one walk with its steps."""
    if again := os.environ.get("AGAIN"):
        begin, *steps = again.split(SEPARATOR)
        world, number = begin.split(":")
        yield world, int(number), [Step.read(step) for step in steps]
        return
    for seed in range(FIRST, FIRST + DAYS):
        yield Random(seed).choice([*WORLDS, "lists"]), seed, None
    for kind, seeds in WALKS.items() if not DAYS else ():
        for seed in seeds:
            yield pytest.param(kind, seed, None, marks=[pytest.mark.once] if seed else [])


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "seed", "steps"), list(walks()))
def test_all_places_agree_whatever_is_done(kind: str, seed: int, steps: list[Step] | None):
    PLAYED.append(kind)
    wrong = explained(kind, seed, steps)

    if DAYS and (wrong or len(PLAYED) % 10 == 0):
        print(f"\n{len(PLAYED)} of {DAYS} days\n{wrong}", flush=True)
    assert not wrong, f"\n{wrong}"


@pytest.mark.once
def test_each_place_reports_facts_and_each_act_occurs():
    if len(PLAYED) < max(DAYS, sum(map(len, WALKS.values()))):
        pytest.skip("asked after all walks of this file")
    never = acts_of_the_program().keys() - DONE.keys() - NOT_COMING.keys()
    if DAYS:
        print(f"\nfacts: {TOLD}\nacts: {DONE}\nnever came: {sorted(never)}")

    assert [name for name in PLACES if not TOLD[name]] == []
    assert len(PLAYED) < ENOUGH or not never
