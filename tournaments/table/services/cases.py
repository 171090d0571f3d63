"""Requests of a table to correct its signed list (§ 2.2.5)."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import Problem
from tournaments.common.errors import InvalidInput, TournamentError, WrongStatus
from tournaments.common.roles import AT_TABLE
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Case, Spielliste

TEXT_LENGTH = 1000
MOST_OPEN = 10  # open cases of one table at a time
ASKED = "correction_asked"
Status = Spielliste.Status
acts = Acts(AT_TABLE, TAKES_PEOPLE)


@acts.on(
    Spielliste,
    "ask_for_correction",
    entry=ASKED,
    when=TAKES_PEOPLE.with_states(
        Status.SIGNED, Status.HANDED_IN, Status.VERIFIED, Status.INVALID
    ).with_refusal(
        gettext_lazy(
            "Die Liste ist noch nicht unterschrieben: Bis dahin ändert sie der Tisch selbst, "
            "mit dem Einverständnis der Beteiligten (§ 2.2.3)."
        )
    ),
)
def ask_for_correction(
    act: Act[Spielliste], *, game: int | None, text: str, now: datetime | None = None
) -> Case:
    """Store a table's request to the Spielleitung to correct its signed list.

    Args:
        game: number of the game; None for the list as a whole.
        text: the change requested, and its reason.
        now: time of the request.

    Raises:
        InvalidInput: if there is no such game, or the text is empty or too long.
        TournamentError: if the table has too many open cases.
        WrongStatus: if the time to ask is over.
    """
    spielliste = act.row
    if not spielliste.may_protest(now or timezone.now()):
        raise WrongStatus(_too_late(spielliste))
    problems = _problems(spielliste, game, text)
    if problems:
        raise InvalidInput(problems)
    open_cases = spielliste.cases.filter(registration=None, decided_at__isnull=True)
    if open_cases.count() >= MOST_OPEN:
        raise TournamentError(
            _(
                "Von diesem Tisch liegen schon {most} Bitten bei der Spielleitung. Bitte dort "
                "Bescheid sagen."
            ).format(most=MOST_OPEN)
        )
    case = Case(
        tournament=act.tournament,
        spielliste=spielliste,
        kind=Case.Kind.CORRECTION,
        game=game,
        text=text.strip(),
    )
    with act.entry(ASKED, case):
        act.add_all([case])
        act.note(spielliste=spielliste.pk, game=game)
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
