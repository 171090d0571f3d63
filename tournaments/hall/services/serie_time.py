"""The start of a Serie, its time limit, and extra time of tables."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Game, Serie, Spielliste

MOST_EXTRA_MINUTES = 240  # total for one table

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Serie, "start_serie", entry="serie_started")
def start(act: Act[Serie]) -> Serie:
    """Start a Serie and its time.

    Raises:
        WrongStatus: if it has no seats, or has started already.
    """
    serie = act.row
    if not serie.tables.exists():
        raise WrongStatus(
            _("{serie} hat noch keine Sitzordnung. Bitte zuerst auslosen.").format(serie=serie)
        )
    if serie.started_at is not None:
        raise WrongStatus(_("{serie} hat schon begonnen.").format(serie=serie))
    serie.started_at = timezone.now()
    return act.store(serie)


@acts.on(Serie, "take_back_start", entry="serie_start_taken_back")
def take_back_start(act: Act[Serie]) -> Serie:
    """Undo an accidental start; not possible after the first game.

    Raises:
        WrongStatus: if it has not started, or a game was entered.
    """
    serie = act.row
    if serie.started_at is None:
        raise WrongStatus(_("{serie} hat noch nicht begonnen.").format(serie=serie))
    if Game.objects.filter(spielliste__table__serie=serie).exists():
        raise WrongStatus(
            _("In {serie} sind schon Spiele eingetragen; der Beginn bleibt stehen.").format(
                serie=serie
            )
        )
    serie.started_at = None
    return act.store(serie)


@acts.on(Serie, "give_extra_time", entry="extra_time_given")
def give_extra(
    act: Act[Serie], *, minutes: int, tables: Sequence[int] | None = None
) -> list[Spielliste]:
    """Give tables extra time, or take some of it back, and return their lists.

    Args:
        minutes: added to the extra time of each table; negative takes back.
        tables: numbers of the tables; None means all that still play.

    Raises:
        TournamentError: if the minutes are 0, too many, or exceed the extra time to take back.
        WrongStatus: if the Serie has no time limit, or a table has signed.
    """
    serie = act.row
    if serie.time_limit_minutes is None:
        raise WrongStatus(
            _("{serie} hat keine Zeitbegrenzung; mehr Zeit braucht niemand.").format(serie=serie)
        )
    if minutes == 0:
        raise TournamentError(_("Bitte sagen, wie viele Minuten es mehr oder weniger sein sollen."))
    lists = _playing(serie, tables)
    for spielliste in lists:
        after = spielliste.extra_minutes + minutes
        if after < 0:
            raise TournamentError(
                ngettext(
                    "{table} hat nur {number} Minute Zugabe; mehr lässt sich nicht zurücknehmen.",
                    "{table} hat nur {number} Minuten Zugabe; mehr lässt sich nicht zurücknehmen.",
                    spielliste.extra_minutes,
                ).format(table=spielliste.table, number=spielliste.extra_minutes)
            )
        if after > MOST_EXTRA_MINUTES:
            raise TournamentError(
                _("{table} hätte damit {number} Minuten Zugabe; höchstens {most} gehen.").format(
                    table=spielliste.table, number=after, most=MOST_EXTRA_MINUTES
                )
            )
        spielliste.extra_minutes = after
    act.change_all(lists, extra_minutes=F("extra_minutes") + minutes)
    act.note(minutes=minutes, tables=[spielliste.table.number for spielliste in lists])
    return list(lists)


def _playing(serie: Serie, tables: Sequence[int] | None) -> QuerySet[Spielliste]:
    """Return the lists of these tables; refuses if one is not at the table any more."""
    rows = Spielliste.objects.filter(table__serie=serie).select_related("table")
    rows = rows.order_by("table__number")
    if tables is None:
        lists = rows.filter(status__in=Spielliste.AT_THE_TABLE)
        if not lists:
            raise WrongStatus(
                _("In {serie} spielt kein Tisch mehr; es gibt nichts zu verlängern.").format(
                    serie=serie
                )
            )
        return lists
    lists = rows.filter(table__number__in=tables)
    missing = sorted(set(tables) - {spielliste.table.number for spielliste in lists})
    if missing:
        raise TournamentError(
            _("Tisch {number} gibt es in {serie} nicht.").format(number=missing[0], serie=serie)
        )
    for spielliste in lists:
        if not spielliste.is_at_the_table:
            raise WrongStatus(
                _("{table} spielt nicht mehr: Die Liste ist schon „{status}“.").format(
                    table=spielliste.table, status=spielliste.get_status_display()
                )
            )
    return lists
