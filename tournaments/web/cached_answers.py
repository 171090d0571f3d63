"""A cache of answers and parts of pages that are the same for all requests of one version.

The version is read from the database before the value is made, mostly as a tournament's revision,
so processes need no other connection. Cached values have no form, no message and nothing of one
browser. Polls and opened pages share them; public pages are cached whole (`web.compression`).
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from hashlib import sha256
from itertools import groupby
from threading import Lock
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

MOST = 3_000  # values; two for each of 1,000 players, and the pages
MOST_BYTES = 16 * 2**20  # of answers and texts, which made-up addresses could multiply
KNOWN, VERSION = "X-Known", "X-Version"  # digests of the answer that a page has, and of the new one

_T = TypeVar("_T")


class _CachedValue:
    """A value of one version; the first request makes it, other requests wait for it."""

    def __init__(self, version: object) -> None:
        self.version = version
        self.making = Lock()
        self.values: list[Any] = []  # one, when it is made
        self.size = 0  # length of an answer or text, when it is made


_cache: OrderedDict[Hashable, _CachedValue] = OrderedDict()
_cache_lock = Lock()


def cached(key: Hashable, version: object, make: Callable[[], _T]) -> _T:
    """Return the value of *key* in this *version* and language; the next version replaces it.

    Args:
        key: with everything that the value depends on besides version and language.
        version: read from the database before *make* reads its data.
        make: makes it; its exceptions are raised, and the next request tries again.
    """
    place = (key, get_language())
    with _cache_lock:
        made = _cache.get(place)
        if made is None or made.version != version:
            made = _cache[place] = _CachedValue(version)
            while len(_cache) > MOST or sum(cached.size for cached in _cache.values()) > MOST_BYTES:
                _cache.popitem(last=False)
        _cache.move_to_end(place)
    with made.making:
        if not made.values:
            value = make()
            made.values.append(value)
            content = value.content if isinstance(value, HttpResponse) else value
            made.size = len(content) if isinstance(content, bytes | str) else 0
        return cast(_T, made.values[0])


def cached_answer(
    request: HttpRequest, key: Hashable, version: object, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return an answer that is the same for all requests with the same query; see `cached`."""
    return HttpResponse(cached((key, query_of(request)), version, lambda: make().content))


def compressed_answer(
    request: HttpRequest, key: Hashable, version: object, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return an answer as `cached_answer` does, compressed once for each version.

    A page that has an earlier answer gets only the changes since, as long as that answer is in the
    cache: JSON, see `changes`; ``static/js/answer_diff.js`` puts it together. An answer is known by
    the digest of its content, as two processes may make different answers for one version.

    The length of a compressed answer reveals something about its content (BREACH). So this is only
    for public answers, and for polls of staff pages, which have a header that no other site can
    send: no form with its token, and no data of one account.
    """
    place = (key, query_of(request))
    known_digest = request.headers.get(KNOWN, "")

    def pack() -> bytes:
        return gzip.compress(make().content, mtime=0)

    packed = cached(("packed", *place), version, pack)
    digest = sha256(packed).hexdigest()[:16]
    cached(("sent", *place, digest), "", lambda: packed)
    before = _cached_bytes(("sent", *place, known_digest)) if known_digest else None
    headers = {"Content-Encoding": "gzip", VERSION: digest}
    if before is not None:
        headers[KNOWN], after = known_digest, packed
        packed = cached(("new", *place, known_digest, digest), "", lambda: _changes(before, after))
    response = decoded_for(request, HttpResponse(packed, headers=headers))
    patch_vary_headers(response, [KNOWN])
    return response


def decoded_for(request: HttpRequest, packed: HttpResponse) -> HttpResponse:
    """Return a compressed answer as a new one that the browser can read."""
    response = HttpResponse(packed.content, headers=dict(packed.headers))
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        response.content = gzip.decompress(packed.content)
        del response.headers["Content-Encoding"]
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _cached_bytes(key: Hashable) -> bytes | None:
    with _cache_lock:
        made = _cache.get((key, get_language()))
    return made.values[0] if made and made.values else None


def _changes(before: bytes, after: bytes) -> bytes:
    old, new = (gzip.decompress(packed).decode() for packed in (before, after))
    return gzip.compress(json.dumps(changes(old, new), ensure_ascii=False).encode(), mtime=0)


def changes(old: str, new: str) -> list[tuple[int, int] | str]:
    """Return *new* as pieces to be joined by line breaks: lines of *old* from, to, or a text.

    It is linear in the lines. A line that occurs in *old* several times is matched only after the
    line that it followed there.

    >>> changes("a\\nb\\nc", "a\\nB\\nb\\nc")
    [(0, 1), 'B', (1, 3)]
    >>> changes("a\\nb\\nc", "c\\na\\nb")
    [(2, 3), (0, 2)]
    """
    before, after = old.split("\n"), new.split("\n")
    often = Counter(before)
    places = {line: at for at, line in enumerate(before) if often[line] == 1}
    shifts: list[int | None] = []  # from each line to its place in *old*
    for at, line in enumerate(after):
        shift = shifts[-1] if shifts else None
        if shift is None or before[at + shift : at + shift + 1] != [line]:
            shift = places[line] - at if line in places else None
        shifts.append(shift)
    pieces: list[tuple[int, int] | str] = []
    for shift, group in groupby(range(len(after)), key=shifts.__getitem__):
        run = list(group)
        begin, end = run[0], run[-1] + 1
        pieces.append(
            "\n".join(after[begin:end]) if shift is None else (begin + shift, end + shift)
        )
    return pieces


def query_of(request: HttpRequest) -> str:
    """Return the query of a page, without the version that it shows."""
    query = request.GET.copy()
    query.pop("since", None)
    return query.urlencode()


def is_poll(request: HttpRequest) -> bool:
    """Whether the request is a poll of an open page."""
    return "since" in request.GET and "HX-Request" in request.headers


def clear() -> None:
    """Empty the cache."""
    with _cache_lock:
        _cache.clear()
