"""Drawn Startkarten, entered by hand; the program draws the missing ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from scoring.seating import Chance
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.roles import AT_TABLE, MAY_LEAD, MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries.task import entrants
from tournaments.journal.acts import Act, Acts
from tournaments.models import Draw, Registration, Serie, Tournament

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)

Seats = list[list[int | None]]
Card = tuple[int, int]  # table and seat, both from 1

MAX_TRIES = 1_000  # attempts to draw the rest without breaking a separation


@acts.on(Draw, "enter_cards", entry="cards_entered")
def enter_cards(act: Act[Draw], *, cards: Mapping[int, Card]) -> Draw:
    """Enter Startkarten by start number; none is stored if one is impossible.

    A player entered before is moved to the new card.

    Raises:
        TournamentError: if a card does not exist, belongs to another player, or a start
            number cannot be seated.
        WrongStatus: if no cards are drawn for this Serie.
    """
    seats = _seats_of_cards(act.row)
    field = {entrant.number: entrant for entrant in entrants(act.tournament, act.row.serie.day)}
    moved = {_entrant(field, number).pk for number in cards}
    seats = [[None if key in moved else key for key in row] for row in seats]
    for number, (table, seat) in cards.items():
        if not (1 <= table <= len(seats) and 1 <= seat <= len(seats[table - 1])):
            raise TournamentError(
                _("Tisch {table}, Platz {seat} gibt es in dieser Serie nicht.").format(
                    table=table, seat=seat
                )
            )
        holder = seats[table - 1][seat - 1]
        if holder is not None:
            raise TournamentError(
                _(
                    "Tisch {table}, Platz {seat} hat schon {other}. Eine der beiden Karten ist "
                    "falsch gelesen."
                ).format(table=table, seat=seat, other=act.tournament.registrations.get(pk=holder))
            )
        seats[table - 1][seat - 1] = field[number].pk
    entered = [[number, *card] for number, card in cards.items()]
    return _store(act, seats, entered)


@acts.on(Draw, "enter_cards_at_table", entry="cards_entered", by=AT_TABLE)
def enter_at_table(
    act: Act[Draw],
    *,
    table: int,
    numbers: Mapping[int, int],
    seen: Mapping[int, int] | None = None,
) -> Draw:
    """Enter the start numbers at one table by seat; the players at the table do this.

    Only places of this table change: a player entered at another table stays there, and a
    place that is left out becomes free.

    Args:
        numbers: start numbers by seat, as typed.
        seen: start numbers by seat that the page showed; a place not changed on the page keeps
            its current player, because several phones may be in use.

    Raises:
        Conflict: if a changed place has got another player meanwhile.
        TournamentError: if there is no such place, or a start number cannot be seated, is
            entered twice, or sits at another table.
    """
    seats = _seats_of_cards(act.row)
    if not 1 <= table <= len(seats) or not set(numbers) <= set(range(1, len(seats[table - 1]) + 1)):
        raise TournamentError(_("Diesen Platz gibt es in dieser Serie nicht."))
    field = {entrant.number: entrant for entrant in entrants(act.tournament, act.row.serie.day)}
    if seen is not None:
        numbers = _merged_numbers(seats[table - 1], field, numbers, seen)
    if len(set(numbers.values())) < len(numbers):
        raise TournamentError(_("Eine Startnummer steht an zwei Plätzen. Bitte nachsehen."))
    row: list[int | None] = [None] * len(seats[table - 1])
    for seat, number in numbers.items():
        entrant = _entrant(field, number)
        for other_table, places in enumerate(seats, start=1):
            if other_table != table and entrant.pk in places:
                raise TournamentError(
                    _(
                        "Startnummer {number} ist schon an Tisch {table} eingetragen. Eine der "
                        "beiden Karten ist falsch gelesen; die Anmeldung hilft."
                    ).format(number=number, table=other_table)
                )
        row[seat - 1] = entrant.pk
    seats[table - 1] = row
    entered = [[number, table, seat] for seat, number in sorted(numbers.items())]
    return _store(act, seats, entered)


def _seats_of_cards(draw: Draw) -> Seats:
    """Return the seats of a draft by drawn cards; refuses drafts by other methods."""
    if draw.method != Serie.Seating.CARDS:
        raise WrongStatus(
            _("{serie} wird nicht mit gezogenen Karten ausgelost; hier gibt es keine.").format(
                serie=draw.serie
            )
        )
    return [list(row) for row in draw.seats]


def _store(act: Act[Draw], seats: Seats, cards: list[list[int]]) -> Draw:
    act.row.seats = seats
    act.store(act.row)
    act.note(cards=cards)
    return act.row


def _merged_numbers(
    row: Sequence[int | None],
    field: Mapping[int | None, Registration],
    numbers: Mapping[int, int],
    seen: Mapping[int, int],
) -> dict[int, int]:
    """Return the start numbers at a table by seat, with the changed places applied."""
    number_of = {player.pk: number for number, player in field.items() if number is not None}
    merged = {}
    for seat, key in enumerate(row, start=1):
        current, typed = number_of.get(key or 0), numbers.get(seat)
        if typed == seen.get(seat):
            typed = current
        elif current not in {seen.get(seat), typed}:
            raise Conflict(
                _(
                    "An Platz {seat} hat inzwischen jemand anderes etwas eingetragen. Bitte "
                    "ansehen, was jetzt dort steht."
                ).format(seat=seat)
            )
        if typed is not None:
            merged[seat] = typed
    return merged


def _entrant(field: Mapping[int | None, Registration], number: int) -> Registration:
    if number not in field:
        raise TournamentError(
            _(
                "Startnummer {number} ist nicht bezahlt oder nicht vergeben und kann nicht "
                "gesetzt werden (§ 1.3)."
            ).format(number=number)
        )
    return field[number]


@acts.on(Draw, "fill_up_cards", entry="cards_filled_up", by=MAY_LEAD)
def fill_up(act: Act[Draw]) -> Draw:
    """Draw the missing cards for the players without one.

    The draw is repeated until it keeps fixed tables and separations, so that all seatings that
    keep them are equally likely.

    Raises:
        TournamentError: if the field has changed, a fixed table is full, or no attempt
            keeps the separations.
    """
    draw, seats = act.row, _seats_of_cards(act.row)
    seated = {key for row in seats for key in row if key is not None}
    without_card = [
        player for player in entrants(act.tournament, act.row.serie.day) if player.pk not in seated
    ]
    free = sum(row.count(None) for row in seats)
    if len(without_card) != free:
        raise TournamentError(
            _(
                "Es fehlen {free} Karten, aber {left} Personen haben noch keine. Seit Beginn der "
                "Auslosung hat sich das Feld geändert; bitte neu beginnen."
            ).format(free=free, left=len(without_card))
        )
    draw.seats = _drawn(act.tournament, draw, without_card)
    act.store(draw)
    act.note(drawn=len(without_card), seed=draw.seed)
    return draw


def _drawn(tournament: Tournament, draw: Draw, without_card: Sequence[Registration]) -> Seats:
    apart = list(tournament.separations.values_list("first", "second"))
    chance = Chance(draw.seed)
    for _try in range(MAX_TRIES):
        seats = _filled(draw.seats, without_card, chance)
        # A pair that drew cards of one table cannot be separated here.
        open_pairs = [pair for pair in apart if not _any_together(draw.seats, [pair])]
        if not _any_together(seats, open_pairs):
            return seats
    raise TournamentError(
        _(
            "So lassen sich nicht alle auseinander halten, die nicht zusammen sitzen sollen. "
            "Bitte einzelne Karten eintragen oder eine Trennung aufheben."
        )
    )


def _any_together(seats: Sequence[Sequence[int | None]], pairs: Sequence[tuple[int, int]]) -> bool:
    return any(first in row and second in row for first, second in pairs for row in seats)


def _filled(
    before: Sequence[Sequence[int | None]], without_card: Sequence[Registration], chance: Chance
) -> Seats:
    """Return the seats of all players; those with a fixed table are placed first."""
    seats: Seats = [list(row) for row in before]
    rest = []
    for player in chance.shuffled(without_card):
        if player.fixed_table is None or player.fixed_table > len(seats):
            rest.append(player.pk)
            continue
        row = seats[player.fixed_table - 1]
        places = [place for place, key in enumerate(row) if key is None]
        if not places:
            raise TournamentError(
                _(
                    "{name} gehört fest an Tisch {table}, und dort ist kein Platz mehr frei. "
                    "Bitte eine Karte dieses Tisches tauschen."
                ).format(name=player, table=player.fixed_table)
            )
        row[chance.pick(places)] = player.pk
    drawn = iter(rest)
    return [[next(drawn) if key is None else key for key in row] for row in seats]
