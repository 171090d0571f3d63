"""Values for fuzzing: unexpected ones, and those that pages would send."""

# ruff: noqa: TID251 - fields as Django has them

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from hypothesis import strategies as st

from tournaments.web.idempotency import FIELD

HUGE = "9" * 4301  # digits that Python does not read
BEYOND = str(2**63)  # no database has such a key
_NUMBERS = (
    *("0", "-1", "1", "4", str(2**31), str(-(2**31)), BEYOND, f"-{HUGE}", HUGE, "²", "٣", "１２"),
    *("-0", "+1", "007", "1_000", "0x10", "½", "NaN", "Infinity", "1e999"),
)
_AMOUNTS = ("12,50", f"{HUGE},00", "1.000.000.000.000,99", "0,001", "1e9", "-12,50", "−0,01", ",")
_DAYS = (
    *("0001-01-01", "9999-12-31", "2026-02-30", "31.12.9999", "9999-12-31T23:59", "24:00"),
    *("0000-00-00", "2026-03-29T02:30", "2026-10-25T02:30", "0001-01-01T00:00", "12:60", "23:59"),
)
_TEXTS = (
    *("", " ", "a\0b", "x" * 5000, "[]", "{}", "\N{RIGHT-TO-LEFT OVERRIDE}‹ß›", "a;b\r\n\t"),
    *("\x1b[1m", "\x7f", "\ufffe", "\u0301", "\u200d", "\\ud800", "&#xD800;", "%ED%A0%80", "{0}"),
    *("👩‍👩‍👧‍👦", "🇩🇪" * 60, "שלום עולם", "=1+1", "<b>", "'\"`;--", "%s%(x)s", "\u2028"),
    # Values that grow when normalised or folded, up to the limit of a field.
    *("\ufb2c" * 60, "ﷺ" * 40, "İ" * 120, "ß" * 120, "ŉ" * 60),
)
NASTY = (*_NUMBERS, *_AMOUNTS, *_DAYS, *_TEXTS)
FILES = (
    b"",
    b"\0\0",
    b"Vorname;Nachname\nA;B",
    b"{}",
    b"<a>",
    b"PK\3\4",
    b"\xff\xfe;\n",
    b":61:a",
)

# Valid JSON without a meaning; the number too long for Python is inserted later.
_LONG = "§long§"
_VALUES: tuple[Any, ...] = (
    2**63,
    -1,
    0,
    0.5,
    float("inf"),
    True,
    None,
    "",
    "a\0b",
    "\ud800",
    "x" * 5000,
    [],
    {},
    _LONG,
)


class Page(HTMLParser):
    """Reads the values that the forms of a page would send, by method and address."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: dict[tuple[str, str], dict[str, list[str]]] = {}
        self.sent: dict[str, list[str]] = {}
        self.choice = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        its = {name: value or "" for name, value in attrs}
        name = its.get("name", "")
        if tag == "form":
            place = its.get("method", "get").lower(), urlsplit(its.get("action", "")).path
            self.sent = self.forms.setdefault(place, {})
        elif tag == "select":
            self.choice = name
        elif tag == "option":
            self.sent.setdefault(self.choice, []).append(its.get("value", ""))
        elif tag in {"input", "button", "textarea"} and name:
            self.sent.setdefault(name, []).append(its.get("value", ""))


@dataclass
class Door:
    """An address and a method, and the fields that it accepts."""

    url: str
    method: str
    shown: dict[str, list[str]] = field(default_factory=dict)  # by a page, with these values
    read: dict[str, forms.Field | None] = field(default_factory=dict)  # by its view

    @property
    def names(self) -> list[str]:
        return sorted({*self.shown, *self.read} - {"", "csrfmiddlewaretoken", FIELD})

    @property
    def likely(self) -> dict[str, str]:
        """Return the values of a form as shown."""
        return {name: self.shown[name][-1] for name in self.names if self.shown.get(name)}

    def fitting(self, name: str) -> str:
        """Return a valid value of a field: as shown, or by its type."""
        if shown := self.likely.get(name):
            return shown
        match self.read.get(name):
            case forms.BooleanField():
                return "on"
            case forms.EmailField():
                return "neu@example.org"
            case forms.DateField():
                return "2026-10-03"
            case forms.IntegerField(min_value=least):
                return str(least or 1)
        return "Grund"

    @property
    def far(self) -> dict[str, str]:
        """Return numbers beyond all limits for all fields."""
        return dict(zip(self.names, itertools.cycle([HUGE, BEYOND]), strict=False))

    def anything(self, random: Random) -> dict[str, Any]:
        """Return arbitrary values for some of the fields."""
        some = random.sample(self.names, k=random.randrange(min(4, len(self.names)) + 1))
        return self.likely | {name: self._value(name, random) for name in some}

    def _value(self, name: str, random: Random) -> Any:
        its = self.read.get(name)
        if isinstance(its, forms.FileField):
            ending = random.choice(("csv", "xlsx", "json", "xml"))
            return SimpleUploadedFile(f"a.{ending}", random.choice(FILES))
        fitting = [*self.shown.get(name, [])]
        if isinstance(its, forms.ChoiceField):
            choices: Any = its.choices
            fitting += [str(key) for key, _label in choices]
        elif isinstance(its, forms.IntegerField):
            fitting += [str(bound) for bound in (its.min_value, its.max_value) if bound is not None]
        some = random.choices([*fitting[:8], *NASTY], k=random.randrange(4))
        return random.choice([*some, some])


class FormReads:
    """Notes which fields the forms have that are filled, and which names the views read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: dict[str, forms.Field | None] = {}
        clean = forms.BaseForm.full_clean

        def noting(form: forms.BaseForm) -> None:
            self.names |= {form.add_prefix(name): its for name, its in form.fields.items()}
            clean(form)

        monkeypatch.setattr(forms.BaseForm, "full_clean", noting)
        for method in ("get", "getlist", "__getitem__", "__contains__"):
            monkeypatch.setattr(QueryDict, method, self._noting(getattr(QueryDict, method)))

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def noting(query: QueryDict, key: str, *more: Any) -> Any:
            self.names.setdefault(key, None)
            return method(query, key, *more)

        return noting

    def take(self) -> dict[str, forms.Field | None]:
        """Return the field names recorded since the last call."""
        names, self.names = self.names, {}
        return names


def mangled(document: Any) -> st.SearchStrategy[bytes]:
    """Return JSON with parts of a document missing or replaced."""

    def at(place: tuple[Any, ...], value: Any) -> bytes:
        changed = copy.deepcopy(document)
        inside = changed
        for key in place[:-1]:
            inside = inside[key]
        if value is _GONE:
            del inside[place[-1]]
        else:
            inside[place[-1]] = value
        return json.dumps(changed).replace(f'"{_LONG}"', HUGE).encode()

    places = st.sampled_from(list(_places(document)))
    return st.builds(at, places, st.sampled_from([*_VALUES, _GONE]))


_GONE = object()


def _places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if here:
        yield here
    inside = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else inside:
        yield from _places(part, (*here, key))
