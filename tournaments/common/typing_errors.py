"""One typing error: a wrong, missing or extra letter, or two swapped ones."""

from __future__ import annotations

from collections.abc import Iterator


def begins_with_typo(word: str, typed: str) -> bool:
    """Whether *word* begins with *typed*, with one typing error at most.

    >>> [begins_with_typo("schneider", typed) for typed in ("scnei", "shcn", "schx", "xchx")]
    [True, True, True, False]
    """
    return any(rest.startswith(typed_rest) for rest, typed_rest in _remainders(word, typed))


def differ_by_typo(word: str, other: str) -> bool:
    """Whether two words are the same, with one typing error at most.

    >>> differ_by_typo("meier", "meyer"), differ_by_typo("meier", "mayer")
    (True, False)
    """
    return any(rest == other_rest for rest, other_rest in _remainders(word, other))


def parts_beside_typo(word: str) -> list[tuple[str, str]]:
    """Return pairs of a beginning and an end; one typing error leaves one pair as it is.

    The error is in the last third, in the middle, or in the first.

    >>> parts_beside_typo("schneider")
    [('schnei', ''), ('sch', 'er'), ('', 'eider')]
    """
    first, second = len(word) // 3, len(word) * 2 // 3
    # One letter more is left out, since two neighbours may be swapped.
    return [
        (word[:second], ""),
        (word[:first], word[second + 1 :]),
        ("", word[first + 1 :]),
    ]


def _remainders(word: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield for each possible typing error the remainders that must agree.

    The first difference must be the error: all before it is left out, all after it agrees.
    """
    at = 0
    while at < min(len(word), len(other)) and word[at] == other[at]:
        at += 1
    word, other = word[at:], other[at:]
    yield word[1:], other[1:]  # a wrong letter, or no slip at all
    yield word[1:], other  # missing in the other
    yield word, other[1:]  # too much in the other
    if word[:2] == other[1::-1]:
        yield word[2:], other[2:]
