"""The proof of an imported tournament: its rows have the hashes of the journals in its file.

A hash covers the keys that a row and its references had in the installation of origin, which
wrote the entry; the chain of the entry maps them to local keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Model

from tournaments.archive.json_references import Row, translated
from tournaments.archive.sections import LOAD_ORDER
from tournaments.journal.rows import (
    KINDS,
    PROVED,
    Content,
    contents,
    hashes,
    rows_of,
    without_new_fields,
)
from tournaments.models import ArchivedJournal, Closing, Ranking, Tournament
from tournaments.models.rows import Row as Proved

# A closing has its own hash, of the keys where it was made.
COMPARED_MODELS = [model for model in PROVED if model is not Closing]
JSON_SHAPES = {section.model: section.inside for section in LOAD_ORDER}


class _Chain:
    """One chain, with the keys of its installation of origin and the local ones."""

    def __init__(self, stored: ArchivedJournal) -> None:
        self.entries = stored.entries
        self.local_keys: Mapping[str, Mapping[str, int]] = stored.keys

    @cached_property
    def origin_keys(self) -> dict[str, dict[int, int]]:
        """The key of origin by kind and local key."""
        return {
            kind: {key: int(origin_key) for origin_key, key in keys.items()}
            for kind, keys in self.local_keys.items()
        }

    def key(self, model: type[Model], key: int | None) -> int | None:
        """Return the key of origin of a local row."""
        return (
            None if key is None else self.origin_keys.get(str(model._meta.model_name), {}).get(key)
        )

    def content(self, model: type[Proved], content: Content) -> Content:
        """Return the content of a row with its keys of origin."""
        row: Row = {name: content.get(name) for name in model.proved}
        return {name: self._value(model, name, row) for name in content}

    def _value(self, model: type[Model], name: str, row: Row) -> Any:
        column: Any = model._meta.get_field(name)
        if column.many_to_many:
            return sorted(filter(None, (self.key(Ranking, key) for key in row[name])))
        if column.related_model:
            return self.key(column.related_model, row[name])
        shape = JSON_SHAPES[model].get(name)
        return row[name] if shape is None else translated(row[name], shape, self.key, row)


def differing_rows(tournament: Tournament) -> list[str]:
    """Return the names of rows that differ from the newest hashes in the journals of a file.

    A missing row has its key of origin as a negative number. Journals of earlier versions have
    no hashes, and prove only their entries.
    """
    newest: dict[str, tuple[_Chain, str, str | None]] = {}  # by local name: name of origin, hash
    lost: list[str] = []  # rows without a position in the file
    for chain in map(_Chain, tournament.archived_journals.order_by("pk")):
        unplaced: dict[str, str | None] = {}
        for entry in chain.entries:
            for name, hashed in (entry.get("rows") or {}).items():
                kind, key, *field = name.split("/")
                here = chain.local_keys.get(kind, {}).get(key)
                if here is not None:
                    newest["/".join([kind, str(here), *field])] = (chain, name, hashed)
                elif kind in KINDS:
                    unplaced[name] = hashed
        lost = [*_undeleted(lost, unplaced), *(name for name in unplaced if unplaced[name])]
    gone = [
        origin_name for name, (_, origin_name, hashed) in newest.items() if "/-" in name and hashed
    ]
    missing = sorted(name.replace("/", "/-", 1) for name in [*lost, *gone])
    return [*missing, *_changed(tournament, newest)] if newest else []


def _undeleted(lost: Sequence[str], later: Mapping[str, str | None]) -> list[str]:
    """Return the rows of earlier chains without a deletion in a *later* chain.

    Versions until November 2026 gave no position to a row that was deleted after an import, so
    only the number of deletions of each kind can be compared.
    """
    deleted = Counter(name.split("/")[0] for name, hashed in later.items() if hashed is None)
    undeleted = []
    for name in lost:
        kind = name.split("/")[0]
        if deleted[kind]:
            deleted[kind] -= 1
        else:
            undeleted.append(name)
    return undeleted


def _changed(
    tournament: Tournament, newest: Mapping[str, tuple[_Chain, str, str | None]]
) -> list[str]:
    changed = []
    for model in COMPARED_MODELS:
        for key, content in contents(rows_of(model, tournament)):
            for name in without_new_fields(hashes(model, key, content), newest):
                chain, origin_name, hashed = newest.get(name, (None, "", ""))
                if chain is None or hashed != _origin_hash(chain, model, origin_name, content):
                    changed.append(name)
    return changed


def _origin_hash(chain: _Chain, model: type[Proved], name: str, content: Content) -> str | None:
    key = int(name.split("/")[1])
    return hashes(model, key, chain.content(model, content))[name]
