"""Translation of the sentences of the rules, independent of Django.

The sentences are German and serve as message ids. :func:`set_translator` sets the function that
translates them; the web application sets Django's ``gettext``.
"""

from __future__ import annotations

from collections.abc import Callable


def _as_written(message: str) -> str:
    return message


_translate: Callable[[str], str] = _as_written


def set_translator(translate: Callable[[str], str] = _as_written) -> None:
    """Translate every sentence of the rules by *translate* from now on."""
    global _translate  # noqa: PLW0603 - one process speaks through one catalogue
    _translate = translate


def _(message: str) -> str:
    """Return *message* in the language of the reader; extracted by ``makemessages``.

    >>> _("Die Liste hat {games} Spiele.").format(games=12)
    'Die Liste hat 12 Spiele.'
    """
    return _translate(message)
