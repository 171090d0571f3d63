"""The journals of a tournament: exported in full, and imported only if unbroken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import reduce
from typing import Annotated, Any

from django.db.models import Model, QuerySet

from scoring.reading.records import LARGEST, BoundFunction, Text
from scoring.reading.strict_json import Node
from scoring.texts import _
from tournaments.archive.json_references import Row, Translate
from tournaments.archive.rows import Places, in_order, time_of
from tournaments.journal import services as journal
from tournaments.journal.rows import KINDS
from tournaments.models import ArchivedJournal, Club, JournalEntry, Person, Tournament, User

# Kinds of rows whose keys the file maps to positions: subjects of entries, and proved rows.
MODELS_BY_KIND: Mapping[str, type[Model]] = {**KINDS, "person": Person, "club": Club, "user": User}


def _checked_time(time: str) -> str:
    time_of(time)
    return time


@dataclass(frozen=True, kw_only=True)
class EntryPart:
    """A journal entry, with its fields in this order; the types are those that pages rely on."""

    number: int
    at: Annotated[str, BoundFunction(_checked_time)]
    actor_kind: str
    actor: Any
    actor_label: str
    action: str
    subject_type: str
    subject_id: Any
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str
    previous: Any
    rows: dict[str, str | None] | None = None  # absent in older files
    hash: str

    @property
    def facts(self) -> Row:
        """The entry as it was sealed, with its hash."""
        return {name: value for name, value in vars(self).items() if name != "rows" or value}


# A file of an earlier version has fewer kinds; None for those.
Keys: Any = make_dataclass(
    "Keys", [(name, dict[str, int] | None, field(default=None)) for name in MODELS_BY_KIND]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPart:
    """One chain; its entries have the keys of the installation that wrote it."""

    scope: Annotated[str, Text(30)]
    accounts: dict[str, int]  # position by key
    keys: Keys | None = None  # the same for subjects of entries; absent in older files
    entries: tuple[EntryPart, ...]

    def places(self) -> Iterator[tuple[type[Model], Sequence[str], Mapping[str, int]]]:
        """Yield each model with the place in the chain of its positions by key, and these."""
        yield User, ("accounts",), self.accounts
        for name, places in self.kinds():
            yield MODELS_BY_KIND[name], ("keys", name), places

    def kinds(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield the positions by key of each kind of row that the file has."""
        for name, places in vars(self.keys).items() if self.keys is not None else ():
            if places is not None:
                yield name, places


# --- Writing ----------------------------------------------------------------------------


class OwnEntries:
    """The entries of a chain of this installation, read from the database at each iteration."""

    def __init__(self, newest: JournalEntry) -> None:
        """Represent all entries up to *newest*, without later ones."""
        chain = JournalEntry.objects.filter(chain=newest.chain_id)
        self.rows = chain.filter(number__lte=newest.number)

    def __len__(self) -> int:
        return self.rows.count()

    def __iter__(self) -> Iterator[Row]:
        return self._written("number")

    def __reversed__(self) -> Iterator[Row]:
        return self._written("-number")

    def _written(self, order: str) -> Iterator[Row]:
        for entry in self.rows.order_by(order).iterator(chunk_size=500):
            yield _entry({**journal.facts_of(entry), "hash": entry.hash})


def chains_of(tournament: Tournament, places: Places) -> list[Row]:
    """Return every chain of the tournament: the imported ones, then its own."""
    chains = ArchivedJournal.objects.filter(tournament=tournament).order_by("pk")
    places = _with_deleted(places, chains)
    written = [
        {**_chain(chain, places), "entries": [_entry(entry) for entry in chain.entries]}
        for chain in chains.iterator(chunk_size=1)
    ]
    own = JournalEntry.objects.filter(chain__tournament=tournament)
    newest = own.select_related("chain").order_by("number").last()
    if newest is not None:
        actors = own.exclude(actor=None).order_by().values_list("actor", flat=True).distinct()
        chain = ArchivedJournal(
            scope=newest.chain.scope,
            accounts={str(key): key for key in actors},
            keys={
                name: {str(key): key for key in places[MODELS_BY_KIND[name]] if key > 0}
                for name in MODELS_BY_KIND
            },
        )
        written.append({**_chain(chain, places), "entries": OwnEntries(newest)})
    return written


