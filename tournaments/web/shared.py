"""What many open pages show alike is made once for each version, however many ask.

A version is what whoever asks has just read from the database, as a tournament's revision: another
one never gets what was made for it, so several processes need not know of each other. Only what
pages ask for again is kept, and nothing of a person or a browser: form tokens, messages and what a
role may do are put around it. Pages that are opened are made anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast
from zlib import compress, decompress

from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_from_request

MOST = 600  # things that are kept; a hall of 250 tables has one for each, and its pages
MOST_BYTES = 16 * 2**20  # of answers, so that whoever makes up addresses does not fill the memory
MOST_DRAWN = 4_000  # texts, packed to some 2 KB each; a page of a player's own has two

_T = TypeVar("_T")
_V = TypeVar("_V")


class _Made:
    """A thing of one version; whoever comes first makes it, the others wait for it."""

    def __init__(self, version: Any, before: tuple[Any, Any] | None = None) -> None:
        self.version = version
        self.before = before  # version and thing that stood there, for whoever makes this one
        self.making = Lock()
        self.value: list[Any] = []  # one, when it is made

    @property
    def size(self) -> int:
        """How many bytes an answer has; things of ours are as few as what they name."""
        return sum(len(value) for value in self.value if isinstance(value, bytes))


_kept: OrderedDict[Hashable, _Made] = OrderedDict()
_drawn: OrderedDict[Hashable, tuple[object, bytes]] = OrderedDict()
_looking = Lock()


def made_once(what: Hashable, version: Any, make: Callable[[], _T]) -> _T:
    """Return *what* as it is in this *version*; its place is taken by the next version.

    Args:
        what: names the thing, and all that makes it another one for others.
        version: read from the database before *make* reads what it needs.
        make: makes it; what it raises is raised, and the next who asks tries again.
    """
    return made_from(what, version, lambda _before: make())


def made_from(what: Hashable, version: _V, make: Callable[[tuple[_V, _T] | None], _T]) -> _T:
    """Return *what* as `made_once` does; *make* gets the version before and what was made of it.

    None where nothing is kept. What was made is never changed, as others may be reading it.
    """
    if _is_in_an_act():
        return make(None)  # what is not committed yet is nobody else's
    place = (what, get_language())
    with _looking:
        made = _kept.get(place)
        if made is None or made.version != version:
            made = _Made(version, (made.version, made.value[0]) if made and made.value else None)
            _put(place, made)
        _kept.move_to_end(place)
    with made.making:
        if not made.value:
            made.value.append(make(made.before))
            made.before = None
        return cast(_T, made.value[0])


def kept(what: Hashable, version: Hashable) -> Any:
    """Return what `made_once` keeps of this version, or is making; None if nobody has asked."""
    place = (what, get_language())
    with _looking:
        made = _kept.get(place)
        if made is None or made.version != version:
            return None
        _kept.move_to_end(place)
    with made.making:
        return made.value[0] if made.value else None


def _put(place: Hashable, made: _Made) -> None:
    _kept[place] = made
    while len(_kept) > MOST or sum(one.size for one in _kept.values()) > MOST_BYTES:
        _kept.popitem(last=False)


def drawn_once(what: Hashable, facts: object, draw: Callable[[], str]) -> SafeString:
    """Return a text that was drawn from these *facts*: all it follows from, but for the language.

    Other than a version they say what stands in it, so it may outlive many revisions.
    """
    place = (what, get_language())
    known = _drawn.get(place)
    if known is None or known[0] != facts:
        known = facts, compress(draw().encode(), 1)
    with _looking:
        _drawn[place] = facts, known[1]  # so that those before, which say the same, may go
        _drawn.move_to_end(place)
        while len(_drawn) > MOST_DRAWN:
            _drawn.popitem(last=False)
    return SafeString(decompress(known[1]).decode())


def answered_once(
    request: HttpRequest, what: Hashable, version: Hashable, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return an answer that is the same for all who ask by the same query; see `made_once`."""
    key = (what, query_of(request))
    return HttpResponse(made_once(key, version, lambda: make().content))


def query_of(request: HttpRequest) -> str:
    """Return what a page asks for, but for what it shows."""
    query = request.GET.copy()
    query.pop("since", None)
    return query.urlencode()


def for_everybody(response: HttpResponse, revision: int) -> HttpResponse:
    """Mark an answer to an open page that is the same for whoever asks, and no secret."""
    response.revision_for_everybody = revision  # type: ignore[attr-defined]
    return response


def keep_whole(request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep an answer that a view has marked, as it goes out; `kept_whole` gives it."""
    revision = getattr(response, "revision_for_everybody", None)
    if isinstance(response, HttpResponse) and revision is not None and not response.cookies:
        made = _Made(revision)
        made.value += response.content, dict(response.headers)
        with _looking:
            _put(_whole_place(request), made)


def kept_whole(request: HttpRequest, revision: int) -> HttpResponse | None:
    """Return the answer that was kept of this revision for all who ask so, in their language."""
    if not asks_again(request):
        return None
    with _looking:
        made = _kept.get(_whole_place(request))
        if made is None or made.version != revision:
            return None
    content, headers = made.value
    return HttpResponse(content, headers=headers)


def _whole_place(request: HttpRequest) -> Hashable:
    return "whole", request.path_info, query_of(request), get_language_from_request(request)


def asks_again(request: HttpRequest) -> bool:
    """Whether an open page asks, and not somebody who opens it."""
    return "since" in request.GET and "HX-Request" in request.headers


def forget() -> None:
    """Keep nothing any more."""
    _kept.clear()
    _drawn.clear()


def _is_in_an_act() -> bool:
    """Whether this thread is in a transaction; one around a test is none."""
    return any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)
