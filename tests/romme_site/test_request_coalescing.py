"""Hundreds of concurrent requests for one public page share one answer without private parts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from romme_site.request_coalescing import Answer, RequestCoalescing
from romme_site.request_log import HEADER
from tournaments.web.compression import CACHED

START = {"PATH_INFO": "/", "REQUEST_METHOD": "GET", "HTTP_HOST": "halle.test"}
SLOW = {"PATH_INFO": "/konto/", "REQUEST_METHOD": "GET"}  # keeps the thread busy
GERMAN = {**START, "HTTP_ACCEPT_LANGUAGE": "de"}


class Program:
    """Answers requests in one thread, the first when all others wait."""

    def __init__(self, *, caches: bool = True) -> None:
        self.asked: list[dict[str, Any]] = []
        self.caches = caches
        self.all_wait = Event()

    def answer(self, environ: dict[str, Any]) -> Answer:
        self.all_wait.wait(60)
        self.asked.append(environ)
        if self.caches and environ is not SLOW:
            environ[CACHED] = True
        number = str(len(self.asked))
        return 200, [("ETag", "x"), (HEADER, number)], number.encode()

    def ask(self, *requests: dict[str, str]) -> list[Answer]:
        """Return the answers to concurrent requests."""

        async def all_at_once(threads: ThreadPoolExecutor) -> Sequence[Answer]:
            crowds = RequestCoalescing(self.answer)
            # Each has an environ of its own, as the server makes them.
            asked = [SLOW, *(dict(request) for request in requests)]
            answers = [asyncio.create_task(crowds.answer(threads, each)) for each in asked]
            await asyncio.sleep(0)  # all have come
            self.all_wait.set()
            return await asyncio.gather(*answers)

        with ThreadPoolExecutor(1) as threads:
            return list(asyncio.run(all_at_once(threads)))[1:]


def test_requests_waiting_for_one_page_get_the_same_answer():
    program = Program()

    first, *others = program.ask(*[GERMAN] * 400)

    assert len(program.asked) == 2
    assert first == (200, [("ETag", "x"), (HEADER, "2")], b"2")
    assert others == [(200, [("ETag", "x")], b"2")] * 399  # the id of the first is not theirs


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"HTTP_HOST": "andere.test"}, id="host"),
        pytest.param({"QUERY_STRING": "serie=1"}, id="query"),
        pytest.param({"HTTP_ACCEPT_LANGUAGE": "en"}, id="language"),
        pytest.param({"HTTP_COOKIE": "django_language=en"}, id="language chosen"),
        pytest.param({"HTTP_ACCEPT_ENCODING": "gzip"}, id="compressed"),
        pytest.param({"HTTP_IF_NONE_MATCH": '"x"'}, id="has it already"),
        pytest.param({"HTTP_X_FORWARDED_PROTO": "https"}, id="https before the proxy"),
        pytest.param({"HTTP_COOKIE": "sessionid=geheim"}, id="an account"),
        pytest.param({"HTTP_COOKIE": "messages=geheim"}, id="was told something"),
        pytest.param({"HTTP_HX_REQUEST": "true"}, id="a part"),
        pytest.param({"REQUEST_METHOD": "HEAD"}, id="no page"),
        pytest.param({"PATH_INFO": "/konto/anmelden/"}, id="another page"),
    ],
)
def test_a_request_for_another_page_is_answered_separately(other: dict[str, str]):
    program = Program()

    first, its_own, third = program.ask(GERMAN, {**GERMAN, **other}, GERMAN)

    assert first[2] == third[2] != its_own[2]


def test_an_uncached_page_is_rendered_for_each_request():
    program = Program(caches=False)  # it has a message, or a form

    answers = program.ask(*[GERMAN] * 3)

    assert sorted(content for _status, _headers, content in answers) == [b"2", b"3", b"4"]


def test_a_request_after_the_start_gets_a_newer_answer():
    begun, go_on = Event(), Event()

    def answer(environ: dict[str, Any]) -> Answer:
        environ[CACHED] = True
        begun.set()
        go_on.wait(60)
        return 200, [], environ["HTTP_USER_AGENT"].encode()

    async def one_after_the_other(threads: ThreadPoolExecutor) -> list[bytes]:
        crowds = RequestCoalescing(answer)
        ask = [{**GERMAN, "HTTP_USER_AGENT": name} for name in ("first", "second", "third")]
        first = asyncio.create_task(crowds.answer(threads, ask[0]))
        await asyncio.to_thread(begun.wait, 60)
        later = [asyncio.create_task(crowds.answer(threads, each)) for each in ask[1:]]
        await asyncio.sleep(0)
        go_on.set()
        return [content for _s, _h, content in await asyncio.gather(first, *later)]

    with ThreadPoolExecutor(1) as threads:
        contents = asyncio.run(one_after_the_other(threads))

    assert contents == [b"first", b"second", b"second"]


def test_a_failure_reaches_all_waiting_requests_but_not_the_next():
    tries = iter([OSError("busy"), None])

    def answer(environ: dict[str, Any]) -> Answer:
        if problem := next(tries):
            raise problem
        environ[CACHED] = True
        return 200, [], b"page"

    async def ask(threads: ThreadPoolExecutor) -> Any:
        crowds = RequestCoalescing(answer)
        both = (crowds.answer(threads, dict(GERMAN)) for _phone in range(2))
        failed = await asyncio.gather(*both, return_exceptions=True)
        return failed, await crowds.answer(threads, dict(GERMAN))

    with ThreadPoolExecutor(1) as threads:
        failed, then = asyncio.run(ask(threads))

    assert [type(each) for each in failed] == [OSError, OSError]
    assert then == (200, [], b"page")


def test_a_disconnect_does_not_cancel_the_page_of_others():
    program = Program()

    async def ask(threads: ThreadPoolExecutor) -> Answer:
        crowds = RequestCoalescing(program.answer)
        busy = asyncio.create_task(crowds.answer(threads, SLOW))
        first, second = (
            asyncio.create_task(crowds.answer(threads, dict(GERMAN))) for _phone in range(2)
        )
        await asyncio.sleep(0)
        first.cancel()
        program.all_wait.set()
        await busy
        return await second

    with ThreadPoolExecutor(1) as threads:
        assert asyncio.run(ask(threads))[2] == b"2"
