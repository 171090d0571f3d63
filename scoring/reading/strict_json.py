"""JSON from outside: bytes become values, each with its place in the file.

:func:`parse` turns bytes into the :class:`Node` of the whole file. A problem of a node is noted
with its place in the list of problems that all nodes of a file share, and reading goes on, so
that one run finds everything; :func:`scoring.reading.validation.read` reads the values.

Repeated keys and lone surrogates are refused everywhere. A byte order mark is accepted, because
some editors add it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from scoring.errors import Problem, ScoringError
from scoring.reading.records import forbidden_character
from scoring.texts import _

DIGITS = 15  # longer numbers are no points, and Python refuses to convert thousands of digits
TOO_LONG = 10.0**DIGITS
INDENT, LEVELS = 2, 4
SHOWN = 40  # characters of a value that a message repeats
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # of a character: escaped in JSON, but no text


class JsonObject(dict[str, object]):
    """An object of the file that keeps the names of its repeated keys."""

    __slots__ = ("repeated",)  # a file may be made of a million small objects

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.repeated: Sequence[str] = ()
        if len(self) < len(pairs):
            times = Counter(key for key, __ in pairs)
            self.repeated = [key for key, number in times.items() if number > 1]


def parse(data: bytes) -> Node:
    """Return the node of the whole file; repeated keys and lone surrogates are noted.

    Raises:
        ScoringError: if it is not JSON; the place is empty, the sentence names the line.
    """
    try:
        text = data.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as error:
        _refuse(
            _(
                "Die Eingabe ist kein UTF-8: Das Byte an Stelle {position} passt nicht. "
                "Speichere die Datei mit der Zeichenkodierung UTF-8."
            ).format(position=error.start + 1)
        )
    if not text.strip():
        _refuse(_("Die Eingabe ist leer."))
    try:
        root = Node(json.loads(text, object_pairs_hook=JsonObject, parse_int=_number), "", [])
        root.value = _storable(root)
    except json.JSONDecodeError as error:
        _refuse(
            _("Die Eingabe ist kein JSON: Fehler in Zeile {line}, Spalte {column}.").format(
                line=error.lineno, column=error.colno
            )
        )
    except RecursionError:
        _refuse(too_deep())
    return root


def _refuse(message: str) -> NoReturn:
    raise ScoringError(message) from None


def too_deep() -> str:
    """Return the sentence that refuses brackets nested too deep."""
    return _("Die Eingabe ist zu tief verschachtelt.")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else float(digits)


def _storable(node: Node) -> object:
    """Return the value at *node*, lone surrogates replaced; note them and repeated keys."""
    value = node.value
    if isinstance(value, JsonObject):
        for key in value.repeated:
            node.field(key).refuse(_("Die Angabe steht mehrfach da."))
        return {_whole(key, node.field(key)): _storable(node.field(key)) for key in value}
    if isinstance(value, list):
        return [_storable(node.entry(index)) for index in range(len(value))]
    return _whole(value, node) if isinstance(value, str) else value


def _whole(text: str, node: Node) -> str:
    if half := LONE_SURROGATE.search(text):
        node.refuse(forbidden_character(half[0]))
        return LONE_SURROGATE.sub("\ufffd", text)
    return text


class Node:
    """A value and its place; its problems are noted here.

    The value comes from :func:`parse` or was JSON before; repeated keys are only found by
    :func:`parse`.
    """

    __slots__ = ("problems", "value", "where")

    def __init__(self, value: object, where: str, problems: list[Problem]) -> None:
        self.value = value
        self.where = where
        self.problems = problems

    def refuse(self, message: str) -> None:
        """Note *message* as a problem at this place."""
        self.problems.append(Problem(self.where, message))

    def take_over(self, refusal: ScoringError) -> None:
        """Note problems of the value here; their places are relative to it."""
        for problem in refusal.problems:
            dot = "." if self.where and problem.where and problem.where[0] != "[" else ""
            self.problems.append(Problem(f"{self.where}{dot}{problem.where}", problem.message))

    def raise_problems(self) -> None:
        """Raise every problem noted so far in the file, if there are any.

        Raises:
            ScoringError: with the problems, in the order in which they were found.
        """
        if self.problems:
            raise ScoringError(self.problems)

    @property
    def is_list(self) -> bool:
        """Whether this is a list."""
        return isinstance(self.value, list)

    def field(self, key: str) -> Node:
        """Return the value of an object at *key*, ``null`` if there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        if not (key.isidentifier() and key.isascii() and len(key) <= SHOWN):
            return Node(value, f"{self.where}[{json.dumps(key[:SHOWN])}]", self.problems)
        return Node(value, f"{self.where}.{key}" if self.where else key, self.problems)

    def items(self) -> list[Node] | None:
        """Return the entries of a list, or ``None`` if the value is no list."""
        if not isinstance(self.value, list | tuple):
            self.refuse(type_problem(_("eine Liste in eckigen Klammern"), self.value))
            return None
        return [self.entry(index) for index in range(len(self.value))]

    def entry(self, index: int) -> Node:
        """Return the entry of a list at *index*, counted from 0."""
        entries: Any = self.value
        return Node(entries[index], f"{self.where}[{index}]", self.problems)


def type_problem(type_name: str, value: object) -> str:
    """Return the sentence for a value of another type than expected."""
    return _("Hier muss {what} stehen, nicht {value}.").format(what=type_name, value=_shown(value))


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return _("ein Objekt")
    if isinstance(value, list | tuple):
        return _("eine Liste")
    if isinstance(value, float) and abs(value) >= TOO_LONG:
        return _("eine Zahl")
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"


def dump(value: object) -> str:
    """Return *value* as the JSON text that commands write, with a line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=INDENT) + "\n"


def dump_pieces(value: object) -> Iterator[str]:
    """Yield the text of :func:`dump` in pieces, for values whose text is large."""
    yield from json_pieces(value, json.JSONEncoder(ensure_ascii=False, indent=INDENT), line="\n")
    yield "\n"


def json_pieces(
    value: object, writer: json.JSONEncoder, *, line: str = "", levels: int = LEVELS
) -> Iterator[str]:
    """Yield the text of a JSON value in pieces; any iterable is written as a list.

    Args:
        writer: encodes the values below the innermost of the *levels*.
        line: the beginning of each line; empty for a single line.
        levels: how many are split; an archive has this many down to an entry of its journal.

    >>> value = {"b": range(2), "a": [[], {"c": {}}]}
    >>> "".join(json_pieces(value, json.JSONEncoder(sort_keys=True)))
    '{"a": [[], {"c": {}}], "b": [0, 1]}'
    """
    if not levels or isinstance(value, str) or not isinstance(value, Iterable):
        yield writer.encode(value).replace("\n", line)
        return
    before, end = "{}" if isinstance(value, dict) else "[]"
    inside = line and line + " " * INDENT
    is_empty = True
    for name, member in _named(value, writer):
        yield before + inside + name
        yield from json_pieces(member, writer, line=inside, levels=levels - 1)
        before, is_empty = writer.item_separator, False
    yield before + end if is_empty else line + end


def _named(value: Iterable[Any], writer: json.JSONEncoder) -> Iterator[tuple[str, Any]]:
    """Yield the members of an object or a list, each with the text before it."""
    if not isinstance(value, dict):
        yield from (("", member) for member in value)
        return
    for name in sorted(value) if writer.sort_keys else value:
        yield writer.encode(name) + writer.key_separator, value[name]


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    """Return problems or warnings in the format of the files."""
    return [{"where": problem.where, "message": problem.message} for problem in problems]
