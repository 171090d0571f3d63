"""What a table's page shows: the whole state of one list as JSON values.

The page keeps its own copy while the network is away, so everything that it needs is in it.
Whoever has the table's code sits at the table: names stand in it as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from scoring.bounds import bounds
from scoring.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.unclear import count_line, what_is_unclear
from tournaments.announcement.queries.rule_set_text import contract
from tournaments.common.digits import number_in
from tournaments.common.rules import bussgeld_tariff, rule_set_of
from tournaments.lists.queries.bussgeld import bussgeld_by_seat
from tournaments.lists.queries.data import COMPLETE, ListData
from tournaments.models import (
    Call,
    Case,
    Game,
    JournalEntry,
    Penalty,
    Seat,
    Spielliste,
    TableAccess,
    TableDevice,
    Tournament,
)

State = dict[str, Any]


# Acts that concern one list and no other table's page.
OF_ONE_LIST = (
    "game_entered",
    "game_changed",
    "game_taken_back",
    "cards_bought",
    "list_signed",
    "list_on_paper",
    "list_on_device",
    "listenfuehrer_set",
)
MOST_PASSED_OVER = 100  # acts; then the page gets a state and counts from there


def has_news(token_hash: str, since: str) -> bool:
    """Whether a table's page that shows the state of *since* has something new to learn.

    One indexed query where nothing happened, a second one where things happened at other
    tables only: hundreds of pages ask every few seconds, and somewhere a game is always
    entered. Whether the code still opens anything need not be looked at: closing a Serie
    and withdrawing a code are news.
    """
    revision_text, _dash, seen_text = since.partition("-")
    revision, seen = number_in(revision_text), number_in(seen_text)
    found = TableAccess.objects.filter(token_hash=token_hash).order_by("pk")
    row = found.values_list(
        "table__serie__tournament__revision",
        "table__serie__tournament__journal_chain",
        "table__spielliste",
    ).first()
    if row is None or revision is None or (seen_text and seen is None):
        return True
    now, chain, spielliste = row
    happened = now - revision
    if happened == 0:
        return False
    if seen is None or not 0 < happened <= MOST_PASSED_OVER:
        return True
    # Everything since must stand in the journal, and concern other lists.
    entries = JournalEntry.objects.filter(chain=chain, number__gt=seen)
    elsewhere = Q(action__in=OF_ONE_LIST, subject_type="spielliste") & ~Q(subject_id=spielliste)
    numbers = entries.aggregate(all=Count("pk"), elsewhere=Count("pk", filter=elsewhere))
    return not numbers["all"] == numbers["elsewhere"] == happened


def state(
    table_id: int, *, device: TableDevice | None = None, now: datetime | None = None
) -> State:
    """Return all that the page of a table shows, for a device at it.

    Seats and games count from 1; points are whole numbers, money is cents, times are ISO
    8601. ``points`` of a game are what it brings to each seat, what the rule set adds for a
    Handrommé included; ``running`` sums them up. ``totals`` has what the list comes to,
    with the parts that docs/formats.md 1 names. Where ``bonus`` or the number of players is
    no more what the page was loaded with, it needs its rules anew. ``since`` is what a page
    hands in to ask for what is newer; ``revision`` alone will do, but makes it hear of every
    act in the hall.
    At most 10 queries.
    """
    now = now or timezone.now()
    spielliste = Spielliste.objects.select_related("table__serie__tournament").get(table=table_id)
    table = spielliste.table
    serie, tournament = table.serie, table.serie.tournament
    # Before all else is read: what is entered meanwhile may be told twice, but not left out.
    entries = JournalEntry.objects.filter(chain__tournament=tournament).order_by("-number")
    seen = entries.values_list("number", flat=True).first() or 0
    rule_set = rule_set_of(tournament)
    seats = list(
        Seat.objects.filter(table=table)
        .select_related("registration__person", "registration__club")
        .order_by("number")
    )
    games = list(spielliste.games.order_by("number"))
    data = _data(spielliste, seats, games)
    keeper = TableDevice.objects.filter(table=table, is_keeper=True).values_list("pk", flat=True)
    keeper_id = keeper.order_by("pk").first()
    is_keeper = device is not None and device.pk == keeper_id
    end = serie.ends_at(spielliste.extra_minutes)
    return {
        "revision": tournament.revision,
        "since": f"{tournament.revision}-{seen}",
        "version": spielliste.version,
        "status": spielliste.status,
        "tournament": tournament.name,
        "serie": serie.number,
        "table": table.number,
        "rule_set": _rules(rule_set),
        "players": [_player(seat) for seat in seats],
        "bonus": rule_set.bonus_per_game[spielliste.bonus_size or len(seats)],
        "bought": spielliste.bought_cards,
        "listenfuehrer": spielliste.listenfuehrer,
        "is_keeper": is_keeper,
        "has_keeper": keeper_id is not None,
        "on_paper": spielliste.on_paper,
        "games": _games(games, rule_set, len(seats)),
        "next": _next(spielliste, rule_set, len(seats), len(games)),
        "totals": _totals(data, rule_set, tournament),
        "signatures": _signatures(spielliste, seats),
        "call": _call(table.pk),
        "cases": _cases(spielliste),
        "protest_until": _iso(spielliste.protest_until),
        "ends_at": _iso(end),
        "now": _iso(now),
        "may_change": is_keeper and spielliste.is_at_the_table and not spielliste.on_paper,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _player(seat: Seat) -> dict[str, Any]:
    registration = seat.registration
    return {
        "seat": seat.number,
        "number": registration.number,
        "name": registration.person.full_name,
        "club": registration.club.name if registration.club else "",
    }


def _rules(rule_set: RuleSet) -> dict[str, Any]:
    return {
        "id": rule_set.id,
        "name": rule_set.name,
        "games": rule_set.games,
        "table_sizes": list(rule_set.table_sizes),
        "handromme": rule_set.handromme is not None,
        "ends_without_finisher": rule_set.ends_without_finisher,
        "card_values": {rank.value: value for rank, value in rule_set.card_values.items()},
        "rounds": [
            contract(round_.contract) if round_.contract else ""
            for round_ in map(rule_set.round, range(1, rule_set.games + 1))
        ],
    }


def _games(games: Sequence[Game], rule_set: RuleSet, seats: int) -> list[dict[str, Any]]:
    lines = [line_from_json(game.line) for game in games]
    points = [[count.minus for count in count_line(line, rule_set)] for line in lines]
    running = accumulate(points, lambda before, row: list(map(sum, zip(before, row, strict=True))))
    return [
        {
            "number": game.number,
            "dealer": rule_set.dealer(game.number, seats),
            "line": game.line,
            "points": row,
            "running": so_far,
            "unclear": what_is_unclear(line),
            "overridden": game.overridden,
        }
        for game, line, row, so_far in zip(games, lines, points, running, strict=True)
    ]


def _next(
    spielliste: Spielliste, rule_set: RuleSet, seats: int, games: int
) -> dict[str, Any] | None:
    number = games + 1
    if spielliste.status != Spielliste.Status.OPEN or number > rule_set.games:
        return None
    return {
        "number": number,
        "dealer": rule_set.dealer(number, seats),
        "bounds": bounds(rule_set, players=seats, game=number),
    }


# --- What the list comes to ---------------------------------------------------------------


def _data(spielliste: Spielliste, seats: Iterable[Seat], games: Iterable[Game]) -> ListData:
    """Return the list as the results take it; 2 queries."""
    table = spielliste.table
    data = ListData(
        pk=spielliste.pk,
        status=spielliste.status,
        serie=table.serie.number,
        table=table.number,
        bonus_size=spielliste.bonus_size,
        seats={seat.number: seat.registration_id for seat in seats},
        games=[game.line for game in games],
        spans=list(spielliste.spans.values_list("seat", "last_game", "registration")),
    )
    given = spielliste.penalties.filter(status=Penalty.Status.GIVEN)
    for registration, points in given.values_list("registration", "points"):
        data.penalties[registration] = data.penalties.get(registration, 0) + points
    return data


_PARTS = (
    "minus",
    "games_won",
    "bonus",
    "handromme",
    "handromme_bonus",
    "penalty",
    "adjustment",
    "total",
)


def _totals(data: ListData, rule_set: RuleSet, tournament: Tournament) -> list[dict[str, Any]]:
    """Return what each seat comes to; its games count together, whoever played them."""
    sums = {seat: dict.fromkeys(_PARTS, 0) for seat in sorted(data.seats)}
    for result in data.results(rule_set).values():
        mine = sums[result.seat]
        for part in _PARTS:
            mine[part] += getattr(result, part)
    in_order = sorted(map(_by_rank, sums.values()))
    whole = data.status in COMPLETE
    bussgeld = bussgeld_by_seat(data, rule_set, bussgeld_tariff(tournament)) if whole else {}
    return [
        {
            "seat": seat,
            **mine,
            "place": in_order.index(_by_rank(mine)) + 1,
            "bussgeld_cents": bussgeld.get(seat),
        }
        for seat, mine in sums.items()
    ]


def _by_rank(sums: Mapping[str, int]) -> tuple[int, int, int]:
    return (sums["total"], -sums["games_won"], -sums["handromme"])


# --- Around the list ----------------------------------------------------------------------


def _signatures(spielliste: Spielliste, seats: Iterable[Seat]) -> list[dict[str, Any]]:
    """Return who signed the list as it is; once it is signed, what it said then."""
    if spielliste.status == Spielliste.Status.OPEN:
        return []
    rows = spielliste.signatures.values_list("registration", "version", "method")
    by_version: dict[int, dict[int, str]] = {}
    for registration, version, method in rows:
        by_version.setdefault(version, {})[registration] = method
    wanted = spielliste.version
    if not spielliste.is_at_the_table:
        wanted = max(by_version, default=wanted)
    methods = by_version.get(wanted, {})
    return [
        {"seat": seat.number, "method": methods[seat.registration_id]}
        for seat in seats
        if seat.registration_id in methods
    ]


def _call(table_id: int) -> dict[str, Any] | None:
    call = Call.objects.filter(table=table_id, done_at__isnull=True).first()
    if call is None:
        return None
    return {"id": call.pk, "kind": call.kind, "state": "taken" if call.taken_at else "open"}


def _cases(spielliste: Spielliste) -> list[dict[str, Any]]:
    """Return what the table asked the Spielleitung for, and what it decided."""
    if spielliste.is_at_the_table:
        return []
    asked = Case.objects.filter(spielliste=spielliste, registration__isnull=True)
    return [
        {
            "id": case.pk,
            "game": case.game,
            "text": case.text,
            "state": "decided" if case.decided_at else "open",
            "decision": case.decision,
        }
        for case in asked.order_by("pk")
    ]
