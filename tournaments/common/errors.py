"""What the program refuses: German sentences that a page can show as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from scoring.errors import Problem


class TournamentError(Exception):
    """An act that is refused; the message says what is wrong, where, and what to do."""


class NotAllowed(TournamentError):
    """The person has no role that may do this."""


class WrongStatus(TournamentError):
    """The thing is in a state in which this cannot be done."""


class Conflict(TournamentError):
    """Somebody else was faster; the page must show what is there now."""


class _WithProblems(TournamentError):
    """Something entered that does not go, or hardly; each problem has its place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))

    @classmethod
    def at(cls, where: str, message: str) -> Self:
        """Return the refusal of one thing at its place."""
        return cls([Problem(where, message)])


class Refused(_WithProblems):
    """What was entered cannot be; ``problems`` names everything that is wrong."""


class Doubtful(_WithProblems):
    """What was entered hardly can be; send it again as confirmed if it is right."""
