"""The sections of an archive: all stored data of a tournament.

Export and import use the same list. A test compares it with the models, so that no model or
field is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import F, Model, Q, QuerySet
from django.db.models.functions import Collate

from tournaments import models
from tournaments.archive import json_references
from tournaments.archive.rows import ArchiveSection
from tournaments.common.tokens import hash_token, new_token


def _section(
    name: str,
    model: type[Model],
    path: str = "tournament",
    order: tuple[Any, ...] = ("pk",),
    find: Callable[[models.Tournament], QuerySet[Any]] | None = None,
    **more: Any,
) -> ArchiveSection:
    """Return the section of the rows whose *path* leads to the tournament, or of *find*."""

    def by_path(tournament: models.Tournament) -> QuerySet[Any]:
        return QuerySet(model).filter(**{path: tournament.pk}).order_by(*order)

    return ArchiveSection(name=name, model=model, find=find or by_path, **more)


def _by_code_point(name: str) -> Collate:
    """Return the order that does not depend on the database and its language."""
    return Collate(name, "C" if connection.vendor == "postgresql" else "BINARY")


def _clubs(tournament: models.Tournament) -> QuerySet[models.Club]:
    """Return the clubs of the registrations and of the persons, by their sort keys."""
    playing = tournament.registrations
    persons = models.Person.objects.filter(
        Q(pk__in=playing.values("person")) | Q(pk__in=_former_persons(tournament).values("pk"))
    )
    # Subqueries, because joins would multiply registrations by persons of a club.
    return models.Club.objects.filter(
        Q(pk__in=playing.values("club")) | Q(pk__in=persons.values("club"))
    ).order_by(_by_code_point("sort_key"))


def _former_persons(tournament: models.Tournament) -> QuerySet[models.Person]:
    """Return the persons who gave their start number to a substitute."""
    changed = models.Substitution.objects.filter(registration__tournament=tournament)
    left_or_joined = Q(pk__in=changed.values("left")) | Q(pk__in=changed.values("joined"))
    present = tournament.registrations.values("person")
    return (
        models.Person.objects.filter(left_or_joined)
        .exclude(pk__in=present)
        .order_by(_by_code_point("sort_key"), "pk")
    )


_LIST_PATH = "spielliste__table__serie__tournament"
_PERSON_LEFT_OUT = {"owner", "merged_into", "sort_key", "search_key"}
_PERSON_SPARSE = {"hall_objection": False, "member_until": None}

# Completely in the required part.
CLUBS = _section("", models.Club, find=_clubs, required={"name"}, left_out={"owner"})
TABLES = _section(
    "",
    models.Table,
    "serie__tournament",
    ("serie__number", "number"),
    required={"serie", "number"},
)
SEATS = _section(
    "",
    models.Seat,
    "serie__tournament",
    ("serie__number", "table__number", "number"),
    required={"serie", "table", "number", "registration"},
)

# Rows that complete those of the required part: one for each, in the same order.
TOURNAMENT = _section(
    "tournament_details",
    models.Tournament,
    "pk",
    required={"slug", "name"},
    left_out={
        *("owner", "copied_from", "is_trial_run", "revision", "fewer_eyes_by"),
        *("words", "words_since", "words_until"),  # announcements in the hall
        *("wlan_name", "wlan_password"),  # secrets of the hall
    },
    sparse={
        "names_in_hall": False,
        "ended_lists": models.Tournament.EndedLists.EXTRAPOLATED.value,
        "late_startgeld": models.Tournament.LateStartgeld.FULL.value,
        **dict.fromkeys(("admission", "circle_clubs", "circle_persons", "language"), ""),
        **dict.fromkeys(("called_off_reason", "public_players"), ""),
        "floor": [],
        "schedule": [],
        **dict.fromkeys(("offer_hours", "best_serien")),
        **dict.fromkeys(("self_check_in", "mails_seats", "day_startgeld"), False),
        **dict.fromkeys(("only_whole", "ties_by_lot", "carries_points"), False),
    },
)
PERSONS = _section(
    "person_details",
    models.Person,
    "registrations__tournament",
    (F("registrations__number").asc(nulls_last=True), "registrations__pk"),
    required={"first_name", "last_name"},
    left_out=_PERSON_LEFT_OUT,
    sparse=_PERSON_SPARSE,
)
REGISTRATIONS = _section(
    "registration_details",
    models.Registration,
    order=(F("number").asc(nulls_last=True), "pk"),
    required={"person", "number", "status", "club"},
    # Offers are bound to their mails, and player pages have other addresses elsewhere.
    left_out={"token_hash", "offered_until", "ask_by_phone", "shows_history"},
    sparse={
        **dict.fromkeys(
            ("present_at", "late_startgeld_cents", "unticked_at", "gone_after", "carried_points")
        ),
        **dict.fromkeys(("admission", "approval", "plays_on"), ""),
        **dict.fromkeys(("pays_later", "hides_name"), False),
    },
)
SERIEN = _section(
    "serie_details",
    models.Serie,
    order=("number",),
    required={"number"},
    sparse={"struck_out": ""},
)
LISTS = _section(
    "list_details",
    models.Spielliste,
    "table__serie__tournament",
    ("table__serie__number", "table__number"),
    required={"table", "status"},
    inside=json_references.LIST,
    sparse={
        "ended_games": None,
        "ended_counts": "",
        "ended_reason": "",
        "ended_left": [],
        "is_late": False,
    },
)
GAMES = _section(
    "game_details",
    models.Game,
    _LIST_PATH,
    ("spielliste__table__serie__number", "spielliste__table__number", "number"),
    required={"spielliste", "number", "line"},
)

# Independent sections; a file without them can still be imported.
CATEGORIES = _section("categories", models.Category)
RANKINGS = _section("rankings", models.Ranking)
FORMER_PERSONS = _section(
    "former_persons",
    models.Person,
    find=_former_persons,
    left_out=_PERSON_LEFT_OUT,
    sparse=_PERSON_SPARSE,
)
TEAMS = _section("teams", models.Team, "ranking__tournament")
TEAM_MEMBERS = _section("team_members", models.TeamMember, "ranking__tournament")
RECEIPTS = _section("receipts", models.Receipt, sparse={"difference_of": None})
CASH_ENTRIES = _section("cash_entries", models.CashEntry, "receipt__tournament")
PENALTIES = _section("penalties", models.Penalty, _LIST_PATH)
PLAYOFFS = _section(
    "playoff_records", models.Playoff, inside=json_references.PLAYOFF, sparse={"seed": ""}
)
_LATER = (
    TEAMS,
    TEAM_MEMBERS,
    _section("ranking_choices", models.RankingChoice, "ranking__tournament"),
    _section(
        "substitutions",
        models.Substitution,
        "registration__tournament",
        sparse={"left_hides_name": False},
    ),
    _section("separations", models.Separation),
    _section(
        "entries",
        models.Entry,
        # Secrets are generated again: links of the old installation do not work here.
        left_out={"token_hash", "address_hash"},
        fresh={"token_hash": lambda: hash_token(new_token())},
    ),
    _section(
        "entry_lines",
        models.EntryLine,
        "entry__tournament",
        sparse={"plays_on": "", "member_number": "", "declined": [], "naming": ""},
    ),
    _section("team_wishes", models.TeamWish, "line__entry__tournament"),
    _section("cash_counts", models.CashCount),
    RECEIPTS,
    CASH_ENTRIES,
    _section("bank_transactions", models.BankTransaction),
    _section("draws", models.Draw, "serie__tournament", inside=json_references.DRAW),
    _section("seat_spans", models.SeatSpan, _LIST_PATH),
    _section("signatures", models.Signature, _LIST_PATH),
    _section("list_versions", models.ListVersion, _LIST_PATH),
    _section("bussgelder", models.Bussgeld, _LIST_PATH),
    _section("bussgeld_receipts", models.BussgeldReceipt, f"bussgeld__{_LIST_PATH}"),
    PENALTIES,
    _section("calls", models.Call, "table__serie__tournament"),
    _section("cases", models.Case),
    _section("corrections", models.Correction, inside=json_references.CORRECTION),
    _section("notices", models.Notice, "correction__tournament"),
    _section("circulars", models.Circular),
    PLAYOFFS,
    _section("prize_payouts", models.PrizePayout, sparse={"part": 1, "passed_at": None}),
    _section("lotteries", models.Lottery, inside=json_references.LOTTERY),
    _section("closings", models.Closing, inside=json_references.CLOSING),
    _section("memberships", models.Membership),
)
ACCOUNTS = "accounts"
ORGANISERS = "organisers"
JOURNAL = "journal"

# In the order of the file.
FILE_ORDER = (
    *(TOURNAMENT, PERSONS, REGISTRATIONS, SERIEN, LISTS, GAMES),
    *(CATEGORIES, RANKINGS, FORMER_PERSONS, *_LATER),
)
NAMES = (ORGANISERS, ACCOUNTS, *(section.name for section in FILE_ORDER), JOURNAL)
# In the order of dependencies: a row refers only to earlier rows.
LOAD_ORDER = (
    *(TOURNAMENT, CATEGORIES, RANKINGS, CLUBS, PERSONS, FORMER_PERSONS, SERIEN, REGISTRATIONS),
    *(TABLES, LISTS, SEATS, GAMES, *_LATER),
)
