"""Keeps what a process calls together in memory.

Python up to 3.12 keeps calls that are under way in pieces of 16 KB, and gives a piece back to the
system as soon as the call returns that began it. Tests stand deep, below pytest and its plugins:
a loop that calls something just where a piece ends fetched one for each turn, hundreds of thousands
in a room's tests. See https://github.com/python/cpython/issues/142183.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

PLACES = 70_000  # of 8 bytes: more than half a megabyte, so that Python takes a whole one


def in_one_piece(
    call: Callable[Given, Returned], *args: Given.args, **named: Given.kwargs
) -> Returned:
    """Call it; whatever it calls in turn finds its place in the same megabyte."""
    return call(*args, **named)


# It asks for more than it needs. Of what nobody writes to, the system sets nothing aside.
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=PLACES)
