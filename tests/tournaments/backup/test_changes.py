"""Only changes are sent; applying them gives the newer state or is refused."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.backup.changes import MOST_BLOCKS, MOST_BYTES, PAGE, apply, changes, checksums
from tournaments.backup.database_copy import BackupError
from tournaments.backup.packing import CHUNK_BYTES


def stored(older: bytes, place: Path) -> Path:
    """The older state as a file."""
    (place / "older").write_bytes(older)
    return place / "older"


def sent_for(newer: bytes, asked: bytes) -> bytes:
    """Return the answer to this request."""
    return changes(BytesIO(newer), len(newer), asked)


def asked_with(older: bytes, place: Path) -> bytes:
    """Return the request of a holder of the older state."""
    return checksums(stored(older, place))


def applied(sent: bytes, older: bytes, place: Path) -> bytes:
    """Return the result of applying the answer."""
    assert apply(sent, stored(older, place), place / "came")
    return (place / "came").read_bytes()


# Few sorts of pages, so that many of two states are the same.
PAGES = st.lists(st.sampled_from([letter * PAGE for letter in (b"a", b"b", b"c")]), max_size=9)
STATES = st.builds(lambda pages, rest: b"".join(pages) + rest, PAGES, st.binary(max_size=9))


@given(older=STATES, newer=STATES)
def test_applying_the_changes_produces_the_newer_state(older: bytes, newer: bytes):
    with TemporaryDirectory() as name:
        place = Path(name)
        sent = sent_for(newer, asked_with(older, place))

        assert applied(sent, older, place) == newer


def test_a_state_larger_than_one_chunk_is_transferred_whole(tmp_path):
    older = b"".join(
        number.to_bytes(4, "big") * 256 for number in range(2 * CHUNK_BYTES // 1024 + 5)
    )
    newer = (
        older[: CHUNK_BYTES - 9] + b"over the end of a piece" + older[CHUNK_BYTES + 14 :] + b"more"
    )

    sent = sent_for(newer, asked_with(older, tmp_path))

    assert len(sent) < 6 * PAGE
    assert applied(sent, older, tmp_path) == newer


def test_a_first_transfer_sends_everything_in_parts(tmp_path):
    newer = os.urandom(3 * MOST_BYTES + 5)
    had, answers = None, list[bytes]()
    is_whole = False

    while not is_whole:
        answers.append(sent_for(newer, checksums(had)))
        is_whole = apply(answers[-1], had, tmp_path / "came")
        had = (tmp_path / "came").replace(tmp_path / "had")

    assert had.read_bytes() == newer
    assert len(answers) in {3, 4}
    assert max(map(len, answers)) < MOST_BYTES + 2 * CHUNK_BYTES


@pytest.fixture
def older() -> bytes:
    return b"".join(number.to_bytes(4, "big") * (PAGE // 4) for number in range(100))


def test_only_changed_pages_are_sent(older, tmp_path):
    newer = older[: 50 * PAGE] + b"new" + older[50 * PAGE + 3 :]

    assert len(sent_for(newer, asked_with(older, tmp_path))) < PAGE + 200


def test_the_request_stays_small_for_a_large_state(tmp_path):
    state = bytes((MOST_BLOCKS + 1) * PAGE)

    asked = asked_with(state, tmp_path)

    assert len(asked) == 4 + 4 * (MOST_BLOCKS // 2 + 1)
    assert applied(sent_for(state, asked), state, tmp_path) == state


def test_damaged_or_foreign_changes_are_refused(older, tmp_path):
    sent = sent_for(older, asked_with(older, tmp_path))

    for damaged in (b"", sent[:-1], b"y" + sent[1:], sent[:20] + b"yyyy" + sent[24:]):
        with pytest.raises(BackupError, match="beschädigt"):
            applied(damaged, older, tmp_path)
    for other in (older[1:], older[:-PAGE], b"y" + older[1:]):
        with pytest.raises(BackupError, match="beschädigt"):
            applied(sent, other, tmp_path)


@pytest.mark.parametrize("asked", [b"", b"abc", bytes(4), b"\0\0\0\1", b"\xff\xff\xf0\0"])
def test_an_invalid_request_is_refused(older, asked):
    with pytest.raises(ValueError, match=r"^$"):
        sent_for(older, asked)
