"""Moves of players whose places differ from the lists, with or without their games.

Either players played at wrong places, or their names are at wrong places on the list. The
Spielleitung decides whether earlier games go with the player or stay at the place (§ 1.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.errors import Problem
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.formats import rounding
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.corrections.services.base import (
    CorrectionPlan,
    Facts,
    TournamentLists,
    check_correctable,
    people_of,
)
from tournaments.draw.queries import report as draw_report
from tournaments.draw.services.rows import write_rows
from tournaments.journal.acts import Act, Acts
from tournaments.lists.queries.data import CORRECTABLE, ListData
from tournaments.lists.queries.loading import with_others
from tournaments.models import Correction, Penalty, Registration, Seat, SeatSpan, Serie, Spielliste

MOVED = "persons_moved"
Status = Spielliste.Status
acts = Acts(MAY_LEAD, TAKES_PEOPLE)


class GamesOwner(StrEnum):
    """The owner of the games entered before a move."""

    PERSON = "person"  # the players played them there
    PLACE = "place"  # the names were at the wrong place


Places = dict[int, tuple[int, int]]  # registration -> number of the table, seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The new places of a Serie, and the touched lists after the move."""

    rows: dict[int, list[int]]  # registrations clockwise, by number of the table
    old_rows: dict[int, list[int]]
    lists: tuple[Spielliste, ...]
    changed: tuple[ListData, ...]
    spans: tuple[tuple[int, int, int, int], ...]  # list, seat, last game, registration
    movers: tuple[int, ...]
    games: GamesOwner
    warnings: tuple[Problem, ...]

    @property
    def is_at_the_tables(self) -> bool:
        """Whether no touched list is signed."""
        return all(spielliste.is_at_the_table for spielliste in self.lists)


def places_of_rings(serie: Serie, rings: Iterable[Sequence[int]]) -> dict[str, list[int]]:
    """Return the new places by key of the registration, as in the facts.

    Args:
        serie: the Serie in which all these players have a place.
        rings: start numbers; each player takes the place of the next, the last of the first.

    Raises:
        TournamentError: if a number has no place, is named twice, or is alone in its ring.
    """
    seats = {
        seat.registration.number: seat
        for seat in Seat.objects.filter(serie=serie).select_related("table", "registration")
    }
    rings = [list(ring) for ring in rings]
    named = Counter(number for ring in rings for number in ring)
    if not named:
        raise TournamentError(_("Bitte die Startnummern nennen, die ihre Plätze wechseln."))
    for number, times in named.items():
        if number not in seats:
            raise TournamentError(
                _("Nr. {number} hat in {serie} keinen Platz.").format(number=number, serie=serie)
            )
        if times > 1:
            raise TournamentError(
                _("Nr. {number} steht zweimal da; jede Nummer kann nur an einen Platz.").format(
                    number=number
                )
            )
    if any(len(ring) < 2 for ring in rings):
        raise TournamentError(_("Ein Wechsel braucht mindestens zwei Startnummern."))
    return {
        str(seats[number].registration_id): [seats[to].table.number, seats[to].number]
        for ring in rings
        for number, to in zip(ring, [*ring[1:], ring[0]], strict=True)
    }


def make_move(hall: TournamentLists, serie: Serie, facts: Facts) -> Move:
    """Return the move by these *facts*.

    Raises:
        Conflict: if the places are not those of the players who move.
        TournamentError: if nothing would change.
        WrongStatus: if a touched list is invalid, or the Serie is closed.
    """
    places: Places = {int(key): (place[0], place[1]) for key, place in facts["places"].items()}
    games = GamesOwner(facts["games"])
    old_rows = draw_report.published_rows(serie)
    rows = {number: list(row) for number, row in old_rows.items()}
    old_place = {
        key: (number, seat)
        for number, row in old_rows.items()
        for seat, key in enumerate(row, start=1)
    }
    if sorted(places.values()) != sorted(old_place.get(key, (0, 0)) for key in places):
        raise Conflict(
            _("Die Plätze sind inzwischen andere. Bitte ansehen und den Wechsel neu eingeben.")
        )
    for key, (number, seat) in places.items():
        rows[number][seat - 1] = key
    tables = {number for number, row in rows.items() if row != old_rows[number]}
    lists = tuple(
        Spielliste.objects.filter(table__serie=serie, table__number__in=tables)
        .select_related("table__serie__tournament")
        .order_by("table__number")
    )
    TAKES_PEOPLE.check(hall.tournament, serie)
    for spielliste in lists:
        if not spielliste.is_at_the_table:
            check_correctable(spielliste)
    movers = tuple(key for key, place in places.items() if old_place[key] != place)
    if not movers:
        raise TournamentError(_("Alle sitzen schon so; es ändert sich nichts."))
    if games == GamesOwner.PERSON:
        _check_nobody_left(lists, old_rows, set(movers))
    spans = _spans(hall, lists, old_rows, set(movers)) if games == GamesOwner.PERSON else ()
    is_over = all(
        len(data.texts) == spielliste.games_wanted(hall.rule_set.games_at(len(data.seats)))
        for spielliste, data in ((row, hall.list_data(row)) for row in lists)
    )
    if games == GamesOwner.PERSON and is_over:
        raise TournamentError(
            _(
                "Auf den Listen stehen schon alle Spiele. Blieben sie bei den Personen, änderte "
                "sich nichts; gemeint ist wohl, dass sie beim Platz bleiben."
            )
        )
    changed = _changed_lists(hall, lists, rows, spans)
    own_games = " ".join(text for _number, text in sorted(_own_games(hall, changed, movers, games)))
    return Move(
        rows={number: rows[number] for number in sorted(tables)},
        old_rows={number: old_rows[number] for number in sorted(tables)},
        lists=lists,
        changed=changed,
        spans=spans,
        movers=movers,
        games=games,
        warnings=(
            *([Problem("games", own_games)] if own_games else []),
            *_seating_problems(serie, old_rows, rows),
        ),
    )


