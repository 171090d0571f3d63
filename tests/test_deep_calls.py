"""Every test runs within the call that has room for all others."""

from __future__ import annotations

import traceback

from tests.deep_calls import in_one_piece


def test_each_test_is_called_where_there_is_room():
    around = [frame.f_code for frame, _line in traceback.walk_stack(None)]

    assert in_one_piece.__code__ in around
