"""The names of the keys in the journal: of persons, tables, receipts and other things.

The journal has keys only; names are looked up when it is read, all of a page at once. An
anonymised person has no name there either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils import formats
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.models import (
    BankTransaction,
    Call,
    Case,
    Category,
    Club,
    Correction,
    Draw,
    Lottery,
    Notice,
    Organiser,
    Penalty,
    Person,
    Playoff,
    PrizePayout,
    Ranking,
    Receipt,
    Registration,
    Serie,
    Spielliste,
    Table,
    Team,
    Tournament,
    User,
)

DASH = "–"
Model = type[models.Model]


@dataclass(frozen=True, slots=True)
class _NamedModel:
    """How to name rows of a model, and what must be fetched with them."""

    say: Callable[[Any], str] = str
    along: tuple[str, ...] = ()


def _registration(registration: Registration) -> str:
    number = [_("Nr. {number}").format(number=registration.number)] if registration.number else []
    return " ".join([*number, registration.person.full_name])


def _table(table: Table) -> str:
    return _("Serie {serie}, Tisch {table}").format(serie=table.serie.number, table=table.number)


def _draw(draw: Draw) -> str:
    return _("Auslosung von {serie} ({number}. Versuch)").format(
        serie=draw.serie, number=draw.number
    )


def _transfer(transfer: BankTransaction) -> str:
    return _("Überweisung vom {day} über {amount}").format(
        day=formats.date_format(transfer.booked_on, "SHORT_DATE_FORMAT"),
        amount=euro(transfer.amount_cents),
    )


_NAMED: Mapping[Model, _NamedModel] = {
    BankTransaction: _NamedModel(_transfer),
    Call: _NamedModel(lambda call: _table(call.table), ("table__serie",)),
    Case: _NamedModel(lambda case: str(case.get_kind_display())),
    Category: _NamedModel(),
    Club: _NamedModel(),
    Correction: _NamedModel(),
    Draw: _NamedModel(_draw, ("serie",)),
    Lottery: _NamedModel(),
    Organiser: _NamedModel(),
    Notice: _NamedModel(
        lambda notice: _registration(notice.registration), ("registration__person",)
    ),
    Penalty: _NamedModel(
        lambda penalty: _registration(penalty.registration), ("registration__person",)
    ),
    Playoff: _NamedModel(),
    PrizePayout: _NamedModel(lambda payout: str(payout.label)),
    Person: _NamedModel(lambda person: str(person.full_name)),
    Ranking: _NamedModel(),
    Receipt: _NamedModel(),
    Registration: _NamedModel(_registration, ("person",)),
    Serie: _NamedModel(),
    Spielliste: _NamedModel(lambda spielliste: _table(spielliste.table), ("table__serie",)),
    Table: _NamedModel(_table, ("serie",)),
    Team: _NamedModel(),
    Tournament: _NamedModel(),
    User: _NamedModel(),
}
# By the kind of subject in the journal.
SUBJECTS: Mapping[str, Model] = {model._meta.model_name or "": model for model in _NAMED}
# Facts that are keys, or lists of keys, of named rows.
REFERENCES: Mapping[str, Model] = {
    "account": User,
    "category": Category,
    "club": Club,
    "members": Registration,
    "parent": Organiser,
    "person": Person,
    "ranking": Ranking,
    "rankings": Ranking,
    "registration": Registration,
    "registrations": Registration,
    "row": Registration,
    "spielliste": Spielliste,
    "team": Team,
    "tournaments": Tournament,
    "who": Person,
    "wishes": Ranking,
    "declined": Ranking,
}


class Names:
    """The names of rows by key; one query for each model."""

    def __init__(self, keys: Mapping[Model, Iterable[int]]) -> None:
        self._rows: dict[Model, Mapping[int, models.Model]] = {}
        for model, model_keys in keys.items():
            rows: models.QuerySet[models.Model] = models.QuerySet(model).select_related(
                *_NAMED[model].along
            )
            self._rows[model] = rows.in_bulk(sorted(set(model_keys)))

    def name(self, model: Model, key: int) -> str:
        """Return the name of a row; a dash if it was deleted."""
        thing = self._rows.get(model, {}).get(key)
        return _NAMED[model].say(thing) if thing is not None else DASH

    def start_number(self, key: Any) -> str:
        """Return the start number only, for lists of many."""
        thing = self._rows.get(Registration, {}).get(key)
        return str(getattr(thing, "number", None) or DASH)
