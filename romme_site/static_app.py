"""Which static files are collected, by the server and by ``manage.py collectstatic``."""

from __future__ import annotations

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page asks for: extensions of htmx, and another version of it."""

    ignore_patterns: list[str] = [  # noqa: RUF012 - Django's own, declared so
        *StaticFilesConfig.ignore_patterns,
        "django_htmx/ext/*",
        "django_htmx/htm*x-4*",
    ]
