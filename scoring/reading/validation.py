"""Reading JSON into frozen dataclasses with pydantic: every problem with its place.

The types of the fields define the valid values, see :mod:`scoring.reading.records`. Nothing is
guessed: types are strict (``true`` and ``12.0`` are not whole numbers), and unknown keys are
refused, because they are mistakes that would otherwise go unnoticed::

    node = parse(data)
    pack = read(node.field("pack"), Pack)
    node.raise_problems()
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin
from typing import get_type_hints as type_hints

from scoring.errors import ScoringError
from scoring.reading.records import OneOf, WholeNumber, missing, unknown_word
from scoring.reading.strict_json import TOO_LONG, Node, too_deep, type_problem
from scoring.texts import _

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
Error = Mapping[str, Any]  # in the form of pydantic
KEY = "[key]"  # ends the place of an invalid key


def read(node: Node, form: type[T]) -> T | None:
    """Return the dataclass, or another type, at *node*; None if problems were noted there."""
    value: T | None
    value, errors = _validate(form, node.value)
    for error in errors:
        _note(node, form, error)
    return value


def demand(node: Node, form: type[T]) -> T:
    """Return the dataclass, or another type, at *node*.

    Raises:
        ScoringError: naming everything that is wrong with its place.
    """
    value = read(node, form)
    if value is None or node.problems:
        raise ScoringError(node.problems)
    return value


def read_fields(node: Node, record: type) -> dict[str, Any]:
    """Return the fields of a dataclass that could be read at *node*, by name.

    A field with a problem is noted and None; the others can still be compared.
    """
    instance: Any = read(node, record)
    given = node.value if isinstance(node.value, dict) else {}
    forms = {name: form for name, form in _hints(record).items() if name in given}
    if instance is not None:
        return {name: getattr(instance, name) for name in forms}
    return {name: _validate(form, given[name])[0] for name, form in forms.items()}


def from_json(data: object, *family: type[T]) -> T:
    """Return the dataclass that ``to_json`` wrote; of a *family* the one that fits.

    Raises:
        ScoringError: naming everything that is wrong with its place.
    """
    form: Any = Annotated[family[0], OneOf(family)] if len(family) > 1 else family[0]
    value: T = demand(Node(data, "", []), form)
    return value


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415 - only once something is read

    return TypeAdapter(form)


def _validate(form: Any, value: object) -> tuple[Any, list[Error]]:
    """Return the value, or None and the errors of pydantic."""
    from pydantic import ValidationError  # noqa: PLC0415 - only once something is read

    # In strict mode pydantic accepts lists as tuples and texts as enums only from JSON.
    text = json.dumps(value)
    try:
        return _adapter(form).validate_json(text, strict=True, extra="forbid"), []
    except ValidationError as refusal:
        return None, [*refusal.errors(include_url=False)]


@cache
def _hints(record: type) -> dict[str, Any]:
    hints = type_hints(record, include_extras=True)
    return {field.name: hints[field.name] for field in fields(record)}


# --- Errors of pydantic as problems ---------------------------------------------------


def _note(node: Node, form: Any, error: Error) -> None:
    """Note an error of pydantic inside *node*, which was read as *form*, at its place."""
    steps = error["loc"]
    if steps and steps[-1] == KEY:
        place, keyed = _follow(node, form, steps[:-2])
        _refuse_key(place.field(str(steps[-2])), _keys(get_args(keyed)[0]))
    elif error["type"] == "unexpected_keyword_argument":
        place, record = _follow(node, form, steps[:-1])
        _refuse_key(place.field(str(steps[-1])), _hints(record))
    elif error["type"] == "too_long":
        _follow(node, form, steps)[0].refuse(_("Hier müssen zwei Zahlen stehen."))
    elif error["type"] == "missing" and isinstance(steps[-1], int):
        _follow(node, form, steps[:-1])[0].refuse(_("Hier müssen zwei Zahlen stehen."))
    elif error["type"] == "value_error":
        place, _form = _follow(node, form, steps)
        refusal = error["ctx"]["error"]
        if isinstance(refusal, ScoringError):
            place.take_over(refusal)
        else:
            place.refuse(str(refusal))
    else:
        place, at = _follow(node, form, steps)
        if error["type"].startswith("union_tag"):
            place = place.field("kind")
        place.refuse(_sentence(error, at))


def _refuse_key(node: Node, known: Sequence[str] | Mapping[str, Any]) -> None:
    node.refuse(
        _("Diese Angabe ist nicht bekannt. Hier stehen können: {known}.").format(
            known=", ".join(known)
        )
    )


def _sentence(error: Error, form: Any) -> str:
    """Return the sentence for an invalid value; *form* is the expected type."""
    kind, value = error["type"], error["input"]
    if kind == "missing":
        return missing(str(error["loc"][-1]))
    if kind == "json_invalid":  # it was valid JSON before: pydantic accepts fewer levels
        return too_deep()
    if kind in {"enum", "literal_error"} or kind.startswith("union_tag"):
        return unknown_word(_choices(form))
    if kind.startswith("date_"):
        return _("Hier muss ein Tag stehen, etwa 2026-10-03.")
    if kind == "int_type" and isinstance(value, float) and abs(value) >= TOO_LONG:
        return _("Die Zahl ist zu lang.")
    what = {
        "int_type": _("eine ganze Zahl"),
        "bool_type": "true oder false",
        "string_type": _("ein Text in Anführungszeichen"),
        "tuple_type": _("eine Liste in eckigen Klammern"),
    }
    return type_problem(what.get(kind, _("ein Objekt in geschweiften Klammern")), value)


def _follow(node: Node, form: Any, steps: Sequence[str | int]) -> tuple[Node, Any]:
    """Return the place inside *node* to which the *steps* of pydantic lead, and its type."""
    form = _bare(form)
    for step in steps:
        if isinstance(form, OneOf):
            form = form.by_kind[str(step)]  # the step names the kind, the place is the same
        elif isinstance(step, int):
            node, form = node.entry(step), _bare(get_args(form)[0])
        elif is_dataclass(form):
            node, form = node.field(step), _bare(_hints(form)[step])  # type: ignore[arg-type]
        else:
            node, form = node.field(step), _bare(get_args(form)[1])
    return node, form


def _bare(form: Any) -> Any:
    """Return a type without its bounds and without "… | None"."""
    parts = get_args(form)
    if get_origin(form) is Annotated:
        return parts[1] if isinstance(parts[1], OneOf) else _bare(parts[0])
    if type(None) in parts:
        return _bare(next(part for part in parts if part is not type(None)))
    return form


def _choices(form: Any) -> list[str]:
    """Return the texts that a type allows."""
    if isinstance(form, OneOf):
        return list(form.by_kind)
    if get_origin(form) is Literal:
        return list(get_args(form))
    choices: type[Enum] = form
    return [choice.value for choice in choices]


def _keys(form: Any) -> list[str]:
    """Return the keys of an object: choices of an enum, or numbers within bounds."""
    bounds = [bound for bound in get_args(form) if isinstance(bound, WholeNumber)]
    if not bounds:
        return _choices(form)
    return [str(number) for number in range(bounds[0].minimum, bounds[0].maximum + 1)]
