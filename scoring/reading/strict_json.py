"""JSON from outside: bytes become values, each with its place in the file.

:func:`parse` turns bytes into the :class:`Node` of the whole file. What is wrong with a node is
noted with its place in the list of problems that all nodes of a file share, and reading goes on,
so that one look finds everything; :func:`scoring.reading.checked.read` reads what stands there.

Keys that stand twice and halves of characters are refused wherever they stand. A byte order
mark is accepted, because editors put it there unseen.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

from scoring.errors import Problem, ScoringError
from scoring.reading.records import LARGEST, forbidden_character, missing
from scoring.texts import _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

DIGITS = 15  # more are no number of this game, and Python refuses to convert thousands
TOO_LONG = 10.0**DIGITS
SHOWN = 40  # characters of a value that a message repeats
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
HALF = re.compile("[\ud800-\udfff]")  # of a character: escaped in JSON, but no text


class JsonObject(dict[str, object]):
    """An object of the file that remembers which keys stand in it more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, __ in pairs)
        self.repeated = [key for key, number in times.items() if number > 1]


def parse(data: bytes) -> Node:
    """Return the node of the whole file; keys that stand twice are noted, and halves too.

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
    """Return the sentence that refuses brackets within brackets within brackets …"""
    return _("Die Eingabe ist zu tief verschachtelt.")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else float(digits)


def _storable(node: Node) -> object:
    """Return the value at *node*, halves of characters replaced; notes them and repeated keys."""
    value = node.value
    if isinstance(value, JsonObject):
        for key in value.repeated:
            node.field(key).refuse(_("Die Angabe steht mehrfach da."))
        return {_whole(key, node.field(key)): _storable(node.field(key)) for key in value}
    if isinstance(value, list):
        return [_storable(entry) for entry in node.items() or ()]
    return _whole(value, node) if isinstance(value, str) else value


def _whole(text: str, node: Node) -> str:
    if half := HALF.search(text):
        node.refuse(forbidden_character(half[0]))
        return HALF.sub("\ufffd", text)
    return text


class Node:
    """A value and its place; notes what is wrong with it.

    The value comes from :func:`parse`, or was read from JSON by somebody else; only
    :func:`parse` knows of keys that stand twice.
    """

    def __init__(self, value: object, where: str, problems: list[Problem]) -> None:
        self.value = value
        self.where = where
        self.problems = problems

    def refuse(self, message: str) -> None:
        """Note that *message* is wrong at this place."""
        self.problems.append(Problem(self.where, message))

    def take_over(self, refusal: ScoringError) -> None:
        """Note what was refused of the value here, its places being those inside it."""
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

    @property
    def is_null(self) -> bool:
        """Whether this is ``null``."""
        return self.value is None

    def fields(
        self, *, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, Node]:
        """Return the values of an object by key: those of the known keys that are there.

        Noted as wrong: something else than an object, required keys that are missing, keys
        that nobody knows.
        """
        value = self.any_object()
        if value is None:
            return {}
        found = {}
        known = [*required, *optional]
        for key in value:
            if key in known:
                found[key] = self.field(key)
            else:
                self.field(key).refuse(
                    _("Diese Angabe ist nicht bekannt. Hier stehen können: {known}.").format(
                        known=", ".join(known)
                    )
                )
        for key in required:
            if key not in found:
                self.field(key).refuse(missing(key))
        return found

    def any_object(self) -> dict[str, object] | None:
        """Return an object as it is, to be read by somebody else; ``None`` if it is none."""
        if not isinstance(self.value, dict):
            self._expected(_("ein Objekt in geschweiften Klammern"))
            return None
        return self.value

    def field(self, key: str) -> Node:
        """Return what an object has at *key*, ``null`` if there is nothing."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        if not (key.isidentifier() and key.isascii() and len(key) <= SHOWN):
            return Node(value, f"{self.where}[{json.dumps(key[:SHOWN])}]", self.problems)
        return Node(value, f"{self.where}.{key}" if self.where else key, self.problems)

    def items(self) -> list[Node] | None:
        """Return the entries of a list, or ``None`` if it is none."""
        if not isinstance(self.value, list | tuple):
            self._expected(_("eine Liste in eckigen Klammern"))
            return None
        return [self.entry(index) for index in range(len(self.value))]

    def entry(self, index: int) -> Node:
        """Return what a list has at *index*, counted from 0."""
        entries: Any = self.value
        return Node(entries[index], f"{self.where}[{index}]", self.problems)

    def whole_number(self, *, minimum: int = -LARGEST, maximum: int = LARGEST) -> int | None:
        """Return a whole number within bounds, or ``None`` if it is none."""
        if isinstance(self.value, float) and abs(self.value) >= TOO_LONG:
            self.refuse(_("Die Zahl ist zu lang."))
            return None
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self._expected(_("eine ganze Zahl"))
            return None
        if not minimum <= self.value <= maximum:
            self.refuse(
                _("{value} geht nicht: Die Zahl muss von {minimum} bis {maximum} sein.").format(
                    value=self.value, minimum=minimum, maximum=maximum
                )
            )
            return None
        return self.value

    def boolean(self) -> bool | None:
        """Return ``true`` or ``false``, or ``None`` if it is neither."""
        if not isinstance(self.value, bool):
            self._expected("true oder false")
            return None
        return self.value

    def one_of(self, known: Iterable[str]) -> str | None:
        """Return the one of the *known* texts that stands here, or ``None`` if none does."""
        words = list(known)
        if isinstance(self.value, str) and self.value in words:
            return self.value
        self.refuse(_("Hier kann nur stehen: {known}.").format(known=", ".join(words)))
        return None

    def text(
        self, *, longest: int | None = None, lines: bool = False, may_be_empty: bool = False
    ) -> str | None:
        """Return a text that is not blank, or ``None`` if it is none.

        Control characters are refused, since databases cannot keep all of them; with
        *lines*, line breaks and tabs may stand in it.
        """
        if not isinstance(self.value, str):
            self._expected(_("ein Text in Anführungszeichen"))
            return None
        if not self.value.strip():
            if may_be_empty:
                return ""
            self.refuse(_("Der Text ist leer."))
            return None
        allowed = "\n\r\t" if lines else ""
        for character in "" if self.value.isprintable() else self.value:
            if unicodedata.category(character) == "Cc" and character not in allowed:
                self.refuse(forbidden_character(character))
                return None
        if longest is not None and len(self.value) > longest:
            self.refuse(_("Der Text ist länger als {longest} Zeichen.").format(longest=longest))
            return None
        return self.value

    def day(self) -> date | None:
        """Return a day as in ``2026-10-03``, or ``None`` if it is none."""
        try:
            return date.fromisoformat(str(self.value))
        except ValueError:
            self.refuse(_("Hier muss ein Tag stehen, etwa 2026-10-03."))
            return None

    def _expected(self, what: str) -> None:
        message = _("Hier muss {what} stehen, nicht {found}.")
        self.refuse(message.format(what=what, found=shown(self.value)))


def shown(value: object) -> str:
    """Return a value as a sentence repeats it."""
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
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    """Return problems or warnings as the files have them."""
    return [{"where": problem.where, "message": problem.message} for problem in problems]
