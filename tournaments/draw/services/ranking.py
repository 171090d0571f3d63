"""Seating a Serie by the ranking of the earlier Serien."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _

from scoring.seating import RankOrder, set_by_rank
from tournaments.common.errors import TournamentError
from tournaments.desk.queries import earlier_tournament
from tournaments.draw.queries.task import read_task
from tournaments.models import Serie, Table
from tournaments.results.queries import results
from tournaments.results.queries.rankings import OVERALL, Rankings


class UnverifiedLists(TournamentError):
    """The ranking depends on lists that are not verified; the Spielleitung may accept that."""


def unverified_tables(serie: Serie, *, accepted: bool) -> list[str]:
    """Return tables of earlier Serien without a verified list, as „1/4“, for the journal.

    Raises:
        TournamentError: if there is neither an earlier Serie nor an earlier tournament.
        UnverifiedLists: if there are such tables and that was not accepted.
    """
    if serie.number == 1 and not earlier_tournament.has_earlier_ranking(serie.tournament):
        raise TournamentError(
            _(
                "Vor der ersten Serie gibt es keine Rangliste, nach der gesetzt werden könnte. "
                "Bitte ein anderes Verfahren wählen."
            )
        )
    missing = results.unverified_tables(serie.tournament, upto=serie.number - 1)
    if missing and not accepted:
        raise UnverifiedLists(
            _(
                "Noch nicht geprüft: {lists}. Wer trotzdem nach der Rangliste setzt, bestätigt "
                "das ausdrücklich."
            ).format(lists=in_words(missing))
        )
    return [f"{table.serie.number}/{table.number}" for table in missing]


def in_words(tables: Sequence[Table]) -> str:
    """Return the tables by Serie, as in „Serie 1 Tisch 4, 7; Serie 2 Tisch 1“."""
    return "; ".join(
        _("{serie} Tisch {tables}").format(
            serie=serie, tables=", ".join(str(table.number) for table in group)
        )
        for serie, group in groupby(tables, key=lambda table: table.serie)
    )


def with_ranking(serie: Serie, task: Mapping[str, Any], order: RankOrder) -> dict[str, Any]:
    """Return the task with the ranking of its field, as groups of equal rank.

    Serie 1 uses the ranking of the tournament that this one follows.
    """
    field = {player["id"] for player in task["players"]}
    places = (
        earlier_tournament.places(serie.tournament, field)
        if serie.number == 1
        else [
            (line.rank, line.number)
            for line in Rankings(serie.tournament).standings(OVERALL, upto=serie.number - 1)
        ]
    )
    ranked = [
        [number for _rank, number in group if number in field]
        for _rank, group in groupby(places, key=itemgetter(0))
    ]
    in_ranking = {number for group in ranked for number in group}
    newcomers = sorted(field - in_ranking)
    return {
        **task,
        "ranking": [group for group in (*ranked, newcomers) if group],
        "order": order,
    }


def seats_by_rank(task: Mapping[str, Any], seed: str) -> list[list[int]]:
    """Return the tables by start numbers, set by the ranking in the task.

    Raises:
        ScoringError: if the separations cannot be kept.
    """
    file = read_task(task, seed)
    tables = set_by_rank(
        task["ranking"],
        file.players,
        order=RankOrder(task["order"]),
        seed=seed,
        allowed=file.allowed,
        history=file.history,
        fixed_tables=file.fixed_tables,
        apart=file.apart,
    )
    return [list(table) for table in tables]
