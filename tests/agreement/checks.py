"""All that is asked of a walk: places against each other, and what must hold."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from tests.agreement.invariants import INVARIANTS, archives, broken, links
from tests.agreement.places import disagreements
from tests.agreement.walk import Checks, Disagreement, Walk

ABOUT = ("points", "seats", "money", "groups")
EACH = {"seats_of_who_plays": INVARIANTS["seats_of_who_plays"]}
READ: dict[str, int] = {}  # how many facts each place told


def _each(walk: Walk) -> Iterator[Disagreement]:
    yield from broken(walk, EACH)


def _often(walk: Walk, only: str) -> Iterator[Disagreement]:
    if only not in ABOUT:
        yield from broken(walk, INVARIANTS)
    for about in ABOUT:
        if only in {"", about}:
            with transaction.atomic():  # who looks changes something, too
                yield from disagreements(walk, about, READ)
                transaction.set_rollback(True)


def _last(walk: Walk, only: str) -> Iterator[Disagreement]:
    if only not in {"", "links"}:
        return
    with transaction.atomic():
        yield from broken(walk, {"links": links})
        transaction.set_rollback(True)


CHECKS = Checks(each=_each, often=_often, last=_last, archive=archives)
