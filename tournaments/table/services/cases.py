"""Requests of a table for a correction of its signed list (§ 2.2.5)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from scoring.errors import Problem
from tournaments.common.actors import Actor
from tournaments.common.errors import Refused, TournamentError, WrongStatus
from tournaments.common.locks import lock_spielliste
from tournaments.journal import services as journal
from tournaments.models import Case, Spielliste

TEXT_LENGTH = 1000
MOST_OPEN = 10  # open cases of one table at a time


@transaction.atomic
def ask_for_correction(
    *,
    spielliste_id: int,
    game: int | None,
    text: str,
    actor: Actor,
    now: datetime | None = None,
) -> Case:
    """Store a table's request to the Spielleitung to correct its signed list.

    Args:
        spielliste_id: key of the list.
        game: number of the game concerned; None for the list as a whole.
        text: the change requested, and its reason.
        actor: the table's device.
        now: time of the request.

    Raises:
        Refused: if there is no such game or the text is empty.
        TournamentError: if the table has too many open cases.
        WrongStatus: if the list is not signed yet, or the time to ask is over.
    """
    now = now or timezone.now()
    spielliste = lock_spielliste(spielliste_id)
    tournament = spielliste.table.serie.tournament
    if spielliste.is_at_the_table:
        raise WrongStatus(
            _(
                "Die Liste ist noch nicht unterschrieben: Bis dahin ändert sie der Tisch selbst, "
                "mit dem Einverständnis der Beteiligten (§ 2.2.3)."
            )
        )
    if not spielliste.may_protest(now):
        raise WrongStatus(_too_late(spielliste))
    problems = _problems(spielliste, game, text)
    if problems:
        raise Refused(problems)
    asked = Case.objects.filter(spielliste=spielliste, registration=None, decided_at__isnull=True)
    if asked.count() >= MOST_OPEN:
        raise TournamentError(
            _(
                "Von diesem Tisch liegen schon {most} Bitten bei der Spielleitung. Bitte dort "
                "Bescheid sagen."
            ).format(most=MOST_OPEN)
        )
    case = Case.objects.create(
        tournament=tournament,
        spielliste=spielliste,
        kind=Case.Kind.CORRECTION,
        game=game,
        text=text.strip(),
    )
    journal.record(
        tournament,
        actor,
        "correction_asked",
        case,
        after={"spielliste": spielliste.pk, "game": game},
        at=now,
    )
    return case


def _problems(spielliste: Spielliste, game: int | None, text: str) -> list[Problem]:
    problems = []
    if game is not None and not spielliste.games.filter(number=game).exists():
        message = _("Spiel {number} steht nicht in der Liste.").format(number=game)
        problems.append(Problem("game", message))
    if not text.strip():
        problems.append(Problem("text", _("Bitte schreiben, was falsch ist und warum.")))
    elif len(text.strip()) > TEXT_LENGTH:
        message = _("Der Text ist zu lang; höchstens {most} Zeichen.").format(most=TEXT_LENGTH)
        problems.append(Problem("text", message))
    return problems


def _too_late(spielliste: Spielliste) -> str:
    until = spielliste.protest_until
    if until is None:
        return _("Für diese Liste gibt es keine Frist zum Einspruch; bitte zur Spielleitung gehen.")
    return _("Die Frist zum Einspruch ist um {time} Uhr abgelaufen.").format(
        time=time_format(timezone.localtime(until), "H:i")
    )
