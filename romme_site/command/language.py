"""The language that the system speaks, for what is said on the console.

German sentences are their own translation, so a system that speaks German loads nothing. Django
is not asked: most of this is said before it is there.
"""

from __future__ import annotations

import gettext as catalogues
import os
import sys
from functools import cache

from romme_site.places import BASE_DIR

GERMAN, ENGLISH = "de", "en"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_LANG_GERMAN = 0x07  # the primary language in Windows' numbers, its lower ten bits


def language() -> str:
    """Return "de" or "en"; German where the system says nothing."""
    given = next(filter(None, map(os.environ.get, _VARIABLES)), "")
    if not given and sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - Windows only

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return GERMAN if number & 0x3FF == _LANG_GERMAN else ENGLISH
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
    """Have Django, which is set up, speak the language of the system in this process."""
    from django.utils import translation  # noqa: PLC0415

    if translation.get_language() != language():
        translation.activate(language())