def _with_deleted(places: Places, chains: QuerySet[ArchivedJournal]) -> Places:
    """Add positions behind the last row for proved rows that were deleted after an import.

    The position connects the deletion entry of one chain with the entries of another.
    """
    named: dict[str, set[int]] = {name: set() for name in KINDS}
    for keys in chains.values_list("keys", flat=True):
        for name in keys.keys() & named.keys():
            named[name].update(keys[name].values())
    behind: dict[type[Model], dict[int, int]] = {}
    for name, model in KINDS.items():
        # Rows that were missing in the imported file have negative keys, from −1 on.
        gone = sorted(named[name] - places[model].keys(), key=lambda key: (key > 0, abs(key)))
        behind[model] = {key: len(places[model]) + place for place, key in enumerate(gone, 1)}
    return {model: {**positions, **behind.get(model, {})} for model, positions in places.items()}


def _chain(chain: ArchivedJournal, places: Places) -> Row:
    written: Row = {"scope": chain.scope, "accounts": _by_key(chain.accounts, places[User])}
    if chain.keys:
        written["keys"] = {
            name: _by_key(chain.keys[name], places[model])
            for name, model in MODELS_BY_KIND.items()
            if name in chain.keys
        }
    return written


def _entry(facts: Row) -> Row:
    return {
        column.name: in_order(facts[column.name])
        for column in fields(EntryPart)
        if column.name in facts
    }


def _by_key(keys: Mapping[str, int], places: Mapping[int, int]) -> dict[str, int]:
    """Return the position of each row by its key in the chain; *keys* maps that to the key here."""
    return {key: places[keys[key]] for key in sorted(keys, key=int) if keys[key] in places}


# --- Reading ----------------------------------------------------------------------------


def check(node: Node, chains: Sequence[ChainPart], row_counts: Mapping[type[Model], int]) -> None:
    """Refuse chains with wrong hashes, or with positions beyond *row_counts*.

    Such a chain was changed outside the program, so it proves nothing. A position behind the last
    row means a proved row that was deleted; ``proving`` checks its deletion entry.
    """
    for index, chain in enumerate(chains):
        at = node.entry(index)
        for model, path, places in chain.places():
            for key, place in places.items():
                may_be_gone = len(chains) > 1 and path[-1] in KINDS
                last = LARGEST if may_be_gone else row_counts.get(model, 0)
                if not (key.isdecimal() and 1 <= place <= last):
                    inside = reduce(Node.field, (*path, key), at)
                    inside.refuse(
                        _("Diese Angabe verweist auf etwas, das nicht in der Datei steht.")
                    )
        broken = journal.first_break(chain.scope, (entry.facts for entry in chain.entries))
        if broken is not None:
            at.field("entries").refuse(
                _("Das Protokoll ist nicht unversehrt: {sentence}").format(sentence=broken.sentence)
            )


def stored_chain(tournament: Tournament, chain: ChainPart, translate: Translate) -> ArchivedJournal:
    """Return a chain to be stored, with keys of this installation in place of positions."""

    def here(model: type[Model], places: Mapping[str, int]) -> dict[str, int | None]:
        return {key: translate(model, place) for key, place in places.items()}

    return ArchivedJournal(
        tournament=tournament,
        scope=chain.scope,
        accounts=here(User, chain.accounts),
        keys={name: here(MODELS_BY_KIND[name], places) for name, places in chain.kinds()},
        entries=[entry.facts for entry in chain.entries],
    )
