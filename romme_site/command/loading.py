"""Loads Django and the program."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_of_it_stays() -> Iterator[None]:
    """Search for no garbage while the program is loaded, and never again in what was.

    There is none, and Python would look through all of Django several times: a sixth of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def set_up_django() -> None:
    """Load Django with the settings of the program.

    Raises:
        ImproperlyConfigured: if a setting is missing or does not do.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    with all_of_it_stays():
        import django  # noqa: PLC0415 - it takes a moment, and much is refused without it

        django.setup()
