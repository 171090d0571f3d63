"""Caching and compression of public pages as they are opened.

A view marked by :func:`cached_page` is cached whole for requests without a session. Its version is
read for each request, and includes the minute, because pages depend on times that are set in
minutes, such as the Meldeschluss. The cache key has scheme, host, address with query, and language.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import Resolver404
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language_from_request, override

from tournaments.common.raw_sql import REVISIONS, rows
from tournaments.web.access import VIEW_ATTRIBUTE
from tournaments.web.cached_answers import cached, decoded_for
from tournaments.web.polling import resolved, revision_of

VERSION_ATTRIBUTE = "version_of_its_page"
CACHED = "romme.cached"  # in the META of a request whose answer everybody may get
PRIVATE_COOKIES = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name}
_SECRETS = {"token", "key"}  # names of secrets in addresses
_TEXTS = ("text/", "application/json", "application/atom+xml")

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])
_Version = Callable[..., object]  # of the request and the names in its address; None: not cached


def cached_page(version: _Version) -> Callable[[_View], _View]:
    """Mark a public view whose page is the same for all requests without a session."""

    def declare(view: _View) -> _View:
        setattr(view, VERSION_ATTRIBUTE, version)
        return view

    return declare


def tournament_version(request: HttpRequest, slug: str, **_named: Any) -> object:
    """Return the version of a page of one tournament; None if that is not public."""
    return revision_of(request, slug, is_public=True)


def all_tournaments_version(_request: HttpRequest, **_named: Any) -> object:
    """Return the version of a page about all tournaments."""
    return rows(REVISIONS)


def program_version(_request: HttpRequest, **_named: Any) -> object:
    """Return the version of a page that changes with the program only."""
    return settings.VERSION


class _NotCachedError(Exception):
    def __init__(self, response: HttpResponseBase) -> None:
        super().__init__()
        self.response = response


class CompressionMiddleware(GZipMiddleware):
    """Middleware: caches marked pages, and compresses public ones without data of one browser.

    The length of a compressed page reveals something about its content to an attacker who can add
    words to the address (BREACH). So a page is not compressed if the request has a session or a
    secret in its address, or if the page has a form: then it sets the cookie of its token. Answers
    to polls are compressed where they are cached (`web.cached_answers.compressed_answer`).
    """

    def __call__(self, request: HttpRequest) -> Any:
        """Answer from the cache, or pass the request on."""
        version = _version_of(request)
        if version is None:
            return super().__call__(request)
        minute = int(timezone.now().timestamp()) // 60
        place = ("page", request.scheme, request.get_host(), request.get_full_path())
        with override(get_language_from_request(request)):
            try:
                page = cached(place, (version, minute), lambda: self._made(request))
            except _NotCachedError as made:
                return self.process_response(request, made.response)
        request.META[CACHED] = True
        response = decoded_for(request, page)
        response.headers["Content-Length"] = str(len(response.content))
        return get_conditional_response(request, etag=page.headers["ETag"], response=response)

    def _made(self, request: HttpRequest) -> HttpResponse:
        """Return a page that everybody may get, compressed.

        Raises:
            _NotCachedError: with an answer that has a token, a nonce or a message, or is no page.
        """
        response = cast(HttpResponse, self.get_response(request))
        private = ("no-store" in response.get("Cache-Control", "")) or (
            "'nonce-" in response.get("Content-Security-Policy", "")
        )
        if private or response.cookies or response.status_code != HTTPStatus.OK:
            raise _NotCachedError(response)
        if request.session.accessed:
            patch_vary_headers(response, ["Cookie"])
        digest = sha256(response.content).hexdigest()[:32]
        named = {"ETag": f'W/"{digest}"', "Content-Encoding": "gzip"}
        packed = gzip.compress(response.content, mtime=0)
        headers = {"Cache-Control": "no-cache", **response.headers, **named}
        return HttpResponse(packed, headers=headers)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the answer if everybody gets the same."""
        if not _is_for_everybody(request) or response.cookies or response.streaming:
            return response
        if not response.headers.get("Content-Type", "").startswith(_TEXTS):
            return response
        return super().process_response(request, response)


def _version_of(request: HttpRequest) -> object:
    """Return the version of the page that is asked for; None if it is not cached."""
    is_part = "HX-Request" in request.headers
    if request.method != "GET" or is_part or PRIVATE_COOKIES & request.COOKIES.keys():
        return None
    try:
        view, _args, named = resolved(request.path_info)
    except Resolver404:
        return None
    version: _Version | None = getattr(view, VERSION_ATTRIBUTE, None)
    return version(request, **named) if version else None


def _is_for_everybody(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return False
    access = getattr(match.func, VIEW_ATTRIBUTE, None)
    return access is not None and access.kind == "public" and not _SECRETS & match.kwargs.keys()
