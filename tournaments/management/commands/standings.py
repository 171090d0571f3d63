"""``manage.py standings SLUG``: the ranking of a tournament as JSON."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.errors import Problem, ScoringError
from scoring.reading.strict_json import dump
from tournaments.common.digits import number_in
from tournaments.management.base import TournamentCommand, find_tournament
from tournaments.results.queries.ranking_json import standings_json
from tournaments.results.queries.rankings import OVERALL, Rankings


class Command(TournamentCommand):
    """Write the ranking of all players (``docs/formats.md`` 4)."""

    help = gettext_noop("Gibt die Rangliste eines Turniers als JSON aus.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the tournament and the last Serie that counts."""
        super().add_arguments(parser)
        parser.add_argument(
            "--series",
            metavar="N",
            help=gettext("nur die Serien 1 bis N; ohne Angabe alle"),
        )

    def answer_from_database(self, **options: Any) -> str:
        """Return the ranking.

        Raises:
            ScoringError: if there is no such tournament or Serie.
        """
        rankings = Rankings(find_tournament(options["slug"]))
        return dump(standings_json(rankings, OVERALL, _upto(options["series"], rankings.serien)))


def _upto(text: str | None, serien: int) -> int:
    if text is None:
        return serien
    number = number_in(text) or 0
    if 1 <= number <= serien:
        return number
    message = _("Serie „{given}“ gibt es nicht; das Turnier hat die Serien 1 bis {serien}.")
    if not serien:
        message = _("Serie „{given}“ gibt es nicht; für das Turnier ist keine Serie vorgesehen.")
    raise ScoringError([Problem("--series", message.format(given=text, serien=serien))])