def _check_nobody_left(
    lists: Sequence[Spielliste], rows: Mapping[int, list[int]], movers: set[int]
) -> None:
    """Check that no mover had left when the list ended; the seat marks the missing result."""
    for spielliste in lists:
        for seat in spielliste.ended_left:
            if rows[spielliste.table.number][seat - 1] in movers:
                raise TournamentError(
                    _(
                        "{table}, Platz {seat}: Wer da saß, ist gegangen, als die Liste beendet "
                        "wurde, und wechselt mit den Spielen den Platz nicht mehr. Standen nur die "
                        "Namen falsch, bleiben die Spiele beim Platz."
                    ).format(table=spielliste.table, seat=seat)
                )


def _spans(
    hall: TournamentLists,
    lists: Sequence[Spielliste],
    rows: Mapping[int, list[int]],
    movers: set[int],
) -> tuple[tuple[int, int, int, int], ...]:
    """Return the spans of games that belong to players who leave their seats."""
    spans = []
    for spielliste in lists:
        data = hall.list_data(spielliste)
        played = len(data.texts)
        for seat, key in enumerate(rows[spielliste.table.number], start=1):
            noted = max((last for place, last, __ in data.spans if place == seat), default=0)
            # The stored span stays valid if no game followed the last move from this seat.
            if key in movers and played > noted:
                spans.append((spielliste.pk, seat, played, key))
    return tuple(spans)


def _changed_lists(
    hall: TournamentLists,
    lists: Sequence[Spielliste],
    rows: Mapping[int, list[int]],
    spans: Sequence[tuple[int, int, int, int]],
) -> tuple[ListData, ...]:
    """Return the lists after the move; Strafpunkte follow a player who leaves a list."""
    after = []
    for spielliste in lists:
        data = hall.list_data(spielliste)
        data.seats = dict(enumerate(rows[spielliste.table.number], start=1))
        data.spans += [(seat, last, key) for pk, seat, last, key in spans if pk == spielliste.pk]
        after.append(data)
    for data in after:
        for key in [key for key in data.penalties if key not in people_of(data)]:
            new = next((other for other in after if key in people_of(other)), None)
            if new is not None:
                new.penalties[key] = new.penalties.get(key, 0) + data.penalties.pop(key)
    return tuple(after)


def _own_games(
    hall: TournamentLists, changed: Sequence[ListData], movers: Collection[int], games: GamesOwner
) -> Iterator[tuple[int, str]]:
    """Yield start number and a sentence about the own games of each mover (§ 2.2.1).

    If games stay at the place, movers with a whole list are left out.
    """
    new = {data.pk: data for data in changed}
    rows = Registration.objects.filter(pk__in=movers).values_list("pk", "number")
    numbers = {key: number or 0 for key, number in rows}
    serie = changed[0].serie
    after = [new.get(data.pk, data) for data in hall.lists if data.serie == serie]
    for data in with_others(after):
        whole, rules, size = data.whole(hall.rule_set), hall.rule_set, len(data.seats)
        for seat, key in ((seat, key) for seat, key in data.seats.items() if key in numbers):
            unscaled = data.unscaled_numbers(rules, key)
            lists = data.own_games(key, rules).lists
            own = sum(part.played(rules)[key] for part in lists if part.status != Status.INVALID)
            if data.status == Status.OPEN:
                own += rules.own_games(size, seat=seat, games=data.ended_games)
                own -= rules.own_games(size, seat=seat, games=len(data.texts))
            if own not in unscaled or games == GamesOwner.PERSON:
                target = own if own in unscaled else whole
                rounded = rounding(hall.rule_set.order)
                yield numbers[key], _own_games_sentence(numbers[key], own, target, rounded)


def _own_games_sentence(number: int, games: int, target: int, rounded: str) -> str:
    if not games:
        sentence = _("Nr. {number} hat dann in dieser Serie kein Spiel, das zählt: kein Ergebnis.")
    elif games == target:
        sentence = _("Nr. {number} kommt in dieser Serie auf {wanted} Spiele, wie alle.")
    else:
        sentence = ngettext(
            "Nr. {number} kommt in dieser Serie auf {games} Spiel statt {wanted}: Das Ergebnis "
            "wird einmal × {wanted} ÷ {games} umgerechnet und {rounded}.",
            "Nr. {number} kommt in dieser Serie auf {games} Spiele statt {wanted}: Das Ergebnis "
            "wird einmal × {wanted} ÷ {games} umgerechnet und {rounded}.",
            games,
        )
    return sentence.format(number=number, games=games, wanted=target, rounded=rounded)


