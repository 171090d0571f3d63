"""The models, one module per subject."""

from tournaments.models.accounts import (
    Invitation,
    Membership,
    Organiser,
    OrganiserAccount,
    Proposal,
    Right,
    Role,
    User,
)
from tournaments.models.cash import BankTransaction, CashCount, CashEntry, Receipt
from tournaments.models.decisions import (
    Bussgeld,
    BussgeldReceipt,
    Case,
    Circular,
    Correction,
    Notice,
    Penalty,
    WayOfTelling,
)
from tournaments.models.entry import Entry, EntryLine, TeamWish
from tournaments.models.imports import KnownColumns, PersonImport
from tournaments.models.jobs import Job
from tournaments.models.journal import ArchivedJournal, JournalChain, JournalEntry
from tournaments.models.lists import Game, ListVersion, SeatSpan, Signature, Spielliste
from tournaments.models.operating import LegalText, NotedRequest
from tournaments.models.people import Ban, Club, Gender, Person
from tournaments.models.printing import PrintedDocument, StoredFile
from tournaments.models.prizes import Closing, Lottery, Playoff, PrizePayout
from tournaments.models.registration import (
    RankingChoice,
    Registration,
    Substitution,
    Team,
    TeamMember,
)
from tournaments.models.screen import Screen
from tournaments.models.season import Season
from tournaments.models.seating import Draw, Seat, Separation, Serie, Table
from tournaments.models.table_access import Call, CodeGuess, Submission, TableAccess, TableDevice
from tournaments.models.tariff import Category, Ranking
from tournaments.models.tournament import Tournament
