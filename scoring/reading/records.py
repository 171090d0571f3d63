"""Data with a type, read from JSON and written as JSON.

The types of a frozen dataclass say what may stand in its JSON form; bounds go with them::

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Pack:
        decks: Annotated[int, Whole(1, 4)]
        jokers: Annotated[int, Whole(0, 24)] = 0

:func:`read` finds everything that is wrong, each thing with its place, and never guesses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from enum import Enum, StrEnum
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Protocol,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from scoring.errors import Problem, ScoringError
from scoring.reading.strict_json import Node
from scoring.texts import _

T = TypeVar("T")


LATER: Mapping[str, bool] = {"later": True}
"""Marks a field that came when there were files without it: unless it was changed it is not
written, so that what was written before is written again as it was."""

Reader = Callable[[Node], Any]
"""Returns what stands at a node, or notes there what is wrong with it."""


class Bound(Protocol):
    """Says in an ``Annotated`` what of a type is allowed."""

    def reader(self, form: Any) -> Reader:
        """Return what reads a value of the type *form* within the bound."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds."""

    minimum: int
    maximum: int

    def reader(self, _form: Any) -> Reader:
        return lambda node: node.whole_number(minimum=self.minimum, maximum=self.maximum)

    def keys(self) -> dict[str, int]:
        """Return every number by the key that an object has for it."""
        return {str(number): number for number in range(self.minimum, self.maximum + 1)}


@dataclass(frozen=True, slots=True)
class Text:
    """A text, of one line unless *lines* may be several."""

    longest: int | None = None
    lines: bool = False
    may_be_empty: bool = False

    def reader(self, _form: Any) -> Reader:
        return lambda node: node.text(
            longest=self.longest, lines=self.lines, may_be_empty=self.may_be_empty
        )


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """A list with at least one entry."""

    def reader(self, form: Any) -> Reader:
        inner = reader(form)

        def read_entries(node: Node) -> Any:
            if node.value == []:
                node.refuse(_("Die Liste ist leer."))
            return inner(node)

        return read_entries


@dataclass(frozen=True, slots=True)
class Pair:
    """A list of two numbers, written as ``tuple[int, int]``."""

    def reader(self, form: Any) -> Reader:
        first, second = map(reader, get_args(form))

        def read_pair(node: Node) -> tuple[Any, Any] | None:
            entries = node.items() or ()
            if len(entries) == 2:
                return first(entries[0]), second(entries[1])
            if isinstance(node.value, list):
                node.refuse(_("Hier müssen zwei Zahlen stehen."))
            return None

        return read_pair


