"""Queries with places for values; to be asked as ``QuerySet`` where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet

Row = TypeVar("Row")


def cursor() -> CursorWrapper:
    """Return an ordinary cursor."""
    return connection.cursor()


class Prepared(Generic[Row]):
    """A QuerySet of what is yet to be named."""

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self.build = build

    def rows(self, *values: int | str) -> list[Row]:
        """Return what it finds with these values."""
        return list(self.build(*values))

    def first(self, *values: int | str) -> Row | None:
        """Return the first row with these values, or None."""
        return self.build(*values).first()
