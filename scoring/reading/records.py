"""Typed data, read from JSON and written as JSON.

The types of a frozen dataclass define its JSON form; they may have bounds::

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Pack:
        decks: Annotated[int, WholeNumber(1, 4)]
        jokers: Annotated[int, WholeNumber(0, 24)] = 0

:func:`scoring.reading.validation.read` checks JSON against them with pydantic, which is
imported only where it is used, so that programs that read nothing start without it.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Self, Union, get_args, get_type_hints

from scoring.errors import Problem, ScoringError
from scoring.texts import _

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, TypeAdapter

LARGEST = 2**31 - 1  # the largest integer of a database column


# --- Bounds -----------------------------------------------------------------------------


class Bound(ABC):
    """Restricts a type in an ``Annotated``."""

    @abstractmethod
    def check(self, value: Any) -> Any:
        """Return the value, whose type was checked before.

        Raises:
            ValueError: if it is not allowed; the message is a sentence.
        """

    def __get_pydantic_core_schema__(self, form: Any, handler: GetCoreSchemaHandler) -> Any:
        """Have pydantic check the bound after the type."""
        from pydantic import AfterValidator  # noqa: PLC0415 - see above

        return AfterValidator(self.check).__get_pydantic_core_schema__(form, handler)


@dataclass(frozen=True, slots=True)
class WholeNumber(Bound):
    """A whole number within bounds."""

    minimum: int = -LARGEST
    maximum: int = LARGEST

    def check(self, value: int) -> int:
        if not self.minimum <= value <= self.maximum:
            raise ValueError(
                _("{value} geht nicht: Die Zahl muss von {minimum} bis {maximum} sein.").format(
                    value=value, minimum=self.minimum, maximum=self.maximum
                )
            )
        return value


@dataclass(frozen=True, slots=True)
class Text(Bound):
    """A text that is not blank, of one line unless *lines* allows several.

    Control characters are refused, since databases cannot store all of them; with *lines*, line
    breaks and tabs are allowed.
    """

    longest: int | None = None
    lines: bool = False
    may_be_empty: bool = False

    def check(self, value: str) -> str:
        if not value.strip():
            if self.may_be_empty:
                return ""
            raise ValueError(_("Der Text ist leer."))
        allowed = "\n\r\t" if self.lines else ""
        for character in "" if value.isprintable() else value:
            if unicodedata.category(character) == "Cc" and character not in allowed:
                raise ValueError(forbidden_character(character))
        if self.longest is not None and len(value) > self.longest:
            raise ValueError(
                _("Der Text ist länger als {longest} Zeichen.").format(longest=self.longest)
            )
        return value


def forbidden_character(character: str) -> str:
    """Return the sentence that refuses a character."""
    return _("Der Text enthält ein unerlaubtes Zeichen: U+{code}.").format(
        code=f"{ord(character):04X}"
    )


@dataclass(frozen=True, slots=True)
class NonEmpty(Bound):
    """A list with at least one entry."""

    def check(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        if not value:
            raise ValueError(_("Die Liste ist leer."))
        return value


@dataclass(frozen=True, slots=True)
class KeyedByEnum(Bound):
    """An object with an entry for each choice of an enum."""

    choices: type[StrEnum]

    def check(self, value: Mapping[StrEnum, Any]) -> Mapping[StrEnum, Any]:
        if absent := [key.value for key in self.choices if key not in value]:
            raise ScoringError(Problem(key, missing(key)) for key in absent)
        return value


def missing(key: str) -> str:
    """Return the sentence for an object without a required entry."""
    return _("Die Angabe „{key}“ fehlt.").format(key=key)


@dataclass(frozen=True, slots=True)
class BoundFunction(Bound):
    """A bound that is a function; it returns the value or raises a ValueError."""

    function: Callable[[Any], Any]

    def check(self, value: Any) -> Any:
        return self.function(value)


def check_word(word: str, known: Collection[str]) -> str:
    """Return the *word* if it is known.

    >>> check_word("red", ["red", "black"])
    'red'
    >>> check_word("green", ["red", "black"])
    Traceback (most recent call last):
    ValueError: Hier kann nur stehen: red, black.

    Raises:
        ValueError: naming the allowed words.
    """
    if word not in known:
        raise ValueError(unknown_word(known))
    return word


def unknown_word(known: Iterable[str]) -> str:
    """Return the sentence for a text that is none of the allowed ones."""
    return _("Hier kann nur stehen: {known}.").format(known=", ".join(known))


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a family of dataclasses, chosen by their ``kind``."""

    family: tuple[type[Any], ...]

    @property
    def by_kind(self) -> dict[str, type[Any]]:
        """The dataclasses of the family by their kinds."""
        return {record.kind: record for record in self.family}

    def __get_pydantic_core_schema__(self, _form: Any, handler: GetCoreSchemaHandler) -> Any:
        """Have pydantic choose the dataclass by the kind in the JSON."""
        from pydantic import Field  # noqa: PLC0415 - see above

        return handler.generate_schema(
            Annotated[Union[self.family], Field(discriminator="kind")]  # noqa: UP007 - a tuple
        )


# A million euros: far above any till, far below what a database column holds.
Cents = Annotated[int, WholeNumber(0, 100_000_000)]
Permille = Annotated[int, WholeNumber(0, 1000)]


@cache
def bounds_of(record: type, name: str) -> WholeNumber:
    """Return the bounds of the number, or of the numbers, in a field of a dataclass.

    >>> from scoring.cards import Pack
    >>> bounds_of(Pack, "decks")
    WholeNumber(minimum=1, maximum=4)
    """
    *_of_keys, bounds = _bounds_in(get_type_hints(record, include_extras=True)[name])
    return bounds


def _bounds_in(form: Any) -> Iterator[WholeNumber]:
    for part in get_args(form):
        if isinstance(part, WholeNumber):
            yield part
        else:
            yield from _bounds_in(part)


# --- Writing ----------------------------------------------------------------------------


def to_json(value: Any) -> Any:
    """Return a dataclass, or the value of a field, as dicts, lists, texts and numbers."""
    return _anything().dump_python(value, mode="json")


def json_text(value: Any) -> bytes:
    """Return the result of :func:`to_json` as JSON in UTF-8."""
    return _anything().dump_json(value)


@cache
def _anything() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415 - see above

    return TypeAdapter(Any)


# --- Checked when built -----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Record:
    """Base of dataclasses whose fields must be consistent.

    Raises:
        ScoringError: also from the constructor, naming every contradiction.
    """

    def __post_init__(self) -> None:
        if contradictions := tuple(self.contradictions()):
            raise ScoringError(contradictions)

    def contradictions(self) -> Iterable[Problem]:
        """Return the contradictions between fields that are each valid by themselves."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, numbers and texts that ``from_dict`` takes back."""
        written: dict[str, Any] = to_json(self)
        return written

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Build the record from JSON values.

        Raises:
            ScoringError: naming every problem with its place.
        """
        from scoring.reading.validation import from_json  # noqa: PLC0415 - see above

        return from_json(data, cls)