@dataclass(frozen=True, slots=True)
class By:
    """What a function reads."""

    read: Reader

    def reader(self, _form: Any) -> Reader:
        return self.read


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a family of dataclasses that their ``kind`` tells apart."""

    family: tuple[type[Any], ...]

    def reader(self, _form: Any) -> Reader:
        return lambda node: read_kind(node, self.family)


# A million euros: far above any till, far below what a database column holds.
Cents = Annotated[int, Whole(0, 100_000_000)]
Permille = Annotated[int, Whole(0, 1000)]


# --- Reading ----------------------------------------------------------------------------


def read(node: Node, record: type[T]) -> T | None:
    """Return the dataclass at *node*; None if something is wrong, which is noted there.

    A field with a preset may be left out. A dataclass with a ``kind`` has it in its JSON.
    """
    if isinstance(node.value, record):
        return node.value
    known = len(node.problems)
    values = read_fields(node, record)
    if len(node.problems) > known:
        return None
    try:
        return record(**values)
    except ScoringError as refusal:
        node.take_over(refusal)
        return None


def read_fields(node: Node, record: type) -> dict[str, Any]:
    """Return what of a dataclass could be read at *node*, by the names of its fields.

    What is wrong is noted and None here: the rest can still be held against each other.
    """
    readers, required, optional = _fields(record)
    given = node.fields(required=required, optional=optional)
    values = {name: readers[name](child) for name, child in given.items()}
    values.pop("kind", None)
    return values


def read_kind(node: Node, family: Sequence[type[T]]) -> T | None:
    """Return whichever dataclass of *family* the ``kind`` at *node* names; None as ``read``."""
    if not isinstance(node.value, dict):
        node.fields(required=())
        return None
    by_kind: dict[str, type[T]] = {_kind(record): record for record in family}
    kind = node.field("kind").one_of(by_kind)
    return None if kind is None else read(node, by_kind[kind])


def from_json(data: object, *family: type[T]) -> T:
    """Return the dataclass, or whichever of a family, that :func:`to_json` wrote.

    Raises:
        ScoringError: naming everything that is wrong with its place.
    """
    node = Node(data, "", [])
    record = read_kind(node, family) if len(family) > 1 else read(node, family[0])
    if record is None:
        raise ScoringError(node.problems)
    return record


def _kind(record: object) -> str:
    return getattr(record, "kind", "")


@cache
def _fields(record: Any) -> tuple[dict[str, Reader], tuple[str, ...], tuple[str, ...]]:
    """Return how the fields of a dataclass are read, and which are required and optional."""
    hints = get_type_hints(record, include_extras=True)
    readers = {field.name: reader(hints[field.name]) for field in fields(record)}
    required = [field.name for field in fields(record) if field.default is MISSING]
    if kind := _kind(record):
        readers["kind"] = lambda node: node.one_of([kind])
        required.insert(0, "kind")
    return readers, tuple(required), tuple(name for name in readers if name not in required)


@cache
def reader(form: Any) -> Reader:
    """Return what reads a value of the type *form*."""
    origin, parts = get_origin(form), get_args(form)
    if origin is None:
        return _plain_reader(form)
    if origin is Annotated:
        bound: Bound = parts[1]
        return bound.reader(parts[0])
    if origin is dict:
        return Node.any_object
    if origin is Mapping:
        return _mapping_reader(*parts)
    inner = reader(parts[0])
    if origin is tuple:
        return lambda node: tuple(inner(entry) for entry in node.items() or ())
    return lambda node: None if node.is_null else inner(node)  # what is left is "… | None"


_PLAIN: Mapping[type, Reader] = {
    bool: Node.boolean,
    int: Node.whole_number,
    str: Node.text,
    date: Node.day,
    Node: lambda node: node,  # read by somebody else
}


def _plain_reader(form: type) -> Reader:
    if form in _PLAIN:
        return _PLAIN[form]
    if issubclass(form, Enum):
        choices = {choice.value: choice for choice in form}
        return lambda node: choices.get(node.one_of(choices) or "")
    return lambda node: read(node, form)


def _mapping_reader(key: Any, form: Any) -> Reader:
    """Return what reads an object by key: each choice of an enum, or numbers within bounds."""
    is_number = get_origin(key) is Annotated
    keys = get_args(key)[1].keys() if is_number else {choice.value: choice for choice in key}
    inner = reader(form)

    def read_mapping(node: Node) -> dict[Any, Any]:
        given = node.fields(required=() if is_number else keys, optional=keys if is_number else ())
        return {keys[name]: inner(child) for name, child in given.items()}

    return read_mapping


# --- Writing ----------------------------------------------------------------------------


def to_json(value: Any) -> Any:
    """Return a dataclass, or what its fields can hold, as dicts, lists, texts and numbers.

    Keys are in an order of their own, so that equal values make the same file.
    """
    if type(value) in _AS_IT_IS:
        return value
    if is_dataclass(value):
        return {name: to_json(entry) for name, entry in _entries(value).items()}
    if isinstance(value, Mapping):
        return {str(key): to_json(value[key]) for key in sorted(value, key=_place)}
    if isinstance(value, tuple):
        return [to_json(entry) for entry in value]
    if isinstance(value, date):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


_AS_IT_IS = frozenset({str, int, bool, float, type(None)})


@cache
def _written(record: Any) -> tuple[dict[str, str], list[str], dict[str, Any]]:
    """Return the kind of a dataclass, the names of its fields, and presets that are left out."""
    kind = _kind(record)
    left_out = {one.name: one.default for one in fields(record) if one.metadata.get("later")}
    return {"kind": kind} if kind else {}, [one.name for one in fields(record)], left_out


def json_text(value: Any) -> str:
    """Return what :func:`to_json` returns as text, written at once; mappings keep their order."""
    return _WRITER.encode(value)


def _one_step(value: Any) -> Any:
    return _entries(value) if is_dataclass(value) else to_json(value)


_WRITER = json.JSONEncoder(default=_one_step)


def _entries(record: Any) -> dict[str, Any]:
    """Return what is written of a dataclass, each entry as it is."""
    its_type: Any = type(record)
    kind, names, left_out = _written(its_type)
    written = kind | {name: getattr(record, name) for name in names}
    for name, preset in left_out.items():
        if written[name] == preset:
            del written[name]
    return written


def _place(key: StrEnum | int) -> int:
    return list(type(key)).index(key) if isinstance(key, StrEnum) else key


# --- Checked when built -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Base of dataclasses that cannot be built with what their JSON would be refused for.

    Raises:
        ScoringError: from the constructor too, naming every field that is wrong.
    """

    kind: ClassVar[str] = ""  # tells the records of one family apart in JSON

    def __post_init__(self) -> None:
        readers, *_names = _fields(type(self))  # type: ignore[arg-type] # it has a hash
        problems: list[Problem] = []
        for field in fields(self):
            node = Node(getattr(self, field.name), field.name, problems)
            object.__setattr__(self, field.name, readers[field.name](node))
        if problems:
            raise ScoringError(problems)
        if contradictions := tuple(self.contradictions()):
            raise ScoringError(contradictions)

    def contradictions(self) -> Iterable[Problem]:
        """Name what is wrong between fields that are each in order by themselves."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, numbers and texts that ``from_dict`` takes back."""
        written: dict[str, Any] = to_json(self)
        return written

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Build the record from what JSON holds; see :func:`from_json`."""
        return from_json(data, cls)
