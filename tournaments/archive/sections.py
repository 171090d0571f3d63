"""Everything that is kept of a tournament beyond what the format asks for, by section.

The order is that of dependence: a section points only to what stands before it. A test
holds the list against the models, so that nothing that is kept can be forgotten here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models as db
from django.db.models import F, Q, QuerySet

from tournaments.archive import closings, corrections
from tournaments.archive.rows import Pointers, Positions, Section
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

MOST_SEATS = 8  # at any table


def registrations(tournament: Tournament) -> QuerySet[Registration]:
    """Return the registrations by start number, those without one last."""
    return tournament.registrations.order_by(F("number").asc(nulls_last=True), "pk")


def tables(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables of all Serien in their order."""
    return Table.objects.filter(serie__tournament=tournament).order_by("serie__number", "number")


def lists(tournament: Tournament) -> QuerySet[Spielliste]:
    """Return the lists in the order of their tables."""
    return Spielliste.objects.filter(table__serie__tournament=tournament).order_by(
        "table__serie__number", "table__number"
    )


def games(tournament: Tournament) -> QuerySet[Game]:
    """Return the lines of all lists, list by list."""
    return Game.objects.filter(spielliste__table__serie__tournament=tournament).order_by(
        "spielliste__table__serie__number", "spielliste__table__number", "number"
    )


def former_persons(tournament: Tournament) -> QuerySet[Person]:
    """Return those who gave their start number to a substitute."""
    left = Q(pk__in=Substitution.objects.filter(registration__tournament=tournament).values("left"))
    joined = Q(
        pk__in=Substitution.objects.filter(registration__tournament=tournament).values("joined")
    )
    present = tournament.registrations.values("person")
    return Person.objects.filter(left | joined).exclude(pk__in=present).order_by("sort_key", "pk")


def _section(name: str, model: type[db.Model], path: str = "tournament", **more: Any) -> Section:
    """Return the section of all rows that *path* leads from to the tournament."""

    def find(tournament: Tournament) -> QuerySet[Any]:
        return db.QuerySet(model).filter(**{path: tournament}).order_by("pk")

    return Section(name=name, model=model, find=find, **more)


_SEATED = Pointers(
    out=lambda rows, at, _row: [[at.place(Registration, key) for key in row] for row in rows],
    back=lambda rows, at, _row: [
        [None if place is None else at.key(Registration, place) for place in row] for row in rows
    ],
)
_CROSSINGS = Pointers(
    out=lambda rows, at, _row: [[at.place(Registration, key), *rest] for key, *rest in rows],
    back=lambda rows, at, _row: [[at.key(Registration, place), *rest] for place, *rest in rows],
)

_SPARSE = {"hall_objection": False}


def _seats_back(seats: list[int], _at: Positions, _row: Mapping[str, Any]) -> list[int]:
    if not all(type(seat) is int and 1 <= seat <= MOST_SEATS for seat in seats):
        raise ValueError
    return seats


_SEATS_LEFT = Pointers(out=lambda seats, _at, _row: seats, back=_seats_back)

_PERSON = frozenset({"merged_into", "is_demo", "sort_key", "search_key"})

