"""Facts of the journal as texts: names, amounts, times, words for values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from django.db import models
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.money import euro
from tournaments.common.ranking_names import ranking_of
from tournaments.journal.queries.names import DASH, REFERENCES, SUBJECTS, Model, Names
from tournaments.journal.queries.texts import LABELS
from tournaments.models import (
    CashEntry,
    Correction,
    JournalEntry,
    Registration,
    Right,
    Role,
    Screen,
    Serie,
    Signature,
    Tournament,
    WayOfTelling,
)
from tournaments.models.tournament import Section

# Words for the values of facts that are no field of their subject or of the tournament.
CHOICES: Mapping[str, type[models.TextChoices]] = {
    "method": Signature.Method,
    "kind": Correction.Kind,
    "counts": Tournament.EndedLists,
    "how": WayOfTelling,
    "right": Right,
    "role": Role,
    "section": Section,
    "seating": Serie.Seating,
    "shows": Screen.Shows,
}
TIMES = frozenset(
    {
        *("closed_at", "started_at", "starts_at", "registration_deadline", "refund_until"),
        "offered_until",
    }
)
DAYS = frozenset({"starts_on", "ends_on"})
BOOKING = 3  # parts of a line of a receipt: kind, cents, registration


def _field(name: str, subject_type: str) -> models.Field[Any, Any] | None:
    """Return the field called *name* of the subject, or else of the tournament."""
    models_asked = (SUBJECTS.get(subject_type, Tournament), Tournament)
    fields = (field for model in models_asked for field in model._meta.concrete_fields)
    return next((field for field in fields if field.name == name), None)


def label(name: str, subject_type: str) -> str:
    """Return the label of a fact: a word of its own, or that of the field."""
    field = _field(name, subject_type)
    return str(LABELS.get(name, field.verbose_name if field is not None else name))


def line_text(line: Mapping[str, Any]) -> str:
    """Return a line of a Spielliste: „Platz 2 durch Handrommé · 31 | 0 | 17 oder 71“."""
    finisher = _readings(
        line.get("finisher"), lambda seat: _("Platz {seat}").format(seat=seat) if seat else DASH
    )
    handromme = line.get("handromme")
    if handromme is True:
        finisher = _("{who} durch Handrommé").format(who=finisher)
    elif isinstance(handromme, list):
        finisher = _("{who}, Handrommé unklar").format(who=finisher)
    hands = (_readings(hand, _points) for hand in line.get("minus", ()))
    return f"{finisher} · {' | '.join(hands)}"


def _points(points: int | None) -> str:
    return DASH if points is None else str(points)


def _readings(entry: Any, say: Callable[[Any], str]) -> str:
    readings = entry if isinstance(entry, list) else [entry]
    return _(" oder ").join(say(reading) for reading in readings)


class Reader:
    """Turns the facts of some entries into words; all names are fetched together."""

    def __init__(self, entries: Iterable[JournalEntry]) -> None:
        keys_by_model: dict[Model, list[int]] = defaultdict(list)
        for entry in entries:
            if entry.subject_id is not None and entry.subject_type in SUBJECTS:
                keys_by_model[SUBJECTS[entry.subject_type]].append(entry.subject_id)
            for facts in (entry.before, entry.after):
                for model, keys in _keys(facts):
                    keys_by_model[model] += keys
        self.names = Names(keys_by_model)

    def subject(self, entry: JournalEntry) -> str:
        """Return the name of an act's subject."""
        model = SUBJECTS.get(entry.subject_type)
        if model is None or entry.subject_id is None:
            return DASH
        return self.names.name(model, entry.subject_id)

    def place(self, entry: JournalEntry) -> str:
        """Return the table of an act, or the person it concerned."""
        if entry.subject_type == "correction" and "registration" in entry.after:
            return self.names.name(Registration, entry.after["registration"])
        return self.subject(entry)

    def value(self, name: str, raw: Any, subject_type: str) -> str:
        """Return one fact in words."""
        if raw is None or raw in ("", [], {}):
            return _("alle") if name == "plays_on" else DASH
        if isinstance(raw, list):
            return self._list(name, raw, subject_type)
        if isinstance(raw, dict):
            return self._dict(name, raw, subject_type)
        if isinstance(raw, bool):
            return _("ja") if raw else _("nein")
        if isinstance(raw, int):
            return self._integer(name, raw)
        return _word(name, str(raw), subject_type)

    def _integer(self, name: str, raw: int) -> str:
        if name in REFERENCES:
            return self.names.name(REFERENCES[name], raw)
        return euro(raw) if name.endswith("_cents") else str(raw)

    def _list(self, name: str, raw: list[Any], subject_type: str) -> str:
        if name == "lines":
            if subject_type != "receipt":
                return ngettext("{number} Person", "{number} Personen", len(raw)).format(
                    number=len(raw)
                )
            return "; ".join(self._booking(*booking) for booking in raw)
        if name == "seats" and isinstance(raw[0], list):
            return self._rows(enumerate(raw, start=1))
        if name == "prizes":
            return "; ".join(
                f"{_word('ranking', ranking, '')}: {euro(cents)}" for _pot, ranking, cents in raw
            )
        if name == "schedule":
            return "; ".join(_line_of_schedule(**line) for line in raw)
        say = label if name == "changed" else partial(self.value, name)
        return ", ".join(say(value, subject_type) for value in raw)

    def _booking(self, kind: str, cents: int, key: int | None) -> str:
        name = [self.names.name(Registration, key)] if key is not None else []
        return " ".join([str(CashEntry.Kind(kind).label), euro(cents), *name])

    def _rows(self, rows: Iterable[tuple[Any, Iterable[Any]]]) -> str:
        return "; ".join(
            _("Tisch {number}: {seats}").format(
                number=number, seats=", ".join(map(self.names.start_number, row))
            )
            for number, row in rows
        )

    def _dict(self, name: str, raw: dict[str, Any], subject_type: str) -> str:
        if name == "line":
            return line_text(raw)
        if name == "tables":
            return self._rows(raw.items())
        if name == "cents":
            return "; ".join(
                f"{self.names.name(Registration, int(key))}: {euro(cents)}"
                for key, cents in raw.items()
            )
        return "; ".join(
            f"{label(key, subject_type)}: {self.value(key, value, subject_type)}"
            for key, value in raw.items()
        )


