"""The differences that count as one typing error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.common.typing_errors import begins_with_typo, differ_by_typo, parts_beside_typo

WORD = st.text("abcde", min_size=1, max_size=8)


@given(word=WORD, data=st.data())
def test_one_typing_error_anywhere_is_forgiven(word: str, data: st.DataObject):
    place = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdex"))
    before, at, after = word[:place], word[place], word[place + 1 :]
    slips = {
        "none": word,
        "wrong": before + letter + after,
        "too many": before + letter + at + after,
        "missing": before + after,
        "changed places": before + after[:1] + at + after[1:],
    }
    typed = slips[data.draw(st.sampled_from(sorted(slips)))]

    assert differ_by_typo(word, typed)
    assert begins_with_typo(word + "xyz", typed)
    assert any(word.startswith(begin) and end in word for begin, end in parts_beside_typo(typed))


@given(first=WORD, other=WORD)
def test_typing_errors_are_symmetric(first: str, other: str):
    assert differ_by_typo(first, other) == differ_by_typo(other, first)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        pytest.param("meier", "mayer", id="two wrong letters"),
        pytest.param("meier", "mei", id="two letters missing"),
        pytest.param("abc", "cba", id="letters that are no neighbours changed places"),
        pytest.param("abcd", "badc", id="two pairs changed places"),
        pytest.param("ab", "xaby", id="a letter too many at both ends"),
    ],
)
def test_two_typing_errors_are_not_forgiven(first: str, other: str):
    assert not differ_by_typo(first, other)
