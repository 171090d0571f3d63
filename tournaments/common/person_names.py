"""Names of persons in input: titles and additions, couples in one line, lines that are no names.

A doubt is a question for a person, never a refusal: „Summe“ and „N.N.“ may be names.
"""

from __future__ import annotations

import re
from enum import StrEnum

from tournaments.common.names import fold, sort_key

_TITLE = (
    r"(?:(?:frau|herr|hr|fr|prof|professor|dr|doktor|dipl|ing|mag|med|phil|rer|nat|jur|vet|dent"
    r"|habil|mult|lic|msc|bsc|mba|bed)\b[.\s-]*(?:h\.?\s*c\.?\s*)?)+"
)
_TITLE_BEFORE = re.compile(rf"^\s*{_TITLE}", re.IGNORECASE)
_TITLE_AFTER = re.compile(rf"[,\s]+{_TITLE}$", re.IGNORECASE)
_ADDITION = re.compile(
    r"\s*\([^)]*\)|\s*\[[^\]]*\]|[,\s]+(?:geb|geborene?r?|verw|verwitwete?|gesch|geschiedene?|vorm"
    r"|gen|genannt|alias)\b\.?\s.*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_AND = re.compile(r"\s*(?:[&+/;,]|\b(?:und|u\.|and|mit)(?=\s))\s*", re.IGNORECASE)
# „Herr und Frau Winter“, „Uwe + Begleitung“, „Winter 2 Personen“
_ANOTHER = re.compile(
    r"(?:\bund|\bu\.|\bmit|[&+])\s*(?:frau|herr|mann|gatt|partner|begleit|sohn|tochter|kind)"
    r"|\b\d\s*(?:x|pers|personen|leute)\b",
    re.IGNORECASE,
)
_OF_ONE_NAME = re.compile(r"\bvon und zu\b", re.IGNORECASE)
_SUMS = frozenset(
    {
        "summe",
        "summen",
        "gesamt",
        "gesamtsumme",
        "gesamtzahl",
        "insgesamt",
        "zwischensumme",
        "total",
    }
    | {"anzahl", "uebertrag", "ergebnis", "teilnehmer", "teilnehmerzahl", "mitglieder", "personen"}
    | {"stand", "datum", "seite", "sum", "count", "liste", "ende", "startgeld", "betrag", "kosten"}
)
_PLACEHOLDERS = frozenset(
    {"nn", "n n", "xx", "xxx", "x", "y", "unbekannt", "platzhalter", "leer", "frei", "reserve"}
    | {
        "ersatz",
        "ersatzspieler",
        "gast",
        "test",
        "offen",
        "nachmeldung",
        "noch offen",
        "tba",
        "tbd",
    }
    | {"folgt", "name folgt", "unknown", "nomen nescio", "jemand", "spieler", "spielerin", "dummy"}
)
_SEVERAL = frozenset({"ehepaar", "eheleute", "familie", "fam", "paar", "geschwister"})
_HEADINGS = frozenset(
    {
        "name",
        "nachname",
        "vorname",
        "familienname",
        "name vorname",
        "vorname name",
        "nachname vorname",
    }
    | {"teilnehmername", "mitglied", "last name", "first name", "surname"}
)


class NameDoubt(StrEnum):
    """The reason for which a line may be no person."""

    SUM = "sum"
    PLACEHOLDER = "placeholder"
    HEADING = "heading"
    COUPLE = "couple"


def bare(name: str) -> str:
    """Return a name without titles and additions; unchanged if nothing else is left.

    >>> bare("Dr. Hans-Peter"), bare("Schmidt geb. Müller"), bare("Wolfgang (Wolle)")
    ('Hans-Peter', 'Schmidt', 'Wolfgang')
    """
    plain = _TITLE_BEFORE.sub("", _TITLE_AFTER.sub("", _ADDITION.sub("", name))).strip()
    return plain if _WORD.search(plain) else name


def person_key(last_name: str, first_name: str) -> str:
    """Return the sort key of a person, in which titles and additions hide no namesake.

    >>> person_key("Meier", "Dr. Hans") == person_key("Meier geb. Krug", "Hans (Hansi)")
    True
    """
    return sort_key(bare(last_name), bare(first_name))


def doubt_about(last_name: str, first_name: str) -> NameDoubt | None:
    """Return the doubt whether a line is one person; None without any.

    >>> [doubt_about(*name) for name in (("Summe", ""), ("N.N.", ""), ("Winter", "Uwe und Ilse"))]
    [<NameDoubt.SUM: 'sum'>, <NameDoubt.PLACEHOLDER: 'placeholder'>, <NameDoubt.COUPLE: 'couple'>]
    >>> doubt_about("von und zu Hohenberg", "Anna-Lena")
    """
    name = f"{last_name} {first_name}"
    if name.strip() and not any(map(str.isalpha, name)):
        return NameDoubt.SUM if any(map(str.isdigit, name)) else NameDoubt.PLACEHOLDER
    words = _words(name)
    spaced = " ".join(words)
    if spaced in _HEADINGS:
        return NameDoubt.HEADING
    if words and (_SUMS.issuperset(words) or last_name.rstrip().endswith(":")):
        return NameDoubt.SUM
    orders = {spaced, " ".join(_words(f"{first_name} {last_name}"))}
    if orders & _PLACEHOLDERS or (words and len({*words}) == 1 and words[0] in _PLACEHOLDERS):
        return NameDoubt.PLACEHOLDER
    if (words[:1] and words[0] in _SEVERAL) or _ANOTHER.search(name):
        return NameDoubt.COUPLE
    return NameDoubt.COUPLE if len(couple(last_name, first_name)) > 1 else None


def _words(name: str) -> list[str]:
    """Return the words of a name without numbers: „Gast 2“ is no more a name than „Gast“."""
    return [word for word in _WORD.findall(fold(name)) if not word.isdigit()]


def couple(last_name: str, first_name: str) -> list[tuple[str, str]]:
    """Return the persons that a line names, each with last and first name; mostly one.

    >>> couple("Herbst", "Uwe & Ilse"), couple("Winter", "Uwe Winter, Ilse")
    ([('Herbst', 'Uwe'), ('Herbst', 'Ilse')], [('Winter', 'Uwe'), ('Winter', 'Ilse')])
    """
    before, comma, after = first_name.partition(",")
    repeated = before.split()[1:]
    if comma and repeated and fold(last_name).endswith(fold(repeated[-1])) and after.strip():
        return [(last_name, before.rsplit(maxsplit=1)[0]), (repeated[-1], after.strip())]
    if "," in last_name and not first_name:  # „Müller, Hans“ in one field is one person
        return [(last_name, first_name)]
    lasts, firsts = name_parts(bare(last_name)), name_parts(bare(first_name))
    if len(lasts) == 1 and len(firsts) == 1:
        return _repeated(last_name, first_name)
    most = max(len(lasts), len(firsts))
    lasts, firsts = (parts if len(parts) == most else parts * most for parts in (lasts, firsts))
    return [(last, first) for last, first in zip(lasts, firsts, strict=False) if last or first]


def name_parts(name: str) -> list[str]:
    """Return the parts of a name that are joined by „und“ or a sign; mostly one."""
    if _OF_ONE_NAME.search(name):
        return [name]
    return [part for part in _AND.split(name) if part] or [""]


def _repeated(last_name: str, first_name: str) -> list[tuple[str, str]]:
    """Return the persons of „Winter Winter“ and „Uwe Ilse“, two lines of one cell each."""
    last, first = last_name.split(), first_name.split()
    if len(last) > 1 and len({*map(fold, last)}) == 1 and len(first) == len(last):
        return [(last[0], part) for part in first]
    return [(last_name, first_name)]
