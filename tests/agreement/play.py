"""Plays walks, checks their invariants, and finds the shortest failing sequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction

from tests.agreement.invariants import INVARIANTS, archives, broken, links
from tests.agreement.places import disagreements
from tests.agreement.walk import Disagreement, Step, Walk, begun
from tournaments.archive.writing import archive_text

ABOUT = ("points", "seats", "money", "groups")
EACH = {"seats_of_players": INVARIANTS["seats_of_players"]}  # asked after each step
OFTEN = 16  # all is asked after so many steps, and at the end
MOST_REPLAYS = 150  # while the shortest sequence is sought
SEPARATOR = " / "
TOLD: Counter[str] = Counter()  # number of facts by place
DONE: Counter[str] = Counter()  # how often each act was done


def play(
    kind: str, seed: int, steps: Sequence[Step] | None = None, about: str = ""
) -> tuple[list[Step], list[Disagreement]]:
    """Play a walk, or these steps in its world; return the steps done and the disagreements.

    Args:
        about: the facts that are compared at the end; empty for all.
    """
    with begun(kind, seed) as walk:
        for step in walk.chosen() if steps is None else steps:
            if not walk.do(step):
                continue
            walk.wrong += broken(walk, EACH)
            if steps is None and not walk.wrong and len(walk.steps) % OFTEN == 0:
                walk.wrong += asked(walk)
            if walk.wrong:
                break
        wrong = walk.wrong or [*asked(walk, about), *links_that_refuse(walk, about)]
        text = archive_text(walk.tournament) if about in {"", "archive"} and not wrong else ""
        DONE.update(walk.done)
    return walk.steps, wrong or list(archives(text) if text else ())


def asked(walk: Walk, about: str = "") -> Iterator[Disagreement]:
    """Yield broken invariants and disagreements of places; a draft is shown nowhere."""
    if about not in ABOUT:
        yield from broken(walk, INVARIANTS)
    walk.tournament.refresh_from_db()
    for facts in ABOUT if not walk.tournament.is_draft else ():
        if about in {"", facts}:
            with transaction.atomic():  # reading changes something
                yield from disagreements(walk, facts, TOLD)
                transaction.set_rollback(True)


def links_that_refuse(walk: Walk, about: str) -> Iterator[Disagreement]:
    if about in {"", "links"} and not walk.tournament.is_draft:
        with transaction.atomic():
            yield from broken(walk, {"links": links})
            transaction.set_rollback(True)


def explained(kind: str, seed: int, given: Sequence[Step] | None = None) -> str:
    """Play a walk; return its first disagreement with the shortest steps to it, or nothing."""
    steps, wrong = play(kind, seed, given)
    if not wrong:
        return ""
    first, left = wrong[0], iter(range(MOST_REPLAYS))

    def still(some: Sequence[Step]) -> bool:
        if next(left, None) is None:
            return False
        _steps, again = play(kind, seed, some, first.about)
        return first.kind in {disagreement.kind for disagreement in again}

    steps = shortest(steps, still)
    again = SEPARATOR.join([f"{kind}:{seed}", *map(str, steps)])
    listed = "\n".join(f"  {number}. {step}" for number, step in enumerate(steps, start=1))
    command = f".venv/bin/python -m scripts.days --again {again!r}"
    return f"{first.kind}: {first.detail}\nShortest sequence:\n{listed}\n{command}"


def shortest(steps: list[Step], still: Callable[[Sequence[Step]], bool]) -> list[Step]:
    """Leave out steps, first many at once, while it is *still* so."""
    size = len(steps) // 2
    while size >= 1:
        at = 0
        while at < len(steps):
            without = steps[:at] + steps[at + size :]
            if still(without):
                steps = without
            else:
                at += size
        size //= 2
    return steps
