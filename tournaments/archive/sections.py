"""Everything that is kept of a tournament, by section: what an archive has, said once.

Writing and reading both go by it. A test holds the list against the models, so that nothing that
is kept can be forgotten here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import models as db
from django.db.models import F, Q, QuerySet

from tournaments.archive import inside
from tournaments.archive.rows import Section
from tournaments.common.tokens import hash_token, new_token
from tournaments.models import (
    BankTransaction,
    Bussgeld,
    BussgeldReceipt,
    Call,
    Case,
    CashCount,
    CashEntry,
    Category,
    Closing,
    Club,
    Correction,
    Draw,
    Entry,
    EntryLine,
    Game,
    ListVersion,
    Membership,
    Notice,
    Penalty,
    Person,
    Playoff,
    PrizePayout,
    Ranking,
    Receipt,
    Registration,
    Seat,
    SeatSpan,
    Separation,
    Serie,
    Signature,
    Spielliste,
    Substitution,
    Table,
    Team,
    TeamMember,
    TeamWish,
    Tournament,
)


def _section(
    name: str,
    model: type[db.Model],
    path: str = "tournament",
    order: tuple[Any, ...] = ("pk",),
    find: Callable[[Tournament], QuerySet[Any]] | None = None,
    **more: Any,
) -> Section:
    """Return the section of all rows that *path* leads from to the tournament, or of *find*."""

    def by_path(tournament: Tournament) -> QuerySet[Any]:
        return db.QuerySet(model).filter(**{path: tournament.pk}).order_by(*order)

    return Section(name=name, model=model, find=find or by_path, **more)


def _clubs(tournament: Tournament) -> QuerySet[Club]:
    """Return the clubs of the registrations and of the persons, by their sort keys."""
    return (
        Club.objects.filter(
            Q(registrations__tournament=tournament)
            | Q(persons__registrations__tournament=tournament)
            | Q(persons__pk__in=_former_persons(tournament).values("pk"))
        )
        .distinct()
        .order_by("sort_key")
    )


def _former_persons(tournament: Tournament) -> QuerySet[Person]:
    """Return those who gave their start number to a substitute."""
    changed = Substitution.objects.filter(registration__tournament=tournament)
    left_or_joined = Q(pk__in=changed.values("left")) | Q(pk__in=changed.values("joined"))
    present = tournament.registrations.values("person")
    return Person.objects.filter(left_or_joined).exclude(pk__in=present).order_by("sort_key", "pk")


_BY_NUMBER = F("number").asc(nulls_last=True)
_OF_LIST = "spielliste__table__serie__tournament"
_PERSON = frozenset({"merged_into", "is_demo", "sort_key", "search_key"})
_OF_PERSON = {"hall_objection": False}

# What the required part says whole.
CLUBS = _section("", Club, find=_clubs)
TABLES = _section("", Table, "serie__tournament", ("serie__number", "number"))
SEATS = _section("", Seat, "serie__tournament", ("table", "number"))

# Rows that complete those of the required part, one for each of them in its order.
TOURNAMENT = _section(
    "tournament_details",
    Tournament,
    "pk",
    left_out=frozenset({"slug", "name", "copied_from", "is_demo", "is_trial_run", "revision"})
    | {"words", "words_since", "words_until"},  # said in the hall, and over
    sparse={
        "names_in_hall": False,
        "ended_lists": Tournament.EndedLists.EXTRAPOLATED.value,
        **dict.fromkeys(("admission", "circle_clubs", "circle_persons", "language"), ""),
    },
)
PERSONS = _section(
    "person_details",
    Person,
    "registrations__tournament",
    (F("registrations__number").asc(nulls_last=True), "registrations__pk"),
    left_out=_PERSON | {"first_name", "last_name"},
    sparse=_OF_PERSON,
)
REGISTRATIONS = _section(
    "registration_details",
    Registration,
    order=(_BY_NUMBER, "pk"),
    left_out=frozenset({"person", "number", "status", "club", "token_hash"}),
    sparse={"present_at": None, "admission": "", "approval": ""},
)
SERIEN = _section(
    "serie_details",
    Serie,
    order=("number",),
    left_out=frozenset({"number"}),
    sparse={"struck_out": ""},
)
LISTS = _section(
    "list_details",
    Spielliste,
    "table__serie__tournament",
    ("table__serie__number", "table__number"),
    left_out=frozenset({"table", "status"}),
    inside=inside.LIST,
    sparse={"ended_games": None, "ended_counts": "", "ended_reason": "", "ended_left": []},
)
GAMES = _section(
    "game_details",
    Game,
    _OF_LIST,
    ("spielliste__table__serie__number", "spielliste__table__number", "number"),
    left_out=frozenset({"spielliste", "number", "line"}),
)
DETAILS = (TOURNAMENT, PERSONS, REGISTRATIONS, SERIEN, LISTS, GAMES)

# Whole sections that stand for themselves; without them the required part is enough.
CATEGORIES = _section("categories", Category)
RANKINGS = _section("rankings", Ranking)
FORMER_PERSONS = _section(
    "former_persons", Person, find=_former_persons, left_out=_PERSON, sparse=_OF_PERSON
)
TEAMS = _section("teams", Team, "ranking__tournament")
TEAM_MEMBERS = _section("team_members", TeamMember, "ranking__tournament")
RECEIPTS = _section("receipts", Receipt)
CASH_ENTRIES = _section("cash_entries", CashEntry, "receipt__tournament")
PENALTIES = _section("penalties", Penalty, _OF_LIST)
PLAYOFFS = _section("playoff_records", Playoff, inside=inside.PLAYOFF)
_LATER = (
    TEAMS,
    TEAM_MEMBERS,
    _section("substitutions", Substitution, "registration__tournament"),
    _section("separations", Separation),
    _section(
        "entries",
        Entry,
        # Secrets are made anew: a link of the old installation opens nothing here.
        left_out=frozenset({"token_hash", "address_hash"}),
        fresh={"token_hash": lambda: hash_token(new_token())},
    ),
    _section("entry_lines", EntryLine, "entry__tournament"),
    _section("team_wishes", TeamWish, "line__entry__tournament"),
    RECEIPTS,
    CASH_ENTRIES,
    _section("cash_counts", CashCount),
    _section("bank_transactions", BankTransaction),
    _section("draws", Draw, "serie__tournament", inside=inside.DRAW),
    _section("seat_spans", SeatSpan, _OF_LIST),
    _section("signatures", Signature, _OF_LIST),
    _section("list_versions", ListVersion, _OF_LIST),
    _section("bussgelder", Bussgeld, _OF_LIST),
    _section("bussgeld_receipts", BussgeldReceipt, f"bussgeld__{_OF_LIST}"),
    PENALTIES,
    _section("calls", Call, "table__serie__tournament"),
    _section("cases", Case),
    _section("corrections", Correction, inside=inside.CORRECTION),
    _section("notices", Notice, "correction__tournament"),
    PLAYOFFS,
    _section("prize_payouts", PrizePayout),
    _section("closings", Closing, inside=inside.CLOSING),
    _section("memberships", Membership),
)
ACCOUNTS = "accounts"
JOURNAL = "journal"

# As they stand in the file.
IN_THE_FILE = (*DETAILS, CATEGORIES, RANKINGS, FORMER_PERSONS, *_LATER)
NAMES = (ACCOUNTS, *(section.name for section in IN_THE_FILE), JOURNAL)
# As they depend on each other: a row points only to what stands before it.
IN_ORDER = (
    *(TOURNAMENT, CATEGORIES, RANKINGS, CLUBS, PERSONS, FORMER_PERSONS, SERIEN, REGISTRATIONS),
    *(TABLES, LISTS, SEATS, GAMES, *_LATER),
)
