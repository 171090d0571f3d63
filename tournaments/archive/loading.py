"""Storing the rows of an archive, section by section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import JSONField, Model, QuerySet

from tournaments.archive import sections
from tournaments.archive.chains import stored_chain
from tournaments.archive.implied_rows import CompletedRows
from tournaments.archive.json_references import Row
from tournaments.archive.persons import (
    MatchedRow,
    get_or_create_accounts,
    get_or_create_clubs,
    get_or_create_persons,
)
from tournaments.archive.reading import Archive
from tournaments.archive.rows import ArchiveSection, with_keys
from tournaments.common import names
from tournaments.lists.services.opening import give_access
from tournaments.models import Club, Membership, Organiser, Person, Tournament, User
from tournaments.models.rows import cleaned, text_fields

BATCH = 500


class Loader:
    """Stores the rows of one archive, for an organiser."""

    def __init__(self, archive: Archive, owner: Organiser, importer: User | None) -> None:
        self.archive = archive
        self.owner = owner
        self.importer = importer
        self.keys: dict[type[Model], list[int]] = {}  # by position
        # A stored club or person was used, the order differs, or a role was left out.
        self.has_reused = False
        self.get_no_role: set[int] = set()  # accounts that can log in here, except the importer

    def run(self) -> Tournament:
        """Store everything and return the tournament."""
        users = get_or_create_accounts(self.archive.accounts, self.owner, self.importer)
        self.keys[User] = [user.pk for user in users]
        names_in_file = [(account.username, account.name) for account in self.archive.accounts]
        self.has_reused = names_in_file != [(user.login_name, user.name) for user in users]
        for user in users:
            if not user.archived_as and user != self.importer:
                self.get_no_role.add(user.pk)
        rows = CompletedRows(self.archive).rows
        for section in sections.LOAD_ORDER:
            self.store(section, rows[section])
        tournament = Tournament.objects.get(pk=self.keys[Tournament][0])
        self.has_reused = self.has_reused or self.is_in_order_of_a_language()
        for chain in self.archive.chains:
            stored_chain(tournament, chain, self.key_or_gone).save()
        give_access(tournament)
        return tournament

    def key(self, model: type[Model], place: int | None) -> int | None:
        """Return the key of the row at a position."""
        return None if place is None else self.keys[model][place - 1]

    def key_or_gone(self, model: type[Model], place: int) -> int:
        """Return the key of the row at a position; behind the last row −1, −2 and so on."""
        behind = place - len(self.keys[model])
        return -behind if behind > 0 else self.keys[model][place - 1]

    def is_in_order_of_a_language(self) -> bool:
        """Whether accounts or clubs are not in the order of their code points.

        Versions until November 2026 exported them in the order of PostgreSQL's locale.
        """
        named = [part.username for part in self.archive.accounts]
        clubs = [names.sort_key(part.name) for part in self.archive.required.clubs]
        return sorted(named) != named or sorted(clubs) != clubs

    def noted(self, match: MatchedRow[Any]) -> int:
        """Return the key of a row that may have been stored before, and note whether it was."""
        row, is_reused = match
        self.has_reused = self.has_reused or is_reused
        key: int = row.pk
        return key

    def store(self, section: ArchiveSection, rows: Sequence[Row]) -> None:
        """Store the rows of a section and note their keys."""
        keys = self.keys.setdefault(section.model, [])
        its_own = [
            column.name for column in section.fields if column.related_model is section.model
        ]
        waiting: list[Row] = []
        for row in rows:
            # A row may refer to an earlier row of its own model, which must have its key first.
            if any(row.get(name) is not None for name in its_own):
                keys += self.stored(section, waiting)
                waiting = []
            waiting.append(row)
        keys += self.stored(section, waiting)

    def stored(self, section: ArchiveSection, rows: Sequence[Row]) -> list[int]:
        """Store rows that do not refer to each other; return their keys in the same order."""
        values = [self.values(section, row) for row in rows]
        if section.model is Membership:
            allowed = [row for row in values if row["user_id"] not in self.get_no_role]
            self.has_reused = self.has_reused or len(allowed) < len(values)
            values = allowed
        many = [column for column in section.fields if column.many_to_many]
        pointed_to = [{column.name: row.pop(column.name, []) for column in many} for row in values]
        if section.model is Club:
            return [self.noted(match) for match in get_or_create_clubs(values, self.owner)]
        if section.model is Person:
            return [self.noted(match) for match in get_or_create_persons(values, self.owner)]
        made = [section.model(**row) for row in values]
        QuerySet[Model](section.model).bulk_create(made, batch_size=BATCH)
        for column in many:
            through = column.remote_field.through
            own, other = column.m2m_field_name(), column.m2m_reverse_field_name()
            through.objects.bulk_create(
                [
                    through(**{f"{own}_id": row.pk, f"{other}_id": key})
                    for row, keys in zip(made, pointed_to, strict=True)
                    for key in keys[column.name]
                ],
                batch_size=BATCH,
            )
        return [row.pk for row in made]

    def values(self, section: ArchiveSection, row: Row) -> dict[str, Any]:
        """Return the values of a row by field, with keys in place of positions."""
        values: dict[str, Any] = {}
        if section.owner:
            values[f"{section.owner}_id"] = self.key(Tournament, 1)
        if section.model is Tournament:
            values["owner"] = self.owner
        values |= {name: make() for name, make in section.fresh.items()}
        for name in row:
            column: Any = section.model._meta.get_field(name)
            values[column.attname] = with_keys(section, name, row, self.key)
        return values | self.cleaned(section.model, values)

    def cleaned(self, model: type[Model], values: Row) -> Row:
        """Return the texts that cleaning as in forms changes, and note whether there are any.

        Texts that a seal and its journal prove are not changed.
        """
        is_proved = getattr(model, "proved", ()) if self.archive.seal else ()
        texts = [*text_fields(model), *([] if self.archive.seal else _of_json(model))]
        changes = {
            field.attname: cleaned(field, values[field.attname])
            for field in texts
            if field.attname in values and field.name not in is_proved
        }
        changes = {name: value for name, value in changes.items() if value != values[name]}
        self.has_reused = self.has_reused or bool(changes)
        return changes


def _of_json(model: type[Model]) -> Iterator[JSONField[Any, Any]]:
    return (field for field in model._meta.concrete_fields if isinstance(field, JSONField))