def _seating_problems(
    serie: Serie, old_rows: Mapping[int, list[int]], rows: Mapping[int, list[int]]
) -> Iterable[Problem]:
    """Yield the findings of the new seats that the old seats did not have."""
    judge = draw_report.SeatingReview(serie)
    now, then = judge.findings(old_rows), judge.findings(rows)
    registrations = {
        registration.number or 0: registration
        for registration in Registration.objects.filter(seats__serie=serie).select_related("person")
    }
    for line in draw_report.compare_measures(now, registrations, then):
        if line.people:
            yield Problem(
                "places",
                _("{label}: {people}").format(label=line.label, people="; ".join(line.people)),
            )


# --- As a correction of signed lists --------------------------------------------------------


def plan_seats(hall: TournamentLists, spielliste: Spielliste, facts: Facts) -> CorrectionPlan:
    """Return the plan of a move that touches a signed list."""
    move = make_move(hall, spielliste.table.serie, facts)
    if move.is_at_the_tables:
        check_correctable(spielliste)
    concerned: dict[int, None] = {}
    for data in (*(hall.list_data(spielliste) for spielliste in move.lists), *move.changed):
        concerned.update(dict.fromkeys(people_of(data)))
    return CorrectionPlan(
        kind=Correction.Kind.SEATS,
        spielliste=spielliste,
        facts={"places": dict(facts["places"]), "games": move.games.value},
        before={"tables": {str(number): row for number, row in move.old_rows.items()}},
        paragraph="2.1.2",
        changed=move.changed,
        concerned=tuple(concerned),
        warnings=move.warnings,
    )


def write_move(act: Act[Any], serie: Serie, move: Move) -> None:
    """Write the new seats, spans and lists of Strafpunkte; raises the versions of the lists."""
    act.add_all(
        SeatSpan(spielliste_id=pk, seat=seat, last_game=last, registration_id=key)
        for pk, seat, last, key in move.spans
    )
    write_rows(act, serie, move.rows)
    for data in move.changed:
        others = [spielliste.pk for spielliste in move.lists if spielliste.pk != data.pk]
        follow = Penalty.objects.filter(
            spielliste__in=others, registration__in=_moved_here(data, move)
        )
        act.change_all(follow, spielliste=data.pk)


def _moved_here(data: ListData, move: Move) -> set[int]:
    """Return the movers to a list who have no seat or game on another one."""
    elsewhere = {key for other in move.changed if other.pk != data.pk for key in people_of(other)}
    return (set(people_of(data)) & set(move.movers)) - elsewhere


# --- At the tables, before signing ------------------------------------------------------------


@acts.on(
    Serie,
    "move_at_the_tables",
    entry=MOVED,
    reason=gettext_lazy("Ein Platzwechsel braucht einen Grund."),
)
def move_at_the_tables(act: Act[Serie], *, facts: Facts, versions: Mapping[int, int]) -> Move:
    """Move players whose lists are not signed yet; no notices are created.

    Args:
        facts: ``places`` as from :func:`places_of_rings`, and ``games``.
        versions: of the touched lists, by key, as the actor saw them.

    Raises:
        TournamentError: as :func:`make_move`, or if a list is signed and needs a correction.
        Conflict: if a list has changed.
    """
    move = make_move(TournamentLists(act.tournament), act.row, facts)
    signed = next((row for row in move.lists if row.status in CORRECTABLE), None)
    if signed is not None:
        raise TournamentError(
            _(
                "Die Liste von {table} ist {status}. Plätze ändert dort nur noch eine "
                "Berichtigung der Liste."
            ).format(table=signed.table, status=signed.get_status_display())
        )
    check_versions(move.lists, versions)
    first, *others = move.lists
    with act.entry(MOVED, first, act.reason):
        write_move(act, act.row, move)
        _note_row(act, move, first)
    for other in others:
        with act.entry(MOVED, other, act.reason):
            _note_row(act, move, other)
    return move


def _note_row(act: Act[Serie], move: Move, spielliste: Spielliste) -> None:
    table = spielliste.table.number
    act.note(before={"row": move.old_rows[table]}, row=move.rows[table], games=move.games.value)


def check_versions(lists: Iterable[Spielliste], versions: Mapping[int, int]) -> None:
    """Check that the lists have the versions that the actor saw.

    Raises:
        Conflict: if a list has changed; names the first one.
    """
    for spielliste in lists:
        seen = versions.get(spielliste.pk)
        if seen != spielliste.version:
            raise Conflict(
                _(
                    "Die Liste von {table} wurde inzwischen geändert: Jetzt gilt Stand "
                    "{version}. Bitte ansehen, was dort steht, und neu entscheiden."
                ).format(table=spielliste.table, version=spielliste.version)
            )
