"""The rows that the journal proves: the sources of rankings, money and signatures.

An entry has the name and the hash of each such row that its act changed. The newest hash of a row
is compared with the database, which reveals changes that bypass acts. Names of persons and free
texts are not covered: they are deleted when a person is anonymised.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import DateTimeField, Model, QuerySet

from tournaments.machine.hashes import ON_PAPER, hash_of
from tournaments.models import Registration, Tournament
from tournaments.models.rows import Row

Key = tuple[type[Row], int]  # of a row
Hashes = dict[str, str | None]  # by name of the row; None: deleted
Content = dict[str, Any]

PROVED: list[type[Row]] = [model for model in Row.__subclasses__() if model.proved]
KINDS: Mapping[str, type[Row]] = {str(model._meta.model_name): model for model in PROVED}


def rows_of(model: type[Row], tournament: Tournament) -> QuerySet[Any]:
    """Return the rows of a model in a tournament, including those of Serien struck out."""
    if model is Tournament:
        return QuerySet(Tournament).filter(pk=tournament.pk)
    path = "__".join([*model.within, "tournament"])
    return QuerySet(model).filter(**{path: tournament.pk})


def keys_of(rows: Iterable[Model]) -> list[Key]:
    """Return the keys of the proved ones among *rows*."""
    return [(type(row), row.pk) for row in rows if isinstance(row, Row) and row.proved]


def hashes_of(keys: Iterable[Key]) -> dict[Key, Hashes]:
    """Return the hashes of each row as it is stored; one query for each kind."""
    kinds: dict[type[Row], set[int]] = defaultdict(set)
    for model, key in keys:
        kinds[model].add(key)
    by_key: dict[Key, Hashes] = {}
    for model, pks in kinds.items():
        stored = dict(contents(QuerySet(model).filter(pk__in=pks), are_few=True))
        by_key |= {(model, key): hashes(model, key, stored.get(key)) for key in pks}
    return by_key


def merged(mappings: Iterable[Hashes]) -> Hashes:
    """Return the hashes of several rows as one mapping."""
    return {name: value for of_row in mappings for name, value in of_row.items()}


def hashes_in_memory(held: Iterable[Row]) -> Hashes:
    """Return the hashes of rows by the values of their instances; no query.

    The instances must be as stored: read or added whole under the tournament's lock.
    """
    row_hashes: Hashes = {}
    for row in held:
        single = defaults(type(row))
        values = {name: row.serializable_value(name) for name in single}
        row_hashes |= hashes(type(row), row.pk, _without_defaults(values, single))
    return row_hashes


def all_hashes(tournament: Tournament) -> Hashes:
    """Return the hashes of all proved rows of a tournament."""
    row_hashes: Hashes = {}
    for model in PROVED:
        for key, content in contents(rows_of(model, tournament)):
            row_hashes |= hashes(model, key, content)
    return row_hashes


def defaults(model: type[Row]) -> Content:
    """Return the default of each proved field of a row; None for a time.

    The default of a time is the present, which can repeat on a coarse clock.
    """
    columns: list[Any] = [model._meta.get_field(name) for name in model.proved]
    return {
        column.name: None if isinstance(column, DateTimeField) else column.get_default()
        for column in columns
        if not column.many_to_many
    }


def contents(queryset: QuerySet[Any], *, are_few: bool = False) -> Iterator[tuple[int, Content]]:
    """Yield the key and the proved values of each row, without defaults.

    A field that is added later therefore changes no hash of earlier rows. A few rows are read in
    one statement, many by an iterator.
    """
    model = queryset.model
    single = defaults(model)
    rankings: dict[int, list[int]] = defaultdict(list)
    if model is Registration:
        chosen = Registration.rankings.through.objects.filter(
            registration__in=queryset.values("pk")
        )
        for key, ranking in chosen.order_by("ranking").values_list("registration", "ranking"):
            rankings[key].append(ranking)
    rows = queryset.values("pk", *single)
    for row in rows if are_few else rows.iterator():
        content = _without_defaults(row, single)
        if chosen_by := rankings.get(row["pk"]):
            content["rankings"] = chosen_by
        yield row["pk"], content


def _without_defaults(row: Mapping[str, Any], single: Content) -> Content:
    return {name: row[name] for name, default in single.items() if row[name] != default}


def hashes(model: type[Row], key: int, content: Content | None) -> Hashes:
    """Return the hash of a row by its name; of a tournament, of each field.

    *content* comes from :func:`contents`; None if the row was deleted.
    """
    kind = str(model._meta.model_name)
    name = f"{kind}/{key}"
    if content is None:
        return {name: None}
    if model is not Tournament:
        return {name: _hash({"kind": kind, **content})}
    return {f"{name}/{field}": _hash({field: content.get(field)}) for field in model.proved}


def without_new_fields(row_hashes: Hashes, known: Container[str]) -> Hashes:
    """Leave out unset fields of the tournament that are not *known*: a later version added them."""
    return {
        name: value
        for name, value in row_hashes.items()
        if name in known
        or value not in {_hash({name.rpartition("/")[2]: unset}) for unset in (None, False)}
    }


def _hash(content: Content) -> str:
    return hash_of({name: _plain(value) for name, value in content.items()})[:ON_PAPER]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.isoformat() if isinstance(value, date) else value
