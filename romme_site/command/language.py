"""The language of the operating system, for messages on the console.

The messages are German, so a German system loads no catalogue. Django is not used, because most
messages are printed before it is loaded.
"""

from __future__ import annotations

import gettext as catalogues
import os
from functools import cache

from romme_site.paths import BASE_DIR
from tournaments.machine import operating_system

GERMAN, ENGLISH = "de", "en"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language() -> str:
    """Return "de" or "en"; German if the system names no language."""
    given = (
        next(filter(None, map(os.environ.get, _VARIABLES)), "")
        or operating_system.system_language()
    )
    name = given.split(":")[0].split(".")[0].lower()
    return GERMAN if name in {"", "c", "posix"} or name.startswith(GERMAN) else ENGLISH


@cache
def _catalogue(name: str) -> catalogues.NullTranslations:
    if name == GERMAN:
        return catalogues.NullTranslations()
    return catalogues.translation("django", BASE_DIR / "locale", [name], fallback=True)


def gettext(sentence: str) -> str:
    """Return a German sentence in the language of the system."""
    return _catalogue(language()).gettext(sentence)


def activate() -> None:
    """Activate the language of the system in Django, in this process; Django must be set up."""
    from django.utils import translation  # noqa: PLC0415

    if translation.get_language() != language():
        translation.activate(language())
