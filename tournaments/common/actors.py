"""Who acts: an account, a table's device, a player's page, the public, a command."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import JournalEntry, Registration, Table, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Handed to every service and written into the journal."""

    kind: JournalEntry.ActorKind
    user: User | None = None
    label: str = ""  # what tells devices and commands apart, never a person's name
    roles: frozenset[str] | None = None  # of an account in the tournament at hand, where known

    @classmethod
    def account(cls, user: User, roles: frozenset[str] | None = None) -> Actor:
        """Somebody who has logged in."""
        return cls(kind=JournalEntry.ActorKind.ACCOUNT, user=user, roles=roles)

    @classmethod
    def public(cls) -> Actor:
        """Somebody who has not."""
        return cls(kind=JournalEntry.ActorKind.PUBLIC)

    @classmethod
    def command(cls, name: str) -> Actor:
        """A management command."""
        return cls(kind=JournalEntry.ActorKind.COMMAND, label=name)

    @classmethod
    def table(cls, table: Table) -> Actor:
        """The device that keeps the list of *table*; expects its Serie to be loaded."""
        return cls.at_table(table.number, table.serie.number)

    @classmethod
    def at_table(cls, table: int, serie: int) -> Actor:
        """Whoever sits at a table, by the numbers of both: it may only be drafted yet."""
        # Sealed with the entry, so it is the same in every language.
        return cls(kind=JournalEntry.ActorKind.TABLE, label=f"Tisch {table}, Serie {serie}")

    @classmethod
    def player(cls, registration: Registration) -> Actor:
        """The page of a player, who is told by the start number."""
        return cls(kind=JournalEntry.ActorKind.PLAYER, label=f"Nr. {registration.number}")
