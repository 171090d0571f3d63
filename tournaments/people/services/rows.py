"""Parsing one row of a file of persons, with a message for each invalid cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.person_names import NameDoubt, couple, doubt_about, name_parts
from tournaments.machine.sheets import unguard
from tournaments.models import Club, Gender, Person
from tournaments.people.services.columns import FIRST_LAST, LAST_FIRST, NAMES

EARLIEST_YEAR = 1900

_YEAR = re.compile(r"\d{4}")
_GERMAN_DATE = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_GENDERS = {
    **dict.fromkeys(("w", "f", "weiblich", "frau", "dame", "female"), Gender.FEMALE),
    **dict.fromkeys(("m", "maennlich", "herr", "mann", "male"), Gender.MALE),
    **dict.fromkeys(("d", "x", "divers", "diverse"), Gender.DIVERSE),
    **dict.fromkeys(("", "k a", "keine angabe"), Gender.UNKNOWN),
}
_CONSENTS = {
    **dict.fromkeys(("ja", "j", "yes", "y", "x", "1", "wahr", "true"), True),
    **dict.fromkeys(("nein", "n", "no", "0", "falsch", "false"), False),
}
# Words that belong to a last name when first and last name share a cell.
_PARTICLES = frozenset(
    {"von", "vom", "zu", "zum", "zur", "van", "de", "del", "della", "der", "den", "dem", "di"}
    | {"da", "dos", "du", "la", "le", "el", "al", "bin", "ten", "ter", "und"}
)


@dataclass(frozen=True, slots=True)
class CellError:
    """An error in a row, and its column; "" for the whole row."""

    target: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """The values of a row, by the targets of the columns.

    ``values`` has them by field of ``Person``; the club is a name. Empty cells are left out.
    """

    number: int
    cells: Mapping[str, str]
    text: str = ""  # of all its cells
    doubt: NameDoubt | None = None  # why it may not be a person
    couple: Sequence[tuple[str, str]] = ()  # last and first names, if it names several
    values: dict[str, Any] = field(default_factory=dict)
    errors: list[CellError] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the row in messages: last name, first name."""
        parts = (self.values.get("last_name", ""), self.values.get("first_name", ""))
        return ", ".join(part for part in parts if part)


def parse_row(
    number: int,
    cells: Sequence[str],
    columns: Sequence[str],
    mended: Mapping[str, str],
    *,
    club: str = "",
) -> ParsedRow:
    """Return the values of a row; *columns* has the target of each column or "".

    *mended* has the cells, by target, that were corrected on the page; *club* is that of rows
    without one.
    """
    read = {target: unguard(cell) for target, cell in zip(columns, cells, strict=False) if target}
    by_target = {**dict.fromkeys(filter(None, columns), ""), **read, **mended}
    if club and not by_target.get("club"):
        by_target["club"] = club
    last_name, first_name, several = _names_in(by_target)
    row = ParsedRow(
        number,
        by_target,
        text=" · ".join(filter(None, cells)),
        doubt=doubt_about(last_name, first_name) or (NameDoubt.COUPLE if several else None),
        couple=several or couple(last_name, first_name),
    )
    row.values.update(
        {key: name for key, name in (("last_name", last_name), ("first_name", first_name)) if name}
    )
    _check_name(row)
    for target, parse in _PARSERS.items():
        text = row.cells.get(target, "")
        if not text:
            continue
        try:
            value = parse(text)
        except ValueError as problem:
            row.errors.append(CellError(target, str(problem)))
        else:
            if value is not None:
                row.values[target] = value
    for target in ("email", "phone", "member_number", "note"):
        if text := " ".join(row.cells.get(target, "").split()):
            row.values[target] = text
    _check_fields(row)
    return row


def _names_in(cells: Mapping[str, str]) -> tuple[str, str, list[tuple[str, str]]]:
    """Return last name, first name, and both names of each person if a cell names several."""
    for target in (LAST_FIRST, FIRST_LAST):
        if text := cells.get(target):
            is_last_first = target == LAST_FIRST
            parts = [part for part in name_parts(text) if len(part.split()) > 1]
            several = [split_name(part, last_first=is_last_first) for part in parts]
            is_several = len(several) > 1 and "," not in text
            return *split_name(text, last_first=is_last_first), several if is_several else []
    return cells.get("last_name", ""), cells.get("first_name", ""), []


