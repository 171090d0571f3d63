"""Answers and parts of pages that are the same for all who ask: made once for each version.

A version is read from the database before the thing is made, mostly as a tournament's revision, so
several processes need not know of each other. What is kept holds no form, no message and nothing
of one browser. Only what open pages ask for again is kept; pages that are opened are made anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

MOST = 3_000  # things that are kept; of a hall of 1,000 players two each, and its pages
MOST_BYTES = 16 * 2**20  # of answers and texts, which made-up addresses could multiply

_T = TypeVar("_T")


class _Made:
    """A thing of one version; the first request makes it, the others wait for it."""

    def __init__(self, version: object) -> None:
        self.version = version
        self.making = Lock()
        self.values: list[Any] = []  # one, when it is made

    @property
    def size(self) -> int:
        """How long an answer or text is; all else is small or as large as what it names."""
        return sum(len(value) for value in self.values if isinstance(value, bytes | str))


_kept: OrderedDict[Hashable, _Made] = OrderedDict()
_looking = Lock()


def made_once(what: Hashable, version: object, make: Callable[[], _T]) -> _T:
    """Return *what* as it is in this *version* and language; the next version takes its place.

    Args:
        what: names the thing, and all that makes it another one for others.
        version: read from the database before *make* reads what it needs.
        make: makes it; what it raises is raised, and the next request tries again.
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
    """Return an answer that is the same for all who ask by the same query; see `made_once`."""
    return HttpResponse(made_once((what, query_of(request)), version, lambda: make().content))


def query_of(request: HttpRequest) -> str:
    """Return what a page asks for, without what it shows now."""
    query = request.GET.copy()
    query.pop("since", None)
    return query.urlencode()


def asks_again(request: HttpRequest) -> bool:
    """Whether an open page asks, and it is not opened."""
    return "since" in request.GET and "HX-Request" in request.headers


def forget() -> None:
    """Keep nothing any more."""
    _kept.clear()
