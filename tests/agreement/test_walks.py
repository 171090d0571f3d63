"""Days played by chance: whatever is done, all places agree and what must hold does.

``make days DAYS=500`` plays others, for a night.
"""

from __future__ import annotations

import pytest

from tests.agreement.checks import CHECKS, READ
from tests.agreement.places import PLACES
from tests.agreement.walk import play

# Each takes 5 to 18 seconds of one core. PostgreSQL plays the first of each kind.
WALKS = {"desk": (0, 1, 2), "draw": (0, 1, 2), "lists": (0, 1, 2), "day": (0,)}
PLAYED: list[str] = []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param(kind, seed, id=f"{kind} {seed}", marks=[pytest.mark.once] if seed else [])
        for kind, seeds in WALKS.items()
        for seed in seeds
    ],
)
def test_all_places_agree_whatever_is_done(kind: str, seed: int):
    found = play(kind, seed, CHECKS)
    PLAYED.append(kind)

    assert not found, f"\n{found[0].kind}: {found[0].detail}"


@pytest.mark.once
def test_each_place_has_told_something():
    if len(PLAYED) < sum(map(len, WALKS.values())):
        pytest.skip("asked after all walks of this file")

    assert [name for name in PLACES if not READ.get(name)] == []
