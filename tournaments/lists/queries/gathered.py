"""What belongs to a row, gathered into it by the database: one statement, and few objects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db.models import Func, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat, JSONArray

_AND = ";"  # between numbers and values


class _Rows(Func):
    """All rows of a subquery as one JSON array, in any order."""

    function = "JSON_GROUP_ARRAY"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(
            compiler,
            connection,
            function="JSON_AGG",
            template="%(function)s(%(expressions)s)::text",
            **more,
        )


class _Joined(Func):
    """All texts of a subquery as one, with *between* between; in any order, but all alike.

    It stands in the statement: as a parameter SQLite would look it up for each text.
    """

    function = "GROUP_CONCAT"
    template = "%(function)s(%(expressions)s, '%(between)s')"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, function="STRING_AGG", **more)


def rows(found: QuerySet[Any], *values: Any) -> Subquery:
    """Return the rows of a subquery as a JSON array of arrays; nothing or an empty one if none."""
    return Subquery(found.order_by().values(rows=_Rows(JSONArray(*values))))


def numbered(found: QuerySet[Any], value: str, between: str) -> Subquery:
    """Return a column of rows that have numbers, for :func:`in_order` to read."""
    numbers = _Joined(Cast("number", TextField()), between=",")
    values = _Joined(Cast(value, TextField()), between=between)
    both = Concat(numbers, Value(_AND, TextField()), values)
    return Subquery(found.order_by().values(both=both))


def in_order(gathered: str, between: str) -> tuple[Sequence[int], str]:
    """Return the numbers, which ascend, and as one text the values in that order."""
    text, _and, values = gathered.partition(_AND)
    numbers, order = _order(text)
    if order is not None:
        parts = values.split(between)
        values = between.join([parts[at] for at in order])
    return numbers, values


@lru_cache(maxsize=1024)
def _order(text: str) -> tuple[Sequence[int], Sequence[int] | None]:
    """Return numbers as they ascend, and where each stands if they do not."""
    found = [int(number) for number in text.split(",") if number]
    order = sorted(range(len(found)), key=found.__getitem__)
    return sorted(found), None if order == list(range(len(found))) else order