def _line_of_schedule(day: int, time: str, serie: int = 0, text: str = "") -> str:
    title = text or _("Serie {number}").format(number=serie)
    sentence = _("{what} um {time}, {day} Tage nach dem ersten") if day else _("{what} um {time}")
    return sentence.format(what=title, time=time, day=day)


def _word(name: str, raw: str, subject_type: str) -> str:
    field = _field(name, subject_type)
    words = dict(field.flatchoices) if field is not None else {}
    words = words or dict(CHOICES[name].choices if name in CHOICES else ())
    if raw in words:
        return str(words[raw])
    if name == "thing":
        return {"list": _("die Liste"), "cards": _("Startkarten")}.get(raw, raw)
    if name == "ranking":
        ranking = ranking_of(raw)
        return ranking.describe() if ranking is not None else raw
    if name in TIMES:
        at = timezone.localtime(datetime.fromisoformat(raw))
        return _("{day}, {time} Uhr").format(
            day=formats.date_format(at, "SHORT_DATE_FORMAT"), time=at.strftime("%H:%M")
        )
    if name in DAYS:
        return formats.date_format(date.fromisoformat(raw), "SHORT_DATE_FORMAT")
    return ", ".join(raw) if name == "plays_on" else raw


def _keys(facts: Mapping[str, Any]) -> Iterator[tuple[Model, list[int]]]:
    """Yield the keys in facts, with their models."""
    for name, raw in facts.items():
        if name in REFERENCES:
            yield REFERENCES[name], list(_integers(raw))
        elif name == "seats" and isinstance(raw, list) and raw and isinstance(raw[0], list):
            yield Registration, list(_integers(raw))
        elif name == "tables" and isinstance(raw, dict):
            yield Registration, list(_integers(list(raw.values())))
        elif name == "cents" and isinstance(raw, dict):
            yield Registration, [int(key) for key in raw]
        elif name == "lines" and isinstance(raw, list):
            yield Registration, list(_integers([line[-1] for line in raw if len(line) == BOOKING]))


def _integers(raw: Any) -> Iterator[int]:
    if isinstance(raw, list):
        for element in raw:
            yield from _integers(element)
    elif isinstance(raw, int) and not isinstance(raw, bool):
        yield raw
