"""Rows that remember the values read, so that an act stores and journals only its changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from django.db import IntegrityError, models, transaction

from tournaments.common.short_texts import clean_line, clean_lines


def text_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the editable text fields of a model without choices."""
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField)
        and field.editable
        and not field.choices
    ]


def cleaned(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the value of a text field cleaned; only a ``TextField`` keeps its line breaks.

    Texts within JSON keep them as well.
    """
    if isinstance(value, str):
        is_long = isinstance(field, models.TextField | models.JSONField)
        return clean_lines(value) if is_long else clean_line(value)
    if isinstance(value, list):
        return [cleaned(field, element) for element in value]
    if isinstance(value, dict):
        return {key: cleaned(field, element) for key, element in value.items()}
    return value


class CleanTextModel(models.Model):
    """A model whose texts are cleaned before they are checked (``common.short_texts``)."""

    class Meta:
        abstract = True

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Clean the texts, then check all fields but those in *exclude*."""
        for field in text_fields(type(self)):
            if field.name not in (exclude or ()):
                setattr(self, field.attname, cleaned(field, getattr(self, field.attname)))
        super().clean_fields(exclude=exclude)


# Common reasons for which fields are not proved.
OWNER_KEY = "a row that moves to another tournament is missing in its own"
FREE_TEXT = "may name persons, and is deleted when they are forgotten"
SEALED_IN_ENTRY = "stands in the entry of the act, which is sealed"
DISPLAY_ONLY = "changes how something is shown, and no result"


class Row(CleanTextModel):
    """A row that is changed by acts.

    ``journalled`` names the fields that the journal repeats: never free text, which may name
    persons. ``proved`` names those from which rankings, money and signatures are reckoned
    (``journal.rows``); ``unproved`` has each other field with the reason. ``within`` is the path
    to the row with the field ``tournament``, if it has none itself, and ``along`` what acts fetch
    with it. A JSON value is changed by assigning a new one, not in place.
    """

    class Meta:
        abstract = True

    journalled: ClassVar[tuple[str, ...]] = ()
    proved: ClassVar[tuple[str, ...]] = ()
    unproved: ClassVar[Mapping[str, str]] = {}
    within: ClassVar[tuple[str, ...]] = ()
    along: ClassVar[tuple[str, ...]] = ()
    unwatched: ClassVar[tuple[str, ...]] = ()  # not written by acts
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
        instance = super().from_db(db, field_names, values, **more)
        instance.read = dict(zip(field_names, values, strict=False))
        return instance

    def changed(self) -> dict[str, Any]:
        """Return the fields that differ from the values read, each with its value before."""
        return {
            field.name: self.read[field.attname]
            for field in self._meta.concrete_fields
            if field.attname in self.read
            and field.name not in self.unwatched
            and getattr(self, field.attname) != self.read[field.attname]
        }

    def remember(self, names: Sequence[str]) -> None:
        """Remember the values of these fields as stored."""
        for name in names:
            attname = self._meta.get_field(name).attname  # type: ignore[union-attr]
            self.read[attname] = getattr(self, attname)


@contextmanager
def explain_integrity_errors(row: models.Model) -> Iterator[None]:
    """Turn integrity errors within the block into the message of the broken constraint.

    The block is a savepoint, so that after a refusal the database answers and the act may go on.

    Raises:
        ValidationError: if a constraint of the row is broken.
    """
    try:
        with transaction.atomic(savepoint=bool(row._meta.constraints)):
            yield
    except IntegrityError:
        row.validate_constraints()
        raise
