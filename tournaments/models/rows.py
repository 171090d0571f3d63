"""Rows that remember the values read, so that an act stores and journals only its changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.constraints import BaseConstraint


class Row(models.Model):
    """A row that is changed by acts.

    ``journalled`` names the fields that the journal repeats: never free text, which may name
    persons. ``proved`` names those from which rankings, money and signatures are reckoned
    (``journal.rows``). ``within`` is the path to the row with the field ``tournament``, if it has
    none itself, and ``along`` what acts fetch with it. A JSON value is changed by assigning a new
    one, not in place.
    """

    class Meta:
        abstract = True

    journalled: ClassVar[tuple[str, ...]] = ()
    proved: ClassVar[tuple[str, ...]] = ()
    within: ClassVar[tuple[str, ...]] = ()
    along: ClassVar[tuple[str, ...]] = ()
    unwatched: ClassVar[tuple[str, ...]] = ()  # written by other ways than acts
    read: dict[str, Any]

    @classmethod
    def from_db(
        cls,
        db: str | None,
        field_names: Collection[str],
        values: Collection[Any],
        **more: Any,
    ) -> Self:
        """Return an instance that remembers the values read."""
        found = super().from_db(db, field_names, values, **more)
        found.read = dict(zip(field_names, values, strict=False))
        return found

    def changed(self) -> dict[str, Any]:
        """Return the fields that differ from what was read, each with its value before."""
        return {
            field.name: self.read[field.attname]
            for field in self._meta.concrete_fields
            if field.attname in self.read
            and field.name not in self.unwatched
            and getattr(self, field.attname) != self.read[field.attname]
        }

    def check_fields(self, names: Collection[str]) -> None:
        """Refuse values that these fields, or the constraints on them, do not allow.

        Raises:
            ValidationError: naming each field.
        """
        self.clean_fields(exclude={one.name for one in self._meta.fields} - set(names))
        concerned = [one for one in self._meta.constraints if _fields_of(one) & set(names)]
        checks = [one.condition for one in concerned if isinstance(one, models.CheckConstraint)]
        if len(checks) > 1 and self._keeps(models.Q(*checks)):
            concerned = [one for one in concerned if not isinstance(one, models.CheckConstraint)]
        for constraint in concerned:
            constraint.validate(type(self), self)

    def _keeps(self, checks: models.Q) -> bool:
        """Whether all of these checks hold; checked together to save statements."""
        try:
            models.CheckConstraint(condition=checks, name="together").validate(type(self), self)
        except ValidationError:
            return False
        return True

    def remember(self, names: Sequence[str]) -> None:
        """Remember the values of these fields as stored."""
        for name in names:
            attname = self._meta.get_field(name).attname  # type: ignore[union-attr]
            self.read[attname] = getattr(self, attname)


def _fields_of(constraint: BaseConstraint) -> set[str]:
    if isinstance(constraint, models.UniqueConstraint):
        return set(constraint.fields)
    assert isinstance(constraint, models.CheckConstraint)  # noqa: S101 - there are no others
    assert isinstance(constraint.condition, models.Q)  # noqa: S101
    return constraint.condition.referenced_base_fields
