"""The static files of the table's page, for the service worker that caches them.

They are collected from the templates, from ``url(…)`` in styles and from ``import`` in scripts,
so that a new file is also available offline. Any change gives a new version.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

TEMPLATES = ("base.html", "base_table.html", "tournaments/table/page.html")
HTMX = "django_htmx/htmx-2.min.js"  # included by the tag {% htmx_script %}
_NAMED = re.compile(r"""\{% static ["']([^"']+)["'] %\}""")
_STYLE = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
_SCRIPT = re.compile(r"""(?:from|import)\s+["'](\.[^"']+)["']""")


def table_files() -> tuple[str, tuple[str, ...]]:
    """Return the version of the page's files, and their addresses."""
    return _current_files() if settings.DEBUG else _cached_files()


def _current_files() -> tuple[str, tuple[str, ...]]:
    digest = hashlib.sha256()
    names = sorted(_names())
    for name in names:
        digest.update(name.encode())
        digest.update(_file(name).read_bytes())
    return digest.hexdigest()[:16], tuple(static(name) for name in names)


_cached_files = lru_cache(maxsize=1)(_current_files)


def _names() -> set[str]:
    names: set[str] = set()
    waiting = [HTMX, *_template_files()]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += _references(name)
    return names


def _template_files() -> Iterator[str]:
    for template in TEMPLATES:
        source = settings.BASE_DIR / "templates" / template
        yield from _NAMED.findall(source.read_text(encoding="utf-8"))


def _references(name: str) -> Iterator[str]:
    pattern = {".css": _STYLE, ".js": _SCRIPT}.get(posixpath.splitext(name)[1])
    if pattern is None or name == HTMX:
        return
    for reference in pattern.findall(_file(name).read_text(encoding="utf-8")):
        if not reference.startswith("data:"):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(name), reference))


def _file(name: str) -> Path:
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(name)
    return Path(path)
