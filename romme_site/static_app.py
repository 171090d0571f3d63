"""The static files that the server and ``manage.py collectstatic`` collect."""

from __future__ import annotations

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out files that no page uses: extensions of htmx, and another version of it."""

    ignore_patterns: list[str] = [  # noqa: RUF012 - Django's own, declared so
        *StaticFilesConfig.ignore_patterns,
        "django_htmx/ext/*",
        "django_htmx/htm*x-4*",
    ]
