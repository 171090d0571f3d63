"""The task of a draw: the field by start numbers, as ``manage.py plan_seating`` reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.reading.interchange_seating import SeatingFile, read_seating
from scoring.seating import STARTS
from tournaments.common.club_names import club_key
from tournaments.desk.queries.presence import on_day
from tournaments.lists.queries.seat_history import earlier_sitters
from tournaments.models import Registration, Seat, Serie, TeamMember, Tournament

Tables = list[list[int]]
SUBSTITUTE_OFFSET = 1_000_000  # higher than any start number


def entrants(tournament: Tournament, day: int = 1) -> list[Registration]:
    """Return the registrations with a right to a seat on a day (§ 1.3), by start number.

    They have paid, play on the day, and have not left.
    """
    paid = tournament.registrations.filter(
        on_day(tournament, day),
        status=Registration.Status.PAID,
        gone_after__isnull=True,
    )
    return list(paid.select_related("person", "club").order_by("number"))


def allowed_sizes(tournament: Tournament) -> tuple[int, ...]:
    """Return the table sizes of the rule set, the preferred one first."""
    sizes: Sequence[int] = tournament.rule_set.get("table_sizes") or (4, 3)
    return tuple(sizes)


def make_task(serie: Serie, *, serien: int = 1) -> dict[str, Any]:
    """Return the input of the draw as plain JSON, as for ``plan_seating``.

    Clubs and teams are numbers in it, because anyone may see the task and repeat the draw.
    """
    tournament = serie.tournament
    field = entrants(tournament, serie.day)
    number_of = {entrant.pk: entrant.number or 0 for entrant in field}
    clubs = club_keys(field)
    separations = tournament.separations.values_list("first", "second")
    teams = _teams(tournament)
    return {
        "players": [
            {
                "id": player.number,
                "club": f"Verein {clubs[player.pk]}" if player.pk in clubs else None,
                "team": f"Mannschaft {teams[player.pk]}" if player.pk in teams else None,
            }
            for player in field
        ],
        "series": serien,
        "table_sizes": list(allowed_sizes(tournament)),
        "history": history(serie),
        "fixed_tables": [
            [player.number, player.fixed_table] for player in field if player.fixed_table
        ],
        # By start numbers: in an imported copy the keys have another order.
        "apart": sorted(
            sorted([number_of[first], number_of[second]])
            for first, second in separations
            if first in number_of and second in number_of
        ),
        "starts": STARTS,  # the maximum, until the draw stores the actual number
    }


def club_keys(field: Iterable[Registration]) -> dict[int, int]:
    """Return the key of each registration's club; spellings of one club share a key."""
    first: dict[str, int] = {}
    clubs = sorted({player.club for player in field if player.club}, key=lambda club: club.pk)
    for club in clubs:
        first.setdefault(club_key(club.name), club.pk)
    keys = {player.pk: club_key(player.club.name) for player in field if player.club}
    return {pk: first[key] for pk, key in keys.items() if key}


def _teams(tournament: Tournament) -> dict[int, int]:
    """Return the team of each registration; the tandem if it has both."""
    members = TeamMember.objects.filter(ranking__tournament=tournament)
    by_weight = members.order_by("-ranking__kind", "team")  # the last one, "tandem", counts
    return dict(by_weight.values_list("registration", "team"))


def history(serie: Serie) -> list[Tables]:
    """Return the tables of the earlier Serien by start numbers.

    A player whose start number passed to a substitute gets a unique number there, because the
    player's opponents do not count for the substitute.
    """
    substituted = earlier_sitters(serie.tournament)
    seats = (
        Seat.objects.filter(serie__tournament=serie.tournament_id, serie__number__lt=serie.number)
        .order_by("serie__number", "table__number", "number")
        .values_list("serie__number", "table__number", "registration", "registration__number")
    )
    serien: dict[int, dict[int, list[int]]] = {}
    for serie_number, table, key, start_number in seats:
        is_other = key in substituted.get(serie_number, {})
        number = (start_number or 0) + (SUBSTITUTE_OFFSET * serie_number if is_other else 0)
        serien.setdefault(serie_number, {}).setdefault(table, []).append(number)
    return [list(tables.values()) for _number, tables in sorted(serien.items())]


# Keys that a draw stores in its task and ``plan_seating`` does not know.
DRAW_ONLY_KEYS = frozenset({"plan", "planned_with", "ranking", "order"})


def task_file(task: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """Return the input of ``plan_seating`` that repeats a draw.

    A task without the number of starts of the search has one start.
    """
    file_keys = {key: value for key, value in task.items() if key not in DRAW_ONLY_KEYS}
    return {"starts": 1, **file_keys, "seed": seed}


def read_task(task: Mapping[str, Any], seed: str) -> SeatingFile:
    """Return the parsed task, read like a file.

    Raises:
        ScoringError: if it cannot be planned; names every reason.
    """
    return read_seating(json.dumps(task_file(task, seed)).encode())
