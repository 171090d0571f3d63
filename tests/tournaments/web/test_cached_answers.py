"""Cached answers: one request renders, the newest version is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event

import pytest

from tournaments.web import cached_answers
from tournaments.web.cached_answers import cached


def test_a_version_is_rendered_once_and_replaced_by_the_next():
    numbers = count(1)

    made = [cached("page", version, lambda: next(numbers)) for version in (7, 7, 8, 8, 7)]

    assert made == [1, 1, 2, 2, 3]
    assert cached("another page", 7, lambda: next(numbers)) == 4


def test_concurrent_requests_render_once():
    asking, go, numbers = Barrier(9), Event(), count(1)

    def make() -> int:
        assert go.wait(60)
        return next(numbers)

    def ask() -> int:
        asking.wait(60)
        return cached("page", 1, make)

    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(ask) for _one in range(8)]
        asking.wait(60)
        go.set()
        assert [future.result(60) for future in asked] == [1] * 8


def test_a_failed_rendering_is_retried_by_the_next_request():
    with pytest.raises(ZeroDivisionError):
        cached("page", 1, lambda: 1 // 0)

    assert cached("page", 1, lambda: "made") == "made"


def test_the_least_recently_used_answer_is_dropped(monkeypatch):
    monkeypatch.setattr(cached_answers, "MOST", 2)
    numbers = count(1)

    made = [cached(page, 1, lambda: next(numbers)) for page in "abacab"]

    assert made == [1, 2, 1, 3, 1, 4]
