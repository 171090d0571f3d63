"""What the rules refuse, and how they say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, with its place as in ``games[3].minus[1]``.

    ``where`` counts from 0 like the JSON it points into; the sentence counts from 1
    like the people who read it.
    """

    where: str
    message: str


class ScoringError(Exception):
    """Input that the rules refuse; ``problems`` names every one of them, in order."""

    def __init__(self, problems: str | Iterable[Problem]) -> None:
        if isinstance(problems, str):
            problems = [Problem(where="", message=problems)]
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))
