"""Rows of the database as JSON objects and back, one kind of row at a time.

What a row points to is written as the position of that row in its own section, counted
from 1: keys of the database mean nothing elsewhere. Times are written in UTC with
microseconds, which is what both databases keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.fields import Field

from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.models import Tournament

Row = dict[str, Any]
BATCH = 500


class Positions:
    """Where each row stands in its section, and which row stands there."""

    def __init__(self) -> None:
        self._places: dict[type[models.Model], dict[int, int]] = {}
        self._keys: dict[type[models.Model], list[int]] = {}

    def put(self, model: type[models.Model], keys: Iterable[int]) -> None:
        """Note the keys of the rows of *model* in the order of their section."""
        ordered = list(keys)
        self._keys[model] = ordered
        self._places[model] = {key: place for place, key in enumerate(ordered, start=1)}

    def add(self, model: type[models.Model], key: int) -> None:
        """Note one more row of *model*."""
        self._keys[model].append(key)
        self._places[model][key] = len(self._keys[model])

    def place(self, model: type[models.Model], key: int | None) -> int | None:
        """Return the position of a row; a row of another tournament has none."""
        return None if key is None else self._places[model].get(key)

    def places(self, model: type[models.Model]) -> Mapping[int, int]:
        """Return the position of each row by its key."""
        return self._places[model]

    def key(self, model: type[models.Model], place: object) -> int:
        """Return the key of the row at a position.

        Raises:
            LookupError: if there is none.
        """
        keys = self._keys.get(model, [])
        if not isinstance(place, int) or isinstance(place, bool) or not 1 <= place <= len(keys):
            raise LookupError
        return keys[place - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointers:
    """How keys inside a JSON value become positions, and positions keys."""

    out: Callable[[Any, Positions, models.Model], Any]
    back: Callable[[Any, Positions, Mapping[str, Any]], Any]  # with the whole JSON object


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One kind of rows: which, in which order, and what of them is written."""

    name: str  # of the section in the file
    model: type[models.Model]
    find: Callable[[Tournament], models.QuerySet[Any]]
    left_out: frozenset[str] = frozenset()  # secrets, and what stands elsewhere in the file
    inside: Mapping[str, Pointers] = field(default_factory=dict)  # JSON fields with keys in them
    fresh: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # made anew on import
    # Fields that came later, with what is meant where they are left out, as earlier versions did.
    sparse: Mapping[str, Any] = field(default_factory=dict)

    def fields(self) -> list[Field[Any, Any]]:
        """Return the fields that are written, in the order of the model."""
        return [
            each
            for each in self.model._meta.concrete_fields
            if not each.primary_key
            and each.name not in self.left_out
            and each.related_model is not Tournament
        ]

    def many(self) -> list[models.ManyToManyField[Any, Any]]:
        """Return the fields that point to any number of rows."""
        return [
            each for each in self.model._meta.local_many_to_many if each.name not in self.left_out
        ]

    def points_to_its_own(self, value: object) -> bool:
        """Whether a JSON object may point to a row of the same section."""
        own = [each.name for each in self.fields() if each.related_model is self.model]
        return bool(self.inside) or (
            isinstance(value, Mapping) and any(value.get(name) is not None for name in own)
        )

    def tournament_field(self) -> str | None:
        """Return the name of the field that says to which tournament a row belongs."""
        for each in self.model._meta.concrete_fields:
            if each.related_model is Tournament and each.name not in self.left_out:
                return each.name
        return None


def dump_row(section: Section, row: models.Model, positions: Positions) -> Row:
    """Return a row as a JSON object."""
    written: Row = {}
    for each in section.fields():
        value = each.value_from_object(row)
        if each.name in section.sparse and value == section.sparse[each.name]:
            continue
        if isinstance(each.related_model, type):
            written[each.name] = positions.place(each.related_model, value)
        elif each.name in section.inside:
            written[each.name] = in_order(section.inside[each.name].out(value, positions, row))
        else:
            written[each.name] = _plain(value)
    for many in section.many():
        target: Any = many.related_model
        there = getattr(row, many.name).all()  # prefetched
        written[many.name] = sorted(
            filter(None, (positions.place(target, one.pk) for one in there))
        )
    return written


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    return in_order(value)


def in_order(value: Any) -> Any:
    """Return a JSON value with the keys of its objects sorted.

    PostgreSQL keeps no order of keys, and the file must be the same from both databases.
    """
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [in_order(each) for each in value]
    return value


