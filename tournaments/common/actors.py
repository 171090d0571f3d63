"""The actors: an account, a table's device, a player's page, the public, a command."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import JournalEntry, Registration, Table, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The actor of a service call, written into the journal."""

    kind: JournalEntry.ActorKind
    user: User | None = None
    label: str = ""  # identifies devices and commands, never a person's name
    roles: frozenset[str] | None = None  # of an account in the tournament at hand, where known

    @classmethod
    def account(cls, user: User, roles: frozenset[str] | None = None) -> Actor:
        """Return the actor for an account."""
        return cls(kind=JournalEntry.ActorKind.ACCOUNT, user=user, roles=roles)

    @classmethod
    def public(cls) -> Actor:
        """Return the actor for a request without an account."""
        return cls(kind=JournalEntry.ActorKind.PUBLIC)

    @classmethod
    def command(cls, name: str) -> Actor:
        """Return the actor for a management command."""
        return cls(kind=JournalEntry.ActorKind.COMMAND, label=name)

    @classmethod
    def table(cls, table: Table) -> Actor:
        """Return the actor for a device of *table*; expects its Serie to be loaded."""
        return cls.at_table(table.number, table.serie.number)

    @classmethod
    def at_table(cls, table: int, serie: int) -> Actor:
        """Return the actor for a table by numbers, because it may exist only in a draft."""
        # Sealed with the entry, so it is the same in every language.
        return cls(kind=JournalEntry.ActorKind.TABLE, label=f"Tisch {table}, Serie {serie}")

    @classmethod
    def player(cls, registration: Registration) -> Actor:
        """Return the actor for a player's own page, by start number."""
        return cls(kind=JournalEntry.ActorKind.PLAYER, label=f"Nr. {registration.number}")
