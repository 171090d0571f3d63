"""Cleaning of typed and imported texts: one line, or several.

Invisible characters are removed: control and format characters break exports and feeds, and change
the direction of text. Names keep the joiners that Persian and Indian scripts need.
"""

from __future__ import annotations

import re
import unicodedata

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_LINE_BREAK = re.compile(r"\r\n|[\r\n\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}]")
_EDGES = " " + _JOINERS


def _is_removed(char: str) -> bool:
    # Cs: halves of characters, which no database stores; Cn: what XML refuses, such as U+FFFF.
    return char not in _JOINERS and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Cn"}


def clean_line(text: str) -> str:
    r"""Return *text* in NFC as one line, without invisible characters.

    >>> clean_line(" Eva\x1b\t Ku\u0308hn\u202e\r\n")
    'Eva Kühn'
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    visible = "".join(char for char in spaced if not _is_removed(char))
    return " ".join(word for word in visible.split() if word.strip(_EDGES))


def clean_lines(text: str) -> str:
    r"""Return *text* as :func:`clean_line`, with its line breaks; spaces at the start stay.

    >>> clean_lines("Beginn:\r\n  14\x00 Uhr \r\n")
    'Beginn:\n  14 Uhr'
    """
    lines = []
    for line in _LINE_BREAK.split(text.expandtabs(4)):
        indent = len(line) - len(line.lstrip(" "))
        lines.append(" " * indent + clean_line(line))
    return "\n".join(lines).rstrip()
