"""Base of the commands for other programs that read or write the database."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import Error as DatabaseProblem
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from scoring.errors import Problem, ScoringError
from scoring.management.base import JsonCommand
from tournaments.common.errors import failure_of
from tournaments.management.database import bring_up_to_date
from tournaments.models import Organiser, Tournament


class DatabaseCommand(JsonCommand):
    """A command that brings the database up to date before it answers."""

    def answer(self, **options: Any) -> str:
        """Return the text for standard output.

        Raises:
            ScoringError: with all refusals, also of a database that cannot be reached.
        """
        try:
            bring_up_to_date()
            return self.answer_from_database(**options)
        except (DatabaseProblem, CommandError, InconsistentMigrationHistory, OSError) as error:
            raise ScoringError(_database_error(error)) from None

    @abstractmethod
    def answer_from_database(self, **options: Any) -> str:
        """Return the text for standard output.

        Raises:
            ScoringError: with all refusals.
        """


def _database_error(error: Exception) -> str:
    text = " ".join(str(error).split())
    if failure := failure_of(error):
        return f"{failure} ({text})"
    return _("Die Datenbank ist nicht erreichbar oder nicht in Ordnung: {why}").format(why=text)


class TournamentCommand(DatabaseCommand):
    """A command about one tournament, named by its slug."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the tournament."""
        parser.add_argument("slug", metavar="SLUG", help=gettext("Kurzname des Turniers"))


def find_tournament(slug: str) -> Tournament:
    """Return a tournament by its slug.

    Raises:
        ScoringError: if there is none, naming those there are.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is not None:
        return tournament
    there_are = list(Tournament.objects.order_by("slug").values_list("slug", flat=True))
    message = (
        _("Ein Turnier „{slug}“ gibt es nicht. Es gibt: {slugs}.").format(
            slug=slug, slugs=", ".join(there_are)
        )
        if there_are
        else _("Ein Turnier „{slug}“ gibt es nicht; es ist noch keines angelegt.").format(slug=slug)
    )
    raise ScoringError([Problem("slug", message)])


def find_organiser(name: str) -> Organiser:
    """Return the organiser with that name.

    Raises:
        ScoringError: if there is not exactly one, naming those there are.
    """
    named = list(Organiser.objects.filter(name=name)[:2])
    if len(named) == 1:
        return named[0]
    there_are = ", ".join(Organiser.objects.values_list("name", flat=True))
    message = _("„{name}“ heißt nicht genau ein Veranstalter. Es gibt: {names}.")
    raise ScoringError([Problem("organiser", message.format(name=name, names=there_are))])