# Rows that complete those of the required part, one for each of them in its order.
TOURNAMENT = Section(
    name="tournament_details",
    model=Tournament,
    find=lambda tournament: Tournament.objects.filter(pk=tournament.pk),
    left_out=frozenset({"slug", "name", "copied_from", "is_demo", "is_trial_run", "revision"})
    | {"words", "words_since", "words_until"},  # said in the hall, and over
    sparse={
        "names_in_hall": False,
        "ended_lists": Tournament.EndedLists.EXTRAPOLATED.value,
        **dict.fromkeys(("admission", "circle_clubs", "circle_persons", "language"), ""),
    },
)
PERSONS = Section(
    name="person_details",
    model=Person,
    find=lambda tournament: Person.objects.filter(registrations__tournament=tournament).order_by(
        F("registrations__number").asc(nulls_last=True), "registrations__pk"
    ),
    left_out=_PERSON | {"first_name", "last_name"},
    sparse=_SPARSE,
)
REGISTRATIONS = Section(
    name="registration_details",
    model=Registration,
    find=registrations,
    left_out=frozenset({"person", "number", "status", "club", "token_hash"}),
    sparse={"present_at": None, "admission": "", "approval": ""},
)
SERIEN = Section(
    name="serie_details",
    model=Serie,
    find=lambda tournament: Serie.every.filter(tournament=tournament).order_by("number"),
    left_out=frozenset({"number"}),
    sparse={"struck_out": ""},
)
LISTS = Section(
    name="list_details",
    model=Spielliste,
    find=lists,
    left_out=frozenset({"table", "status"}),
    inside={"ended_left": _SEATS_LEFT},
    sparse={"ended_games": None, "ended_counts": "", "ended_reason": "", "ended_left": []},
)
GAMES = Section(
    name="game_details",
    model=Game,
    find=games,
    left_out=frozenset({"spielliste", "number", "line"}),
)
DETAILS = (TOURNAMENT, PERSONS, REGISTRATIONS, SERIEN, LISTS, GAMES)

# Read before the registrations, because these point to them.
CATEGORIES = _section("categories", Category)
RANKINGS = _section("rankings", Ranking)
BEFORE = (CATEGORIES, RANKINGS)
FORMER_PERSONS = Section(
    name="former_persons",
    model=Person,
    find=former_persons,
    left_out=_PERSON,
    sparse=_SPARSE,
)
TEAMS = _section("teams", Team, "ranking__tournament")
TEAM_MEMBERS = _section("team_members", TeamMember, "ranking__tournament")
RECEIPTS = _section("receipts", Receipt)
CASH_ENTRIES = _section("cash_entries", CashEntry, "receipt__tournament")
PENALTIES = _section("penalties", Penalty, "spielliste__table__serie__tournament")


def _order_out(order: list[int], at: Positions, row: db.Model) -> list[int | None]:
    if isinstance(row, Playoff) and row.ranking_id is not None:
        return [at.place(Team, key) for key in order]
    return list(order)


def _order_back(order: list[int], at: Positions, given: Mapping[str, Any]) -> list[int]:
    return order if given["ranking"] is None else [at.key(Team, place) for place in order]


# Between players an order has start numbers, between teams their keys.
_ORDER = Pointers(out=_order_out, back=_order_back)
PLAYOFFS = _section("playoff_records", Playoff, inside={"order": _ORDER})

_LIST = "spielliste__table__serie__tournament"

# Whole sections that stand for themselves; without them the required part is enough.
AFTER = (
    FORMER_PERSONS,
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
    _section(
        "draws", Draw, "serie__tournament", inside={"seats": _SEATED, "crossings": _CROSSINGS}
    ),
    _section("seat_spans", SeatSpan, _LIST),
    _section("signatures", Signature, _LIST),
    _section("list_versions", ListVersion, _LIST),
    _section("bussgelder", Bussgeld, _LIST),
    _section("bussgeld_receipts", BussgeldReceipt, f"bussgeld__{_LIST}"),
    PENALTIES,
    _section("calls", Call, "table__serie__tournament"),
    _section("cases", Case),
    _section("corrections", Correction, inside=corrections.POINTERS),
    _section("notices", Notice, "correction__tournament"),
    PLAYOFFS,
    _section("prize_payouts", PrizePayout),
    _section("closings", Closing, inside=closings.POINTERS),
    _section("memberships", Membership),
)
ACCOUNTS = "accounts"
JOURNAL = "journal"
# What the entries of a journal are about: for these, the file says what their keys stand for.
IN_JOURNAL: tuple[type[db.Model], ...] = (
    *(Registration, Person, Team, Serie, Spielliste, Penalty, CashCount, Playoff),
)
NAMES = (ACCOUNTS, *(section.name for section in (*DETAILS, *BEFORE, *AFTER)), JOURNAL)
