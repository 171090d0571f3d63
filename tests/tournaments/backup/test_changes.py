"""Only what changed is sent, and what comes of it is the newer state or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.backup.changes import MOST_BLOCKS, PAGE, apply, changes, checksums
from tournaments.backup.copying import BackupError

# Few sorts of pages, so that many of two states are the same.
PAGES = st.lists(st.sampled_from([letter * PAGE for letter in (b"a", b"b", b"c")]), max_size=9)
STATES = st.builds(lambda pages, rest: b"".join(pages) + rest, PAGES, st.binary(max_size=9))


@given(older=STATES, newer=STATES)
def test_the_changes_make_the_newer_state_of_the_older(older: bytes, newer: bytes):
    assert apply(changes(newer, checksums(older)), older) == newer


@pytest.fixture
def older() -> bytes:
    return b"".join(number.to_bytes(4, "big") * (PAGE // 4) for number in range(100))


def test_a_changed_page_is_all_that_is_sent(older):
    newer = older[: 50 * PAGE] + b"new" + older[50 * PAGE + 3 :]

    assert len(changes(newer, checksums(older))) < PAGE + 200


def test_the_question_stays_small_for_a_large_state():
    state = bytes((MOST_BLOCKS + 1) * PAGE)

    asked = checksums(state)

    assert len(asked) == 4 + 4 * (MOST_BLOCKS // 2 + 1)
    assert apply(changes(state, asked), state) == state


def test_what_is_damaged_or_of_another_state_is_refused(older):
    sent = changes(older, checksums(older))

    for damaged in (b"", sent[:-1], b"y" + sent[1:]):
        with pytest.raises(BackupError, match="beschädigt"):
            apply(damaged, older)
    with pytest.raises(BackupError, match="beschädigt"):
        apply(sent, older[1:])


@pytest.mark.parametrize("asked", [b"", b"abc", bytes(4), b"\0\0\0\1"])
def test_what_is_no_question_is_refused(older, asked):
    with pytest.raises(ValueError, match=r"^$"):
        changes(older, asked)
