"""Foreign keys and constraints, as most models have them."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models
from django.db.models import Q

_Model = TypeVar("_Model", bound=models.Model)


def belongs_to(model: type[_Model], related_name: str) -> models.ForeignKey[_Model, _Model]:
    """Return a foreign key to a row that cannot be deleted meanwhile."""
    return models.ForeignKey(model, on_delete=models.PROTECT, related_name=related_name)


def may_belong_to(
    model: type[_Model], related_name: str
) -> models.ForeignKey[_Model | None, _Model | None]:
    """Return the same, or None."""
    return models.ForeignKey(
        model, null=True, blank=True, on_delete=models.PROTECT, related_name=related_name
    )


def check(name: str, condition: Q, says: Any = None) -> models.CheckConstraint:
    """Return a constraint on each row; *says* is the sentence of its refusal."""
    return models.CheckConstraint(name=name, condition=condition, violation_error_message=says)


def unique(
    name: str, fields: list[str], says: Any = None, *, only: Q | None = None
) -> models.UniqueConstraint:
    """Return a constraint that no two rows, *only* those that are meant, have the same values."""
    return models.UniqueConstraint(
        name=name, fields=fields, condition=only, violation_error_message=says
    )
