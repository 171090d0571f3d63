"""The encoding of a text file without a mark, guessed by which reading looks like names.

Windows, Macs, old DOS programs and phones each write umlauts as other bytes. Most readings of
them put signs and capital letters into the middle of words, which no name has.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

TWICE = "utf-8 twice"  # read as Windows writes it, and written as UTF-8 again
# By frequency: of equal scores the first one wins.
SINGLE_BYTE = ("cp1252", "mac_roman", "cp850", "cp1250")
_UMLAUTS = frozenset("äöüß")
_OTHER_LETTERS = frozenset("àáâãåæçèéêëíîïñóôøùúûýœšžłčćđěřůőűąęńśźżğşı")
_BETWEEN_LETTERS = frozenset("’–‑")
_BESIDE_WORDS = frozenset("„“”‚‘…«»·\N{NO-BREAK SPACE}")
_BESIDE_FIGURES = frozenset("€§°")
_GERMAN, _FOREIGN = 3, 1  # weights of such letters


def decode(content: bytes, encoding: str) -> str | None:
    """Return the text in an encoding; None if it cannot be."""
    try:
        if encoding == TWICE:
            return content.decode("utf-8-sig").encode("cp1252").decode("utf-8")
        return content.decode(encoding)
    except UnicodeError:
        return None


def reinterpret(text: str, was: str, now: str) -> str:
    """Return a cell read in another encoding; unchanged if that is not possible.

    >>> reinterpret("KÜln", "cp850", "mac_roman")
    'Köln'
    """
    try:
        is_twice = was == TWICE
        content = text.encode().decode("cp1252").encode() if is_twice else text.encode(was)
    except UnicodeError:
        return text
    return decode(content, now) or text


def encodings_of(content: bytes) -> list[str]:
    """Return the encodings that *content* may have, the likeliest first; none if it is no text.

    >>> encodings_of("Müller".encode("cp1252")), encodings_of("Köln".encode("mac_roman"))
    (['cp1252'], ['mac_roman', 'cp850', 'cp1252'])
    """
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return ["utf-16"]
    if b"\0" in content:
        zeros = content[1::2].count(0), content[::2].count(0)
        encoding = "utf-16-le" if zeros[0] > zeros[1] else "utf-16-be"
        text = decode(content, encoding)
        return [encoding] if text and not _score(text)[0] else []
    text = decode(content, "utf-8-sig")
    if text is not None:
        redecoded = None if text.isascii() else decode(content, TWICE)
        return ["utf-8-sig"] if redecoded is None else [TWICE, "utf-8-sig"]
    readings: dict[str, str] = {}  # each text with the first encoding that gives it
    for encoding in SINGLE_BYTE:
        text = decode(content, encoding)
        if text is not None:
            readings.setdefault(text, encoding)
    scores = {encoding: _score(text) for text, encoding in readings.items()}
    least = min(strange for strange, _likely in scores.values())
    if least > max(likely for _strange, likely in scores.values()):
        return []  # no text
    best = [encoding for encoding, (strange, _likely) in scores.items() if strange == least]
    best.sort(key=lambda encoding: -scores[encoding][1])
    return best[:1] if best[0] == SINGLE_BYTE[0] else best


def _score(text: str) -> tuple[int, int]:
    """Return the number of characters at impossible places, and the weight of the others."""
    strange = likely = 0
    for at, char in enumerate(text):
        if char.isascii():
            strange += char < " " and not char.isspace()
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        small = char.lower()
        if small in _UMLAUTS or small in _OTHER_LETTERS:
            is_capital = char != small
            is_within = before.islower() if is_capital else before.isupper() and after.isupper()
            strange += is_within
            likely += 0 if is_within else _GERMAN if small in _UMLAUTS else _FOREIGN
        elif char in _BESIDE_WORDS:
            strange += before.isalpha() and after.isalpha()
        elif char in _BESIDE_FIGURES:
            strange += before.isalpha() or after.isalpha()
        elif char not in _BETWEEN_LETTERS:
            strange += 1
    return strange, likely