@dataclass(slots=True, kw_only=True)
class Loaded:
    """What a JSON object says about a row: values by field, and rows it points to."""

    values: dict[str, Any] = field(default_factory=dict)
    many: dict[str, list[int]] = field(default_factory=dict)


def load_row(section: Section, node: Node, positions: Positions) -> Loaded:
    """Return the values of a row; what is wrong with them is noted at the node.

    Every field but a sparse one has to be there: a row is written whole or not at all.
    """
    fields, many = section.fields(), section.many()
    names = [each.name for each in (*fields, *many)]
    given = node.fields(
        required=[name for name in names if name not in section.sparse],
        optional=[*section.sparse],
    )
    loaded = Loaded()
    for each in fields:
        if each.name in given:
            if each.name in section.inside:
                _load_pointers(section, each.name, node, positions, loaded)
            else:
                _load_value(each, given[each.name], positions, loaded)
        elif each.name in section.sparse:
            loaded.values[each.name] = section.sparse[each.name]
    for each_many in many:
        target: Any = each_many.related_model
        places = given[each_many.name].items() if each_many.name in given else None
        loaded.many[each_many.name] = [
            key for place in places or [] if (key := _key(target, place, positions)) is not None
        ]
    for name, make in section.fresh.items():
        loaded.values[name] = make()
    return loaded


def _load_pointers(
    section: Section, name: str, node: Node, positions: Positions, loaded: Loaded
) -> None:
    given: Any = node.value
    try:
        loaded.values[name] = section.inside[name].back(given[name], positions, given)
    except (AttributeError, LookupError, TypeError, ValueError):
        node.refuse(
            _("„{name}“ verweist auf etwas, das nicht in der Datei steht.").format(name=name)
        )


def _load_value(field_: Field[Any, Any], node: Node, positions: Positions, loaded: Loaded) -> None:
    value = node.value
    if isinstance(field_.related_model, type):
        if value is not None:
            loaded.values[field_.attname] = _key(field_.related_model, node, positions)
        return
    if value is None and not field_.null:
        node.refuse(_("Diese Angabe fehlt."))
        return
    if isinstance(field_, models.BooleanField):
        loaded.values[field_.name] = node.boolean()
    elif isinstance(field_, models.IntegerField) and value is not None:
        loaded.values[field_.name] = _cleaned(field_, node, node.whole_number())
    elif isinstance(field_, models.DateTimeField) and value is not None:
        loaded.values[field_.name] = _time(node)
    elif isinstance(field_, models.JSONField) or value is None:
        loaded.values[field_.name] = value
    elif isinstance(value, str):
        loaded.values[field_.name] = _cleaned(field_, node, value)
    else:
        node.refuse(_("Hier muss ein Text in Anführungszeichen stehen."))


def _key(model: type[models.Model], node: Node, positions: Positions) -> int | None:
    try:
        return positions.key(model, node.value)
    except LookupError:
        node.refuse(
            _(
                "Diese Angabe verweist auf einen Eintrag „{kind}“, den es in der Datei nicht gibt."
            ).format(kind=model._meta.verbose_name)
        )
        return None


def _time(node: Node) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(node.value))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        node.refuse(_("Hier muss ein Zeitpunkt mit Zeitzone stehen (2026-10-03T14:00:00+02:00)."))
        return None
    return found


def _cleaned(field_: Field[Any, Any], node: Node, value: Any) -> Any:
    if value is None or (value == "" and field_.blank):
        return value
    try:
        return field_.clean(value, None)
    except ValidationError as refusal:
        node.refuse(" ".join(refusal.messages))
        return None


def store(section: Section, loaded: Loaded, **known: Any) -> int:
    """Write a row as it was loaded and as is *known* from elsewhere; return its key."""
    return store_all(section, [(loaded, known)])[0]


def store_all(section: Section, rows: Sequence[tuple[Loaded, Row]]) -> list[int]:
    """Write many rows with few statements, and return their keys in the same order."""
    made = [section.model(**{**loaded.values, **known}) for loaded, known in rows]
    models.QuerySet[models.Model](section.model).bulk_create(made, batch_size=BATCH)
    for many in section.many():
        through: Any = many.remote_field.through
        own, other = many.m2m_field_name(), many.m2m_reverse_field_name()
        through.objects.bulk_create(
            [
                through(**{f"{own}_id": row.pk, f"{other}_id": key})
                for row, (loaded, _known) in zip(made, rows, strict=True)
                for key in loaded.many.get(many.name, ())
            ],
            batch_size=BATCH,
        )
    return [row.pk for row in made]
