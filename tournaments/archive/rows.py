"""Sections of an archive: rows of one model as JSON objects and back.

A section defines its rows, their order and the fields that are written; the rest is defined by
the model. A reference is written as the position of the row in its own section, counted from 1,
because keys of the database mean nothing elsewhere. Times are written in UTC with microseconds,
the precision of both databases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from datetime import UTC, date, datetime
from functools import cached_property, partial
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.db import models

from scoring.reading.records import BoundFunction
from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.archive.json_references import Row, Shape, Translate, translated
from tournaments.models import Tournament

Places = Mapping[type[models.Model], Mapping[int, int]]
"""The position of each row by its key."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ArchiveSection:
    """The selection, order and fields of the rows of one model."""

    name: str  # of the section in the file; "" if the required part has all of it
    model: type[models.Model]
    find: Callable[[Tournament], models.QuerySet[Any]]
    required: Collection[str] = ()  # fields that are in the required part of the file
    left_out: Collection[str] = ()  # fields that are not in the file
    inside: Mapping[str, Shape] = field(default_factory=dict)  # JSON fields that contain keys
    fresh: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # generated on import
    # Fields added later, with the value that applies to files of earlier versions without them.
    sparse: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def fields(self) -> list[Any]:
        """The fields of its rows in the file, in the order of the model."""
        elsewhere = {*self.required, *self.left_out, self.owner}
        return [column for column in self._of_model if column.name not in elsewhere]

    @cached_property
    def form(self) -> Any:
        """The type of the rows in a file."""
        columns = []
        for model_field in self.fields:
            column = field()
            if model_field.name in self.sparse:
                column = field(default_factory=partial(self.sparse.get, model_field.name))
            columns.append((model_field.name, _field_type(model_field), column))
        row: Any = make_dataclass(self.name, columns, kw_only=True)
        return tuple[row, ...]

    @cached_property
    def owner(self) -> str:
        """The field that refers to the tournament of a row; "" if there is none."""
        own = (column.name for column in self._of_model if column.related_model is Tournament)
        return next((name for name in own if name not in self.left_out), "")

    @property
    def _of_model(self) -> list[Any]:
        """Return all fields except the key and reverse relations."""
        return [column for column in self.model._meta.get_fields() if not column.auto_created]


# --- Writing ----------------------------------------------------------------------------


def dump_row(section: ArchiveSection, row: models.Model, translate: Translate) -> Row:
    """Return a row as a JSON object."""
    written: Row = {}
    for column in section.fields:
        if column.many_to_many:
            related_rows = getattr(row, column.name).all()  # prefetched
            places = (translate(column.related_model, related.pk) for related in related_rows)
            positions = sorted(filter(None, places))
            if column.name not in section.sparse or positions != section.sparse[column.name]:
                written[column.name] = positions
            continue
        value = column.value_from_object(row)
        if column.name in section.sparse and value == section.sparse[column.name]:
            continue
        if column.related_model:
            value = translate(column.related_model, value)
        elif column.name in section.inside:
            value = translated(value, section.inside[column.name], translate, written)
        written[column.name] = _plain(value)
    return written


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    return in_order(value)


def in_order(value: Any) -> Any:
    """Return a JSON value with the names in its objects sorted.

    PostgreSQL keeps no order of names, and the file must be the same from both databases.
    """
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [in_order(element) for element in value]
    return value


# --- Reading ----------------------------------------------------------------------------


def _field_type(column: Any) -> Any:
    """Return the type that a field of a model has in the file."""
    form: Any = Annotated[str, BoundFunction(_cleaned_by(column))]
    if column.many_to_many:
        return tuple[int, ...]
    if column.related_model:
        form = int  # a position
    elif isinstance(column, models.BooleanField):
        form = bool
    elif isinstance(column, models.JSONField):
        form = Any if column.null else Annotated[Any, BoundFunction(_required_json(column))]
    elif isinstance(column, models.DateTimeField):
        form = Annotated[str, BoundFunction(time_of)]
    elif isinstance(column, models.IntegerField):
        form = Annotated[int, BoundFunction(_cleaned_by(column))]
    return form | None if column.null else form


def _cleaned_by(column: models.Field[Any, Any]) -> Callable[[Any], Any]:
    def clean(value: Any) -> Any:
        try:
            return value if value == "" and column.blank else column.clean(value, None)
        except ValidationError as refusal:
            raise ValueError(" ".join(refusal.messages)) from None

    return clean


def _required_json(column: models.JSONField[Any, Any]) -> Callable[[Any], Any]:
    def given(value: Any) -> Any:
        if value is None:
            raise ValueError(_("Diese Angabe fehlt."))
        try:
            column.run_validators(value)
        except ValidationError as refusal:
            raise ValueError(" ".join(refusal.messages)) from None
        return value

    return given


def time_of(text: str) -> datetime:
    """Return a time with its offset.

    Raises:
        ValueError: if the text is not a time with an offset.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None:
        raise ValueError(
            _("Hier muss ein Zeitpunkt mit Zeitzone stehen (2026-10-03T14:00:00+02:00).")
        )
    return parsed


def check_positions(
    section: ArchiveSection,
    node: Node,
    rows: Sequence[Row],
    row_counts: Mapping[type[models.Model], int],
) -> None:
    """Refuse references to missing rows; *row_counts* has the number of rows of each model."""
    row_counts = dict(row_counts)

    def check(model: type[models.Model], place: int | None) -> int | None:
        if place is not None and not 1 <= place <= row_counts.get(model, 0):
            raise LookupError
        return place

    for index, row in enumerate(rows):
        # A row may refer only to earlier rows of its own model, whose keys are known by then.
        row_counts[section.model] = index
        for name in row:
            try:
                with_keys(section, name, row, check)
            except (AttributeError, LookupError, TypeError, ValueError):
                node.entry(index).field(name).refuse(
                    _("„{name}“ verweist auf etwas, das nicht in der Datei steht.").format(
                        name=name
                    )
                )


def with_keys(section: ArchiveSection, name: str, row: Row, translate: Translate) -> Any:
    """Return the value of a field with keys in place of positions."""
    column: Any = section.model._meta.get_field(name)
    value = row[name]
    if column.many_to_many:
        return [translate(column.related_model, place) for place in value]
    if column.related_model:
        return translate(column.related_model, value)
    if name in section.inside:
        return translated(value, section.inside[name], translate, row)
    return value
