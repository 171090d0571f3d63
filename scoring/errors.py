"""Problems that the rules find in input, and the exception that carries them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, with its place as in ``games[3].minus[1]``.

    ``where`` counts from 0, as JSON does; the sentence counts from 1.
    """

    where: str
    message: str

    @property
    def place(self) -> tuple[int, int]:
        """The game and the seat of the problem, counted from 1; 0 if it concerns all of them.

        >>> Problem("games[3].minus[1]", "").place, Problem("games[3].finisher", "").place
        ((4, 2), (4, 0))
        >>> Problem("paper_sums[0]", "").place
        (0, 1)
        """
        game = re.search(r"\bgames\[(\d+)\]", self.where)
        seat = re.search(r"\b(?:minus|paper_sums)\[(\d+)\]", self.where)
        return int(game[1]) + 1 if game else 0, int(seat[1]) + 1 if seat else 0


class ScoringError(ValueError):
    """Input that the rules refuse; ``problems`` has all problems in order."""

    def __init__(self, problems: str | Iterable[Problem]) -> None:
        if isinstance(problems, str):
            problems = [Problem(where="", message=problems)]
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))
