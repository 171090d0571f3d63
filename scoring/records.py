"""Rules as data: frozen dataclasses that check their own values and travel as plain JSON.

The type of a field says what it may hold. Constructor and ``from_dict`` read it the
same way, so a record can never hold what its JSON form would be refused for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import Enum, StrEnum
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

from scoring.errors import Problem, ScoringError
from scoring.texts import _

SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds."""

    minimum: int
    maximum: int

    def read(self, value: object) -> int:
        """Return *value*; a bool is no number here although Python takes it for one."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and self.minimum <= value <= self.maximum:  # type: ignore[operator]
            return value  # type: ignore[return-value]
        raise ScoringError(
            _(
                "Hier muss eine ganze Zahl von {minimum} bis {maximum} stehen, nicht {value}."
            ).format(minimum=self.minimum, maximum=self.maximum, value=_shown(value))
        )


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; spaces around and between words are made single."""

    maximum: int

    def read(self, value: object) -> str:
        """Return the tidied text; control characters and lone surrogates are refused."""
        if isinstance(value, str):
            tidy = " ".join(value.split())
            if tidy.isprintable() and len(tidy) <= self.maximum:
                return tidy
        raise ScoringError(
            _("Hier muss eine Zeile Text mit höchstens {maximum} Zeichen stehen.").format(
                maximum=self.maximum
            )
        )


# A million euros: far above any till, far below what a database column holds.
Cents = Annotated[int, Whole(0, 100_000_000)]
Permille = Annotated[int, Whole(0, 1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Base of frozen dataclasses whose fields are numbers, texts, enums, records or tuples.

    Raises:
        ScoringError: from the constructor too, naming every field that is wrong.
    """

    kind: ClassVar[str] = ""  # tells the records of one family apart in JSON

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in _hints(type(self))}
        values, problems = _read_fields(type(self), given)
        if problems:
            raise ScoringError(problems)
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if contradictions := tuple(self.contradictions()):
            raise ScoringError(contradictions)

    def contradictions(self) -> Iterable[Problem]:
        """Name what is wrong between fields that are each in order by themselves."""
        return ()

    def to_dict(self) -> dict[str, object]:
        """Return plain dicts, lists, numbers and texts that ``from_dict`` takes back."""
        head: dict[str, object] = {"kind": self.kind} if self.kind else {}
        return head | {name: _plain(getattr(self, name)) for name in _hints(type(self))}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Build the record from what JSON holds; fields with a default may be missing.

        Raises:
            ScoringError: naming every missing, unknown or wrong value with its place.
        """
        given = _mapping(data)
        if cls.kind and given.pop("kind", None) != cls.kind:
            raise ScoringError([Problem("kind", _only_one_of([cls.kind]))])
        known = {field.name: field for field in fields(cls)}
        problems = [
            Problem("", _("Die Angabe {name} ist hier nicht bekannt.").format(name=_shown(name)))
            for name in given
            if name not in known
        ]
        problems += [
            Problem(name, _("Die Angabe „{name}“ fehlt.").format(name=name))
            for name, field in known.items()
            if name not in given and field.default is MISSING
        ]
        values, wrong = _read_fields(cls, {name: given[name] for name in known if name in given})
        if problems or wrong:
            raise ScoringError(problems + wrong)
        return cls(**values)


R = TypeVar("R", bound=Record)


def read_kind(data: object, family: Sequence[type[R]]) -> R:
    """Build whichever record of *family* the ``kind`` in *data* names.

    Raises:
        ScoringError: if there is no such kind, or as ``from_dict`` of that record does.
    """
    by_kind = {record.kind: record for record in family}
    kind = _mapping(data).get("kind")
    if not isinstance(kind, str) or kind not in by_kind:
        raise ScoringError([Problem("kind", _only_one_of(by_kind))])
    return by_kind[kind].from_dict(data)


def under(place: str, error: ScoringError) -> list[Problem]:
    """Return the problems of *error* as seen from one level up, where it lies at *place*.

    >>> under("lines", ScoringError([Problem("[3].place", "…")]))
    [Problem(where='lines[3].place', message='…')]
    """
    return [
        Problem(re.sub(r"\.(?=\[|$)", "", f"{place}.{problem.where}"), problem.message)
        for problem in error.problems
    ]


_HINTS: dict[type[Record], dict[str, Any]] = {}  # a plan has hundreds of equal records


def _hints(record: type[Record]) -> dict[str, Any]:
    if record not in _HINTS:
        hints = get_type_hints(record, include_extras=True)
        _HINTS[record] = {field.name: hints[field.name] for field in fields(record)}
    return _HINTS[record]


def _read_fields(
    record: type[Record], given: Mapping[str, object]
) -> tuple[dict[str, Any], list[Problem]]:
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in given.items():
        try:
            values[name] = _read(_hints(record)[name], value)
        except ScoringError as error:
            problems += under(name, error)
    return values, problems


def _read(hint: Any, value: object) -> Any:
    """Return *value* as the type *hint* asks for, from Python or from JSON."""
    origin = get_origin(hint)
    if origin is Annotated:
        return hint.__metadata__[0].read(value)
    if origin is tuple:
        return _read_list(get_args(hint)[0], value)
    if origin is not None:  # what is left is "… | None"
        return None if value is None else _read(get_args(hint)[0], value)
    if issubclass(hint, Record):
        return value if isinstance(value, hint) else hint.from_dict(value)
    if issubclass(hint, StrEnum):
        return _read_choice(hint, value)
    if isinstance(value, bool):
        return value
    raise ScoringError(
        _("Hier muss true oder false stehen, nicht {value}.").format(value=_shown(value))
    )


def _read_list(hint: Any, value: object) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise ScoringError(
            _("Hier muss eine Liste stehen, nicht {value}.").format(value=_shown(value))
        )
    entries: list[Any] = []
    problems: list[Problem] = []
    for position, entry in enumerate(value):
        try:
            entries.append(_read(hint, entry))
        except ScoringError as error:
            problems += under(f"[{position}]", error)
    if problems:
        raise ScoringError(problems)
    return tuple(entries)


def _read_choice(choices: type[StrEnum], value: object) -> StrEnum:
    # A list or a dict cannot be looked up; only a text can be one of the choices.
    if isinstance(value, str) and value in [choice.value for choice in choices]:
        return choices(value)
    raise ScoringError(_only_one_of([choice.value for choice in choices]))


def _only_one_of(choices: Iterable[str]) -> str:
    quoted = ", ".join(f"„{choice}“" for choice in choices)
    return _("Hier darf nur stehen: {choices}.").format(choices=quoted)


def _mapping(data: object) -> dict[Any, Any]:
    if not isinstance(data, Mapping):
        raise ScoringError(
            _("Hier muss ein Objekt mit benannten Angaben stehen, nicht {value}.").format(
                value=_shown(data)
            )
        )
    return dict(data)


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value.value if isinstance(value, Enum) else value


def _shown(value: object) -> str:
    """Return *value* as a sentence can quote it: short, and nothing that goes deep."""
    if isinstance(value, (list, tuple)):
        return _("eine Liste")
    if isinstance(value, Mapping):
        return _("ein Objekt")
    text = str(value)
    return f"„{text[:SHOWN_LENGTH]}…“" if len(text) > SHOWN_LENGTH else f"„{text}“"
