"""What is kept, one module per subject."""

from tournaments.models.accounts import Invitation, Membership, Role, User
from tournaments.models.cash import BankTransaction, CashCount, CashEntry, Receipt
from tournaments.models.entry import Entry, EntryLine, TeamWish
from tournaments.models.imports import PersonImport
from tournaments.models.jobs import Job
from tournaments.models.journal import JournalChain, JournalEntry
from tournaments.models.people import Ban, Club, Gender, Person
from tournaments.models.registration import (
    Registration,
    Separation,
    Substitution,
    Team,
    TeamMember,
)
from tournaments.models.seating import Draw, Seat, Table
from tournaments.models.tournament import Category, Ranking, Serie, Tournament

__all__ = [
    "Ban",
    "BankTransaction",
    "CashCount",
    "CashEntry",
    "Category",
    "Club",
    "Draw",
    "Entry",
    "EntryLine",
    "Gender",
    "Invitation",
    "Job",
    "JournalChain",
    "JournalEntry",
    "Membership",
    "Person",
    "PersonImport",
    "Ranking",
    "Receipt",
    "Registration",
    "Role",
    "Seat",
    "Separation",
    "Serie",
    "Substitution",
    "Table",
    "Team",
    "TeamMember",
    "TeamWish",
    "Tournament",
    "User",
]
