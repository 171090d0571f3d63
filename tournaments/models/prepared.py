"""Statements whose SQL Django builds once, for what hundreds of tables do in the same second.

For one row Django takes several times as long to build the SQL as the database to answer it. Here
a query is written as everywhere, built when it is first asked, and asked again with other values.
PostgreSQL in turn takes several times as long to plan it as to answer, and keeps the plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from inspect import signature
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import JSONField, Model, QuerySet, Value
from django.db.models.base import ModelState
from django.db.models.constants import OnConflict
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import InsertQuery

_PLACES = re.compile(r" VALUES \(([^()]+)\) ")  # of an insertion of one row

ROWS_AT_ONCE = 100

# What is built asks through ``connection``, which is that of whatever thread asks.

Row = TypeVar("Row")
_AS_IT_IS = frozenset({str, int, bool, type(None)})  # what databases take, but for JSON


class _Place:
    """Stands in the parameters of a statement for a value that is given when it is asked."""

    def __init__(self, at: int) -> None:
        self.at = at


class _OnSQLite(SQLiteCursorWrapper):
    """Puts the places of SQLite into a statement once, and not whenever it is asked."""

    known: ClassVar[dict[str, str]] = {}

    def convert_query(self, query: str, **names: Any) -> str:
        if query not in self.known:
            self.known[query] = super().convert_query(query, **names)
        return self.known[query]


def cursor(*, as_they_come: bool = False) -> CursorWrapper:
    """Return a cursor for statements that never change, with their values as a list.

    PostgreSQL plans each once for each connection. Its usual cursor, and so ``here.cursor()``,
    puts the values into the text, so each would be another one. With *as_they_come* rows are
    read by going through the cursor, to the end, while PostgreSQL makes the next.
    """
    here: Any = connections[DEFAULT_DB_ALIAS]
    here.close_if_health_check_failed()
    here.ensure_connection()
    made: CursorWrapper
    if here.vendor == "sqlite":
        made = here._prepare_cursor(here.connection.cursor(factory=_OnSQLite))  # noqa: SLF001
        return made
    asked = _streaming()(here.connection) if as_they_come else here.kept
    made = here._prepare_cursor(asked)  # noqa: SLF001
    return made


@cache
def _streaming() -> Any:
    from psycopg import Cursor  # noqa: PLC0415 - SQLite has no use for it

    class Streaming(Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **_how: Any) -> Streaming:
            self.coming = self.stream(query, params, size=ROWS_AT_ONCE)
            return self

        def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
            return self.coming

    return Streaming


class Prepared(Generic[Row]):
    """A query that was built once; its rows are those of the QuerySet it was made from.

    Args:
        build: returns the QuerySet; its arguments stand for whole numbers and texts, and go into
            it as they are: ``lambda key: Game.objects.filter(spielliste_id=key)``.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self.build = build

    def rows(self, *values: int | str, after: Writes | None = None) -> list[Row]:
        """Return what it finds with these values, *after* some writes of other rows."""
        sql, places, read = self._built
        given = [values[one.at] if isinstance(one, _Place) else one for one in places]
        if after:
            sql, given = after.before(sql, given)
        with cursor() as asked:
            asked.execute(sql, given)
            return list(read(asked.fetchall()))

    def as_they_come(self, *values: int | str) -> Iterator[Row]:
        """Yield many rows while the database still makes others; ask nothing else meanwhile."""
        sql, places, read = self._built
        given = [values[one.at] if isinstance(one, _Place) else one for one in places]
        with cursor(as_they_come=True) as asked:
            asked.execute(sql, given)
            yield from read(asked)

    def first(self, *values: int | str, after: Writes | None = None) -> Row | None:
        """Return the first row with these values, or None."""
        found = self.rows(*values, after=after)
        return found[0] if found else None

    @cached_property
    def _built(self) -> tuple[str, Sequence[Any], Callable[[Iterable[Any]], Iterable[Any]]]:
        places = [Value(_Place(at)) for at in range(len(signature(self.build).parameters))]
        found = self.build(*places)
        compiler = found.query.get_compiler(connection=connection)
        sql, given = compiler.as_sql()
        converters = compiler.get_converters([one for one, *_sql in compiler.select])

        def converted(rows: Iterable[Any]) -> Iterable[Any]:
            return compiler.apply_converters(rows, converters) if converters else rows

        if not issubclass(found._iterable_class, ModelIterable):  # noqa: SLF001 - values_list
            return sql, given, lambda rows: map(tuple, converted(rows))
        columns = compiler.klass_info["select_fields"]
        model, start, end = found.model, columns[0], columns[-1] + 1
        names = [one.target.attname for one, *_sql in compiler.select[start:end]]
        made = _Made(model)
        related = get_related_populators(  # type: ignore[call-arg] # of a later Django
            compiler.klass_info, compiler.select, connection.alias
        )
        _make_at_once(related)
        annotated = compiler.annotation_col_map or {}

        def instances(rows: Iterable[Any]) -> Iterable[Model]:
            for row in converted(rows):
                one = made.from_db(connection.alias, names, row[start:end])
                for populator in related:
                    populator.populate(row, one)
                for name, column in annotated.items():
                    setattr(one, name, row[column])
                yield one

        return sql, given, instances


