"""Loads Django and the program in processes that do not answer requests."""

from __future__ import annotations

import os


def set_up_django() -> None:
    """Load Django with the settings of the program.

    Raises:
        ImproperlyConfigured: if a setting is missing or invalid.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    import django  # noqa: PLC0415 - slow, and most refusals do not need it

    django.setup()
    from django.conf import settings  # noqa: PLC0415

    from romme_site.env import limit  # noqa: PLC0415 - read by the settings

    limit(settings.DATABASES["default"], is_command=True)
