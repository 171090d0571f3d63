"""Answers and parts of pages that are the same for all requests: made once for each version.

The version is read from the database before the value is made, mostly as a tournament's revision,
so processes need no other connection. Cached values have no form, no message and nothing of one
browser. Only answers to polls are cached; pages that are opened are made anew.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

MOST = 3_000  # things that are kept; of a hall of 1,000 players two each, and its pages
MOST_BYTES = 16 * 2**20  # of answers and texts, which made-up addresses could multiply

_T = TypeVar("_T")


class _Made:
    """A value of one version; the first request makes it, the others wait for it."""

    def __init__(self, version: object) -> None:
        self.version = version
        self.making = Lock()
        self.values: list[Any] = []  # one, when it is made

    @property
    def size(self) -> int:
        """The length of an answer or text in the cache; 0 for other values."""
        return sum(len(value) for value in self.values if isinstance(value, bytes | str))


_kept: OrderedDict[Hashable, _Made] = OrderedDict()
_looking = Lock()


def made_once(what: Hashable, version: object, make: Callable[[], _T]) -> _T:
    """Return the value of *what* in this *version* and language; the next version replaces it.

    Args:
        what: names the value, with everything besides version and language it depends on.
        version: read from the database before *make* reads its data.
        make: makes it; its exceptions are raised, and the next request tries again.
    """
    place = (what, get_language())
    with _looking:
        made = _kept.get(place)
        if made is None or made.version != version:
            made = _kept[place] = _Made(version)
            while len(_kept) > MOST or sum(one.size for one in _kept.values()) > MOST_BYTES:
                _kept.popitem(last=False)
        _kept.move_to_end(place)
    with made.making:
        if not made.values:
            made.values.append(make())
        return cast(_T, made.values[0])


def answered_once(
    request: HttpRequest, what: Hashable, version: object, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return an answer that is the same for all requests with the same query; see `made_once`."""
    return HttpResponse(made_once((what, query_of(request)), version, lambda: make().content))


def published_once(
    request: HttpRequest, what: Hashable, version: object, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return a public answer as `answered_once` does, compressed once for each version.

    The length of a compressed answer tells something about its content (BREACH), so only what
    everybody may read is made by this: no form with its token, and nothing of one account.
    """

    def pack() -> bytes:
        return gzip.compress(make().content, mtime=0)

    packed = made_once(("packed", what, query_of(request)), version, pack)
    if takes_gzip(request):
        response = HttpResponse(packed, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(packed))
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def takes_gzip(request: HttpRequest) -> bool:
    """Whether the browser reads compressed answers."""
    return "gzip" in request.headers.get("Accept-Encoding", "")


def query_of(request: HttpRequest) -> str:
    """Return the query of a page, without the version that it shows."""
    query = request.GET.copy()
    query.pop("since", None)
    return query.urlencode()


def asks_again(request: HttpRequest) -> bool:
    """Whether the request is a poll of an open page."""
    return "since" in request.GET and "HX-Request" in request.headers


def forget() -> None:
    """Empty the cache."""
    _kept.clear()
