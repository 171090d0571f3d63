"""Comparing the names of clubs, which are spelt in many ways; the spelling is kept.

Spellings that certainly mean one club have equal keys; names that may mean one are *near*, and a
person decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tournaments.common.names import fold
from tournaments.common.typing_errors import differ_by_typo

_WORD = re.compile(r"[^\W_]+")
_DOT_WITHIN = re.compile(r"\b([^\W\d_])\. ?(?=[^\W\d_]\b)")  # „R.C.“, „e. V.“
_LEGAL_FORM = re.compile(
    r"(?<=\S) (?:(?:gemeinnuetziger )?eingetragener verein|(?:gem )?(?:n|g)?e ?v"
    r"|(?:g|gem )?(?:gmbh|ug)(?: haftungsbeschraenkt)?)(?: i ?(?:g|gr))?(?= |$)"
)
_SAME = (
    (re.compile(r"klub\b"), "club"),
    (re.compile(r"\brommee? ?club\b"), "rc"),
    (re.compile(r"\bsankt\b"), "st"),
    (re.compile(r"\b(?:und|u|and)\b"), ""),
)
# Entries of lists that mean „no club“, as keys.
_NO_CLUB = frozenset(
    {"ohne", "ohneverein", "ohneclub", "ohneangabe", "kein", "keine", "keiner", "keines"}
    | {
        "keinverein",
        "keinclub",
        "keineangabe",
        "ka",
        "ov",
        "nichtimverein",
        "nein",
        "privat",
        "privatperson",
        "einzelspieler",
    }
    | {"einzelspielerin", "einzelperson", "gast", "gaeste", "gastspieler", "gastspielerin", "frei"}
    | {"unbekannt", "entfaellt", "nb", "na", "none", "no", "noclub", "withoutclub", "guest", "nix"}
    | {"x", "xx", "xxx", "null", "diverse", "sonstige", "keinevereinszugehoerigkeit", "independent"}
    | {"ungebunden", "unabhaengig", "einzelstarter", "einzelstarterin", "solo", "unattached"}
)
_BOUND_TO_NONE = re.compile(
    r"(?:partei|vereins?|clubs?|verbands?)(?:los|frei|ungebunden|unabhaengig)(?:e[rsnm]?)?"
)
_KIND = re.compile(
    r"(?:turn|sport|spiel|skat|romme|karten|kegel|schach|buerger|heimat|freizeit|gehoerlosen"
    r"|senioren|frauen|damen|club|verein|gemeinschaft|vereinigung|freunde|bund|runde|kreis|stamm"
    r"|tisch|gruppe|abteilung)"
)
_KINDS = re.compile(rf"(?:{_KIND.pattern}s?)+")
_ABBREVIATION = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,5}|tus|djk|vfb|vfl|spvgg|spg")
_LONG_ENOUGH = 4  # letters of a name in which one wrong letter is a slip
_YEAR = re.compile(r"\d{2}|1[89]\d\d|20\d\d")


def _words(name: str) -> str:
    """Return the folded words without dots, legal forms and filler words."""
    words = " ".join(_WORD.findall(_DOT_WITHIN.sub(r"\1", fold(name))))
    words = _LEGAL_FORM.sub("", words)
    for pattern, same in _SAME:
        words = pattern.sub(same, words)
    return " ".join(words.split())


@lru_cache(maxsize=4096)
def club_key(name: str) -> str:
    """Return a key that is the same for all spellings of a club; "" for no club.

    >>> spellings = ("RC Übersee", "R.C. Uebersee e. V.", "RC-Übersee", "Rommé-Club Übersee e.V.")
    >>> {club_key(name) for name in spellings}
    {'rcuebersee'}
    >>> [club_key(name) for name in ("–", "ohne", "kein Verein", "EV Landshut")]
    ['', '', '', 'evlandshut']
    """
    key = _words(name).replace(" ", "")
    return "" if key in _NO_CLUB or _BOUND_TO_NONE.fullmatch(key) else key


class _Parts(NamedTuple):
    core: tuple[str, ...]  # the distinctive words, mostly a place; sorted
    kind: str  # the initials of „Sportverein“, or its abbreviation


@lru_cache(maxsize=4096)
def _parts(name: str) -> _Parts:
    core, kind = [], ""
    for word in _words(name).split():
        if _KINDS.fullmatch(word):
            kind += "".join(part[0][0] for part in _KIND.finditer(word))
        elif _ABBREVIATION.fullmatch(word):
            kind += word
        elif not _YEAR.fullmatch(word):
            core.append(word)
    return _Parts(tuple(sorted(core)), kind)


def are_near(name: str, other: str) -> bool:
    """Whether two names with different keys may mean one club.

    >>> are_near("Skatclub Gera", "SC Gera 1987"), are_near("SC Gera", "Gera")
    (True, True)
    >>> are_near("SC Altenburg", "SC Altenberg"), are_near("Skatclub Gera", "TSV Gera")
    (True, False)
    """
    keys = club_key(name), club_key(other)
    if not all(keys) or keys[0] == keys[1]:
        return False
    first, second = _parts(name), _parts(other)
    if first.kind and second.kind and first.kind != second.kind:
        return False
    places = "".join(first.core), "".join(second.core)
    is_slip = min(map(len, places)) >= _LONG_ENOUGH and differ_by_typo(*places)
    return is_slip or (bool(first.core) and first.core == second.core)


def near_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that may mean one club, or certainly do, in their order."""
    return [
        (name, other)
        for name, other in combinations(names, 2)
        if club_key(name) and (club_key(name) == club_key(other) or are_near(name, other))
    ]