def _check_name(row: ParsedRow) -> None:
    sentence = ""
    if not names.search_words(row.values.get("last_name", "")):
        sentence = _("Es fehlt der Nachname.")
    elif any(word.isdecimal() for word in names.search_words(row.name)):
        # Lists often end with a row of totals.
        sentence = _("„{text}“ ist kein Name. Ist die Zeile eine Summe, bitte auslassen.").format(
            text=row.name
        )
    if sentence:
        target = next((target for target in NAMES if target in row.cells), "")
        row.errors.append(CellError(target, sentence))


def split_name(text: str, *, last_first: bool) -> tuple[str, str]:
    """Return last name and first name of a cell with both; a comma sets the order.

    >>> split_name("Kühn, Anna Maria", last_first=False)
    ('Kühn', 'Anna Maria')
    >>> split_name("Anna Maria von der Heide", last_first=False)
    ('von der Heide', 'Anna Maria')
    >>> split_name("von der Heide Anna Maria", last_first=True)
    ('von der Heide', 'Anna Maria')
    """
    last, comma, first = (part.strip() for part in text.partition(","))
    if comma:
        return last, first
    words = text.split()
    if last_first:
        at = 0
        while at < len(words) - 1 and words[at].lower() in _PARTICLES:
            at += 1
        return " ".join(words[: at + 1]), " ".join(words[at + 1 :])
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in _PARTICLES:
        at -= 1
    return " ".join(words[at:]), " ".join(words[:at])


def _club(text: str) -> str | None:
    if not club_key(text):
        return None  # a dash or „ohne“ means no club
    limit = Club._meta.get_field("name").max_length or 0
    if len(text) > limit:
        raise ValueError(_("Der Verein hat mehr als {n} Zeichen.").format(n=limit))
    return text


def _date(text: str) -> date | None:
    """Return the date in a cell; None if it has another format.

    Raises:
        ValueError: with the message for the row, if the day does not exist.
    """
    if match := _GERMAN_DATE.fullmatch(text):
        day, month, year = (int(part) for part in match.groups())
    elif match := _ISO_DATE.fullmatch(text):
        year, month, day = (int(part) for part in match.groups())
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError(_("Den Tag „{text}“ gibt es nicht.").format(text=text)) from None


def _until(text: str) -> date:
    """Return the last day of a pass from a date or a year.

    Raises:
        ValueError: with the message for the row.
    """
    last = date(int(text), 12, 31) if _YEAR.fullmatch(text) and int(text) else _date(text)
    if last is None:
        raise ValueError(
            _("„{text}“ ist kein Tag und kein Jahr, bis zu dem ein Pass gilt: 31.12.2026.").format(
                text=text
            )
        )
    return last


def _birth_year(text: str) -> int:
    """Return the year from a year or a date.

    Raises:
        ValueError: with the message for the row.
    """
    today = timezone.localdate()
    born = None if _YEAR.fullmatch(text) else _date(text)
    if born is None and not _YEAR.fullmatch(text):
        raise ValueError(
            _("„{text}“ ist kein Geburtsjahr und kein Geburtsdatum mit vierstelligem Jahr.").format(
                text=text
            )
        )
    year = born.year if born else int(text)
    if not EARLIEST_YEAR <= year <= today.year:
        raise ValueError(
            _("Das Geburtsjahr {year} liegt nicht zwischen {first} und {last}.").format(
                year=year, first=EARLIEST_YEAR, last=today.year
            )
        )
    return year


def _gender(text: str) -> str:
    try:
        return _GENDERS[names.sort_key(text)]
    except KeyError:
        raise ValueError(
            _("„{text}“ ist kein Geschlecht. Möglich sind w, m, d oder nichts.").format(text=text)
        ) from None


def parse_yes_no(text: str) -> bool:
    """Return whether a cell means yes.

    Raises:
        ValueError: with the message for the row.
    """
    try:
        return _CONSENTS[names.sort_key(text)]
    except KeyError:
        raise ValueError(_("„{text}“ ist weder ja noch nein.").format(text=text)) from None


_PARSERS = {
    "club": _club,
    "birth_year": _birth_year,
    "member_until": _until,
    "gender": _gender,
    "publish_consent": parse_yes_no,
}


def _check_fields(row: ParsedRow) -> None:
    """Validate the values by the fields of ``Person``: lengths, the e-mail address."""
    values = {name: value for name, value in row.values.items() if name != "club"}
    others = [name.name for name in Person._meta.fields if name.name not in values]
    try:
        Person(**values).clean_fields(exclude=others)
    except ValidationError as problem:
        for name, sentences in problem.message_dict.items():
            combined = next((target for target in NAMES if target in row.cells), name)
            target = name if name in row.cells else combined
            row.errors.append(CellError(target, " ".join(sentences)))
