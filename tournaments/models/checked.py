"""Rows whose checks are asked of the database in one question.

For each check Django sends a statement of its own, between two more for a savepoint, and builds all
of the row's columns into each: for a registration that was half of the work of storing it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from django.db import models, router
from django.db.models.constraints import BaseConstraint


class Checked(models.Model):
    """A row with several checks. Which of them it breaks is looked for only if it breaks one."""

    class Meta:
        abstract = True

    _keeps_all = False

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Refuse what the constraints forbid."""
        self._keeps_all = not exclude and self._asked_at_once()
        super().validate_constraints(exclude)

    def get_constraints(self) -> list[tuple[type[models.Model], Sequence[BaseConstraint]]]:
        """Return the constraints that are still to be asked one by one."""
        found = super().get_constraints()
        if not self._keeps_all:
            return found
        return [
            (model, [one for one in its if not isinstance(one, models.CheckConstraint)])
            for model, its in found
        ]

    def _asked_at_once(self) -> bool:
        checks = _all_checks(type(self))
        columns = self._get_field_expression_map(  # type: ignore[attr-defined] # of Django's own
            meta=self._meta
        )
        given = {name: columns[name] for name in checks.referenced_base_fields}
        return checks.check(given, using=router.db_for_write(type(self), instance=self))


@cache
def _all_checks(model: type[models.Model]) -> models.Q:
    """Return what holds unless one of the checks does not; one that is unknown holds."""
    checks = [one for one in model._meta.constraints if isinstance(one, models.CheckConstraint)]
    return models.Q(*(one.condition for one in checks))
