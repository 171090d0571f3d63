"""Removing rows with all their dependants, including journal and cash book.

The rows are found by following every foreign key, so tables added later are included, and the
database refuses to keep a row that refers to a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection, models

from tournaments.journal.append_only import triggers_off

# Databases limit the number of values in one statement.
_BATCH = 500

Rows = dict[type[models.Model], set[int]]


def with_dependants(begun: Rows) -> Rows:
    """Return the keys of *begun* and of all rows that depend on them, by model."""
    rows = {model: set(keys) for model, keys in begun.items()}
    waiting = list(rows.items())
    while waiting:
        for child, keys in _referring_rows(*waiting.pop()):
            new = keys - rows.setdefault(child, set())
            if new:
                rows[child] |= new
                waiting.append((child, new))
    return rows


def without_dependants(model: type[models.Model], keys: Iterable[int]) -> set[int]:
    """Return those of *keys* to which no row refers."""
    return {key for key in keys if next(_referring_rows(model, [key]), None) is None}


def delete(rows: Rows) -> None:
    """Delete rows in any order; the database checks at the end."""
    with triggers_off():
        for model, keys in rows.items():
            _delete(model, keys)


def _referring_rows(
    model: type[models.Model], keys: Iterable[int]
) -> Iterator[tuple[type[models.Model], set[int]]]:
    """Yield the rows that refer to one of *keys*, by model; except copies of an Ausschreibung."""
    for relation in model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ManyToOneRel) or relation.name == "copies":
            continue
        child = relation.related_model
        for some in _batches(keys):
            rows: models.QuerySet[Any] = models.QuerySet(child).filter(
                **{f"{relation.field.name}__in": some}
            )
            if pointing := set(rows.values_list("pk", flat=True)):
                yield child, pointing


def _delete(model: type[models.Model], keys: Iterable[int]) -> None:
    """Delete rows in plain SQL, because PROTECT forbids it otherwise.

    Rows that refer to them are deleted too.
    """
    with connection.cursor() as cursor:
        for some in _batches(keys):
            places = ", ".join(["%s"] * len(some))
            cursor.execute(
                f"DELETE FROM {model._meta.db_table} WHERE id IN ({places})",  # noqa: S608 - own
                some,
            )


def _batches(keys: Iterable[int]) -> Iterator[list[int]]:
    rest = sorted(keys)
    for start in range(0, len(rest), _BATCH):
        yield rest[start : start + _BATCH]
