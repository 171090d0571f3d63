"""The whole state of one list for the page of a table.

The page works offline on a copy, so the state has everything that the page needs. It has full
names, because only people at the table have the table's code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import add
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ambiguity import count_line, unclear_entries
from scoring.plausibility import LineContext
from scoring.reading.bounds import GameBounds, bounds
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult, points_of_game
from scoring.tally import SEPARATOR
from tournaments.common.names import full_name
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.ended_lists import ended_sentences
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.queries.seat_history import Sitter, earlier_sitters
from tournaments.lists.queries.seat_moves import SeatMoves, name_lookup, seat_moves
from tournaments.lists.queries.sheet import SeatedPlayer, Sheet, StoredGame, sheet_at
from tournaments.models import Call, Case, Penalty, Registration, Spielliste
from tournaments.notices.queries.signs import Sign, signs_at
from tournaments.rulebook.queries.rule_set_text import contract
from tournaments.table.queries.seat_totals import SeatTotal, seat_totals


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlayer:
    """A player with the seat; ``number`` is the start number."""

    seat: int
    number: int | None
    name: str
    club: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game and its points for each seat, the addition for a Handrommé included."""

    number: int
    dealer: int
    line: Mapping[str, Any]  # in the interchange format
    points: tuple[int, ...]
    running: tuple[int, ...]
    unclear: str
    overridden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame:
    """The game to be entered next."""

    number: int
    dealer: int
    bounds: GameBounds


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSignature:
    """A seat that signed the current version of the list."""

    seat: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """An unsettled call for a Schiedsrichter."""

    id: int
    kind: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequest:
    """A request of the table to the Spielleitung, and its decision."""

    id: int
    game: int | None
    text: str
    state: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything that the page of a table shows; the scripts get it as JSON.

    Seats and games count from 1; points are whole numbers, money is cents. If ``bonus`` or the
    number of players differs from the page's rules, the page must load the rules again.
    ``ended`` has sentences about a list that the Spielleitung ended early. A page polls with
    ``since``; ``revision`` alone is also accepted.
    """

    revision: int
    since: str
    version: int
    status: str
    tournament: str
    serie: int
    table: int
    rule_set: Mapping[str, Any]
    players: tuple[TablePlayer, ...]
    bonus: int
    bought: Sequence[int]
    listenfuehrer: int
    is_keeper: bool
    has_keeper: bool
    on_paper: bool
    games_wanted: int
    ended: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    next: NextGame | None
    moves: SeatMoves
    totals: tuple[SeatTotal, ...]
    signatures: tuple[SeatSignature, ...]
    call: OpenCall | None
    cases: tuple[CorrectionRequest, ...]
    protest_until: datetime | None
    ends_at: datetime | None
    signs: tuple[Sign, ...]
    now: datetime
    may_change: bool


def state(table_id: int, *, device: int | None = None, now: datetime | None = None) -> TableState:
    """Return the state of a table's list for the device with that key.

    4 queries; one more each for Strafpunkte, a call, substitutions, and for the signatures and
    cases of a complete list. A list with moved players and an ended list are read as for the
    ranking.
    """
    return state_of(sheet_at(table_id), device=device, now=now)


def state_of(sheet: Sheet, *, device: int | None = None, now: datetime | None = None) -> TableState:
    """Return the state of a list that was fetched; no query for an open list without extras."""
    now = now or timezone.now()
    spielliste, rule_set, seats = sheet.spielliste, sheet.rule_set, sheet.seats
    table, tournament = spielliste.table, sheet.tournament
    serie = table.serie
    data = _data(sheet)
    results = data.counted(rule_set)
    is_keeper = device is not None and device == sheet.keeper
    # A list that may be signed is a document with the names of those who played (§ 2.2.4).
    is_open = spielliste.status == Spielliste.Status.OPEN
    sitters = {} if is_open else earlier_sitters(tournament).get(serie.number, {})
    return TableState(
        revision=tournament.revision,
        since=f"{tournament.revision}-{sheet.entry}",
        version=spielliste.version,
        status=spielliste.status,
        tournament=tournament.name,
        serie=serie.number,
        table=table.number,
        rule_set=_rules(rule_set, len(seats)),
        players=_players(seats, sitters),
        bonus=abs(rule_set.rates(spielliste.bonus_size or len(seats))[0]),
        bought=spielliste.bought_cards,
        listenfuehrer=spielliste.listenfuehrer,
        is_keeper=is_keeper,
        has_keeper=sheet.keeper is not None,
        on_paper=spielliste.on_paper,
        games_wanted=sheet.games_wanted,
        ended=tuple(ended_sentences(data, rule_set)),
        games=tuple(_games(sheet)),
        next=_next(sheet),
        moves=_moves(data, results),
        totals=tuple(seat_totals(data, results, rule_set, tournament)),
        signatures=tuple(_signatures(spielliste, seats)),
        call=_call(table.pk) if sheet.is_called else None,
        cases=tuple(_cases(spielliste)),
        protest_until=spielliste.protest_until,
        ends_at=serie.ends_at(spielliste.extra_minutes),
        signs=tuple(signs_at(spielliste)),
        now=now,
        may_change=is_keeper and spielliste.is_at_the_table and not spielliste.on_paper,
    )


def for_device(shared: TableState, *, is_keeper: bool) -> TableState:
    """Return the shared state of a list for one device of its table."""
    is_written = shared.status in Spielliste.AT_THE_TABLE and not shared.on_paper
    may_change = is_keeper and is_written
    return replace(shared, is_keeper=is_keeper, may_change=may_change, now=timezone.now())


def _players(
    seats: Sequence[SeatedPlayer], sitters: Mapping[int, Sitter]
) -> tuple[TablePlayer, ...]:
    """Return the players; namesakes have their start numbers added."""
    players = [_player(seat, sitters.get(seat.registration)) for seat in seats]
    often = Counter(player.name for player in players)
    with_number = _("{name} (Nr. {number})")
    return tuple(
        replace(player, name=with_number.format(name=player.name, number=player.number))
        if often[player.name] > 1
        else player
        for player in players
    )


def _player(seat: SeatedPlayer, sitter: Sitter | None) -> TablePlayer:
    club = sitter.person.club if sitter else None
    return TablePlayer(
        seat=seat.seat,
        number=seat.start_number,
        name=sitter.person.full_name if sitter else full_name(seat.first_name, seat.last_name),
        club=str(club or "") if sitter else seat.club,
    )


def _rules(rule_set: RuleSet, players: int) -> Mapping[str, Any]:
    return {
        "id": rule_set.id,
        "name": rule_set.name,
        "games": rule_set.games_at(players),
        "table_sizes": list(rule_set.table_sizes),
        "handromme": rule_set.handromme is not None,
        "ends_without_finisher": rule_set.ends_without_finisher,
        "card_values": {rank.value: value for rank, value in rule_set.card_values.items()},
        "rounds": [
            contract(round_.contract) if round_.contract else ""
            for round_ in map(rule_set.round, range(1, rule_set.games_at(players) + 1))
        ],
    }


def _games(sheet: Sheet) -> Iterable[PlayedGame]:
    running = (0,) * len(sheet.seats)
    for game in sheet.games:
        played = _played(game, sheet, running)
        running = played.running
        yield played


def _played(game: StoredGame, sheet: Sheet, before: tuple[int, ...]) -> PlayedGame:
    """Return a game with the points of each seat *before* it."""
    line, rule_set = game.to_scoring(), sheet.rule_set
    context = LineContext(rule_set=rule_set, players=len(before), number=game.number)
    counts = count_line(line, rule_set)
    size = sheet.spielliste.bonus_size or len(before)
    return PlayedGame(
        number=game.number,
        dealer=rule_set.dealer(game.number, len(before)),
        line=game.line,
        points=tuple(count.minus for count in counts),
        running=tuple(
            map(add, before, (points_of_game(count, rule_set, size) for count in counts))
        ),
        unclear="" if line.is_clear else unclear_entries(line, context.unreadable(line)),
        overridden=game.overridden,
    )


def _next(sheet: Sheet) -> NextGame | None:
    number, seats = len(sheet.games) + 1, len(sheet.seats)
    if sheet.spielliste.status != Spielliste.Status.OPEN or number > sheet.games_wanted:
        return None
    return NextGame(
        number=number,
        dealer=sheet.rule_set.dealer(number, seats),
        bounds=bounds(sheet.rule_set, players=seats, game=number),
    )


# --- The results of the list ---------------------------------------------------------------


def _data(sheet: Sheet) -> ListData:
    """Return the list as ``ListData``; no query if it has no Strafpunkte or moved players."""
    spielliste = sheet.spielliste
    if sheet.has_spans or spielliste.is_ended:
        return load_lists(sheet.tournament, only=[spielliste.pk])[0]
    data = ListData(
        pk=spielliste.pk,
        status=spielliste.status,
        serie=spielliste.table.serie.number,
        table=spielliste.table.number,
        bonus_size=spielliste.bonus_size,
        seats={seat.seat: seat.registration for seat in sheet.seats},
        text=SEPARATOR.join([game.text for game in sheet.games]),
    )
    if sheet.has_penalties:
        penalties = spielliste.penalties.filter(status=Penalty.Status.GIVEN)
        for registration, points in penalties.values_list("registration", "points"):
            data.penalties[registration] = data.penalties.get(registration, 0) + points
    return data


def _moves(data: ListData, results: Mapping[int, SeatResult]) -> SeatMoves:
    if not data.spans:
        return SeatMoves()
    people = Registration.objects.select_related("person").in_bulk(data.people)
    return seat_moves(data, name_lookup(people), results)


# --- Related to the list ----------------------------------------------------------------------


def _signatures(spielliste: Spielliste, seats: Iterable[SeatedPlayer]) -> Iterable[SeatSignature]:
    """Yield the valid signatures; none of an open list."""
    if spielliste.status == Spielliste.Status.OPEN:
        return
    rows = spielliste.signatures.values_list("registration", "version", "method")
    by_version: dict[int, dict[int, str]] = {}
    for registration, version, method in rows:
        by_version.setdefault(version, {})[registration] = method
    methods = by_version.get(spielliste.signed_version(by_version), {})
    for seat in seats:
        if seat.registration in methods:
            yield SeatSignature(seat=seat.seat, method=methods[seat.registration])


def _call(table_id: int) -> OpenCall | None:
    call = Call.objects.filter(table=table_id, done_at__isnull=True).first()
    if call is None:
        return None
    return OpenCall(id=call.pk, kind=call.kind, state="taken" if call.taken_at else "open")


def _cases(spielliste: Spielliste) -> Iterable[CorrectionRequest]:
    """Yield the requests of the table to the Spielleitung."""
    if spielliste.is_at_the_table:
        return
    cases = Case.objects.filter(spielliste=spielliste, registration__isnull=True)
    for case in cases.order_by("pk"):
        yield CorrectionRequest(
            id=case.pk,
            game=case.game,
            text=case.text,
            state="decided" if case.decided_at else "open",
            decision=case.decision,
        )
