"""Slugs that no tournament can have, because URLs of the program use them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

SLUG = "<slug:slug>"


@cache
def reserved_slugs() -> frozenset[str]:
    """Return the words that URLs have in the place of a slug.

    They are read from the URL patterns: ``turniere/neu/`` has a word where
    ``turniere/<slug:slug>/`` has the slug of a tournament.
    """
    routes = list(_routes(get_resolver().url_patterns))
    before = {route.partition(SLUG)[0] for route in routes if SLUG in route}
    return frozenset(
        word
        for route in routes
        for start in before
        if start
        and route.startswith(start)
        and (word := route.removeprefix(start).partition("/")[0])
        and not word.startswith("<")
    )


def _routes(patterns: Iterable[URLPattern | URLResolver], start: str = "") -> Iterator[str]:
    for each in patterns:
        route = start + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, route)
        else:
            yield route
