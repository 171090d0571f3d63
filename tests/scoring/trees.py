"""Records without a rule, for the tests of all records."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from scoring.errors import Problem
from scoring.reading.records import Record, Text, WholeNumber

Small = Annotated[int, WholeNumber(1, 9)]
Name = Annotated[str, Text(5)]
Remark = Annotated[str, Text(5, may_be_empty=True)]


class Colour(StrEnum):
    RED = "red"
    BLACK = "black"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf(Record):
    size: Small
    name: Name = "leaf"
    remark: Remark = ""


@dataclass(frozen=True, kw_only=True)
class Tree(Record):
    kind: Literal["tree"] = "tree"
    leaves: tuple[Leaf, ...]
    best: Leaf | None = None
    sizes: tuple[Small, ...] = ()
    colour: Colour = Colour.RED
    old: bool = False

    def contradictions(self):
        if self.best and self.best not in self.leaves:
            yield Problem("best", "not a leaf of this tree")


@dataclass(frozen=True, kw_only=True)
class Stone(Record):
    kind: Literal["stone"] = "stone"
    weight: Small = 1


FAMILY = (Tree, Stone)
