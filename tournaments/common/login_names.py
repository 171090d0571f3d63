"""Log-in names: comparing them, and checking new ones.

Names that look alike would let one account pass for another, and databases differ in which letters
they treat as equal.
"""

from __future__ import annotations

import string
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_SIGNS = frozenset(string.digits + ".-_@")
_LETTERS = frozenset({"Ll", "Lo", "Mn", "Mc"})  # categories, with the vowel signs of Indian scripts


def folded_login_name(text: str) -> str:
    """Return the form in which log-in names are stored and compared: without upper case.

    >>> [folded_login_name(text) for text in (" Mu\u0308LLER ", "Ｂｏｄｏ", "bodı")]
    ['müller', 'bodo', 'bodi']
    """
    composed = unicodedata.normalize("NFKC", text).strip()
    return unicodedata.normalize("NFKC", composed.upper().casefold())


def check_login_name(name: str) -> None:
    """Check that a folded name has letters of one script, digits and ``.-_@`` only.

    Raises:
        ValidationError: if it has anything else, or nothing but signs.
    """
    letters = [char for char in name if char not in _SIGNS]
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in letters}
    are_letters = all(unicodedata.category(char) in _LETTERS for char in letters)
    if not are_letters or len(scripts) > 1 or not any(map(str.isalnum, name)):
        raise ValidationError(
            _(
                "Ein Anmeldename hat nur Buchstaben einer einzigen Schrift, Ziffern und die "
                "Zeichen . - _ @, auch keine Leerzeichen. Bitte anders schreiben, etwa anna.kern."
            )
        )
