"""Sorting and searching of names by German rules, independent of the database."""

from __future__ import annotations

import re
import unicodedata

from tournaments.common.short_texts import clean_line

_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe"}
)
_BARE = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"})
_WORD = re.compile(r"[^\W_]+")
_ELIDED = re.compile(r"^[a-z]['’](?=.)")  # d’Aurelle


def _lower(text: str) -> str:
    # Turkish: İ would fall apart into i and a dot of its own, ı is no accented letter.
    small = clean_line(text).lower()
    return small.replace("i\N{COMBINING DOT ABOVE}", "i").replace("ı", "i")


def _strip_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.translate(_BARE))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def fold(text: str) -> str:
    """Return *text* in small letters with ä as ae, ß as ss and no accents.

    >>> fold("Kühn, André"), fold("İpek Yıldız")
    ('kuehn, andre', 'ipek yildiz')
    """
    return _strip_accents(_lower(text).translate(_UMLAUTS))


def sort_key(*parts: str) -> str:
    """Return the sort key of a name (DIN 5007, variant 2, as in a phone book).

    >>> sorted(["Zorn", "Müller", "Muhr", "Mueller", "Özil"], key=sort_key)
    ['Müller', 'Mueller', 'Muhr', 'Özil', 'Zorn']
    """
    return "\x01".join(" ".join(_WORD.findall(fold(part))) for part in parts)


def search_words(text: str) -> list[str]:
    """Return the words of *text* as a person may type them, umlauts written either way.

    >>> search_words("Anna Kühn")
    ['anna', 'kuehn', 'kuhn']
    """
    words: dict[str, None] = {}
    for word in _WORD.findall(_lower(text)):
        words[fold(word)] = None
        words[_strip_accents(word)] = None
    return list(words)


def search_key(*parts: str) -> str:
    """Return the words of *parts*, each with a space before it, for ``LIKE '% word%'``.

    >>> search_key("Anna", "Kühn")
    ' anna kuehn kuhn'
    """
    return "".join(f" {word}" for word in search_words(" ".join(parts)))


def full_name(first_name: str, last_name: str) -> str:
    """Return first name and last name as spoken; one of them may be empty."""
    return f"{first_name} {last_name}".strip()


def initials(first_name: str, last_name: str) -> str:
    """Return the initials, shown in public for a person without consent to the name.

    >>> initials("Hans-Peter", "von Berg")
    'H. B.'
    >>> initials("Fleur", "d’Aurelle"), initials("Pat", "O’Brien")
    ('F. A.', 'P. O.')
    """
    last = last_name.rsplit(maxsplit=1)[-1] if last_name.split() else ""
    last = _ELIDED.sub("", last)
    return " ".join(f"{part[0]}." for part in (first_name.strip(), last) if part)


def shortened(list_name: str, longest: int) -> str:
    """Return a name, last name first, with an initial for the first name if it is too long.

    >>> shortened("Freiin von Schönburg, Sabine", 18)
    'Freiin von Schönburg, S.'
    >>> shortened("Adler, Anna", 18)
    'Adler, Anna'
    """
    last, comma, first = list_name.partition(", ")
    return f"{last}, {first[0]}." if comma and len(list_name) > longest else list_name