class _Made:
    """Stands for a model whose rows become instances; their fields are set at once."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model

    def from_db(self, alias: str, names: Iterable[str], values: Iterable[Any]) -> Model:
        """Return what ``Model.from_db`` returns, without asking each field for its default."""
        one = self.model.__new__(self.model)
        one.__dict__.update(zip(names, values, strict=True))
        one._state = ModelState()  # noqa: SLF001 - as ``Model.from_db`` sets it
        one._state.adding, one._state.db = False, alias  # noqa: SLF001
        return one


def _make_at_once(related: Iterable[Any]) -> None:
    for populator in related:
        populator.model_cls = _Made(populator.model_cls)
        _make_at_once(populator.related_populators)


class Writes:
    """Writes that PostgreSQL is told with the statement after them: one way there and back.

    SQLite has no such way, and carries out each at once. The statement after them must not look
    for what they write, and rows to be changed have to be locked: nobody looks how many were.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[str, list[Any]]] = []

    def insert(self, row: Model) -> None:
        """Store a new row, as ``row.save(force_insert=True)`` does; its key is not learnt."""
        sql, fields = _insertion(type(row), None)
        self._write(sql, _given(row, fields, add=True))

    def update(self, row: Model, *names: str) -> None:
        """Store these fields of a row, as ``row.save(update_fields=names)`` does."""
        sql, fields = _change(type(row), names)
        self._write(sql, [*_given(row, fields, add=False), row.pk])

    def _write(self, sql: str, given: list[Any]) -> None:
        self._waiting.append((sql, given))
        if connection.vendor == "sqlite":
            self.carry_out()

    def carry_out(self) -> None:
        """Do what waits, where no statement follows."""
        if self._waiting:
            sql, given = self.before(*self._waiting.pop())
            with cursor() as asked:
                asked.execute(sql, given)

    def before(self, sql: str, given: list[Any]) -> tuple[str, list[Any]]:
        """Return a statement that also does what waits, and its values."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return sql, given
        names = ", ".join(f"write_{at} AS ({one})" for at, (one, _given) in enumerate(waiting))
        return f"WITH {names} {sql}", [*chain(*(values for _sql, values in waiting)), *given]


def _given(row: Model, fields: Sequence[Any], *, add: bool) -> list[Any]:
    here = connections[DEFAULT_DB_ALIAS]
    given = [one.pre_save(row, add) for one in fields]
    for at, value in enumerate(given):
        if type(value) not in _AS_IT_IS or isinstance(fields[at], JSONField):
            given[at] = fields[at].get_db_prep_save(value, here)
    return given


def insert_new(row: Model, *, under: tuple[str, list[Any]] | None = None) -> bool:
    """Store a new row, and give it its key, unless its constraints say that it is there.

    *under* is a statement with its values that locks one row first, on the same way.
    """
    sql, fields = _insertion(type(row), OnConflict.IGNORE)
    given = _given(row, fields, add=True)
    if under is not None:
        head, places, tail = _PLACES.split(sql)
        head = f"WITH locked AS ({under[0]}) {head}"
        sql = f"{head} SELECT {places} FROM locked {tail}"  # noqa: S608 - own statements
        given = [*under[1], *given]
    with cursor() as asked:
        asked.execute(sql, given)
        key = asked.fetchone()
    if key is None:
        return False
    row.pk = key[0]
    row._state.adding = False  # noqa: SLF001 - as its documentation says for such rows
    return True


@cache
def _insertion(model: type[Model], on_conflict: OnConflict | None) -> tuple[str, Sequence[Any]]:
    fields = [one for one in model._meta.local_concrete_fields if not one.primary_key]
    query = InsertQuery(model, on_conflict=on_conflict)
    query.insert_values(fields, [model()])
    compiler = query.get_compiler(connection=connection)
    compiler.returning_fields = [model._meta.pk]
    [(sql, _none)] = compiler.as_sql()
    return sql, fields


@cache
def _change(model: type[Model], names: tuple[str, ...]) -> tuple[str, Sequence[Any]]:
    quote, meta = connection.ops.quote_name, model._meta
    fields: list[Any] = [meta.get_field(name) for name in names]
    values = ", ".join(f"{quote(one.column)} = %s" for one in fields)
    key = quote(str(meta.pk.column))
    sql = f"UPDATE {quote(meta.db_table)} SET {values} WHERE {key} = %s"  # noqa: S608 - own names
    return sql, fields
