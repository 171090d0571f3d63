"""One typing error: a letter wrong, missing, too much, or two swapped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise


def begins_with_slip(word: str, typed: str) -> bool:
    """Whether *word* begins with *typed*, with one typing error at most.

    >>> [begins_with_slip("schneider", typed) for typed in ("scnei", "shcn", "schx", "xchx")]
    [True, True, True, False]
    """
    return any(rest.startswith(typed_rest) for rest, typed_rest in _after_slip(word, typed))


def differ_by_slip(one: str, other: str) -> bool:
    """Whether two words are the same, with one typing error at most.

    >>> differ_by_slip("meier", "meyer"), differ_by_slip("meier", "mayer")
    (True, False)
    """
    return any(rest == other_rest for rest, other_rest in _after_slip(one, other))


def thirds(word: str) -> list[str]:
    """Return three parts of a word; one typing error leaves at least one of them as it is.

    >>> thirds("schneider")
    ['sch', 'nei', 'der']
    """
    cuts = [len(word) * part // 3 for part in range(4)]
    return [word[begin:end] for begin, end in pairwise(cuts)]


def _after_slip(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield for each possible typing error the remainders that must agree.

    The first difference must be the error: all before it is left out, all after it agrees.
    """
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    one, other = one[at:], other[at:]
    yield one[1:], other[1:]  # a wrong letter, or no slip at all
    yield one[1:], other  # missing in the other
    yield one, other[1:]  # too much in the other
    if one[:2] == other[1::-1]:
        yield one[2:], other[2:]
