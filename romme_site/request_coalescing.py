"""Request coalescing: requests for the same public page that wait for a thread share one answer.

A page that is cached whole (`tournaments.web.compression`) is the same for all clients, but each
request would run Django's middleware and read its version. A request that arrives while another
one for the same page waits gets the answer of that one, which is made after both arrived.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.http import parse_cookie
from django.urls import Resolver404

from romme_site.client_checks import Environ
from romme_site.request_log import HEADER
from tournaments.web.compression import CACHED, PRIVATE_COOKIES, VERSION_ATTRIBUTE
from tournaments.web.polling import resolved

Answer = tuple[int, list[tuple[str, str]], bytes]

# The headers on which a cached page, its language and its delivery depend.
_VARYING = (
    *("wsgi.url_scheme", "HTTP_X_FORWARDED_PROTO", "HTTP_HOST", "PATH_INFO", "QUERY_STRING"),
    *("HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH"),
    "HTTP_IF_MODIFIED_SINCE",
)


class RequestCoalescing:
    """Answers requests in threads, and those for one cached page together."""

    def __init__(self, answer: Callable[[Environ], Answer]) -> None:
        self._answer = answer
        self._waiting: dict[Hashable, asyncio.Task[tuple[Answer, bool]]] = {}

    async def answer(self, threads: ThreadPoolExecutor, environ: Environ) -> Answer:
        """Return the answer to a request, perhaps that to a waiting one for the same page."""
        page = _page(environ)
        waiting = self._waiting.get(page) if page else None
        if waiting is not None:
            (status, headers, content), is_cached = await asyncio.shield(waiting)
            if is_cached:  # its request id is that of the other request
                return status, [each for each in headers if each[0] != HEADER], content
        if page is None or waiting is not None:
            return await asyncio.get_running_loop().run_in_executor(threads, self._answer, environ)
        # The task starts later, so it is registered before a thread removes it.
        waiting = asyncio.create_task(self._start(page, threads, environ))
        self._waiting[page] = waiting
        return (await asyncio.shield(waiting))[0]

    async def _start(
        self, page: Hashable, threads: ThreadPoolExecutor, environ: Environ
    ) -> tuple[Answer, bool]:
        def answer() -> tuple[Answer, bool]:
            self._waiting.pop(page)  # later requests may see a newer version
            return self._answer(environ), CACHED in environ

        return await asyncio.get_running_loop().run_in_executor(threads, answer)


def _page(environ: Environ) -> Hashable:
    """Return a key shared by requests with the same answer; None if the page is not cached."""
    if environ["REQUEST_METHOD"] != "GET" or "HTTP_HX_REQUEST" in environ:
        return None
    try:
        view, _args, _named = resolved(environ["PATH_INFO"].encode("latin-1").decode())
    except Resolver404:
        return None
    cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
    if not hasattr(view, VERSION_ATTRIBUTE) or cookies.keys() & PRIVATE_COOKIES:
        return None
    return cookies.get(settings.LANGUAGE_COOKIE_NAME), *map(environ.get, _VARYING)
