"""The plan of a correction before it is written, and its data.

A plan is computed from plain facts, which are stored with the correction. When a second account
approves a proposal, it is planned and checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from scoring.errors import Problem
from tournaments.common.errors import WrongStatus
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import CORRECTABLE, ListData
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Correction, Spielliste, Tournament

Status = Spielliste.Status
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPlan:
    """A correction before it is carried out."""

    kind: Correction.Kind
    facts: dict[str, Any]  # stored in ``Correction.after``; sufficient for another plan
    before: dict[str, Any]
    paragraph: str  # default paragraph of the Romméordnung
    spielliste: Spielliste | None = None
    game: int | None = None
    changed: tuple[ListData, ...] = ()  # the lists after the correction
    excluded: Mapping[int, bool] = field(default_factory=dict)
    concerned: tuple[int, ...] = ()  # registrations that get a notice
    overridden: bool = False  # whether impossible hands are accepted
    warnings: tuple[Problem, ...] = ()

    @property
    def serie(self) -> int | None:
        """Number of the Serie; None if the correction concerns the whole tournament."""
        return self.spielliste.table.serie.number if self.spielliste is not None else None


class TournamentLists:
    """The lists of a tournament for a plan, loaded once."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.rule_set = rule_set_of(tournament)
        self.lists = load_lists(tournament)
        self._by_key = {data.pk: data for data in self.lists}

    def list_data(self, spielliste: Spielliste) -> ListData:
        """Return a copy of a list that a plan may change."""
        return deepcopy(self._by_key[spielliste.pk])


def load_list(spielliste_id: int) -> Spielliste:
    """Return a list with its table and Serie."""
    return Spielliste.objects.select_related("table__serie__tournament").get(pk=spielliste_id)


def check_correctable(spielliste: Spielliste) -> None:
    """Check that a list is signed and not invalid.

    Raises:
        WrongStatus: if not; names the alternative.
    """
    if spielliste.is_at_the_table:
        raise WrongStatus(
            _(
                "Die Liste von {table} ist {status} und noch nicht unterschrieben: Bis dahin "
                "ändert sie der Tisch (§ 2.2.3)."
            ).format(table=spielliste.table, status=spielliste.get_status_display())
        )
    if spielliste.status not in CORRECTABLE:
        raise WrongStatus(
            _(
                "Die Liste von {table} ist ungültig. Soll sie wieder zählen, bitte sie erst "
                "wieder für gültig erklären."
            ).format(table=spielliste.table)
        )


def people_of(data: ListData) -> tuple[int, ...]:
    """Return the keys of all registrations with a seat or a game on a list."""
    return tuple(dict.fromkeys([*data.seats.values(), *(span[2] for span in data.spans)]))
